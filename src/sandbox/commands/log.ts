import * as z from 'zod';
import { caused, explain } from '../explain.ts';
import { ignoredIn } from '../ignored.ts';
import { maskAnswered, maskHeaders, maskSent, maskShown, maskTarget } from '../mask.ts';
import { rememberedRequest, requestToRewind, stateBefore } from '../past.ts';
import type { Entry } from '../request-log.ts';
import type { Sandbox } from '../sandbox.ts';
import { shownTraceparent } from '../traces/traceparent.ts';
import { command, noted, rootOf, sentHeaders } from './command.ts';
import { chosenId, createdSandbox } from './sandboxes.ts';

/** Returns the span of a request, if it has one or was sent with one. */
const traceOf = (entry: Entry): { traceparent?: string } => {
  const traceparent = shownTraceparent(entry);
  return traceparent === undefined ? {} : { traceparent };
};

/** Returns a request in one line. */
export const requestLine = (entry: Entry) => ({
  id: entry.id,
  at: entry.at,
  method: entry.method,
  path: maskTarget(entry),
  operation: entry.operation,
  status: entry.status,
  code: entry.code,
  ms: Math.round(entry.ms * 100) / 100,
  magic: entry.caused?.magic.length ? maskShown(entry, entry.caused.magic) : [],
  ...(entry.fault ? { fault: entry.fault } : {}),
  ...traceOf(entry),
});

/** Returns a request in one line, and whether the state before it can still be restored. */
const requestOf = (sandbox: Sandbox, entry: Entry) => ({
  ...requestLine(entry),
  rewindable: sandbox.changesSince(entry) !== undefined,
  ...(entry.undone ? { undone: true, undoneBy: entry.undoneBy } : {}),
});

/** The languages in which a request can be copied as code. */
export const LANGUAGES = ['curl', 'fetch', 'python', 'java', 'go'] as const;

/** The formats in which requests can be recorded. */
export const RECORDINGS = ['vitest', 'shell', 'scenario', 'bruno'] as const;

/** The expectations of a reply that a recorded test may have. */
export const EXPECTATIONS = ['all', 'status and ids'] as const;

const named = () => ({ id: z.string().describe('Its x-request-id') });
const namedOrLast = () => ({
  id: z.string().describe('Its x-request-id, or last: the newest call since which something has changed'),
});

export const requests = {
  list: command(
    'The last requests, newest first',
    () => ({
      limit: z.int().min(1).max(1000).default(50).describe('How many'),
      operation: z.string().optional().describe('Calls of this operation only, such as createCustomer'),
      status: z
        .string()
        .regex(/^\d{3}$/)
        .optional()
        .describe('Calls with this status only, such as 404'),
    }),
    ({ sandbox }, { limit, operation, status }) => {
      const data: ReturnType<typeof requestOf>[] = [];
      for (const entry of sandbox.requestLog.newest()) {
        if (data.length === limit) break;
        if (operation !== undefined && entry.operation !== operation) continue;
        if (status !== undefined && entry.status !== Number(status)) continue;
        data.push(requestOf(sandbox, entry));
      }
      return { data };
    },
  ),
  read: command(
    'One request and its reply, why it went so, and what it caused; secrets masked',
    named,
    ({ host, sandbox }, { id }) => {
      const entry = rememberedRequest(sandbox, id, host.sandboxes);
      return {
        ...requestOf(sandbox, entry),
        request: { headers: maskHeaders(entry.headers), body: maskSent(entry) },
        reply: { body: maskAnswered(entry) },
        why: maskShown(entry, explain(entry)),
        ignored: ignoredIn(entry, sandbox.world.profile),
        caused: caused(sandbox, entry),
      };
    },
  ),
  rewind: noted(
    command(
      'Go back to the state before a request: rows, clock, ids to come and faults are as they were',
      namedOrLast,
      async ({ host, sandbox }, { id }) => {
        const entry = requestToRewind(sandbox, id, host.sandboxes);
        const { before, changes } = stateBefore(sandbox, entry);
        await sandbox.begin({ from: 'past', before });
        return { id: entry.id, changes, clock: sandbox.world.clock.state() };
      },
    ),
    ({ host, sandbox }, { id }) => ({ what: 'rewound', id: requestToRewind(sandbox, id, host.sandboxes).id }),
  ),
  fork: command(
    'A new sandbox in the state before a request, with credentials of its own; this one stays as it is',
    () => ({ ...namedOrLast(), name: chosenId() }),
    async (context, { id, name }) => {
      const { host, sandbox } = context;
      const entry = requestToRewind(sandbox, id, host.sandboxes);
      const { before } = stateBefore(sandbox, entry);
      return { request: entry.id, ...createdSandbox(context, await host.fork(sandbox, { before, as: name })) };
    },
  ),
  replay: command(
    'Send a request again, as it was or changed, and set both replies side by side; secrets masked',
    () => ({
      ...named(),
      against: z
        .enum(['now', 'before', 'fork'])
        .default('now')
        .describe(
          'This sandbox as it is, a passing one in the state before the request, or a fork of this one, which stays',
        ),
      body: z.unknown().optional().describe('Another body: JSON, or its text'),
      headers: sentHeaders(z.string().nullable()).optional().describe('Headers to change; null leaves one out'),
    }),
    async (context, input) => (await import('../replay.ts')).replay(context, input),
  ),
  code: command(
    'A request as code that sends it, secrets masked',
    () => ({
      ...named(),
      as: z.enum(LANGUAGES).default('curl').describe('curl, or a language with its usual client'),
    }),
    async (context, { id, as }) => {
      const { host, sandbox } = context;
      const entry = rememberedRequest(sandbox, id, host.sandboxes);
      const { codeOf } = await import('../../calls/index.ts');
      return codeOf(sandbox, entry, rootOf(context), as);
    },
  ),
  record: command(
    'Requests of the log as a test, a script, a scenario file or a collection, ids as variables',
    () => ({
      requests: z
        .union([
          z.array(z.string()).min(1).max(1000),
          z.strictObject({ from: z.string().describe('The first'), to: z.string().describe('The last') }),
        ])
        .describe('Request ids, or a span with both ends'),
      as: z.enum(RECORDINGS).default('vitest').describe('What to make of them'),
      expect: z
        .enum(EXPECTATIONS)
        .default('all')
        .describe('What a test expects of each reply: all that is the same in every run, or its status and ids only'),
    }),
    async (context, input) => (await import('../../calls/index.ts')).record(context, input),
  ),
};

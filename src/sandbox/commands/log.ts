import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import type { Before } from '../before.ts';
import { caused, explain } from '../explain.ts';
import { maskAnswered, maskHeaders, maskSent, maskTarget, maskTold } from '../mask.ts';
import type { Entry } from '../request-log.ts';
import type { Sandbox } from '../sandbox.ts';
import { command } from './command.ts';
import { createdSandbox } from './sandboxes.ts';

/** A request in one line. */
export const requestLine = (entry: Entry) => ({
  id: entry.id,
  at: entry.at,
  method: entry.method,
  path: maskTarget(entry),
  operation: entry.operation,
  status: entry.status,
  code: entry.code,
  ms: Math.round(entry.ms * 100) / 100,
  magic: entry.caused?.magic.length ? maskTold(entry, entry.caused.magic) : [],
  ...(entry.fault ? { fault: entry.fault } : {}),
});

/** A request in one line, and whether the state before it can still be gone back to. */
const requestOf = (sandbox: Sandbox, entry: Entry) => ({
  ...requestLine(entry),
  rewindable: sandbox.changesSince(entry) !== undefined,
  ...(entry.undone ? { undone: true } : {}),
});

/** A request that the log remembers; 404 `REFERENCE_NOT_FOUND`. */
export const rememberedRequest = (sandbox: Sandbox, id: string): Entry =>
  sandbox.requestLog.get(id) ??
  fail('REFERENCE_NOT_FOUND', `the log has no request ${id}; the last 1,000 are remembered`);

/** The state before a request, and the row changes since; 409 `CONFLICT` where it can no longer be gone back to. */
export function stateBefore(sandbox: Sandbox, entry: Entry): { before: Before; changes: number } {
  const changes = sandbox.changesSince(entry);
  if (entry.before && changes !== undefined) return { before: entry.before, changes };
  const seen = entry.undone ? 'a rewind to before it took it back' : 'that state is no longer kept';
  return fail('CONFLICT', `the state before ${entry.id} can no longer be gone back to: ${seen}`, {
    why: { rule: 'the last 20,000 row changes of a life are kept (docs/state.md)', seen },
  });
}

const named = () => ({ id: z.string().describe('Its x-request-id') });

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
    ({ sandbox }, { id }) => {
      const entry = rememberedRequest(sandbox, id);
      return {
        ...requestOf(sandbox, entry),
        request: { headers: maskHeaders(entry.headers), body: maskSent(entry) },
        reply: { body: maskAnswered(entry) },
        why: maskTold(entry, explain(entry)),
        caused: caused(sandbox, entry),
      };
    },
  ),
  rewind: command(
    'Go back to the state before a request: rows, clock, ids to come and faults are as they were',
    named,
    async ({ sandbox }, { id }) => {
      const { before, changes } = stateBefore(sandbox, rememberedRequest(sandbox, id));
      await sandbox.begin({ from: 'past', before });
      return { id, changes, clock: sandbox.world.clock.state() };
    },
  ),
  fork: command(
    'A new sandbox in the state before a request, with credentials of its own; this one stays as it is',
    named,
    async (context, { id }) => {
      const { host, sandbox } = context;
      const { before } = stateBefore(sandbox, rememberedRequest(sandbox, id));
      return { request: id, ...createdSandbox(context, await host.fork(sandbox, before)) };
    },
  ),
};

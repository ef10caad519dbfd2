import * as z from 'zod';
import { fail } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { QueryInteger } from '../contract/shapes.ts';
import type { Entry } from '../sandbox/request-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { control } from './control.ts';
import { caused, explain } from './explain.ts';
import { maskAnswered, maskHeaders, maskSent, maskTarget, maskTold } from './mask.ts';

const LogQuery = lazy(() =>
  z.object({
    limit: QueryInteger(1, 1000, 50),
    operation: z.string().optional(),
    status: z
      .string()
      .regex(/^\d{3}$/)
      .optional(),
  }),
);

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

/** A request with everything that is known of it, secrets masked. */
export const requestWhole = (sandbox: Sandbox, entry: Entry) => ({
  ...requestLine(entry),
  request: { headers: maskHeaders(entry.headers), body: maskSent(entry) },
  reply: { body: maskAnswered(entry) },
  why: maskTold(entry, explain(entry)),
  caused: caused(sandbox, entry),
});

export const logControls = [
  control(
    'GET',
    '/requests',
    'The last requests, newest first',
    ({ sandbox, query: { limit, operation, status } }) => {
      const data: ReturnType<typeof requestLine>[] = [];
      for (const entry of sandbox.requestLog.newest()) {
        if (data.length === limit) break;
        if (operation !== undefined && entry.operation !== operation) continue;
        if (status !== undefined && entry.status !== Number(status)) continue;
        data.push(requestLine(entry));
      }
      return { data };
    },
    { query: LogQuery },
  ),
  control(
    'GET',
    '/requests/:id',
    'One request and its reply, why it went so, and what it caused',
    ({ sandbox, params }) => {
      const id = params['id'] as string;
      return requestWhole(
        sandbox,
        sandbox.requestLog.get(id) ??
          fail('REFERENCE_NOT_FOUND', `the log has no request ${id}; the last 1,000 are remembered`),
      );
    },
  ),
];

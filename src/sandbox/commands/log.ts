import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { caused, explain } from '../explain.ts';
import { maskAnswered, maskHeaders, maskSent, maskTarget, maskTold } from '../mask.ts';
import type { Entry } from '../request-log.ts';
import { command } from './command.ts';

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
      const data: ReturnType<typeof requestLine>[] = [];
      for (const entry of sandbox.requestLog.newest()) {
        if (data.length === limit) break;
        if (operation !== undefined && entry.operation !== operation) continue;
        if (status !== undefined && entry.status !== Number(status)) continue;
        data.push(requestLine(entry));
      }
      return { data };
    },
  ),
  read: command(
    'One request and its reply, why it went so, and what it caused; secrets masked',
    () => ({ id: z.string().describe('Its x-request-id') }),
    ({ sandbox }, { id }) => {
      const entry =
        sandbox.requestLog.get(id) ??
        fail('REFERENCE_NOT_FOUND', `the log has no request ${id}; the last 1,000 are remembered`);
      return {
        ...requestLine(entry),
        request: { headers: maskHeaders(entry.headers), body: maskSent(entry) },
        reply: { body: maskAnswered(entry) },
        why: maskTold(entry, explain(entry)),
        caused: caused(sandbox, entry),
      };
    },
  ),
};

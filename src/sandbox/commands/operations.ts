import * as z from 'zod';
import { OPERATIONS } from '../../areas.ts';
import { byId, command, sentHeaders } from './command.ts';

const Value = () => z.union([z.string(), z.number(), z.boolean()]);
const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

export const operations = {
  find: command(
    'Operations of the service by words or area, and how often each was called',
    () => ({
      q: z.string().max(200).optional().describe('Words that its id, method, path, area or summary has, all of them'),
      area: z.string().max(100).optional().describe('Operations of this area only, such as Cards'),
    }),
    ({ sandbox }, { q = '', area }) => {
      const sought = words(q);
      const data = OPERATIONS.filter(({ id, method, path, tag, summary }) => {
        const text = `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase();
        const isThere = area === undefined || tag.toLowerCase() === area.toLowerCase();
        return isThere && sought.every((word) => text.includes(word));
      }).map(({ id, method, path, tag, summary }) => ({
        id,
        method,
        path,
        area: tag,
        summary,
        built: true,
        calls: sandbox.requestLog.calls.get(id) ?? 0,
      }));
      return { data, built: OPERATIONS.length, total: OPERATIONS.length };
    },
  ),
  describe: command(
    'What an operation takes and answers, with an example that is valid now',
    byId('operation, such as createQuote'),
    async (context, { id }) => (await import('../../calls/index.ts')).describe(context, id),
  ),
  call: command(
    "Call an operation as a client does, with the sandbox's own credentials",
    () => ({
      ...byId('operation, such as createQuote')(),
      params: z.record(z.string(), z.string()).optional().describe('Parameters in its path, by name'),
      query: z
        .record(z.string(), z.union([Value(), z.array(Value())]))
        .optional()
        .describe('Query parameters, by name'),
      headers: sentHeaders(z.string()).optional().describe('Headers, such as Authorization where a bearer calls'),
      body: z.unknown().optional().describe('Its JSON body; a file of a form is {name, type, text} or base64'),
    }),
    async (context, { id, ...sent }) => (await import('../../calls/index.ts')).call(context, id, sent),
  ),
  trigger: command(
    'Do what leads to an event, by the rules, and say which calls that took',
    () => ({
      event: z.string().max(200).describe('Its type, such as OUTGOING_PAYMENT.COMPLETED'),
      set: z
        .record(z.string().max(500), z.unknown())
        .optional()
        .describe('Members of the main call to set, by their paths, such as {"amount": 500}'),
    }),
    async (context, { event, set }) => (await import('../../calls/index.ts')).trigger(context, event, set),
  ),
};

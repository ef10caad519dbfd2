import * as z from 'zod';
import { OPERATIONS } from '../../areas.ts';
import { byId, command, sentHeaders } from './command.ts';

const Value = () => z.union([z.string(), z.number(), z.boolean()]);

export const operations = {
  find: command(
    'Operations of the service by what they do or by area, the best match first, and how often each was called; with words, also controls, pages, error codes and events that match',
    () => ({
      q: z.string().max(200).optional().describe('What it shall do, in words such as refund a card purchase'),
      area: z.string().max(100).optional().describe('Operations of this area only, such as Cards'),
    }),
    async ({ sandbox }, { q = '', area }) => {
      const all = OPERATIONS.filter(({ tag }) => area === undefined || tag.toLowerCase() === area.toLowerCase()).map(
        ({ id, method, path, tag, summary }) => ({
          id,
          method,
          path,
          area: tag,
          summary,
          built: true,
          calls: sandbox.requestLog.calls.get(id) ?? 0,
        }),
      );
      // The search is loaded with the book of calls.
      const calls = q === '' ? undefined : await import('../../calls/index.ts');
      const data = calls ? calls.findOperations(all, q) : all;
      const also = calls?.findTopics(q).map((topic) => ({
        name: topic.name,
        about: topic.about,
        ways: calls.waysTo(topic),
        ...(topic.tool === undefined ? {} : { tool: topic.tool }),
      }));
      return {
        data,
        ...(also && area === undefined ? { also } : {}),
        built: OPERATIONS.length,
        total: OPERATIONS.length,
      };
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
      keyed: z
        .boolean()
        .optional()
        .describe('Send a new Idempotency-Key wherever one is taken; else only where one is required'),
      body: z.unknown().optional().describe('Its JSON body; a file of a form is {name, type, text} or base64'),
    }),
    async (context, { id, ...sent }) => (await import('../../calls/index.ts')).call(context, id, sent),
  ),
  events: command('The types of events, what each is about, and the calls that lead to it', async ({ host }) => ({
    data: (await import('../../calls/index.ts')).triggerable(host.profile),
  })),
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

import * as z from 'zod';
import { commands } from '../../sandbox/commands/index.ts';
import { needed, things, tool } from '../tool.ts';

export const faults = tool(
  'faults',
  {
    title: 'Faults',
    answers: () => ({ ...things('faults', 'added') }),
    about:
      'Make API calls or webhooks fail on purpose, to test how your code copes: list, add, remove one, clear all. Each shows how often it matched and fired.',
  },
  () => ({
    act: z.enum(['list', 'add', 'remove', 'clear']).default('list').describe('What to do'),
    fault: z
      .looseObject({})
      .optional()
      .describe(
        'add: {match: {operation?, method?, path?} or {webhook: "CUSTOMER.*"}, each with times?, every?, after?; then: for a call {status?, code?, message?, retryAfter?, delayMs?, drop?, truncate?, when?: "before" | "after"}, for a webhook {status?, drop?, delayMs?, duplicate?, reorder?, wrongSignature?, alteredBody?}; probability?: 0 to 1}',
      ),
    id: z.string().max(100).optional().describe('remove: its id'),
  }),
  async (client, { act, fault, id }) => {
    if (act === 'add') {
      const rule = needed(
        fault,
        'fault, such as {match: {operation: "createQuote", times: 1}, then: {status: 503}}',
        act,
      );
      const added = await client.ask(commands.faults.add, { fault: rule as never });
      return { added, next: `make the call that it matches; then faults {act: "remove", id: "${added.id}"}` };
    }
    if (act === 'remove') await client.ask(commands.faults.remove, { id: needed(id, 'id', act) });
    if (act === 'clear') await client.ask(commands.faults.clear, {});
    const { data } = await client.ask(commands.faults.list, {});
    return { faults: data, ...(data.length === 0 ? { next: 'there is no fault' } : {}) };
  },
);

import * as z from 'zod';
import { commands, decisionFor } from '../../sandbox/commands/index.ts';
import { tool } from '../tool.ts';

export const decide = tool(
  'decide',
  {
    title: 'Decide by hand',
    about:
      'Act as the reviewer, bank, card issuer or provider: decide a customer, a payment, a card, an agent action or a stablecoin. Without answer: the decisions that are possible now, with the answer for each.',
  },
  () => ({
    id: z.string().max(200).describe('Id of the resource'),
    answer: z
      .looseObject({})
      .optional()
      .describe('Such as {decision: "APPROVED"} or {outcome: "FAILED", reason: "..."}'),
    name: z.string().max(50).optional().describe('Which decision, if there are several'),
  }),
  async (client, { id, answer, name }) => {
    const found = await client.ask(commands.rows.read, { id });
    if (answer === undefined)
      return {
        choices: found.decisions,
        next:
          found.decisions.length > 0
            ? 'call again with the body of a choice as answer'
            : 'nothing can be decided about it now; clock {act: "read"} shows what is due',
      };
    const { command, body } = decisionFor(found, answer, name);
    const resource = await client.ask(command, { ...body, id });
    return { resource, next: 'webhooks {act: "list"} shows its webhooks' };
  },
);

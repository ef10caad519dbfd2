import * as z from 'zod';
import { commands, decisionFor } from '../../sandbox/commands/index.ts';
import { tool } from '../tool.ts';

export const decide = tool(
  'decide',
  {
    title: 'Decide by hand',
    about:
      'Be the reviewer, bank, card issuer or provider: decide on a customer, a payment, a card, an agent action or a stablecoin. Without answer it says what can be decided about the id now, and with which answer.',
  },
  () => ({
    id: z.string().max(200).describe('Id of the resource'),
    answer: z
      .looseObject({})
      .optional()
      .describe('Such as {decision: "APPROVED"} or {outcome: "FAILED", reason: "..."}'),
    name: z
      .string()
      .max(50)
      .optional()
      .describe('Which decision, where there are several: see the answer without answer'),
  }),
  async (client, { id, answer, name }) => {
    const found = await client.ask(commands.rows.read, { id });
    if (answer === undefined)
      return {
        choices: found.decisions,
        next:
          found.decisions.length > 0
            ? 'call again with the body of a choice as answer'
            : 'nothing about it can be decided as it stands; clock {act: "read"} shows what is due',
      };
    const { command, body } = decisionFor(found, answer, name);
    const resource = await client.ask(command, { ...body, id });
    return { resource, next: 'webhooks {act: "list"} shows its webhooks' };
  },
);

import * as z from 'zod';
import { commands } from '../../sandbox/commands/index.ts';
import { needed, tool } from '../tool.ts';

export const scenario = tool(
  'scenario',
  {
    title: 'Scenarios',
    destroys: true,
    about:
      'Starting points in YAML or JSON (customers, accounts, balances, policies, faults): list the built-in ones, check a text (every mistake with line and column), or load one into a new sandbox with its own credentials.',
  },
  () => ({
    act: z.enum(['list', 'check', 'load']).default('list').describe('What to do'),
    text: z.string().max(1_000_000).optional().describe('check, load: the scenario as YAML or JSON'),
    name: z.string().max(200).optional().describe('load: a built-in scenario instead of text'),
    seed: z.string().max(200).optional().describe('load: makes its ids repeat'),
  }),
  async (client, { act, text, name, seed }) => {
    if (act === 'list') {
      const { data } = await client.ask(commands.scenarios.list, {});
      return {
        scenarios: Object.fromEntries(data.map((one) => [one.name, one.title])),
        next: 'scenario {act: "load", name} loads one; read_docs {page: "scenarios"} says how to write one',
      };
    }
    const checked = text === undefined ? undefined : await client.ask(commands.scenarios.check, { text });
    if (act === 'check' || checked?.valid === false) {
      const verdict = needed(checked, 'text', act);
      if (verdict.valid) return { valid: true, next: 'scenario {act: "load", text} starts a sandbox from it' };
      return { ...verdict, next: 'fix each line; read_docs {page: "scenarios"} lists every key' };
    }
    const from = needed(checked?.scenario ?? name, 'text or name', act);
    const { id, credentials, baseUrl, clock } = await client.ask(commands.sandboxes.create, { scenario: from, seed });
    return { sandbox: id, baseUrl, credentials, clock, next: `sandbox: "${id}" in any tool works there` };
  },
);

import * as z from 'zod';
import { OF_A_CALL } from '../../scenario/bounds.ts';
import { BUILT_INS, builtIn } from '../../scenario/builtin.ts';
import { ScenarioError } from '../../scenario/error.ts';
import { placed, readScenarioText } from '../../scenario/load.ts';
import { Host } from '../host.ts';
import { command } from './command.ts';

const titleOf = (source: unknown): string => String((source as { title?: unknown } | null)?.title ?? '');

/** Checks a scenario's form and then its sense, as a start would: what it says, or each mistake with line and column. */
async function check(text: string) {
  try {
    const scenario = (await readScenarioText(text, 'scenario', OF_A_CALL)) as Record<string, unknown>;
    // Generated rows cannot be wrong and may be a million.
    const host = await Host.start({ scenario: { ...scenario, generate: {} } });
    host.close();
    return { valid: true as const, scenario };
  } catch (error) {
    const [problems, count] =
      error instanceof ScenarioError
        ? [await placed(error, text, OF_A_CALL), error.count]
        : [[{ line: 1, column: 1, message: (error as Error).message }], 1];
    return { valid: false as const, problems, count };
  }
}

export const scenarios = {
  list: command('The built-in scenarios, each with its title', async () => ({
    data: await Promise.all(BUILT_INS.map(async (name) => ({ name, title: titleOf(await builtIn(name)) }))),
  })),
  check: command(
    'Check the text of a scenario as a start would: valid, or every mistake with its line and column',
    () => ({ text: z.string().max(OF_A_CALL.characters).describe('The scenario as YAML or JSON') }),
    (_, { text }) => check(text),
  ),
};

import * as z from 'zod';
import { OF_A_CALL } from '../../scenario/bounds.ts';
import { listedBuiltIns } from '../../scenario/builtin.ts';
import { checkScenario } from '../check-scenario.ts';
import { command } from './command.ts';

export const scenarios = {
  list: command('The built-in scenarios, each with its title', async () => ({
    data: await listedBuiltIns(),
  })),
  check: command(
    'Check the text of a scenario as a start would: valid, or every mistake with its line and column',
    () => ({ text: z.string().max(OF_A_CALL.characters).describe('The scenario as YAML or JSON') }),
    (_, { text }) => checkScenario(text, 'scenario', OF_A_CALL),
  ),
};

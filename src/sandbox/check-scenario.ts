import { type Bounds, OF_A_FILE } from '../scenario/bounds.ts';
import { ScenarioError } from '../scenario/error.ts';
import { placed, readScenarioText } from '../scenario/load.ts';
import { Host } from './host.ts';

/**
 * Checks a scenario's form and then its meaning, as a start would. Returns a summary, or the first mistakes with line
 * and column, and their number.
 */
export async function checkScenario(text: string, source: string, bounds: Bounds = OF_A_FILE) {
  try {
    const scenario = (await readScenarioText(text, source, bounds)) as Record<string, unknown>;
    // Generated rows cannot be wrong and may be a million.
    const host = await Host.start({ scenario: { ...scenario, generate: {} } });
    host.close();
    return { valid: true as const, scenario };
  } catch (error) {
    const [problems, count] =
      error instanceof ScenarioError
        ? [await placed(error, text, bounds), error.count]
        : [[{ line: 1, column: 1, message: (error as Error).message }], 1];
    return { valid: false as const, problems, count };
  }
}

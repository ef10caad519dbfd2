import { ScenarioError } from '../scenario/error.ts';
import { placed } from '../scenario/load.ts';
import { readTextFile } from '../scenario/text-file.ts';

/** Returns the same error; one about the meaning of a single file, not its form, gets its position in the file. */
export async function located(error: unknown, names: readonly string[]): Promise<unknown> {
  const [file] = names;
  if (!(error instanceof ScenarioError) || names.length !== 1 || file === undefined || error.source === file)
    return error;
  const text = await readTextFile(file).catch(() => undefined);
  return text === undefined ? error : new ScenarioError(file, await placed(error, text), error.count);
}

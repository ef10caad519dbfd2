import type { Opened } from '../emulator.ts';
import { BUILT_INS } from '../scenario/builtin.ts';
import type { ScenarioError } from '../scenario/error.ts';
import { jsonText, printable, printableLines } from './text.ts';

/** Reads the files of a scenario before the start does, so that no later change is missed. */
export async function beginWatching(scenario: readonly string[]): Promise<(changed: () => void) => Promise<void>> {
  const files = scenario.filter((name) => !BUILT_INS.includes(name));
  if (files.length === 0) throw new Error('--watch needs a file to watch: give one with --scenario');
  const { textsOf, watchFiles } = await import('./watch.ts');
  const texts = await textsOf(files);
  return (changed) => watchFiles(files, texts, changed);
}

/**
 * Returns the function that starts over from the scenario and prints the result; overlapping calls run one after the
 * other.
 */
export function reloader(
  emulator: Opened,
  scenario: readonly string[],
  line: (text: string) => void,
  form: 'text' | 'json' | 'quiet',
): () => void {
  let last: Promise<void> = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      await emulator.reload();
      if (form === 'json') line(jsonText({ event: 'reload', ok: true, scenario }));
      else if (form === 'text') line(`started over from ${printable(scenario.join(' + '))}`);
    } catch (error) {
      const { located } = await import('./problems.ts');
      const { message, problems } = (await located(error, scenario)) as Error & Partial<ScenarioError>;
      if (form === 'json') line(jsonText({ event: 'reload', ok: false, scenario, error: message, problems }));
      else process.stderr.write(`${printableLines(message)}\nnothing was changed; the sandbox is as it was\n`);
    }
  };
  return () => {
    last = last.then(reload);
  };
}

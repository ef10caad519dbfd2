import { checkScenario } from '../../sandbox/check-scenario.ts';
import { andMore, ScenarioError, type ScenarioProblem } from '../../scenario/error.ts';
import { readTextFile } from '../../scenario/text-file.ts';
import { colours, fileTrouble, hasColours, jsonText, printable } from '../text.ts';

/** The result for one file. */
interface Verdict {
  file: string;
  valid: boolean;
  /** The first problems. */
  problems: readonly ScenarioProblem[];
  /** The number of all problems. */
  count: number;
}

/** Checks files as a start would: their form, then their meaning. Exit code 1 if any has a mistake. */
export async function validate(files: readonly string[], { json }: { json?: boolean }): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const file of files) verdicts.push(await verdictOf(file));
  if (verdicts.some(({ valid }) => !valid)) process.exitCode = 1;
  if (json) process.stdout.write(`${jsonText(verdicts)}\n`);
  else for (const verdict of verdicts) show(verdict);
}

async function verdictOf(file: string): Promise<Verdict> {
  let text: string;
  try {
    text = await readTextFile(file);
  } catch (error) {
    const { problems, count } =
      error instanceof ScenarioError
        ? error
        : { problems: [{ line: 1, column: 1, message: `it cannot be read: ${fileTrouble(error)}` }], count: 1 };
    return { file, valid: false, problems, count };
  }
  const { valid, problems = [], count = 0 } = await checkScenario(text, file);
  return { file, valid, problems, count };
}

function show({ file, valid, problems, count }: Verdict): void {
  const c = colours(hasColours((valid ? process.stdout : process.stderr).isTTY === true));
  if (valid) process.stdout.write(`${printable(file)}: ${c.green('valid')}\n`);
  for (const { line, column, message } of problems)
    process.stderr.write(`${c.bold(`${printable(file)}:${line}:${column}`)}: ${printable(message)}\n`);
  if (count > problems.length)
    process.stderr.write(`${c.bold(printable(file))}: ${andMore(count - problems.length)}\n`);
}

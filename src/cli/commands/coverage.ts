import { type Command, Option } from 'commander';
import type { CoverageReport, Never } from '../../public.ts';
import { readCounts } from '../../sandbox/coverage/files.ts';
import { PARTS, type Part, reportOf, shareOf } from '../../sandbox/coverage/report.ts';
import { declareRemote, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, printable } from '../text.ts';

type Minimum = Partial<Record<Part, number>>;
type Flags = RemoteFlags & { min?: Minimum };

/** The most characters of a line. */
const WIDTH = 100;
/** The most lines of names per kind; `--json` has all. */
const LINES = 6;
const TITLES: Readonly<Record<Part, string>> = {
  operations: 'operations',
  refusals: 'refusals',
  events: 'events',
  magic: 'magic values',
  states: 'states',
};

/** Declares `coverage`. */
export function declare(command: Command): void {
  command.argument('[path...]', 'folders and files that --coverage wrote; default: ask the running emulator');
  command.addOption(
    new Option('--min <part=percent>', 'exit with 2 if less was covered, such as operations=60,events=40').argParser(
      minimum,
    ),
  );
  declareRemote(command, [
    [
      'coverage sandbox-coverage/',
      'add up all files in the folder, and print what the suite covered and what it did not',
    ],
    ['coverage sandbox-coverage/ --min operations=60,events=40', 'a threshold for CI: the exit code is 2 below one'],
    ['coverage', 'ask the running emulator, if it was started with --coverage'],
  ]);
  command.action(async (paths: string[], flags: Flags) => {
    const report = paths.length === 0 ? await running(flags) : await added(paths);
    show(flags.json, report, (c) => linesOf(report, c));
    const below = PARTS.filter((part) => percent(report, part) < (flags.min?.[part] ?? 0));
    if (below.length === 0) return;
    const said = below.map((part) => `${part} ${percent(report, part).toFixed(1)} % of ${flags.min?.[part]} %`);
    process.stderr.write(`below the threshold: ${said.join(', ')}\n`);
    process.exitCode = 2;
  });
}

const running = (flags: Flags): Promise<CoverageReport> => new Remote(flags).ask<CoverageReport>('GET', '/coverage');

async function added(paths: readonly string[]): Promise<CoverageReport> {
  const { counts, profile } = await readCounts(paths);
  return reportOf(counts, profile);
}

function minimum(text: string): Minimum {
  const found: Minimum = {};
  for (const pair of text.split(',')) {
    const [part = '', value = ''] = pair.split('=');
    const least = Number(value);
    const isPart = (PARTS as readonly string[]).includes(part);
    if (!isPart || value.trim() === '' || !(least >= 0 && least <= 100))
      throw new Error(
        `--min must be parts and percentages from 0 to 100 such as operations=60,events=40, not ${text}; parts are ${PARTS.join(', ')}`,
      );
    found[part as Part] = least;
  }
  return found;
}

/** Returns the share of a part that was met; all of it if there is nothing to meet. */
function percent(report: CoverageReport, part: Part): number {
  const { met, of } = shareOf(report, part);
  return of === 0 ? 100 : (met / of) * 100;
}

function linesOf(report: CoverageReport, c: Colours): string[] {
  const of = (kind: Never['kind']) => report.never.filter((one) => one.kind === kind);
  return [
    ...PARTS.map((part) => shareLine(report, part)),
    ...section('called, and never seen to fail', of('failure').map(withAnswers), c),
    ...section('other refusals of what was called, never met', of('refusal').map(withAnswers), c),
    ...section('events never met', wrapped(of('event')), c),
    ...section('magic values never met', wrapped(of('magic')), c),
    ...section('states never entered', wrapped(of('state')), c),
    ...section('never called', wrapped(of('operation')), c),
  ];
}

function shareLine(report: CoverageReport, part: Part): string {
  const { met, of } = shareOf(report, part);
  const counts = `${met} of ${of}`.padEnd(12);
  const note = part === 'refusals' ? '  of the operations that were called' : '';
  return `${TITLES[part].padEnd(13)} ${counts} ${percent(report, part).toFixed(1).padStart(5)} %${note}`;
}

function section(title: string, lines: readonly string[], c: Colours): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > LINES ? [c.dim(`  and ${lines.length - LINES} more lines; --json has all`)] : [];
  return ['', c.bold(title), ...lines.slice(0, LINES).map((line) => `  ${printable(line)}`), ...more];
}

/** Returns an operation with its remaining refusals, as many as fit in a line. */
function withAnswers({ name, answers = [] }: Never): string {
  let line = `${name}: ${answers[0]}`;
  for (const [i, answer] of answers.slice(1).entries()) {
    const rest = answers.length - 1 - i;
    if (`${line}, ${answer}, and ${rest} more`.length > WIDTH - 2) return `${line}, and ${rest} more`;
    line += `, ${answer}`;
  }
  return line;
}

/** Returns names in sequence, wrapped into lines. */
function wrapped(names: readonly Never[]): string[] {
  const lines: string[] = [];
  for (const { name } of names) {
    const last = lines.at(-1);
    if (last !== undefined && `${last}, ${name}`.length <= WIDTH - 3) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines;
}

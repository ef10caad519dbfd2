import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  backendAt,
  type Control,
  exam,
  failureLines,
  junit,
  list,
  type Report,
  SAYS_FAILED,
  SAYS_PAID,
  Unable,
  type Verdict,
  wordsOf,
} from '../../exam/index.ts';
import { declareRemote, NobodyThere, Refused, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, colours, fileTrouble, hasColours, printable } from '../text.ts';

/** Exit code if a check failed. */
const FAILED = 2;
/** The most characters of a line. */
const WIDTH = 80;
/** The characters before the text of a verdict. */
const INDENT = 18;
/** The characters of the bar. */
const BAR = 24;

interface Flags extends RemoteFlags {
  pay?: string;
  ask?: string;
  only?: string[];
  list?: boolean;
  saysPaid?: string;
  saysFailed?: string;
  report?: string;
  yes?: boolean;
}

const options = (): Option[] => [
  new Option(
    '--pay <command or URL>',
    'starts one payment: EXAM_REFERENCE in its environment, or POST {reference, check}',
  ),
  new Option('--ask <command or URL>', 'prints the status of the payment with a reference; a URL contains {reference}'),
  new Option('--only <names>', 'run only these checks, with commas between them').argParser(namesOf),
  new Option('--list', 'list the checks'),
  new Option('--says-paid <regex>', 'words of --ask that mean paid, instead of paid, completed, settled, succeeded'),
  new Option(
    '--says-failed <regex>',
    'words of --ask that mean failed and take precedence, instead of failed, returned, ...',
  ),
  new Option('--report <file>', 'also write a JUnit report'),
  new Option('--yes', 'allow URLs beyond this machine'),
];

/** Returns the names between commas. */
function namesOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const left = names.filter((name) => name !== '');
  if (left.length === 0) throw new Error('--only must name checks, with commas between them; --list shows them');
  return left;
}

/** Declares `exam`. */
export function declare(command: Command): void {
  for (const option of options()) command.addOption(option);
  declareRemote(command, [
    ['exam --pay http://127.0.0.1:3000/payments', 'a backend that takes POST {"reference": "..."}'],
    [
      "exam --pay './pay.sh' --ask 'http://127.0.0.1:3000/payments/{reference}'",
      'a command with EXAM_REFERENCE in its environment, and what the backend believes',
    ],
    ['exam --pay ./pay.sh --only plain,twice --report exam.xml', 'some checks, with a report for CI'],
  ]);
  command.action(run);
}

async function run(flags: Flags): Promise<void> {
  if (flags.list) {
    const checks = list();
    show(flags.json, checks, (c) => checks.map(({ check, about }) => `${c.bold(check.padEnd(INDENT - 4))} ${about}`));
    return;
  }
  if (flags.pay === undefined) throw new Error('name what starts a payment by --pay; --help shows every flag');
  const { pay, ask, only, yes = false } = flags;
  // Before the first check, not after the last.
  if (flags.report !== undefined) write(flags.report, '');
  const printer = new Printer(flags.json === true);
  const end = new AbortController();
  const backend = backendAt(pay, ask, yes);
  const stop = (): void => {
    end.abort();
    backend.end();
  };
  // A second signal ends the process at once, as it would have without this.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const report = await exam({
    control: controlOf(flags),
    backend,
    only,
    saysPaid: wordsOf('--says-paid', flags.saysPaid ?? SAYS_PAID),
    saysFailed: wordsOf('--says-failed', flags.saysFailed ?? SAYS_FAILED),
    allowsRemote: yes,
    signal: end.signal,
    began: (check, place, of) => printer.began(check, place, of),
    judged: (verdict) => printer.judged(verdict),
    left: (verdicts) => printer.left(verdicts),
  }).finally(() => {
    printer.clear();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
  });
  if (flags.report !== undefined) write(flags.report, junit(report));
  show(flags.json, report, (c) => summaryOf(report, c));
  if (report.failed > 0) process.exitCode = FAILED;
}

/** Returns the control API; a refusal becomes a reason why the exam cannot run. */
function controlOf(flags: Flags): Control {
  const remote = new Remote(flags);
  let hasAnswered = false;
  return {
    ask: async (method, path, body) => {
      try {
        const answer = await remote.ask<never>(method, path, body);
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (error instanceof Refused) throw Object.assign(new Unable(error.message), { status: error.status });
        if (hasAnswered && error instanceof NobodyThere)
          throw new Unable(
            `the emulator at ${remote.url} no longer answers, so the exam ended early: start the emulator and the exam again`,
          );
        throw error;
      }
    },
  };
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Error(`${file} cannot be written: ${fileTrouble(error)}`);
  }
}

function summaryOf({ passed, failed, skipped, clockMovedMs }: Report, c: Colours): string[] {
  const counts = c.bold(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  if (clockMovedMs === 0) return [counts];
  return [`the clock of the sandbox was moved forward by ${spanOf(clockMovedMs)}`, counts];
}

/** Returns a span of time in days, hours, minutes and seconds, without zeros. */
function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** Prints each verdict when it is known, and a bar while a terminal waits for the next. */
class Printer {
  readonly #isSilent: boolean;
  readonly #c = colours(hasColours(process.stdout.isTTY === true));

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  began(check: string, place: number, of: number): void {
    if (process.stderr.isTTY !== true) return;
    const full = Math.round(((place - 1) / of) * BAR);
    process.stderr.write(`\r\u001b[2K${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${place} of ${of}, ${check}`);
  }

  clear(): void {
    if (process.stderr.isTTY === true) process.stderr.write('\r\u001b[2K');
  }

  judged(verdict: Verdict): void {
    this.clear();
    if (this.#isSilent) return;
    process.stdout.write(`${linesOf(verdict, this.#c).join('\n')}\n`);
  }

  /** Prints one line for all checks that did not begin. */
  left(verdicts: readonly Verdict[]): void {
    const [first] = verdicts;
    if (first !== undefined)
      this.judged(verdicts.length === 1 ? first : { ...first, check: `${verdicts.length} others` });
  }
}

/** Returns a verdict in lines of at most 80 characters. */
function linesOf(verdict: Verdict, c: Colours): string[] {
  const { check, result, says } = verdict;
  const sign = { passed: c.green('✓'), failed: c.red('✗'), skipped: c.yellow('-') }[result];
  const head = `${sign} ${c.bold(check.padEnd(INDENT - 3))} `;
  if (result !== 'failed') {
    const [first = '', ...rest] = wrap(result === 'skipped' ? `skipped: ${says}` : says, WIDTH - INDENT);
    return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(INDENT)}${line}`)];
  }
  return [
    `${head}failed`.trimEnd(),
    ...failureLines(verdict).flatMap((line) => {
      const [label, text] = [line.slice(0, 10), line.slice(10)];
      return wrap(text, WIDTH - 12).map((part, i) => `  ${c.dim(i === 0 ? label : ' '.repeat(10))}${part}`);
    }),
  ];
}

/** Returns text in lines of limited length, safe for a terminal; a longer word has a line of its own. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of printable(text).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

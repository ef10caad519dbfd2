import { Argument, type Command } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { clockText, declareRemote, momentOf, Remote, type RemoteFlags, show } from '../remote.ts';
import { duration } from '../start-flags.ts';
import { type Colours, printable } from '../text.ts';

export type Moved = AnswerOf<typeof commands.clock.move>;

/** Declares `advance`. */
export function declare(command: Command): void {
  command.addArgument(
    new Argument('<duration>', 'duration, such as 90s, 2h, 7d or PT15M').argParser(duration('the duration')),
  );
  declareRemote(command, [
    ['advance 7d', 'advance a week; everything that falls due runs now'],
    ['advance 90s --json', 'JSON output: the clock and the jobs that ran'],
  ]);
  command.action(advance);
}

/** Advances the virtual clock of a sandbox, and prints what happened on the way. */
async function advance(by: string, flags: RemoteFlags): Promise<void> {
  const result = await new Remote(flags).ask<Moved>('POST', '/clock', { advance: by });
  show(flags.json, result, (c) => advanced(result, c));
}

/** Returns lines for people: the present moment, and the jobs that ran, in order; repetitions share a line. */
export function advanced({ ran, ...clock }: Moved, c: Colours): string[] {
  const lines: string[] = [];
  for (let i = 0; i < ran.length; ) {
    const { at, does } = ran[i] as Moved['ran'][number];
    let next = i + 1;
    while (ran[next]?.does === does) next += 1;
    const times = next - i;
    const last = ran[next - 1]?.at as string;
    lines.push(
      `  ${c.dim(momentOf(at))} ${printable(does)}${times > 1 ? c.dim(`, ${times} times until ${momentOf(last)}`) : ''}`,
    );
    i = next;
  }
  const count = ran.length === 0 ? 'nothing was due' : ran.length === 1 ? '1 job ran' : `${ran.length} jobs ran`;
  return [`now ${clockText(clock, c)}; ${count}`, ...lines];
}

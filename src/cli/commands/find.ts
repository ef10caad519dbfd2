import type { Command } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { declareRemote, Remote, type RemoteFlags, show } from '../remote.ts';
import { printable } from '../text.ts';

/** The most results of each kind that are shown. */
const SHOWN = 5;

type Found = AnswerOf<typeof commands.operations.find>;

/** Declares the subcommand `find`. */
export function declare(command: Command): void {
  command.argument('<words...>', 'what you look for, such as: make a payment fail');
  declareRemote(command, [
    ['find advance the clock', 'find the subcommand, the control and the page for it'],
    ['find refund a card purchase', 'find the operation that does it'],
    ['find INSUFFICIENT_BALANCE --json', 'the same as JSON'],
  ]);
  command.action(async (words: readonly string[], flags: RemoteFlags) => {
    const q = encodeURIComponent(words.join(' '));
    const { data, also = [] } = await new Remote(flags).ask<Found>('GET', `/operations?q=${q}`);
    const [topics, operations] = [also.slice(0, SHOWN), data.slice(0, SHOWN)];
    show(flags.json, { also: topics, operations }, (c) => [
      ...topics.flatMap(({ name, about, ways }) => [
        `${c.bold(printable(name))}  ${printable(about)}`,
        ...ways.map((way) => `  ${printable(way)}`),
      ]),
      ...operations.flatMap(({ id, method, path, summary }) => [
        `${c.bold(printable(id))}  ${printable(summary)}`,
        `  ${method} ${printable(path)}`,
      ]),
      ...(topics.length + operations.length === 0 ? ['nothing was found: use other words'] : []),
    ]);
  });
}

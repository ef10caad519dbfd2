import type { Command } from 'commander';
import { Option } from 'commander';
import type { TableChange } from '../../engine/diff.ts';
import type { WordedChange, WordedDifferences } from '../../sandbox/differences.ts';
import { declareRemote, momentOf, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, jsonText, printable } from '../text.ts';
import { lastSnapshot } from './states.ts';

type Flags = RemoteFlags & { to?: string };

/** The most characters of a value that are shown; `--json` has the whole. */
const LONGEST = 100;

/** Declares `diff`. */
export function declare(command: Command): void {
  command.argument('[state]', 'state to compare with; default: the latest snapshot');
  command.addOption(new Option('--to <state>', 'compare with this state instead of the current one'));
  declareRemote(command, [
    ['diff before', 'rows added, changed and removed since the snapshot before, member by member'],
    ['diff before --to after', 'from one snapshot to another'],
    [
      'diff before:req_12',
      'what changed since just before this request; before:last is the latest that changed something',
    ],
    ['diff now --to sandbox:trial', 'how another sandbox, such as a fork, differs from this one'],
  ]);
  command.action(async (name: string | undefined, flags: Flags) => {
    const remote = new Remote(flags);
    const from = name ?? (await lastSnapshot(remote));
    const query = new URLSearchParams({ from, ...(flags.to === undefined ? {} : { to: flags.to }) });
    const changes = await remote.ask<WordedDifferences>('GET', `/compare?${query}`);
    show(flags.json, changes, (c) => differences(changes, c));
  });
}

type Names = WordedDifferences['names'];

/** Returns lines for people: the clock, then table by table the rows added, changed and removed. */
export function differences(
  { from, to, clock, settings, tables, names, titles }: WordedDifferences,
  c: Colours,
): string[] {
  const moved =
    clock.before === clock.after
      ? 'the clock did not move'
      : `clock ${momentOf(clock.before)} -> ${momentOf(clock.after)}`;
  const total = (kind: 'added' | 'changed' | 'removed') =>
    tables.reduce((sum, table) => sum + table[kind].length + (table.more?.[kind] ?? 0), 0);
  const counts =
    tables.length === 0
      ? 'no row differs'
      : `${total('added')} added, ${total('changed')} changed, ${total('removed')} removed`;
  const between =
    to === 'now' ? `since ${c.bold(printable(from))}` : `from ${c.bold(printable(from))} to ${c.bold(printable(to))}`;
  return [
    `${between}: ${counts}; ${moved}`,
    ...(settings.length === 0 ? [] : [c.bold('settings'), ...settings.map((field) => fieldText(field, names, c))]),
    ...tables.flatMap((table) => [c.bold(printable(titles[table.name] ?? table.name)), ...rowsOf(table, names, c)]),
  ];
}

function rowsOf({ added, changed, removed, more }: TableChange, names: Names, c: Colours): string[] {
  const rest = Object.entries(more ?? {}).filter(([, count]) => count > 0);
  const named = (id: string) =>
    names[id] === undefined ? printable(id) : `${printable(names[id])} ${c.dim(printable(id))}`;
  return [
    ...added.map((id) => `${c.green('  +')} ${named(id)}`),
    ...changed.flatMap(({ id, fields }) => [
      `${c.yellow('  ~')} ${named(id)}`,
      ...fields.map((field) => `    ${fieldText(field, names, c)}`),
    ]),
    ...removed.map((id) => `${c.red('  -')} ${named(id)}`),
    ...rest.map(([kind, count]) => c.dim(`  and ${count} more ${kind}`)),
  ];
}

const fieldText = ({ path, words, ...change }: WordedChange, names: Names, c: Colours): string => {
  if (words !== undefined) return `  ${printable(path)}: ${printable(words)}`;
  const side = (name: 'before' | 'after', colour: (text: string) => string) =>
    name in change ? colour(valueText(change[name], names)) : c.dim('nothing');
  return `  ${printable(path)}: ${side('before', c.red)} -> ${side('after', c.green)}`;
};

/** Returns a value on one line: an id by its name, text as it is, anything else as JSON; cut if it is long. */
function valueText(value: unknown, names: Names): string {
  const text = typeof value === 'string' ? printable(names[value] ?? value) : jsonText(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

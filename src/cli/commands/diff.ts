import type { Command } from 'commander';
import { Option } from 'commander';
import type { Differences, FieldChange, TableChange } from '../../engine/diff.ts';
import { examplesOf } from '../examples.ts';
import { inPath, momentOf, Remote, type RemoteFlags, remoteOptions, show } from '../remote.ts';
import { type Colours, jsonText, printable } from '../text.ts';
import { lastSnapshot } from './states.ts';

type Flags = RemoteFlags & { to?: string };

/** Characters of a value that are shown; the whole is in `--json`. */
const LONGEST = 100;

/** Declares `diff`. */
export function declare(command: Command): void {
  command.argument('[snapshot]', 'what to compare with; without it the snapshot that was kept last');
  command.addOption(new Option('--to <snapshot>', 'compare with this snapshot instead of the current state'));
  for (const option of remoteOptions()) command.addOption(option);
  command.addHelpText('after', () =>
    examplesOf([
      ['diff before', 'rows added, changed and removed since the snapshot before, member by member'],
      ['diff before --to after', 'from one snapshot to another'],
    ]),
  );
  command.action(async (name: string | undefined, flags: Flags) => {
    const remote = new Remote(flags);
    const from = name ?? (await lastSnapshot(remote));
    const query = flags.to === undefined ? '' : `?to=${encodeURIComponent(flags.to)}`;
    const changes = await remote.ask<Differences>('GET', `/snapshots/${inPath('snapshot', from)}/diff${query}`);
    show(flags.json, changes, (c) => differences(from, changes, c));
  });
}

/** Lines for people: the clock, then table by table what was added, changed and removed. */
export function differences(from: string, { clock, settings, tables }: Differences, c: Colours): string[] {
  const moved =
    clock.before === clock.after ? `the clock stands` : `clock ${momentOf(clock.before)} -> ${momentOf(clock.after)}`;
  const total = (kind: 'added' | 'changed' | 'removed') =>
    tables.reduce((sum, table) => sum + table[kind].length + (table.more?.[kind] ?? 0), 0);
  const counts =
    tables.length === 0
      ? 'no row differs'
      : `${total('added')} added, ${total('changed')} changed, ${total('removed')} removed`;
  return [
    `since ${c.bold(printable(from))}: ${counts}; ${moved}`,
    ...(settings.length === 0 ? [] : [c.bold('settings'), ...settings.map((field) => fieldText(field, c))]),
    ...tables.flatMap((table) => [c.bold(printable(table.name)), ...rowsOf(table, c)]),
  ];
}

function rowsOf({ added, changed, removed, more }: TableChange, c: Colours): string[] {
  const rest = Object.entries(more ?? {}).filter(([, count]) => count > 0);
  return [
    ...added.map((id) => c.green(`  + ${printable(id)}`)),
    ...changed.flatMap(({ id, fields }) => [
      c.yellow(`  ~ ${printable(id)}`),
      ...fields.map((field) => `    ${fieldText(field, c)}`),
    ]),
    ...removed.map((id) => c.red(`  - ${printable(id)}`)),
    ...rest.map(([kind, count]) => c.dim(`  and ${count} more ${kind}`)),
  ];
}

const fieldText = ({ path, ...change }: FieldChange, c: Colours): string =>
  `  ${printable(path)}: ${'before' in change ? c.red(valueText(change.before)) : c.dim('nothing')} -> ${
    'after' in change ? c.green(valueText(change.after)) : c.dim('nothing')
  }`;

/** A value on one line: text as it is, all else as JSON, cut where it is long. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? printable(value) : jsonText(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

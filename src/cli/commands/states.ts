import { Argument, type Command } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { clockText, declareRemote, inPath, momentOf, Refused, Remote, type RemoteFlags, show } from '../remote.ts';
import { printable } from '../text.ts';

/** A snapshot as the control API lists it: its name, and the moment by its clock. */
type Kept = AnswerOf<typeof commands.snapshots.keep>;

/** Declares `reset`. */
export function reset(command: Command): void {
  declareRemote(command, [
    ['reset', 'reset to the scenario; ids start from the seed again'],
    ['reset --sandbox mine', 'reset only this sandbox'],
  ]);
  command.action(async (flags: RemoteFlags) => {
    const result = await new Remote(flags).ask<AnswerOf<typeof commands.state.reset>>('POST', '/reset', {});
    show(flags.json, result, (c) => [`reset to the scenario; now ${clockText(result.clock, c)}`]);
  });
}

/** Declares `snapshot`. */
export function snapshot(command: Command): void {
  command.argument('[name]', 'name of the snapshot; without a name, list the snapshots');
  declareRemote(command, [
    ['snapshot before', 'save the current state as "before"'],
    ['snapshot', 'list the snapshots'],
  ]);
  command.action(async (name: string | undefined, flags: RemoteFlags) => {
    const remote = new Remote(flags);
    if (name === undefined) {
      const kept = await snapshotsOf(remote);
      show(flags.json, kept, (c) =>
        kept.length === 0 ? ['no snapshots'] : kept.map((one) => `${c.bold(printable(one.name))}  ${momentOf(one.at)}`),
      );
      return;
    }
    const result = await remote.ask<Kept>('POST', '/snapshots', { name });
    show(flags.json, result, (c) => [`saved as ${c.bold(printable(result.name))}; now ${momentOf(result.at)}`]);
  });
}

/** Declares `restore`. */
export function restore(command: Command): void {
  command.argument('<snapshot>', 'name of the snapshot');
  declareRemote(command, [['restore before', 'restore rows, clock, jobs and faults']]);
  command.action(async (name: string, flags: RemoteFlags) => {
    const path = `/snapshots/${inPath('snapshot', name)}/restore`;
    const result = await new Remote(flags).ask<AnswerOf<typeof commands.snapshots.restore>>('POST', path, {});
    show(flags.json, result, (c) => [`restored ${c.bold(printable(result.name))}; now ${clockText(result.clock, c)}`]);
  });
}

/** Declares `rewind`. */
export function rewind(command: Command): void {
  command.addArgument(
    new Argument(
      '[request id]',
      'x-request-id of a request, or last: the latest request that changed something',
    ).default('last'),
  );
  declareRemote(command, [
    ['rewind last', 'undo the latest change'],
    ['rewind req_12', 'go back to the state before this request: rows, clock, jobs, faults and future ids'],
  ]);
  command.action(async (id: string, flags: RemoteFlags) => {
    const path = `/requests/${inPath('request', id)}/rewind`;
    const result = await new Remote(flags).ask<AnswerOf<typeof commands.requests.rewind>>('POST', path, {});
    show(flags.json, result, (c) => [
      `back to the state before ${c.bold(printable(result.id))}: ${changesText(result.changes)}; now ${clockText(result.clock, c)}`,
    ]);
  });
}

const changesText = (count: number): string =>
  count === 0 ? 'no rows had changed' : `${count} row ${count === 1 ? 'change' : 'changes'} undone`;

/** Declares `fork`. */
export function fork(command: Command): void {
  command.argument('[name]', 'id of the new sandbox; without it sandbox-1, sandbox-2, ...');
  declareRemote(command, [
    ['fork', 'a new sandbox with the same state and its own credentials'],
    ['fork trial', 'the same, named trial; compare it later with: diff now --to sandbox:trial'],
    ['fork --json', 'JSON output: {"id","credentials":{"id","secret"},"baseUrl",...}'],
  ]);
  command.action(async (name: string | undefined, flags: RemoteFlags) => {
    const remote = new Remote(flags);
    const origin = flags.sandbox ?? (await defaultSandbox(remote));
    const result = await remote.ask<AnswerOf<typeof commands.sandboxes.fork>>(
      'POST',
      `/sandboxes/${inPath('sandbox', origin)}/fork`,
      name === undefined ? {} : { name },
    );
    show(flags.json, result, (c) => [
      `${c.bold(printable(result.id))} is a copy of ${printable(origin)}; now ${clockText(result.clock, c)}`,
      `  ${c.dim('credentials')}  ${printable(`${result.credentials.id}:${result.credentials.secret}`)}`,
      `  ${c.dim('base URL')}     ${printable(result.baseUrl)}`,
    ]);
  });
}

/** Returns the id of the scenario's own sandbox. */
export async function defaultSandbox(remote: Remote): Promise<string> {
  const { sandboxes } = await remote.ask<{ sandboxes: readonly { id: string }[] }>('GET', '/running?limit=1');
  return sandboxes[0]?.id ?? '';
}

/** Returns the snapshots, oldest first. */
const snapshotsOf = async (remote: Remote): Promise<readonly Kept[]> =>
  (await remote.ask<{ data: readonly Kept[] }>('GET', '/snapshots')).data;

/** Returns the name of the latest snapshot. Throws `Refused` if there is none. */
export async function lastSnapshot(remote: Remote): Promise<string> {
  const kept = (await snapshotsOf(remote)).at(-1);
  if (kept) return kept.name;
  throw new Refused(404, {
    message: 'no snapshot to compare with; save one with sandbox-emulator snapshot <name>',
  });
}

import { fail } from '../contract/errors.ts';
import type { Before } from './before.ts';
import type { Entry } from './request-log.ts';
import type { Sandbox } from './sandbox.ts';

/** Returns a request of the log; 404 `REFERENCE_NOT_FOUND`, which names the sandbox among `others` that has it. */
export const rememberedRequest = (sandbox: Sandbox, id: string, others: Iterable<Sandbox> = []): Entry =>
  sandbox.requestLog.get(id) ??
  fail('REFERENCE_NOT_FOUND', `the log has no request ${id}; ${otherWith(others, id) ?? whereaboutsOf(sandbox, id)}`);

function otherWith(others: Iterable<Sandbox>, id: string): string | undefined {
  for (const other of others)
    if (other.requestLog.get(id))
      return `sandbox ${other.id} has it: add --sandbox ${other.id}, or ?sandbox= to an address`;
  return undefined;
}

const numberOf = (id: string): number => Number(/^req_(\d+)$/.exec(id)?.[1]);

/** Returns a sentence that says what the log has instead of a request. */
function whereaboutsOf({ requestLog }: Sandbox, id: string): string {
  const { emptiedAfter } = requestLog;
  const [newest] = requestLog.newest();
  if (emptiedAfter !== undefined && numberOf(id) <= numberOf(emptiedAfter)) {
    const oldest = [...requestLog.newest()].at(-1);
    const now = oldest ? `and now begins with ${oldest.id}` : 'and numbers go on from there';
    return `a reset emptied it after ${emptiedAfter}, ${now}`;
  }
  if (newest && numberOf(id) > numberOf(newest.id)) return `the latest is ${newest.id}`;
  return 'it keeps the last 1,000, and fewer where those of all sandboxes are beyond 64 MiB';
}

/**
 * Returns the request that `rewind` undoes: the one named, or for `last` the newest since which something has changed.
 * 404 `REFERENCE_NOT_FOUND` for one that the log does not have, or if nothing has changed.
 */
export function requestToRewind(sandbox: Sandbox, id: string, others?: Iterable<Sandbox>): Entry {
  if (id !== 'last') return rememberedRequest(sandbox, id, others);
  for (const entry of sandbox.requestLog.newest()) if ((sandbox.changesSince(entry) ?? 0) > 0) return entry;
  return fail('REFERENCE_NOT_FOUND', 'no request of the log has changed anything that can still be undone');
}

/**
 * Returns the state before a request, and the number of row changes since; 409 `CONFLICT` if it can no longer be
 * restored.
 */
export function stateBefore(sandbox: Sandbox, entry: Entry): { before: Before; changes: number } {
  const changes = sandbox.changesSince(entry);
  if (entry.before && changes !== undefined) return { before: entry.before, changes };
  const seen = entry.undone ? 'a rewind to an earlier request undid it' : 'that state is no longer kept';
  return fail('CONFLICT', `the state before ${entry.id} is no longer kept: ${seen}`, {
    why: { rule: 'the last 20,000 row changes of a life are kept (docs/state.md)', seen },
  });
}

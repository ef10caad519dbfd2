import type { IdsMark } from './ids.ts';
import type { Settings } from './settings.ts';
import type { Row, Table, Write } from './table.ts';
import { Writes } from './writes.ts';

/** A point in the life of a world: all of its state except its rows. */
export interface Moment {
  /** The number of this moment in its history; later moments have higher numbers. */
  readonly turn: number;
  /** The number of row changes before it. */
  readonly at: number;
  readonly history: History;
  readonly ids: IdsMark;
  readonly clock: { readonly now: number; readonly mode: 'live' | 'held'; readonly speed: number };
  readonly settings: Settings;
}

/** The row changes that a sandbox keeps at least, while its process has room. */
export const KEPT_CHANGES = 20_000;
/** The row changes that one process keeps, for all sandboxes together. */
export const MOST_CHANGES = 200_000;

/**
 * A common budget for all histories of a process. When it is exceeded, the histories that have not grown for longest
 * are dropped.
 */
export class HistoryBudget {
  readonly #most: number;
  readonly #histories = new Set<History>();
  /** The history that grew last. */
  #newest: History | undefined;
  #kept = 0;

  constructor(most = MOST_CHANGES) {
    this.#most = most;
  }

  /** The number of row changes kept in all histories. */
  get kept(): number {
    return this.#kept;
  }

  /** Adds to the count of a history's changes, or subtracts if negative; other histories make room. */
  count(history: History, changes: number): void {
    this.#kept += changes;
    if (changes <= 0) return;
    if (this.#newest !== history) {
      this.#histories.delete(history);
      this.#histories.add(history);
      this.#newest = history;
    }
    if (this.#kept <= this.#most) return;
    for (const oldest of this.#histories) {
      if (this.#kept <= this.#most || oldest === history) return;
      oldest.forget();
      this.#histories.delete(oldest);
    }
  }

  remove(history: History): void {
    this.#histories.delete(history);
    if (this.#newest === history) this.#newest = undefined;
  }
}

/** The latest row changes of a world, each with the earlier row, so that a past moment can be restored. */
export class History {
  readonly #budget: HistoryBudget;
  readonly #changes = new Writes();
  /** The number of changes, always the oldest, that have been dropped. */
  #forgotten = 0;
  #turns = 0;

  constructor(budget: HistoryBudget) {
    this.#budget = budget;
  }

  /** The number of changes kept. */
  get size(): number {
    return this.#changes.count;
  }

  /** True if anything was changed in this history. */
  get isBegun(): boolean {
    return this.#forgotten + this.#changes.count > 0;
  }

  /** Returns the present moment. */
  moment(rest: Pick<Moment, 'ids' | 'clock' | 'settings'>): Moment {
    this.#turns += 1;
    return { turn: this.#turns, at: this.#forgotten + this.#changes.count, history: this, ...rest };
  }

  /** Keeps changes already made, oldest first. A batch larger than the limit is not kept at all. */
  add(changes: Writes): void {
    const { count } = changes;
    if (count > KEPT_CHANGES) {
      this.forget();
      this.#forgotten += count;
      return;
    }
    this.#changes.append(changes);
    const surplus = this.#changes.count - KEPT_CHANGES;
    const dropped = surplus < KEPT_CHANGES ? 0 : surplus;
    if (dropped > 0) {
      this.#changes.drop(dropped);
      this.#forgotten += dropped;
    }
    this.#budget.count(this, count - dropped);
  }

  /** Takes over the history of another process: its changes, oldest first, and the number of its moments. */
  revive(changes: Writes, turns: number): void {
    this.#changes.append(changes);
    this.#turns = turns;
    this.#budget.count(this, changes.count);
  }

  /** Drops all changes. */
  forget(): void {
    this.#forgotten += this.#changes.count;
    this.#budget.count(this, -this.#changes.count);
    this.#changes.clear();
  }

  /** Ends this history: nothing will be added to it any more. */
  close(): void {
    this.forget();
    this.#budget.remove(this);
  }

  /** Returns the number of changes between a moment and now; undefined if that moment can no longer be restored. */
  since({ history, at }: Moment): number | undefined {
    const end = this.#forgotten + this.#changes.count;
    return history === this && at >= this.#forgotten && at <= end ? end - at : undefined;
  }

  /** Yields the changes since a moment that can be restored, newest first. */
  *changes(moment: Moment): Generator<Write> {
    for (let i = this.#changes.count - 1; i >= moment.at - this.#forgotten; i -= 1) yield this.#changes.at(i);
  }

  /** Undoes and drops the changes since a moment, newest first. Returns a function that makes them again. */
  undo(moment: Moment): () => void {
    const from = moment.at - this.#forgotten;
    const tables = new Map<Table<Row>, number>();
    const after: [Write, Row | undefined][] = [];
    for (const change of this.changes(moment)) {
      if (!tables.has(change.table)) tables.set(change.table, change.table.next);
      after.push([change, change.table.undo(change.seq, change.before)]);
    }
    const undone = this.#changes.take(from);
    this.#budget.count(this, -undone.count);
    return () => {
      for (const [{ table, seq }, row] of after.reverse()) table.redo(seq, row);
      for (const [table, next] of tables) table.next = next;
      this.add(undone);
    };
  }
}

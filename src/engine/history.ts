import type { IdsMark } from './ids.ts';
import type { Settings } from './settings.ts';
import type { Row, Table, Write } from './table.ts';
import { Writes } from './writes.ts';

/** A point in the life of a world: everything that its rows do not say about it. */
export interface Moment {
  /** The number of the moment in its history; later ones are higher. */
  readonly turn: number;
  /** Row changes before it. */
  readonly at: number;
  readonly history: History;
  readonly ids: IdsMark;
  readonly clock: { readonly now: number; readonly mode: 'live' | 'held'; readonly speed: number };
  readonly settings: Settings;
}

/** Row changes that a sandbox keeps at least, as long as its process has room. */
export const KEPT_CHANGES = 20_000;
/** Row changes that one process keeps, all sandboxes together. */
export const MOST_CHANGES = 200_000;

/** One budget for the histories of a process: beyond it, those go that were not added to for longest. */
export class HistoryBudget {
  readonly #most: number;
  readonly #histories = new Set<History>();
  /** The last of them. */
  #newest: History | undefined;
  #kept = 0;

  constructor(most = MOST_CHANGES) {
    this.#most = most;
  }

  /** Row changes that are kept, of all histories. */
  get kept(): number {
    return this.#kept;
  }

  /** Counts changes of a history, fewer where it is negative; others make room. */
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

/** The latest row changes of a world, each with the row as it was before, so that a moment can be restored. */
export class History {
  readonly #budget: HistoryBudget;
  readonly #changes = new Writes();
  /** Changes that are forgotten, which are the oldest. */
  #forgotten = 0;
  #turns = 0;

  constructor(budget: HistoryBudget) {
    this.#budget = budget;
  }

  /** Changes that are kept. */
  get size(): number {
    return this.#changes.count;
  }

  /** The present moment. */
  moment(rest: Pick<Moment, 'ids' | 'clock' | 'settings'>): Moment {
    this.#turns += 1;
    return { turn: this.#turns, at: this.#forgotten + this.#changes.count, history: this, ...rest };
  }

  /** Keeps changes that have been made, oldest first. What is more than ever kept is not kept at all. */
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

  /** Becomes the past of another process: its changes, oldest first, and the moments that it counted. */
  revive(changes: Writes, turns: number): void {
    this.#changes.append(changes);
    this.#turns = turns;
    this.#budget.count(this, changes.count);
  }

  /** Keeps nothing of what was. */
  forget(): void {
    this.#forgotten += this.#changes.count;
    this.#budget.count(this, -this.#changes.count);
    this.#changes.clear();
  }

  /** Is over: nothing will be added any more. */
  close(): void {
    this.forget();
    this.#budget.remove(this);
  }

  /** Returns how many changes lie between a moment and now; undefined where it can no longer be restored. */
  since({ history, at }: Moment): number | undefined {
    const end = this.#forgotten + this.#changes.count;
    return history === this && at >= this.#forgotten && at <= end ? end - at : undefined;
  }

  /** The changes since a moment that can be restored, newest first. */
  *changes(moment: Moment): Generator<Write> {
    for (let i = this.#changes.count - 1; i >= moment.at - this.#forgotten; i -= 1) yield this.#changes.at(i);
  }

  /** Takes the changes since a moment back, newest first, and forgets them. Returns how to make them again. */
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

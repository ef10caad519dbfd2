import type { Line, Posting } from './ledger.ts';

/**
 * Money that moved from one account to another, in minor units. One side is missing if the posting does not balance.
 */
export interface Move {
  readonly from?: string;
  readonly to?: string;
  readonly amount: number;
  readonly currency: string;
  /**
   * Set if the money leaves the held part of the account, as a release does; `toPart` likewise for where it arrives.
   */
  readonly fromPart?: 'held';
  readonly toPart?: 'held';
}

/** Returns the lines of a posting as moves between accounts, in the order of the lines, one currency at a time. */
export function movesOf({ lines }: Pick<Posting, 'lines'>): Move[] {
  const moves: Move[] = [];
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const rests = (sign: 1 | -1) =>
      lines
        .filter((line) => line.currency === currency && line.amount * sign > 0)
        .map((line) => ({ line, rest: Math.abs(line.amount) }));
    const [givers, takers] = [rests(-1), rests(1)];
    for (let [g, t] = [0, 0]; g < givers.length || t < takers.length; ) {
      const [giver, taker] = [givers[g], takers[t]];
      const amount = Math.min(giver?.rest ?? Number.POSITIVE_INFINITY, taker?.rest ?? Number.POSITIVE_INFINITY);
      moves.push({ ...source(giver?.line), ...target(taker?.line), amount, currency });
      if (giver && (giver.rest -= amount) === 0) g += 1;
      if (taker && (taker.rest -= amount) === 0) t += 1;
    }
  }
  return moves;
}

const HELD = 'held' as const;
const source = (line: Line | undefined) =>
  line && { from: line.account, ...(line.part === HELD ? { fromPart: HELD } : {}) };
const target = (line: Line | undefined) =>
  line && { to: line.account, ...(line.part === HELD ? { toPart: HELD } : {}) };

import { expect } from 'vitest';
import { CARD_PAYMENTS, perUnit, pulled } from '../../../src/areas/transactions/index.ts';
import { TABLES } from '../../../src/areas.ts';
import { POSTINGS } from '../../../src/ledger/ledger.ts';
import type { Stage } from './stage.ts';

/** Work that goes on after an end: money that is under way, what was told, and offers that lapse by themselves. */
const GOES_ON =
  /^(?:transaction|stablecoin|stablecoin-operation)\.|^(?:card\.(?:pull|hold)|webhook\.deliver|quote\.expire)$/;

/** A row of any table by its id, as far as these rules look at it. */
interface Anything {
  readonly isDeleted?: boolean;
  readonly customerId?: string;
  readonly cardholderId?: string;
  readonly agentId?: string;
  readonly customers?: readonly string[];
  readonly subject?: string;
}
function rowOf(it: Stage, id: unknown): Anything | undefined {
  if (typeof id !== 'string') return undefined;
  for (const token of TABLES.values()) {
    const row = it.sandbox.world.holds(token) ? it.sandbox.world.rows(token).get(id) : undefined;
    if (row) return row as Anything;
  }
  return undefined;
}

/** Whether a row was deleted, or what it belongs to; a quote belongs to its customers, whichever agent asked for it. */
function isGone(it: Stage, row: Anything | undefined, depth = 3): boolean {
  if (!row || depth === 0) return false;
  if (row.isDeleted) return true;
  return [row.customerId, row.cardholderId, row.customers ? undefined : row.agentId, row.subject].some((id) =>
    isGone(it, rowOf(it, id), depth - 1),
  );
}

/** Jobs that are to do something to what no longer exists. */
export const leftOver = (it: Stage): string[] =>
  [...it.sandbox.world.scheduler.jobs.rows()]
    .filter(
      ({ kind, payload }) => !GOES_ON.test(kind) && Object.values(payload).some((id) => isGone(it, rowOf(it, id))),
    )
    .map(({ kind }) => kind);

/** Account lines of each payment by card are its refunds less its pulls. */
export function checkCardLines(it: Stage): void {
  const { world } = it.sandbox;
  for (const t of world.rows(CARD_PAYMENTS).rows()) {
    if (t.type !== 'CARD') continue;
    const lines = [...world.rows(POSTINGS).rows()]
      .filter(({ cause }) => cause === t.id)
      .flatMap((posting) => posting.lines)
      .filter(({ account, part }) => account === t.accountId && part === undefined);
    const sum = lines.reduce((all, { amount }) => all + amount, 0);
    expect(sum, `account lines of a ${t.status} payment`).toBe(t.refunded * perUnit(t) - pulled(t));
  }
}

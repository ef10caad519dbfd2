import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { corridorLimit } from '../../contract/limit.ts';
import { moneyText } from '../../contract/money.ts';
import { MinorUnits } from '../../contract/shapes.ts';
import { lazyRow, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { limitsOf, TRANSACTION_SIZE } from '../platform/index.ts';
import type { Amount } from './row-shape.ts';

/** The volume of one day under one limit: `id` is `2026-01-05 USD/MXN`, `sent` minor units of the sending currency. */
export const VOLUMES = table('volumes', {
  row: lazyRow(() => z.strictObject({ id: z.string().min(1), sent: MinorUnits().min(0) })),
});

export const DAILY_VOLUME = corridorLimit('dailyVolume', 'Most that leaves on one UTC day of the virtual clock');

/** Refuses a payment that is too large by itself: 400 TRANSACTION_SIZE_LIMIT_EXCEEDED (`limits.transactionSize`). */
export function checkSize(world: World, sent: Amount, to: string): void {
  for (const { name, most } of limitsOf(world, TRANSACTION_SIZE, sent.currency, to))
    if (sent.amount > most)
      fail(
        'TRANSACTION_SIZE_LIMIT_EXCEEDED',
        `${moneyText(sent.amount, sent.currency)} is more than one payment in ${name} may be: ${moneyText(most, sent.currency)}`,
        {
          details: { limit: most, amount: sent.amount },
          why: {
            rule: 'scenario: limits.transactionSize',
            expected: `at most ${moneyText(most, sent.currency)}`,
            seen: moneyText(sent.amount, sent.currency),
          },
        },
      );
}

const dayOf = (world: World): string => world.clock.iso().slice(0, 10);

const excess = (world: World, { amount, currency }: Amount, to: string) =>
  limitsOf(world, DAILY_VOLUME, currency, to).find(({ name, most }) => {
    const before = world.rows(VOLUMES).get(`${dayOf(world)} ${name}`)?.sent ?? 0;
    return before + amount > most;
  });

/** Returns whether a payment would exceed the volume that may leave today. */
export const overDailyVolume = (world: World, sent: Amount, to: string): boolean =>
  excess(world, sent, to) !== undefined;

/**
 * Counts a payment that leaves now towards the volume of its UTC day on the virtual clock. 429
 * DAILY_VOLUME_LIMIT_EXCEEDED if that would be too much (`limits.dailyVolume`). Money that is returned later stays
 * counted.
 */
export function countVolume(world: World, sent: Amount, to: string): void {
  const day = dayOf(world);
  const over = excess(world, sent, to);
  if (over)
    fail(
      'DAILY_VOLUME_LIMIT_EXCEEDED',
      `${moneyText(sent.amount, sent.currency)} more in ${over.name} would exceed ${moneyText(over.most, sent.currency)} on ${day}`,
      {
        details: { limit: over.most, amount: sent.amount, day },
        why: {
          rule: 'scenario: limits.dailyVolume',
          expected: `at most ${moneyText(over.most, sent.currency)} on ${day}`,
          seen: moneyText(sent.amount, sent.currency),
        },
      },
    );
  const volumes = world.rows(VOLUMES);
  for (const { name } of limitsOf(world, DAILY_VOLUME, sent.currency, to)) {
    const id = `${day} ${name}`;
    const old = volumes.get(id);
    if (old) volumes.put({ ...old, sent: old.sent + sent.amount });
    else volumes.insert({ id, sent: sent.amount });
  }
}

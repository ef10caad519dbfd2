import type { World } from '../../src/engine/world.ts';
import { outsideAccount, post } from '../../src/ledger/ledger.ts';

/** Fills what is on its way in a currency, so that hardly any amount more can be counted exactly. */
export function crowd(world: World, currency: string, what = 'transit'): void {
  const amount = Number.MAX_SAFE_INTEGER - 1;
  const lines = [
    { account: outsideAccount(what, currency), currency, amount },
    { account: outsideAccount('exchange', currency), currency, amount: -amount },
  ];
  world.transact(() => post(world, { reason: 'crowded', cause: 'test', lines }));
}

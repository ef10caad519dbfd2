import { expect, test } from 'vitest';
import { LIVE_PAYMENTS } from '../../../src/areas/live/row.ts';
import { TRANSACTIONS } from '../../../src/areas/transactions/index.ts';
import { BALANCES, POSTINGS } from '../../../src/ledger/ledger.ts';
import { brokenRules } from '../../kit/ledger.ts';
import { kit } from '../../kit/sandbox.ts';

test('a live demo of thirty days keeps its ledger sound, the payments that people make, and a bound on its rows', async () => {
  const it = await kit({
    scenario: ['demo', { live: { paymentsPerHour: 30, keep: 'P1D' } }],
    holdClock: true,
    seed: 5,
  });
  const made: string[] = [];
  const sizes: number[] = [];
  for (let day = 0; day < 30; day += 1) {
    const { world } = it.sandbox;
    await it.advance('PT24H');
    const [account] = [...world.rows(BALANCES).rows()].filter(({ id }) => id.startsWith('InternalAccount:'));
    const funded = await it.post(`/sandbox/internal-accounts/${account?.id}/fund`, { amount: 100 + day });
    expect(funded.status).toBe(200);
    made.push(...[...world.rows(POSTINGS).rows()].slice(-1).map(({ id }) => id));
    expect(brokenRules(world)).toEqual([]);
    sizes.push(world.rows(POSTINGS).size + world.rows(TRANSACTIONS).size);
    expect(world.rows(LIVE_PAYMENTS).size).toBeLessThan(24 * 30 * 1.3);
  }
  for (const id of made) expect(it.sandbox.world.rows(POSTINGS).get(id)?.cause).not.toBe('live.earlier');
  // What people do each day adds a posting, and one for the live payments before it.
  expect(Math.max(...sizes.slice(20))).toBeLessThan(Math.max(...sizes.slice(2, 6)) * 1.15 + 60);
});

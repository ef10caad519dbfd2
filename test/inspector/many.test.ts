import { expect, test } from 'vitest';
import { overviewPart as part, visitor } from './visit.ts';

test('the overview of 60,000 payments shows the figures of the ledger, and every day (W3)', async () => {
  const world = await visitor({
    scenario: {
      platform: { currencies: [{ code: 'USD' }] },
      generate: { customers: 4000, transactions: 60_000, days: 29 },
    },
  });
  const { currencies } = (await world.control('GET', '/ledger/check')).body;
  const customers = currencies[0].sides.find(({ name }: { name: string }) => name === 'customers').total;
  const words = (minor: number) => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  expect(await part(world, 'balances')).toContain(`USD – ${words(customers)}`);
  const shown = await part(world, 'volume');
  expect(shown).toContain(`${words(customers)} USD ${words(customers)} in 0.00 out`);
  // Evenly spread: each of the days has some.
  expect(shown.match(/USD [\d,.]+ 0\.00 [\d,]+/g)?.length).toBeGreaterThan(28);
  const { html: csv } = await world.open('/inspector/state/transactions?format=csv');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(60_001);
  const { html: large } = await world.open('/inspector/state/transactions?minAmount=1&sort=-received&skip=59950');
  expect(large).toContain('of 60,000 rows');
});

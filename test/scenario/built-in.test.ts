import { describe, expect, test } from 'vitest';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { effort } from '../kit/effort.ts';
import { kit } from '../kit/sandbox.ts';

// Ten thousand customers take long: `npm run test:thorough` starts them, as the live journeys do.
const profilesOf = (scenario: string) =>
  (['spec', 'grid'] as const).slice(0, scenario === 'load-10k' ? effort(0, 2) : 2);
const each = BUILT_INS.flatMap((scenario) => profilesOf(scenario).map((profile) => ({ scenario, profile })));

const bank = {
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '998877665501',
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
  },
};

describe('built-in scenarios', () => {
  test('the built-in scenarios of agents, cards, strong customer authentication, coins and wallets can be combined', async () => {
    const it = await kit({ scenario: ['wallet', 'agents', 'cards', 'stablecoins', 'sca'] });
    for (const path of ['/agents', '/cards', '/stablecoins', '/customers/external-accounts'])
      expect((await it.get(path)).body.data, path).not.toEqual([]);
  });

  test.each(each)(
    'scenario $scenario starts with profile $profile and settles a payment (C1)',
    async ({ scenario, profile }) => {
      const it = await kit({ scenario, profile });
      await it.control('DELETE', '/faults');
      const { body: businesses } = await it.get('/customers', { customerType: 'BUSINESS' });
      for (const { id, kybStatus } of businesses.data) expect([id, kybStatus]).toEqual([id, 'APPROVED']);
      const [own] = (await it.get('/platform/internal-accounts', { currency: 'USD' })).body.data;
      await it.post(`/sandbox/internal-accounts/${own.id}/fund`, { amount: 5000 });
      const { body: account } = await it.post('/platform/external-accounts', bank);
      const paid = await it.post('/transfer-out', {
        source: { accountId: own.id },
        destination: { accountId: account.id },
        amount: 5000,
      });
      expect(paid.status, paid.text).toBe(201);
      await it.advance('PT1M');
      expect((await it.get(`/transactions/${paid.body.id}`)).body.status).toBe('COMPLETED');
    },
  );
});

import { describe, expect, test } from 'vitest';
import type { HostOptions } from '../../../src/public.ts';
import { type Answer, refusal } from '../../kit/sandbox.ts';
import { type CoinKit, coinKitWithCoin } from './material.ts';

type Made = CoinKit & { acme: { id: string } };

/** Mints and burns in which an account of Ana's has a part. */
const WAYS: Readonly<Record<string, (it: Made) => Promise<Answer>>> = {
  'a mint into an internal account': async (it) =>
    it.mint(it.acme, { destination: { accountId: (await it.account('USDB')).id } }),
  'a mint to a wallet elsewhere': async (it) => it.mint(it.acme),
  'a mint that is debited from a bank account': async (it) => {
    const fundingSource = { type: 'ACH_DEBIT', externalAccountId: it.bank('USD').id };
    return it.mint(it.acme, { fundingSource, destination: { accountId: (await it.account('USDB', 'platform')).id } });
  },
  'a burn that is paid to a bank account': async (it) => it.burn(it.acme),
};
const EACH = Object.entries(WAYS);
const currencies = ['USD', 'USDB'].map((code) => ({ code }));
const count = async (it: Made) => (await it.get(`/stablecoins/${it.acme.id}/operations`)).body.totalCount;
const made = (platform?: object): Promise<Made> =>
  coinKitWithCoin('USDB', platform ? ({ scenario: { platform } } as HostOptions) : undefined);

describe('mints and burns for a customer who may not move money', () => {
  test.each(EACH)(
    '%s is refused with 403 USER_NOT_READY while its customer is under review and once rejected (spec 3.1)',
    async (_, way) => {
      const it = await made();
      await it.review();
      const refused = { status: 403, code: 'USER_NOT_READY' };
      expect(refusal(await way(it))).toMatchObject(refused);
      const path = `/customers/${it.customer.id}/decision`;
      await it.decide(path, { decision: 'REJECTED' });
      expect(refusal(await way(it))).toMatchObject(refused);
      expect(await count(it)).toBe(0);
    },
  );

  test.each(EACH)('%s is taken once its customer is approved (spec 3.1)', async (_, way) => {
    const it = await made();
    await it.review();
    await it.decide(`/customers/${it.customer.id}/decision`, { decision: 'APPROVED' });
    expect((await way(it)).status).toBe(201);
  });

  test.each(EACH.slice(1))(
    '%s is refused with 403 END_USER_TERMS_NOT_ACCEPTED before its customer accepts the terms',
    async (_, way) => {
      const it = await made({ currencies, requireEndUserTerms: true });
      expect(refusal(await way(it))).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
      expect(await count(it)).toBe(0);
    },
  );

  test.each(EACH)(
    '%s is refused with 400 while its customer lacks a field that the currency requires (spec 2.1 rule 1)',
    async (_, way) => {
      const lacking = currencies.map((one) => ({ ...one, providerRequiredCustomerFields: ['TAX_ID'] }));
      const it = await made({ currencies: lacking });
      expect(refusal(await way(it))).toMatchObject({ status: 400, code: 'MISSING_MANDATORY_USER_INFO' });
      expect(await count(it)).toBe(0);
    },
  );

  test('a mint that was begun is credited although its customer is under review again', async () => {
    const it = await made();
    const { id } = (await it.mint(it.acme, { destination: { accountId: (await it.account('USDB')).id } })).body;
    await it.review();
    await it.decide(`/stablecoin-operations/${id}/funds`);
    await it.settle();
    expect((await it.operation(id)).status).toBe('COMPLETED');
    expect(await it.balance((await it.account('USDB')).id)).toBe(1_000_000);
  });
});

import { describe, expect, test } from 'vitest';
import { EXTERNAL_ACCOUNTS, type ExternalAccount } from '../../../src/areas/external-accounts/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { type Kit, refusal } from '../../kit/sandbox.ts';
import { agentKit, policyOf } from '../agents/material.ts';
import { BANK, CODE, euKit, NORA } from '../sca/eu.ts';

const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
const LARGE = 120_000;

/** The account gets another status, as a proof of ownership or a loaded state gives it one. */
function becomes(it: Pick<Kit, 'sandbox'>, id: string, status: ExternalAccount['status']): void {
  const { world } = it.sandbox;
  const accounts = world.rows(EXTERNAL_ACCOUNTS);
  world.transact(() => accounts.put({ ...(accounts.get(id) as ExternalAccount), status }));
}

/** Statuses in which a payment of 1,200 dollars is refused, and the code that a new quote is refused with. */
const CASES = [
  ['UNVERIFIED', 'INVALID_INPUT'],
  ['PENDING', 'INVALID_INPUT'],
  ['PENDING_OWNERSHIP_VERIFICATION', 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED'],
] as const;

describe('quotes to an external account that may no longer be paid (reference 5.2)', () => {
  test('a wallet whose proof of ownership failed is paid by no quote, old or new, until it is proven', async () => {
    const it = await moneyKit({ scenario: { platform: { counterpartyRules: true } } });
    const from = await it.funded('USD', 50_000);
    const sent = {
      customerId: it.customer.id,
      currency: 'USDC',
      ownershipType: 'FIRST_PARTY',
      accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    };
    const { id } = (await it.post('/customers/external-accounts', sent)).body;
    const path = `/customers/external-accounts/${id}`;
    const quoted = () => it.quote(account(from.id), to(id), { lockedCurrencyAmount: 1000 });
    const { body: quote } = await quoted();
    await it.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' });
    await it.overlapping('POST', `${path}/verify`, { signature: '0xdead' });
    const refused = { status: 400, code: 'INVALID_INPUT' };
    expect(refusal(await quoted())).toMatchObject(refused);
    expect(refusal(await it.post(`/quotes/${quote.id}/execute`))).toMatchObject(refused);
    expect([await it.balance(from.id), (await it.get(`/quotes/${quote.id}`)).body.status]).toEqual([50_000, 'PENDING']);
    await it.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' });
    expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
  });

  const waiting = async (it: MoneyKit, source: object, amount = LARGE) => {
    const wallet = it.wallet().id;
    return { wallet, ...(await it.quote(source, to(wallet), { lockedCurrencyAmount: amount })).body };
  };

  test.each(CASES)(
    'a quote to a wallet that is %s is refused with 400 %s at its execution, and so are funds for it',
    async (status, code) => {
      const it = await moneyKit();
      const from = await it.funded('USD', 500_000);
      const prefunded = await waiting(it, account(from.id));
      const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id };
      const realtime = await waiting(it, source);
      for (const { wallet } of [prefunded, realtime]) becomes(it, wallet, status);
      expect(refusal(await it.post(`/quotes/${prefunded.id}/execute`))).toMatchObject({ status: 400, code });
      const funds = { quoteId: realtime.id, currencyCode: 'USD' };
      expect(refusal(await it.post('/sandbox/send', funds))).toMatchObject({ status: 400, code });
      for (const { wallet } of [prefunded, realtime]) becomes(it, wallet, 'ACTIVE');
      expect((await it.post(`/quotes/${prefunded.id}/execute`)).status).toBe(200);
      expect((await it.post('/sandbox/send', funds)).status).toBe(200);
    },
  );

  test('a small quote to a wallet that is not proven can be paid, and so can one to a wallet that was deleted', async () => {
    const it = await moneyKit();
    const from = await it.funded('USD', 500_000);
    const small = await waiting(it, account(from.id), 1000);
    becomes(it, small.wallet, 'PENDING_OWNERSHIP_VERIFICATION');
    expect((await it.post(`/quotes/${small.id}/execute`)).status).toBe(200);
    const deleted = await waiting(it, account(from.id));
    becomes(it, deleted.wallet, 'UNVERIFIED');
    expect((await it.del(`/customers/external-accounts/${deleted.wallet}`)).status).toBe(204);
    expect((await it.post(`/quotes/${deleted.id}/execute`)).status).toBe(200);
  });

  test.each(CASES)(
    'the proof of a payment to an account that is %s is refused with 400 %s, and is not used up',
    async (status, code) => {
      const it = await euKit();
      const from = await it.own(NORA);
      const quote = await it.challenged(NORA, BANK.nora, { lockedCurrencyAmount: LARGE });
      becomes(it, BANK.nora, status);
      expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({ status: 400, code });
      expect(await it.balance(from)).toBe(500_000);
      becomes(it, BANK.nora, 'ACTIVE');
      expect((await it.authorize(quote.id, { code: CODE })).body.status).toBe('PROCESSING');
    },
  );

  test.each(CASES)(
    'an agent that pays a wallet that is %s is refused with 400 %s, and a payment that waits for approval fails',
    async (status, code) => {
      const it = await agentKit();
      await it.funded('USD', 500_000);
      const spendingLimits = { currency: 'USD', perTransactionLimit: 9_000_000 };
      const [free, asks] = [
        await it.agent(policyOf({ spendingLimits })),
        await it.agent(policyOf({ spendingLimits, defaultExecutionMode: 'APPROVAL_REQUIRED' })),
      ];
      const wallet = it.wallet().id;
      const sent = {
        source: account(it.usd.id),
        destination: to(wallet),
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: LARGE,
      };
      const executed = async (agent: typeof free) => {
        const { id } = (await agent.post('/quotes', sent)).body;
        return () => agent.post(`/quotes/${id}/execute`);
      };
      const [run, ask] = [await executed(free), await executed(asks)];
      const { id } = (await ask()).body;
      becomes(it, wallet, status);
      expect(refusal(await run())).toMatchObject({ status: 400, code });
      expect((await it.post(`/agents/${asks.id}/actions/${id}/approve`)).body.status).toBe('FAILED');
    },
  );
});

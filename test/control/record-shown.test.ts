import { expect, test } from 'vitest';
import { ACCOUNTS } from '../../src/areas/accounts/index.ts';
import { credentialsOf } from '../../src/areas/credentials/rules.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const MERCHANT = { descriptor: 'CAFE', mcc: '5812', country: 'US' };
const US_BANK = {
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789501',
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Bo Berg' },
  },
};
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;

async function record(it: Kit, as: string, requests: unknown = [latest(it)]): Promise<string> {
  const { status, text } = await it.control('POST', '/record', { requests, as });
  expect(status, text).toBe(200);
  return text;
}

/** The calls of a recording, each by its title. */
const callsIn = (text: string): string =>
  [...text.matchAll(/^ *(?:#|\/\/) (\w+)(?:, which creates what later calls use)?$/gm)]
    .map(([, name]) => name)
    .join(' ');

const customer = async (it: Kit, more: object = {}): Promise<string> =>
  (await it.post('/customers', { ...ADA, ...more })).body.id;

/** A way to know the accounts of a customer, which the reply to its creation does not show; `it` looks or does not. */
const WAYS: Readonly<Record<string, (it: Kit, customerId: string) => Promise<unknown>>> = {
  'the list of its accounts': (it, customerId) => it.get('/customers/internal-accounts', { customerId }),
  'the list of all accounts': (it) => it.get('/customers/internal-accounts', { limit: '100' }),
  'no call at all': async () => undefined,
};

const accountOf = (it: Kit, customerId: string, currency = 'USD'): string =>
  [...it.sandbox.world.rows(ACCOUNTS).all('owner', customerId)].find((one) => one.currency === currency)?.id as string;

type Session = (it: Kit, look: (customerId: string) => Promise<unknown>) => Promise<unknown>;

/** Sessions whose last call is recorded alone, with the calls that the recording has then. */
const SESSIONS: Readonly<Record<string, readonly [calls: string, session: Session]>> = {
  'a card that pays from an account': [
    'createCustomer sandboxFundInternalAccount createCard sandboxSimulateCardAuthorization',
    async (it, look) => {
      const id = await customer(it);
      await look(id);
      const account = accountOf(it, id);
      await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 50_000 });
      const card = await it.post('/cards', { cardholderId: id, fundingSources: [account], form: 'VIRTUAL' });
      expect(card.status, card.text).toBe(201);
      await it.advance('PT1H');
      const paid = await it.post(`/sandbox/cards/${card.body.id}/simulate/authorization`, {
        amount: 500,
        currency: { code: 'USD' },
        merchant: MERCHANT,
      });
      expect(paid.status, paid.text).toBe(202);
    },
  ],
  'a clearing whose card payment only a webhook names': [
    'createCustomer sandboxFundInternalAccount createCard sandboxSimulateCardAuthorization sandboxSimulateCardClearing',
    async (it, look) => {
      await SESSIONS['a card that pays from an account']?.[1](it, look);
      await it.advance('PT5M');
      const cardTransactionId = it.events('CARD_TRANSACTION.AUTHORIZED').at(-1)?.data.id;
      const [authorization] = it.sandbox.requestLog.newest();
      const path = authorization?.path.split('/2025-10-13')[1] ?? '';
      const cleared = await it.post(path.replace(/authorization$/, 'clearing'), { cardTransactionId, amount: 500 });
      expect(cleared.status, cleared.text).toBe(202);
    },
  ],
  'the wallet of a customer': [
    'createCustomer challengeAuthCredential',
    async (it, look) => {
      const id = await customer(it);
      await look(id);
      const accountId = accountOf(it, id, 'USDB');
      const [credential] = credentialsOf(it.sandbox.world, accountId);
      const sent = await it.post(`/auth/credentials/${credential?.id}/challenge`);
      expect(sent.status, sent.text).toBe(200);
    },
  ],
  'a bank that takes money from an account': [
    'createCustomer createCustomerExternalAccount sandboxFundInternalAccount createTransferOut getTransactionById',
    async (it, look) => {
      const customerId = await customer(it);
      await look(customerId);
      const account = accountOf(it, customerId);
      const bank = await it.post('/customers/external-accounts', {
        customerId,
        currency: 'USD',
        accountInfo: {
          accountType: 'USD_ACCOUNT',
          accountNumber: '123456789501',
          routingNumber: '021000021',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
        },
      });
      await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 50_000 });
      const out = await it.post('/transfer-out', {
        source: { accountId: account },
        destination: { accountId: bank.body.id },
        amount: 100,
      });
      expect(out.status, out.text).toBe(201);
      await it.advance('PT1H');
      await it.get(`/transactions/${out.body.id}`);
    },
  ],
  'the transaction of a quote': [
    'createCustomer sandboxFundInternalAccount createQuote executeQuote getTransactionById',
    async (it, look) => {
      const id = await customer(it);
      await look(id);
      const account = accountOf(it, id);
      await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 50_000 });
      const quote = await it.post('/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: account },
        destination: { destinationType: 'ACCOUNT', accountId: accountOf(it, id, 'EUR') },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 100,
      });
      expect(quote.status, quote.text).toBe(201);
      expect((await it.post(`/quotes/${quote.body.id}/execute`)).status).toBe(200);
      await it.advance('PT1H');
      await it.get(`/transactions/${quote.body.transactionId}`);
    },
  ],
};

test.each(
  Object.entries(SESSIONS).flatMap(([what, [calls, session]]) =>
    Object.entries(WAYS).flatMap(([way, look]) =>
      ['vitest', 'shell'].map((as) => ({ what, way, as, calls, session, look })),
    ),
  ),
)(
  'a recording of $what, with its account known by $way, is complete as $as each time the session is repeated in a sandbox',
  async ({ as, calls, session, look }) => {
    const it = await kit({ scenario: 'cards' });
    for (let time = 0; time < 3; time += 1) {
      await session(it, (id) => look(it, id));
      const text = await record(it, as);
      expect(callsIn(text)).toBe(calls);
      expect(text).not.toMatch(/Left out|cannot be repeated|fresh emulator has/);
    }
  },
);

test.each([
  [
    'a second execution',
    409,
    'QUOTE_ALREADY_EXECUTED',
    'createCustomer sandboxFundInternalAccount createCustomerExternalAccount createQuote executeQuote executeQuote',
    async (it: Kit) => {
      const customerId = await customer(it);
      const account = accountOf(it, customerId);
      await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 50_000 });
      const { accountInfo } = US_BANK;
      const bank = await it.post('/customers/external-accounts', { customerId, currency: 'USD', accountInfo });
      const quote = await it.post('/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: account },
        destination: { destinationType: 'ACCOUNT', accountId: bank.body.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 500,
      });
      await it.post(`/quotes/${quote.body.id}/execute`);
      return it.post(`/quotes/${quote.body.id}/execute`);
    },
  ],
  [
    'a second deletion',
    410,
    'CUSTOMER_DELETED',
    'createCustomer deleteCustomerById deleteCustomerById',
    async (it: Kit) => {
      const id = await customer(it);
      await it.call('DELETE', `/customers/${id}`);
      return it.call('DELETE', `/customers/${id}`);
    },
  ],
])(
  'a recording of %s that is refused includes the call that causes the refusal',
  async (_name, status, code, calls, session) => {
    const it = await kit();
    expect((await session(it)).status).toBe(status);
    for (const as of ['vitest', 'shell']) {
      const text = await record(it, as);
      expect(callsIn(text), text).toBe(calls);
      expect(text).not.toMatch(/left out|cannot be repeated/i);
    }
    expect(await record(it, 'vitest')).toContain(code);
  },
);

import { expect } from 'vitest';
import { form, individual, northPier, owner } from '../areas/onboarding/material.ts';
import type { Answer } from './sandbox.ts';
import { Authenticator, clientKey, type WalletKit, walletKit } from './wallet.ts';

type ProfileName = 'spec' | 'grid';

/** Where webhooks go that are to be tried, refused, and tried again. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/hooks';

/** A platform where work waits, limits count and rates are fixed, so that every table has rows and jobs of most kinds stand. */
const CHANGES = {
  platform: {
    accounts: { USD: 9_000_000 },
    counterpartyRules: true,
    currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })),
  },
  policies: {
    'customer.decide': 'at once',
    'transaction.settle': 'after PT5S',
    'verification.decide': 'hold',
    'external-account.activate': 'after PT2H',
    'external-account.liveness': 'after PT1H',
  },
  limits: { dailyVolume: { USD: 900_000_000, 'USD/USD': 900_000_000 } },
  rates: { 'USD/EUR': 0.9 },
};

/** Refuse to go on when a call of the story failed: what comes after would stand for nothing. */
function ok(answer: Answer, status = 201): Answer['body'] {
  expect(answer.status, answer.text).toBe(status);
  return answer.body;
}

/**
 * A platform on which everything has happened that this emulator knows: rows in every table, and much of it unfinished.
 * Scenario `demo` under profile `spec`, scenario `wallet` under profile `grid`.
 */
export async function fullLife(profile: ProfileName): Promise<WalletKit> {
  const base = profile === 'spec' ? 'demo' : 'wallet';
  const it = await walletKit({ profile, scenario: [base, CHANGES], webhookUrl: NOBODY_LISTENS });
  await ownWallet(it);
  const people = await customers(it);
  await onboarding(it, people);
  await money(it, people.ada);
  await fringes(it, people.ada);
  await agents(it, people.ada);
  await it.settle();
  return it;
}

/** Logins of every type, sessions, and challenges that wait for their answer. */
async function ownWallet(it: WalletKit): Promise<void> {
  const { key } = await it.login();
  const authenticator = new Authenticator();
  const passkey = await it.addPasskey(key, authenticator);
  const oauth = await it.addOauth(key);
  ok(
    (await it.passkeyLogin(passkey.id, authenticator)) && (await it.oauthLogin(oauth.id)) && (await it.get('/config')),
    200,
  );
  ok(await it.post(`/auth/credentials/${passkey.id}/challenge`, { clientPublicKey: clientKey().uncompressed }), 200);
  ok(await it.post(`/auth/credentials/${it.emailOtp}/challenge`, {}), 200);
  ok(await it.post(`/internal-accounts/${it.accountId}/export`, { clientPublicKey: clientKey().uncompressed }), 202);
}

/** People and firms: approved, waiting, deleted, with and without everything one may say. */
async function customers(it: WalletKit) {
  const ada = ok(
    await it.post('/customers', {
      ...individual,
      platformCustomerId: 'ada',
      region: 'US',
      email: 'ada@example.com',
      phoneNumber: '+12065550100',
      endUserTermsConsent: {
        acceptedAt: '2026-01-01T00:00:00Z',
        ipAddress: '203.0.113.7',
        termsVersion: 'V1',
        acceptanceMethod: 'CHECKBOX',
      },
    }),
  );
  const firm = ok(await it.post('/customers', northPier()));
  const gone = ok(await it.post('/customers', { ...individual, fullName: 'Gone Girl' }));
  await it.settle();
  ok(await it.del(`/customers/${gone.id}`), 200);
  return { ada, firm };
}

/** Owners, documents, reviews and links. */
async function onboarding(it: WalletKit, { ada, firm }: Awaited<ReturnType<typeof customers>>): Promise<void> {
  const link = { redirectUri: 'https://app.example/done' };
  const headers = { 'idempotency-key': 'a-link' };
  ok(await it.post(`/customers/${firm.id}/kyc-link`, link, { headers }));
  ok(await it.post('/verifications', { customerId: firm.id }), 200);
  const one = ok(await it.post('/beneficial-owners', owner(firm.id)));
  const parts = { documentHolder: one.id, documentType: 'PASSPORT', country: 'US', documentNumber: 'X1' };
  ok(await it.post('/documents', undefined, { raw: form(parts) }));
  const vera = ok(await it.post('/customers', { ...individual, fullName: 'Vera Fied' }));
  ok(await it.post('/documents', undefined, { raw: form({ ...parts, documentHolder: vera.id }) }));
  await it.post('/verifications', { customerId: vera.id });
  ok(await it.post('/documents', undefined, { raw: form({ ...parts, documentHolder: ada.id }) }));
}

const bank = (accountNumber: string, more: object = {}) => ({
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber,
    routingNumber: '021000021',
    paymentRails: ['ACH'],
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Alice Doe', birthDate: '1990-01-02', nationality: 'US' },
  },
  ...more,
});

/** Payments of every way in and out, some under way, and the offers behind them. */
async function money(it: WalletKit, ada: { id: string; umaAddress: string }): Promise<void> {
  const account = async (currency: string) =>
    ok(await it.get('/customers/internal-accounts', { customerId: ada.id, currency }), 200).data[0];
  const [usd, eur, usdb] = [await account('USD'), await account('EUR'), await account('USDB')];
  ok(await it.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 2_000_000 }), 200);
  ok(await it.post('/customers/external-accounts', bank('123456789104', { customerId: ada.id })));
  const wallet = {
    customerId: ada.id,
    currency: 'USDC',
    ownershipType: 'FIRST_PARTY',
    accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  };
  const crypto = ok(await it.post('/customers/external-accounts', custodial(ada.id)));
  const paid = ok(await it.post('/customers/external-accounts', bank('123456789501', { customerId: ada.id })));
  ok(await it.post('/platform/external-accounts', bank('123456789502')));
  await it.advance('PT2H');
  ok(await it.post('/customers/external-accounts', bank('123456789504', { customerId: ada.id })));
  const own = ok(await it.post('/customers/external-accounts', wallet));
  ok(await it.post(`/customers/external-accounts/${own.id}/challenge`, { method: 'LIVENESS' }));
  const from = { sourceType: 'ACCOUNT', accountId: usd.id };
  const lock = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 25_000 };
  const destinations = [
    { destinationType: 'ACCOUNT', accountId: paid.id },
    { destinationType: 'ACCOUNT', accountId: eur.id },
    { destinationType: 'ACCOUNT', accountId: crypto.id },
  ];
  for (const destination of destinations) {
    const quote = ok(await it.post('/quotes', { source: from, destination, ...lock, description: 'a payment' }));
    ok(await it.post(`/quotes/${quote.id}/execute`), 200);
    await it.advance('PT3S');
    ok(await it.post('/quotes', { source: from, destination, ...lock }));
  }
  const push = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: ada.id };
  ok(await it.post('/quotes', { source: push, destination: destinations[0], ...lock }));
  ok(
    await it.post('/transfer-out', { source: { accountId: usd.id }, destination: { accountId: paid.id }, amount: 700 }),
  );
  ok(
    await it.post('/transfer-in', { source: { accountId: paid.id }, destination: { accountId: usd.id }, amount: 800 }),
  );
  ok(await it.post('/sandbox/uma/receive', umaPayment(ada.umaAddress)), 200);
  ok(await it.post(`/sandbox/internal-accounts/${usdb.id}/fund`, { amount: 5_000_000 }), 200);
  const mine = { sourceType: 'ACCOUNT', accountId: usdb.id };
  const toUsd = { destinationType: 'ACCOUNT', accountId: usd.id };
  const quote = ok(await it.post('/quotes', { source: mine, destination: toUsd, ...lock, lockedCurrencyAmount: 1e6 }));
  await it.post(`/quotes/${quote.id}/execute`, {});
}

/** Agents that are connected, paused, gone and waiting; orders that ran, wait, failed and were rejected. */
async function agents(it: WalletKit, ada: { id: string }): Promise<void> {
  const limits = { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: null, monthlyLimit: 900_000 };
  const usd = ok(await it.get('/customers/internal-accounts', { customerId: ada.id, currency: 'USD' }), 200).data[0];
  const policy = {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
    defaultExecutionMode: 'AUTO',
    spendingLimits: limits,
    accountRestrictions: { allowedAccountIds: [usd.id], accountRules: [{ accountId: usd.id }] },
    approvalThresholds: { currency: 'USD', amount: 500 },
  };
  const make = async (name: string) => ok(await it.post('/agents', { name, customerId: ada.id, policy }));
  const { agent, deviceCode } = await make('Payroll');
  const code = `/agents/device-codes/${deviceCode.code}/redeem`;
  const { accessToken } = ok(await it.post(code, undefined, { as: null }), 200);
  const call = (path: string, body?: object) =>
    it.post(`/agents/me${path}`, body, { as: null, headers: { authorization: `Bearer ${accessToken}` } });
  const banks = ok(await it.get('/customers/external-accounts', { customerId: ada.id, currency: 'USD' }), 200).data;
  const bank = banks.find((one: { status: string }) => one.status === 'ACTIVE');
  const [source, destination] = [{ accountId: usd.id }, { accountId: bank.id }];
  const out = async (amount: number) => ok(await call('/transfer-out', { source, destination, amount }));
  await out(300);
  ok(await call('/transfer-in', { source: destination, destination: source, amount: 200 }));
  const [, rejected, failed] = [await out(600), await out(700), await out(800)];
  ok(await it.post(`/agents/${agent.id}/actions/${rejected.id}/reject`, { reason: 'too much' }), 200);
  ok(await it.patch(`/agents/${agent.id}`, { isPaused: true }), 200);
  ok(await it.post(`/agents/${agent.id}/actions/${failed.id}/approve`), 200);
  ok(await it.patch(`/agents/${agent.id}`, { isPaused: false }), 200);
  const asked = {
    source: { sourceType: 'ACCOUNT', ...source },
    destination: { destinationType: 'ACCOUNT', ...destination },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 900,
  };
  const quote = ok(await call('/quotes', asked));
  ok(await call(`/quotes/${quote.id}/execute`), 200);
  const waiting = await make('Waits');
  ok(await it.post(`/agents/${waiting.agent.id}/device-codes`));
  ok(await it.del(`/agents/${(await make('Gone')).agent.id}`), 204);
}

/** A wallet that somebody else keeps for a customer: nothing has to be proven of it. */
const custodial = (customerId: string) => ({
  customerId,
  currency: 'USDC',
  ownershipType: 'THIRD_PARTY',
  accountInfo: {
    accountType: 'BASE_WALLET',
    address: '0xde709f2102306220921060314715629080e2fb77',
    vaspName: 'Coinbase',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Alice Doe', countryOfResidence: 'US' },
  },
});

const umaPayment = (receiverUmaAddress: string) => ({
  senderUmaAddress: '$success.usd@sandbox.uma.money',
  receiverUmaAddress,
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 1500,
});

const CSV = [
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,email,addressLine1,addressLine2,city,state,postalCode,country',
  ',bulk-1,INDIVIDUAL,Ida Berg,1990-01-02,ida@example.com,1 Elm St,,Tacoma,WA,98402,US',
  ',bulk-2,INDIVIDUAL,Bad Row,1990-02-31,bad@example.com,1 Elm St,,Tacoma,WA,98402,US',
].join('\r\n');

/** Imports, invitations, tokens, and a webhook of a test. */
async function fringes(it: WalletKit, ada: { umaAddress: string }): Promise<void> {
  const csv = () => form({}, { name: 'people.csv', type: 'text/csv', bytes: new TextEncoder().encode(CSV) });
  ok(await it.post('/customers/bulk/csv', undefined, { raw: csv() }), 202);
  await it.settle();
  it.sandbox.world.settings = {
    ...it.sandbox.world.settings,
    policies: { ...it.sandbox.world.settings.policies, 'bulk.import': 'hold', 'customer.decide': 'after PT3H' },
  };
  ok(await it.post('/customers/bulk/csv', undefined, { raw: csv() }), 202);
  ok(await it.post('/customers', { ...individual, fullName: 'Wanda Waits' }));
  const invitation = { inviterUma: ada.umaAddress, firstName: 'Joe', amountToSend: 500 };
  ok(await it.post('/invitations', { ...invitation, expiresAt: '2026-02-01T00:00:00Z' }));
  ok(await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] }));
  const spare = ok(await it.post('/tokens', { name: 'spare', permissions: ['VIEW', 'TRANSACT'] }));
  ok(await it.del(`/tokens/${spare.id}`), 204);
}

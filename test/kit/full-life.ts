import { expect } from 'vitest';
import { SoftwareAuthenticator } from '../../src/testkit/index.ts';
import { form, individual, northPier, owner } from '../areas/onboarding/material.ts';
import { cardPayments } from './card-payments.ts';
import type { Answer } from './sandbox.ts';
import { Authenticator, clientKey, proof, type WalletKit, walletKit } from './wallet.ts';

type ProfileName = 'spec' | 'grid';

/** Endpoint URL that are to be tried, refused, and tried again. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/hooks';

/** A platform where work waits, limits count and rates are fixed, so that every table has rows and jobs of most kinds stand. */
const CHANGES = {
  platform: {
    accounts: { USD: 9_000_000 },
    counterpartyRules: true,
    sca: {},
    currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })),
  },
  policies: {
    'customer.decide': 'at once',
    'transaction.settle': 'after PT5S',
    'verification.decide': 'hold',
    'external-account.activate': 'after PT2H',
    'external-account.liveness': 'after PT1H',
    'stablecoin-provider-account.check': 'after PT4H',
    'sca.liveness': 'hold',
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
 * Scenario `demo` under profile `spec`, scenario `wallet` under profile `grid`; with `more` keys of a
 * scenario, and then no call is held against the world before it.
 */
export async function fullLife(profile: ProfileName, seed = 1, more?: object): Promise<WalletKit> {
  const base = profile === 'spec' ? 'demo' : 'wallet';
  const it = await walletKit({
    profile,
    scenario: [base, { ...CHANGES, ...more }],
    webhookUrl: NOBODY_LISTENS,
    seed,
    compares: more === undefined,
  });
  await ownWallet(it);
  const people = await customers(it);
  await onboarding(it, people);
  await money(it, people.ada);
  await cards(it, people.ada);
  await delegation(it, people.ada);
  await coins(it);
  await strongly(it);
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

/** Cards in several states, and payments by card that are under way. */
async function cards(it: WalletKit, ada: { id: string }): Promise<void> {
  const [usd] = ok(await it.get('/customers/internal-accounts', { customerId: ada.id, currency: 'USD' }), 200).data;
  const issue = async (more: object) =>
    ok(await it.post('/cards', { cardholderId: ada.id, form: 'VIRTUAL', fundingSources: [usd.id], ...more }));
  const card = await issue({ maxSpendPerTransaction: 50_000 });
  await it.settle();
  await issue({ platformCardId: 'late-005' });
  const simulate = `/sandbox/cards/${card.id}/simulate`;
  const asked = {
    amount: 700,
    currency: { code: 'USD' },
    merchant: { descriptor: 'LATE 005', mcc: '5812', country: 'US' },
  };
  ok(await it.post(`${simulate}/authorization`, asked), 202);
  ok(await it.post(`${simulate}/financial_authorization`, asked), 202);
  const [settled] = await cardPayments(it.get);
  ok(await it.post(`${simulate}/return`, { cardTransactionId: settled.id, amount: 100 }), 202);
  ok(await it.post(`/cards/${card.id}/reveal`), 200);
}

/** A key that signs for a card of the wallet, and one that waits for its second signature. */
async function delegation(it: WalletKit, ada: { id: string }): Promise<void> {
  const query = { customerId: ada.id, type: 'EMBEDDED_WALLET' };
  const [{ id: accountId }] = ok(await it.get('/customers/internal-accounts', query), 200).data;
  const [credential] = ok(await it.get('/auth/credentials', { accountId }), 200).data;
  const { key } = await it.login(clientKey(), credential.id);
  const header = it.host.profile.walletSignatureHeader.toLowerCase();
  for (const legs of [3, 2]) {
    const card = { cardholderId: ada.id, form: 'VIRTUAL', fundingSources: [accountId] };
    const { id: cardId } = ok(await it.post('/cards', card));
    await it.settle();
    const sent = { cardId, internalAccountId: accountId, nickname: 'Everyday' };
    let answer = await it.post('/auth/delegated-keys', sent);
    for (let leg = 2; leg <= legs; leg += 1) {
      ok(answer, 202);
      answer = await it.post('/auth/delegated-keys', sent, { headers: await proof(key, answer, header) });
    }
    ok(answer, legs === 3 ? 201 : 202);
  }
}

/** A coin that the platform issues, one that nobody has reviewed, and mints and burns under way and done. */
async function coins(it: WalletKit): Promise<void> {
  let keys = 0;
  const keyed = async (path: string, body: object) => {
    keys += 1;
    return ok(await it.post(path, body, { headers: { 'idempotency-key': `coins-${keys}` } }));
  };
  const provider = it.host.profile.name === 'spec' ? 'STABLECOIN_PROVIDER_1' : 'BRALE';
  const credentials = { provider, apiClientSecret: 'sesame' };
  await keyed('/stablecoin-provider-accounts', { ...credentials, apiClientId: 'issuer-004' });
  const issuer = await keyed('/stablecoin-provider-accounts', { ...credentials, apiClientId: 'issuer' });
  const register = (providerTokenIdentifier: string) =>
    keyed('/stablecoins', {
      providerTokenIdentifier,
      networkTokenIdentifier: `btkn1${providerTokenIdentifier}`,
      network: 'SPARK',
      stablecoinProviderAccountId: issuer.id,
    });
  const coin = await register('USDB');
  await register('ACME-001');
  await it.settle();
  const banks = ok(await it.get('/platform/external-accounts', { currency: 'USD' }), 200).data;
  const { id: accountId } = banks.find(({ status }: { status: string }) => status === 'ACTIVE');
  const [own] = ok(await it.get('/platform/internal-accounts', { currency: 'USDB' }), 200).data;
  const mint = (fundingSource: object) =>
    keyed(`/stablecoins/${coin.id}/mints`, { amount: '10000', fundingSource, destination: { accountId: own.id } });
  await mint({ type: 'WIRE' });
  await mint({ type: 'ACH_DEBIT', externalAccountId: accountId });
  await keyed(`/stablecoins/${coin.id}/burns`, {
    amount: '10000',
    source: { type: 'EXTERNAL_ACCOUNT' },
    destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: accountId, rail: 'WIRE' },
  });
}

/** Somebody in the EU with factors, a login that failed, and challenges of each kind that wait. */
async function strongly(it: WalletKit): Promise<void> {
  const phoneNumber = '+46701740605';
  const sent = { ...individual, fullName: 'Nora Lind', region: 'SE', email: 'nora@example.com', phoneNumber };
  const nora = ok(await it.post('/customers', sent));
  await it.settle();
  const query = { customerId: nora.id };
  const sca = async (path: string, body: object, status = 200) =>
    ok(await it.call('POST', `/sca${path}`, body, { query }), status);
  const { secret } = await sca('/factors', { type: 'TOTP' });
  await sca('/factors/confirm', { type: 'TOTP', secret, code: '123456' });
  const { options, allowedOrigins } = await sca('/factors', { type: 'PASSKEY' });
  const credential = new SoftwareAuthenticator({ origin: allowedOrigins[0] }).create(options);
  await sca('/factors/confirm', { type: 'PASSKEY', origin: allowedOrigins[0], credential });
  await sca('/factors', { type: 'TOTP' });
  await sca('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' });
  const { challengeId } = await sca('/login/start', { factor: 'SMS_OTP' });
  const login = { factor: 'SMS_OTP', challengeId, code: '123456', endUserIpAddress: '203.0.113.7' };
  await sca('/login/complete', login);
  await sca('/login/start', { factor: 'PASSKEY' });
  await sca('/factors/reset', { factor: 'TOTP' }, 201);
  const to = ok(await it.post('/customers/external-accounts', bank('123456789511', { customerId: nora.id })));
  ok(await it.post(`/customers/external-accounts/${to.id}/trust`), 200);
  const quote = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 25_000, scaFactor: 'PASSKEY' };
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: nora.id };
  const [own] = ok(await it.get('/customers/internal-accounts', { ...query, currency: 'USD' }), 200).data;
  const destination = { destinationType: 'ACCOUNT', accountId: own.id };
  ok(await it.post('/quotes', { ...quote, source, destination }), 202);
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

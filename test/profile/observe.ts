import { pauseAfter, RETRIES } from '../../src/areas/webhooks/retry.ts';
import { PARTS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { form, individual, owner } from '../areas/onboarding/material.ts';
import { ALWAYS, BEYOND_CODES, BEYOND_MEMBERS } from '../kit/beyond-contract.ts';
import { cardKit, MERCHANT } from '../kit/cards.ts';
import { CONTRACT } from '../kit/contract.ts';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';
import { type Answer, type Kit, kit } from '../kit/sandbox.ts';
import { Authenticator, clientKey, stampOf, walletKit } from '../kit/wallet.ts';

type Name = 'spec' | 'grid';
/** What an emulator of a profile is seen to do, in the very words of `docs/profiles.md`. */
export type Observe = (profile: Name) => Promise<string>;

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Obi', birthDate: '1990-01-02', email: 'ada@example.com' };
const business = (registrationNumber = 'HRB 555') => ({
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'North Pier Ltd',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2019-05-01',
    registrationNumber,
  },
});
const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** `201 APPROVED`, `400 INVALID_INPUT`: a status, and what stands in one member of the reply or why it was refused. */
const said = ({ status, body }: Answer, member?: string): string =>
  [status, status >= 400 ? body.code : member && body[member]].filter(Boolean).join(' ');

/** A name as the documentation says it: the specification's own, or "the public name" in its place. */
const named = (profile: Name, seen: string | undefined, ours: string, theirs: string | undefined): string => {
  if (profile === 'spec') return seen ?? 'nothing';
  return seen === theirs && theirs !== ours ? 'the public name' : `not the public name: ${seen}`;
};

const documentOf = async (profile: Name) => (await (await kit({ profile })).control('GET', '/openapi.json')).body;
const headerNames = (op: { parameters: { in: string; name: string }[] }) =>
  op.parameters.filter((p) => p.in === 'header').map((p) => p.name);

/** Zoe, logged in, with a quote from her wallet. */
async function quotedWallet(profile: Name) {
  const it = await walletKit({ profile });
  const { key } = await it.login();
  const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
  const { body: quote } = await it.post('/quotes', {
    source: account(it.accountId),
    destination: to(usd.id),
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  });
  const signature = await stampOf(key, quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign);
  return { it, quote, path: `/quotes/${quote.id}/execute`, header: it.host.profile.walletSignatureHeader, signature };
}

async function paid(profile: Name) {
  const it = await moneyKit({ profile });
  const usd = await it.funded('USD', 50_000);
  const { body: quote } = await it.quote(account(usd.id), to(it.bank('EUR').id));
  return { it, usd, quote };
}

/** New customers wait for their submission. */
const undecided = { policies: { 'customer.decide': 'hold' as const } };

/** An individual of this name, submitted with everything that is asked for. */
async function submitted(it: Kit, fullName: string): Promise<string> {
  const { id } = (await it.post('/customers', { ...individual, fullName })).body;
  const parts = {
    documentHolder: id,
    documentType: 'PASSPORT',
    country: 'US',
    documentNumber: 'X1',
    issuingAuthority: 'X',
  };
  await it.post('/documents', undefined, { raw: form(parts) });
  await it.post('/verifications', { customerId: id });
  return id;
}

/** A quote from Ana's bank into an account of hers. */
async function quotedBank(profile: Name) {
  const it = await moneyKit({ profile });
  const { body: quote } = await it.quote(account(it.bank('USD').id), to((await it.account('EUR')).id));
  return { it, quote };
}

/** What differs: a row of the first table of `docs/profiles.md` each. */
export const DIFFERS: Readonly<Record<string, Observe>> = {
  'advertised base path (both are always served)': async (profile) =>
    new URL((await documentOf(profile)).servers[0].url).pathname,

  'header of a wallet signature': async (profile) => {
    const { paths } = await documentOf(profile);
    const [shown] = headerNames(paths['/quotes/{quoteId}/execute'].post);
    const { spec, grid } = PROFILES;
    return named(profile, shown, spec.walletSignatureHeader, grid.walletSignatureHeader);
  },

  'header of a webhook signature': async (profile) => {
    const hooks = await receiver();
    const it = await kit({ profile, webhookUrl: hooks.url });
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.settle();
    const sent = Object.keys(hooks.received[0]?.headers ?? {}).filter((name) => name.endsWith('-signature'));
    const { spec, grid } = PROFILES;
    const known = [spec, grid].map((p) => p.webhookSignatureHeader);
    const shown = sent.map((name) => known.find((header) => header.toLowerCase() === name) ?? name).join();
    return named(profile, shown, spec.webhookSignatureHeader, grid.webhookSignatureHeader);
  },

  'KYC provider of a hosted link': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    const { provider } = (await it.post(`/customers/${id}/kyc-link`)).body;
    return named(profile, provider, 'KYC_PROVIDER_1', PROFILES.grid.values['provider']?.['KYC_PROVIDER_1']);
  },

  'code of a switch error': async (profile) => {
    const it = await kit({ profile });
    await it.control('POST', '/faults', {
      match: { operation: 'getPlatformConfig' },
      then: { code: 'SERVICE_SWITCH_ERROR' },
    });
    const { code } = (await it.get('/config')).body;
    return named(profile, code, 'SERVICE_SWITCH_ERROR', PROFILES.grid.values['code']?.['SERVICE_SWITCH_ERROR']);
  },

  'provider of a stablecoin provider account': async (profile) => {
    const [linked] = (await (await kit({ profile, scenario: 'stablecoins' })).get('/stablecoin-provider-accounts')).body
      .data;
    const names = PROFILES.grid.values['provider'] ?? {};
    return named(profile, linked.provider, 'STABLECOIN_PROVIDER_1', names['STABLECOIN_PROVIDER_1']);
  },

  "the service's own member of a stablecoin": async (profile) => {
    const [coin] = (await (await kit({ profile, scenario: 'stablecoins' })).get('/stablecoins')).body.data;
    const ours = 'serviceOperationsStatus';
    const theirs = PROFILES.grid.members[ours] as string;
    return named(
      profile,
      [ours, theirs].find((name) => name in coin),
      ours,
      theirs,
    );
  },

  "the service's own account as a source of a stablecoin operation": async (profile) => {
    const it = await kit({ profile, scenario: 'stablecoins' });
    const [coin] = (await it.get('/stablecoins')).body.data;
    const refused = await it.post(`/stablecoins/${coin.id}/burns`, { amount: '10000', source: { type: 'NONE' } });
    const ours = 'SERVICE_INTERNAL_ACCOUNT';
    const theirs = PROFILES.grid.values['type']?.[ours] as string;
    return named(
      profile,
      [ours, theirs].find((name) => refused.text.includes(`"${name}"`)),
      ours,
      theirs,
    );
  },

  'reason of a card that the service closed': async (profile) => {
    const it = await kit({ profile, scenario: 'cards' });
    const [card] = (await it.get('/cards', { state: 'ACTIVE' })).body.data;
    const { stateReason } = (await it.control('POST', `/cards/${card.id}/decision`, { decision: 'CLOSE' })).body;
    const shown = (await it.get(`/cards/${card.id}`)).body.stateReason;
    const names = PROFILES.grid.values['stateReason'] ?? {};
    if (stateReason === undefined) return 'nothing';
    return named(profile, shown, 'CLOSED_BY_SERVICE', names['CLOSED_BY_SERVICE']);
  },

  "an agent's device code and access token begin with": async (profile) => {
    const it = await kit({ profile, scenario: 'agents' });
    const [{ customerId, policy }] = (await it.get('/agents')).body.data;
    const { code } = (await it.post('/agents', { name: 'A', customerId, policy })).body.deviceCode;
    const { accessToken } = (await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null })).body;
    const { deviceCode, agentToken } = PROFILES[profile].prefixes;
    if (!code.startsWith(deviceCode) || !accessToken.startsWith(agentToken)) return `${code}, ${accessToken}`;
    return profile === 'spec' ? `${deviceCode}, ${agentToken}` : 'the public names';
  },

  "the service's own members of rateDetails": async (profile) => {
    const { quote } = await paid(profile);
    const fees = Object.entries(PROFILES.grid.members).filter(([name]) => name.startsWith('serviceApi'));
    const ours = fees.map(([name]) => name).sort();
    const theirs = fees.map(([, name]) => name).sort();
    const shown = Object.keys(quote.rateDetails).filter((name) => [...ours, ...theirs].includes(name));
    const known = profile === 'spec' ? ours : theirs;
    if (shown.sort().join() !== known.join()) return `others: ${shown}`;
    return profile === 'spec' ? `${shown[0]?.slice(0, 10)}...` : 'the public names';
  },

  'a new customer who is decided on later': async (profile) => {
    const it = await kit({ profile, scenario: { policies: { 'customer.decide': 'after PT1H' } } });
    return said(await it.post('/customers', ada), 'kycStatus');
  },

  'a new individual whose name ends in 003': async (profile) =>
    said(await (await kit({ profile })).post('/customers', { ...ada, fullName: 'Ann Lee 003' }), 'kycStatus'),

  'a new business': async (profile) => said(await (await kit({ profile })).post('/customers', business()), 'kybStatus'),

  'a new beneficial owner': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', business())).body;
    return said(await it.post('/beneficial-owners', owner(id)), 'kycStatus');
  },

  'a customer put on hold (control API)': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', { ...ada, fullName: 'Ann Lee 001' })).body;
    return said(await it.control('POST', `/customers/${id}/decision`, { decision: 'HOLD' }), 'kycStatus');
  },

  'creating a business of which nothing else is said': async (profile) =>
    said(await (await kit({ profile })).post('/customers', { customerType: 'BUSINESS' })),

  'submitting a customer who is approved already': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    return said(await it.post('/verifications', { customerId: id }));
  },

  'statuses of a verification: reviewed by hand, approved, rejected': async (profile) => {
    const it = await kit({ profile, scenario: undecided });
    const seen: string[] = [];
    for (const name of ['Omar Diaz 001', 'Omar Diaz', 'Omar Diaz 002']) {
      const id = await submitted(it, name);
      await it.settle();
      seen.push((await it.get('/verifications', { customerId: id })).body.data[0].verificationStatus);
    }
    return seen.join(', ');
  },

  'events of a submission that is approved': async (profile) => {
    const it = await kit({ profile, scenario: undecided });
    await submitted(it, 'Omar Diaz');
    await it.settle();
    return it
      .events()
      .map((event) => event.type)
      .join(', ');
  },

  'submitting a business 002 without owners and documents': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', business('HRB 002'))).body;
    return said(await it.post('/verifications', { customerId: id }), 'verificationStatus');
  },

  'submitting a business without owners and documents': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', business())).body;
    return said(await it.post('/verifications', { customerId: id }), 'verificationStatus');
  },

  'what a review still asks of a business that gives name, country, tax number, day and registration': async (
    profile,
  ) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', business('HRB 001'))).body;
    const { errors } = (await it.post('/verifications', { customerId: id })).body;
    return errors
      .map(({ field = '' }: { field?: string }) => field)
      .filter((field: string) => field.startsWith('customer.businessInfo.'))
      .map((field: string) => field.slice('customer.businessInfo.'.length))
      .join(', ');
  },

  'events of a payment that succeeds': async (profile) => {
    const { it, quote } = await paid(profile);
    await it.post(`/quotes/${quote.id}/execute`);
    await it.settle();
    return it
      .events()
      .map((event) => event.type)
      .filter((type) => type.startsWith('OUTGOING_PAYMENT'))
      .map((type) => type.slice('OUTGOING_PAYMENT'.length) || 'OUTGOING_PAYMENT')
      .join(', ');
  },

  'events of sandbox funding': async (profile) => {
    const it = await kit({ profile });
    const [{ id }] = (await it.get('/platform/internal-accounts')).body.data;
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 500 });
    return it
      .events()
      .map((event) => event.type)
      .join(', ');
  },

  'email and phone number changed together, neither tied': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' })).body;
    return said(await it.patch(`/customers/${id}`, { email: 'ada@example.com', phoneNumber: '+12065550199' }));
  },

  'executing a quote of a wallet without a signature': async (profile) => {
    const { it, path } = await quotedWallet(profile);
    return said(await it.post(path, {}));
  },

  'the same with the signature and an unknown Request-Id': async (profile) => {
    const { it, path, header, signature } = await quotedWallet(profile);
    return said(await it.post(path, {}, { headers: { [header]: signature, 'request-id': 'Request:x' } }));
  },

  'payment instructions of a quote from a wallet': async (profile) => {
    const { quote } = await quotedWallet(profile);
    const ways: { accountOrWalletInfo: { accountType: string } }[] = quote.paymentInstructions;
    return ways.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType).join(', ');
  },

  'paying such a quote by its invoice (sandboxSend)': async (profile) => {
    const { it, quote } = await quotedWallet(profile);
    return said(await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: 'USDB' }), 'status');
  },

  'a EUR_ACCOUNT of an individual without countryOfResidence': async (profile) => {
    const it = await kit({ profile });
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Jonas Brandt' };
    const accountInfo = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary };
    return said(await it.post('/platform/external-accounts', { currency: 'EUR', accountInfo }), 'status');
  },

  'executing a quote from a bank account outside': async (profile) => {
    const { it, quote } = await quotedBank(profile);
    return said(await it.post(`/quotes/${quote.id}/execute`), 'status');
  },

  'successes and headers of executeQuote in the document': async (profile) => {
    const { post } = (await documentOf(profile)).paths['/quotes/{quoteId}/execute'];
    const successes = Object.keys(post.responses).filter((status) => status < '300');
    return `${successes.join(', ')}; ${headerNames(post).slice(1).join(', ')}`;
  },

  'types of outgoing payments in the document': async (profile) => {
    const { webhooks } = await documentOf(profile);
    const { schema } = webhooks['outgoing-payment'].post.requestBody.content['application/json'];
    const types: string[] = schema.properties.type.enum;
    return `${types.length}, the bare one ${types.includes('OUTGOING_PAYMENT') ? 'among them' : 'not'}`;
  },

  'longest pause between two tries of a webhook': async (profile) => {
    const pause = pauseAfter(RETRIES, PROFILES[profile].rules.longestWebhookPauseMs) as number;
    return `${Math.round(pause / 60_000)} minutes`;
  },

  'the older path POST /webhooks/test': async (profile) => {
    const it = await kit({ profile });
    return said(await it.overlapping('POST', '/webhooks/test'));
  },

  'the older path GET /internal-accounts': async (profile) =>
    said(await (await kit({ profile })).get('/internal-accounts')),
};

/** What both do, where one might expect a difference: a row of the second table each. */
export const SAME: Readonly<Record<string, Observe>> = {
  'a new individual without a suffix': async (profile) =>
    said(await (await kit({ profile })).post('/customers', ada), 'kycStatus'),

  'status of a business': async (profile) => {
    const { body } = await (await kit({ profile })).post('/customers', business());
    return body.kycStatus === body.kybStatus ? 'kycStatus and kybStatus, always equal' : 'they differ';
  },

  'an address without city and state; without country': async (profile) => {
    const it = await kit({ profile });
    const address = { line1: '1 High St', postalCode: '90210', country: 'US' };
    const { country: _, ...nowhere } = address;
    const answers = [
      await it.post('/customers', { ...ada, address }),
      await it.post('/customers', { ...ada, address: nowhere }),
    ];
    return answers.map((answer) => said(answer)).join('; ');
  },

  'PATCH of a customer without customerType; with another': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    const answers = [
      await it.patch(`/customers/${id}`, { nationality: 'US' }),
      await it.patch(`/customers/${id}`, { customerType: 'BUSINESS' }),
    ];
    return answers.map((answer) => said(answer)).join('; ');
  },

  "PATCH of region; of businessInfo on an individual; of a customer's own GET body": async (profile) => {
    const it = await kit({ profile });
    const { body } = await it.post('/customers', ada);
    const path = `/customers/${body.id}`;
    const region = await it.patch(path, { region: 'DE' });
    const info = await it.patch(path, { businessInfo: { legalName: 'x' } });
    return [region, info, await it.patch(path, body)].map((answer) => said(answer)).join('; ');
  },

  'null in PATCH; for what a currency requires; on create': async (profile) => {
    const currencies = [{ code: 'USD', providerRequiredCustomerFields: ['BIRTH_DATE' as const] }];
    const it = await kit({ profile, scenario: { platform: { currencies } } });
    const path = `/customers/${(await it.post('/customers', ada)).body.id}`;
    const cleared = await it.patch(path, { email: null });
    const required = await it.patch(path, { birthDate: null });
    return [cleared, required, await it.post('/customers', { ...ada, email: null })].map((a) => said(a)).join('; ');
  },

  'null as the clientPublicKey of a challenge; as the userHandle of an assertion': async (profile) => {
    const it = await walletKit({ profile });
    const code = await it.post(`/auth/credentials/${it.emailOtp}/challenge`, { clientPublicKey: null });
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const passkey = await it.addPasskey(key, authenticator);
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const assertion = { ...body.assertion, userHandle: null };
    return `${said(code)}; ${said(await it.post(path, { type: 'PASSKEY', assertion }, { headers }))}`;
  },

  'PATCH of the configuration with the code of a currency alone': async (profile) => {
    const it = await kit({ profile });
    return said(await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD' }] }));
  },

  'a card payment in a currency without its code': async (profile) => {
    const it = await cardKit({ profile });
    const card = await it.card();
    const payment = { amount: 100, currency: { name: 'US Dollar' }, merchant: MERCHANT };
    return said(await it.tell(card, 'authorization', payment));
  },

  'an idType of NON_US_TAX_ID: of a US person; of another': async (profile) => {
    const it = await kit({ profile });
    const of = async (nationality: string) =>
      said(await it.post('/customers', { ...ada, nationality, idType: 'NON_US_TAX_ID', identifier: 'X1' }));
    return `${await of('US')}; ${await of('DE')}`;
  },

  'deleting a customer; again': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    return [await it.del(`/customers/${id}`), await it.del(`/customers/${id}`)]
      .map((answer) => said(answer))
      .join('; ');
  },

  'what a bulk upload answers with': async (profile) => {
    const it = await kit({ profile });
    const raw = new FormData();
    raw.append('file', new File(['umaAddress,platformCustomerId,customerType\n'], 'customers.csv'));
    const { status, body } = await it.post('/customers/bulk/csv', undefined, { raw });
    return `${status} ${Object.keys(body).sort().join(', ')}`;
  },

  'a share of 12.5 percent': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', business())).body;
    return said(
      await it.post('/beneficial-owners', { ...owner(id), ownershipPercentage: 12.5 }),
      'ownershipPercentage',
    );
  },

  'a redirectUri on http://localhost': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    return said(await it.post(`/customers/${id}/kyc-link`, { redirectUri: 'http://localhost:3000/done' }));
  },

  'GET /customers/{platformCustomerId}; the older GET /customers/kyc-link': async (profile) => {
    const it = await kit({ profile });
    await it.post('/customers', { ...ada, platformCustomerId: 'ada' });
    const answers = [
      await it.get('/customers/ada'),
      await it.get('/customers/kyc-link', { platformCustomerId: 'ada' }),
    ];
    return answers.map((answer) => said(answer)).join('; ');
  },

  'accounts of a new customer without consent to terms': async (profile) => {
    const it = await kit({ profile });
    const { id } = (await it.post('/customers', ada)).body;
    const { body } = await it.get('/customers/internal-accounts', { customerId: id });
    return body.totalCount > 0 ? 'opened with the customer' : 'none';
  },

  'operations that take an Idempotency-Key': async (profile) => {
    const { paths } = await documentOf(profile);
    const found: string[] = [];
    for (const item of Object.values<Record<string, { operationId: string; parameters?: [] }>>(paths))
      for (const op of Object.values(item))
        if (headerNames({ parameters: op.parameters ?? [] }).includes('Idempotency-Key')) found.push(op.operationId);
    return found.sort().join(', ');
  },

  'an Idempotency-Key used again after a refusal by a rule; after one for shape': async (profile) => {
    const it = await moneyKit({ profile });
    const usd = await it.account('USD');
    const body = { source: { accountId: usd.id }, destination: { accountId: it.bank('USD').id }, amount: 500 };
    const send = (key: string, sent: object) =>
      it.overlapping('POST', '/transfer-out', sent, { headers: { 'Idempotency-Key': key } });
    const first = await send('rule', body);
    await send('shape', { ...body, amount: 'much' });
    await it.funded('USD', 10_000);
    const again = await send('rule', body);
    const shape = await send('shape', body);
    return `${again.text === first.text ? 'the first answer' : 'another answer'}, ${said(again)}; ${said(shape)}`;
  },

  "an Idempotency-Key of executeQuote used again after a refusal by a rule; after a call that a wallet's owner had not signed":
    async (profile) => {
      const it = await moneyKit({ profile });
      const { id } = await it.funded('USD', 50_000);
      const { body } = await it.quote(account(id), to(it.bank('USD').id));
      const headers = { 'idempotency-key': 'rule' };
      const execute = () => it.post(`/quotes/${body.id}/execute`, undefined, { headers });
      await it.review();
      const first = await execute();
      await it.control('POST', `/customers/${it.customer.id}/decision`, { decision: 'APPROVED' });
      const again = await execute();
      const wallet = await quotedWallet(profile);
      await wallet.it.post(wallet.path, {}, { headers });
      const signed = await wallet.it.post(
        wallet.path,
        {},
        { headers: { ...headers, [wallet.header]: wallet.signature } },
      );
      return `${again.text === first.text ? 'the first answer' : 'another answer'}, ${said(again)}; ${said(signed)}`;
    },

  'an Idempotency-Key used again with another body; of a hosted link; with another order of members': async (
    profile,
  ) => {
    const it = await moneyKit({ profile });
    const usd = await it.funded('USD', 10_000);
    const accounts = { source: { accountId: usd.id }, destination: { accountId: it.bank('USD').id } };
    const headers = { 'Idempotency-Key': 'k1' };
    await it.post('/transfer-out', { ...accounts, amount: 500 }, { headers });
    const other = await it.overlapping('POST', '/transfer-out', { ...accounts, amount: 501 }, { headers });
    const ordered = await it.post('/transfer-out', { amount: 500, ...accounts }, { headers });
    const path = `/customers/${(await it.post('/customers', ada)).body.id}/kyc-link`;
    const link = await it.post(path, { redirectUri: 'https://app.example/a' }, { headers });
    const again = await it.post(path, { redirectUri: 'https://app.example/b' }, { headers });
    return [said(other), again.text === link.text ? 'the first answer' : said(again), said(ordered)].join('; ');
  },

  'a session by an uncompressed clientPublicKey; by a compressed one': async (profile) => {
    const it = await walletKit({ profile });
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const { id } = await it.addPasskey(key, authenticator);
    const seen: string[] = [];
    for (const form of ['uncompressed', 'compressed'] as const) {
      const { path, body, headers } = await it.asserted(id, authenticator, clientKey(), form);
      const session = (await it.post(path, body, { headers })).body;
      seen.push(session.encryptedSessionSigningKey ? 'with a sealed key' : 'without one');
    }
    return seen.join('; ');
  },

  'a second passkey on a wallet': async (profile) => {
    const it = await walletKit({ profile });
    const { key } = await it.login();
    await it.addPasskey(key, new Authenticator());
    const body = { accountId: it.accountId, type: 'PASSKEY', nickname: 'Second', ...new Authenticator().create() };
    return said(await it.sign(key, 'POST', '/auth/credentials', body), 'type');
  },

  'too many challenges of a credential': async (profile) => {
    const it = await walletKit({ profile, scenario: ['wallet', { limits: { challengesPerMinute: 1 } }] });
    await it.post(`/auth/credentials/${it.emailOtp}/challenge`);
    const answer = await it.post(`/auth/credentials/${it.emailOtp}/challenge`);
    return `${said(answer)}, Retry-After in ${/^\d+$/.test(answer.headers.get('retry-after') ?? '') ? 'seconds' : '?'}`;
  },

  'paying a quote of a wallet whose owner authenticates strongly by an invoice': async (profile) => {
    const it = await walletKit({ profile, scenario: ['wallet', { platform: { sca: { regions: ['SE'] } } }] });
    const address = { line1: '1 Gatan', city: 'Lund', postalCode: '22100', country: 'SE' };
    await it.patch(`/customers/${(await it.get('/customers')).body.data[0].id}`, { address });
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await it.post('/quotes', {
      source: account(it.accountId),
      destination: to(usd.id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000_000,
    });
    return said(await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: 'USDB' }));
  },

  'the legacy wallet signature of the sandbox': async (profile) => {
    const { it, path, header } = await quotedWallet(profile);
    return said(await it.post(path, {}, { headers: { [header]: 'sandbox-valid-signature' } }));
  },

  'email and phone number changed together, both tied': async (profile) => {
    const it = await walletKit({ profile });
    const { key } = await it.login();
    await it.sign(key, 'POST', '/auth/credentials', { accountId: it.accountId, type: 'SMS_OTP' });
    const both = { email: 'new@example.com', phoneNumber: '+12065550199' };
    return said(await it.patch(`/customers/${it.customerId}`, both));
  },

  'an account at a bank that GET /discoveries does not list': async (profile) => {
    const it = await kit({ profile });
    const { data } = (await it.get('/discoveries?currency=NGN')).body;
    const bankName = 'A Bank of No List';
    if (data.some((one: { bankName: string }) => one.bankName === bankName)) throw new Error('it is listed');
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Obi' };
    const accountInfo = { accountType: 'NGN_ACCOUNT', bankName, accountNumber: '1234567890', beneficiary };
    return said(await it.post('/platform/external-accounts', { currency: 'NGN', accountInfo }), 'status');
  },

  'when a quoted payment leaves the account': async (profile) => {
    const { it, usd, quote } = await paid(profile);
    const before = await it.balance(usd.id);
    await it.post(`/quotes/${quote.id}/execute`);
    return before === 50_000 && (await it.balance(usd.id)) < before ? 'at execution' : 'before';
  },

  'executing a quote of more than there is': async (profile) => {
    const it = await moneyKit({ profile });
    const { body: quote } = await it.quote(account((await it.account('USD')).id), to(it.bank('EUR').id));
    return said(await it.post(`/quotes/${quote.id}/execute`));
  },

  'direction of an outgoing payment': async (profile) => {
    const { it, quote } = await paid(profile);
    return (await it.transaction(quote.transactionId)).direction;
  },

  'parameters of GET /transactions': async (profile) => {
    const { paths } = await documentOf(profile);
    return String(paths['/transactions'].get.parameters.length);
  },

  'a webhook receiver that answers 409': async (profile) => {
    const hooks = await receiver();
    hooks.react = () => 409;
    const it = await kit({ profile, webhookUrl: hooks.url });
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.settle();
    await it.advance('P7D');
    return hooks.received.length === 1 ? 'is not called again' : 'is called again';
  },

  'user name of a new API token: its clientId; its id': async (profile) => {
    const it = await kit({ profile });
    const { id, clientId, clientSecret } = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
    const as = (user: string) => it.call('GET', '/config', undefined, { as: `${user}:${clientSecret}` });
    return [await as(clientId), await as(id)].map((answer) => said(answer)).join('; ');
  },

  'a token without the permission': async (profile) => {
    const it = await kit({ profile });
    const { clientId, clientSecret } = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
    return said(await it.call('POST', '/customers', ada, { as: `${clientId}:${clientSecret}` }));
  },

  'a method that a path does not have': async (profile) =>
    said(await (await kit({ profile })).call('PUT', '/customers', {})),

  'a phone number that is not E.164': async (profile) =>
    said(await (await kit({ profile })).post('/customers', { ...ada, phoneNumber: '2065550147' })),

  'filters of GET /customers': async (profile) => {
    const { paths } = await documentOf(profile);
    const names = paths['/customers'].get.parameters.map((p: { name: string }) => p.name);
    return names.sort().join(', ');
  },

  'contact verification: the code 000000; 123456': async (profile) => {
    const it = await kit({ profile, scenario: 'contact-verification' });
    const { id } = (await it.post('/customers', { ...ada, phoneNumber: '+12065550147' })).body;
    await it.post(`/customers/${id}/verify-email`);
    const confirm = (code: string) => it.post(`/customers/${id}/verify-email/confirm`, { code });
    return [await confirm('000000'), await confirm('123456')].map((answer) => said(answer)).join('; ');
  },

  'signature over an exported wallet': async (profile) => {
    const it = await walletKit({ profile });
    const { key } = await it.login();
    const body = { clientPublicKey: clientKey().uncompressed };
    const answer = await it.sign(key, 'POST', `/internal-accounts/${it.accountId}/export`, body);
    const { dataSignature, enclaveQuorumPublic } = JSON.parse(answer.body.encryptedWalletCredentials);
    return dataSignature === '' && enclaveQuorumPublic === '' ? 'two empty strings' : 'signed';
  },

  'statuses that the public contract does not declare, but for 403': async (profile) => {
    const { paths } = await documentOf(profile);
    const beyond: string[] = [];
    for (const item of Object.values<Record<string, { operationId: string; responses: object }>>(paths))
      for (const { operationId, responses } of Object.values(item)) {
        const known = Object.keys(CONTRACT.operations[operationId]?.replies ?? {});
        const more = Object.keys(responses).filter((status) => !known.includes(status) && status !== '403');
        // Spec 5.4 against the public schema: a row of its own above.
        const own = more.filter((status) => !(/executeQuote$/i.test(operationId) && status === '202'));
        if (own.length > 0) beyond.push(`${operationId} ${own.join(' ')}`);
      }
    return beyond.sort().join(', ');
  },

  'members that the public contract does not declare': async () =>
    Object.entries(BEYOND_MEMBERS)
      .map(([place, { members }]) => `${place}: ${members.join(', ')}`)
      .join('; '),

  'members that are always shown, and the public contract lets be missing': async () =>
    Object.entries(ALWAYS)
      .map(([place, { required }]) => `${place}: ${required.join(', ')}`)
      .join('; '),

  'error codes that the public contract does not declare': async () => BEYOND_CODES.join(', '),

  'replies to the two confirmations of a contact': async (profile) => {
    const it = await kit({ profile, scenario: 'contact-verification' });
    const { id } = (await it.post('/customers', { ...ada, phoneNumber: '+12065550147' })).body;
    await it.post(`/customers/${id}/verify-email`);
    const { body } = await it.post(`/customers/${id}/verify-email/confirm`, { code: '123456' });
    return body.fullName === ada.fullName ? 'the whole customer' : 'a part of it';
  },

  'events that are sent once, delivered or not': async () =>
    [...(PARTS.deliveryRules ?? [])]
      .filter(([, { sentOnce }]) => sentOnce)
      .map(([type]) => type)
      .sort()
      .join(', '),
};

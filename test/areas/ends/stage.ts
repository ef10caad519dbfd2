import { createApp } from '../../../src/http/app.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { walletClient } from '../../crypto/clients.ts';
import { type Answer, type CallOptions, type Kit, kit } from '../../kit/sandbox.ts';
import { type ClientKey, clientKey, proof, stampOf } from '../../kit/wallet.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;
export type ProfileName = 'spec' | 'grid';

const id = (resource: string, n: number) =>
  `${resource}:0196b0de-0000-7000-8000-00000000ed${String(n).padStart(2, '0')}`;

/** Eva has one of everything; Bo is paid by her; Pia waits for a decision; Ugo is their platform's other payer. */
export const IDS = {
  eva: id('Customer', 10),
  bo: id('Customer', 11),
  pia: id('Customer', 12),
  bank: id('ExternalAccount', 20),
  strange: id('ExternalAccount', 21),
  failing: id('ExternalAccount', 22),
  returning: id('ExternalAccount', 23),
  chain: id('ExternalAccount', 24),
  debited: id('ExternalAccount', 25),
  passkey: id('ScaFactor', 30),
  work: id('Card', 40),
  everyday: id('Card', 41),
  key: id('DelegatedKey', 50),
  agent: id('Agent', 60),
  spare: id('Agent', 61),
  link: id('StablecoinProviderAccount', 70),
  coin: id('Stablecoin', 71),
} as const;

const person = (label: 'eva' | 'bo' | 'pia', fullName: string, more: object) => ({
  label,
  id: IDS[label],
  customerType: 'INDIVIDUAL',
  platformCustomerId: label,
  fullName,
  birthDate: '1990-03-25',
  email: `${label}@example.com`,
  umaAddress: `$${label}@pay.example`,
  ...more,
});
/** A bank account of Eva's as it is registered. */
export const bankOf = (accountNumber: string) => ({
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber,
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
  },
});
const bank = (label: 'bank' | 'strange' | 'failing' | 'returning', accountNumber: string) => ({
  label,
  id: IDS[label],
  customer: 'eva',
  trusted: label !== 'strange',
  ...bankOf(accountNumber),
});
/** Where Eva is paid on a chain, and the account that the platform's mints are debited to. */
const CHAIN = {
  label: 'chain',
  id: IDS.chain,
  customer: 'eva',
  currency: 'USDC',
  trusted: true,
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
};
const DEBITED = { label: 'debited', id: IDS.debited, ...bankOf('123456789510') };
const policy = (mode: string) => ({
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS'],
  defaultExecutionMode: mode,
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000 },
});

const HOME = { line1: '1 Katu', city: 'Turku', postalCode: '20100', country: 'FI' };

/** A platform on which one of each kind stands from the start. */
const SCENARIO = {
  platform: {
    regulated: false,
    umaDomain: 'pay.example',
    accounts: { USD: 10_000_000 },
    sca: { regions: ['DE'], origins: ['https://app.example.org'], requireSession: true },
    counterpartyRules: true,
    currencies: [{ code: 'USD' }, { code: 'EUR' }, { code: 'USDC' }, { code: 'USDB' }],
    contactVerification: { FI: ['email'], default: [] },
  },
  policies: {
    'customer.decide': 'hold',
    'verification.decide': 'after PT1H',
    'sca.liveness': 'after PT1M',
    'external-account.activate': 'after PT1H',
    'external-account.liveness': 'after PT1M',
    'stablecoin-operation.submit': 'after PT1S',
    'stablecoin-operation.settle': 'after PT5S',
  },
  limits: { sessionSeconds: 120 },
  credentials: [{ id: 'test', secret: 'secret', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }],
  customers: [
    person('eva', 'Eva Brandt', {
      region: 'DE',
      phoneNumber: '+4915112345678',
      kycStatus: 'APPROVED',
      accounts: { USD: 100_000, EUR: 100_000, USDB: 250_000_000 },
      credentials: [{ type: 'SMS_OTP' }],
    }),
    person('bo', 'Bo Lind', { region: 'US', kycStatus: 'APPROVED', accounts: { USD: 100_000 } }),
    person('pia', 'Pia Salo', {
      region: 'FI',
      kycStatus: 'PENDING',
      nationality: 'FI',
      idType: 'NON_US_TAX_ID',
      identifier: 'F1',
      address: HOME,
    }),
  ],
  externalAccounts: [
    bank('bank', '123456789501'),
    bank('strange', '123456789502'),
    bank('failing', '123456789004'),
    bank('returning', '123456789005'),
    CHAIN,
    DEBITED,
  ],
  scaFactors: [{ id: IDS.passkey, customer: 'eva', type: 'PASSKEY' }],
  cards: [
    { label: 'work', id: IDS.work, customer: 'eva', platformCardId: 'work-1' },
    { label: 'everyday', id: IDS.everyday, customer: 'eva', currencies: ['USDB'], platformCardId: 'everyday-1' },
  ],
  delegatedKeys: [{ id: IDS.key, card: 'everyday' }],
  stablecoinProviderAccounts: [{ id: IDS.link, label: 'issuer', providerAccountId: 'issuer-1' }],
  stablecoins: [
    { id: IDS.coin, label: 'usdb', providerAccount: 'issuer', providerTokenIdentifier: 'USDB', status: 'ENABLED' },
  ],
  agents: [
    {
      label: 'agent',
      id: IDS.agent,
      name: 'Payroll',
      customer: 'eva',
      code: 'PAYR-0001',
      policy: policy('APPROVAL_REQUIRED'),
    },
    { label: 'spare', id: IDS.spare, name: 'Spare', customer: 'eva', code: 'SPAR-0002', policy: policy('AUTO') },
  ],
};

interface Session {
  key: ClientKey;
  id: string;
  accountId: string;
  credential: string;
}

const NOBODY: Session = { key: clientKey(), id: '', accountId: '', credential: '' };

/** One world with everything in it, and short words for what is done there. */
export interface Stage extends Kit {
  /** Which card and agent a thing is about; the end of a card, or of an agent, ends these. */
  card: string;
  agent: string;
  /** A bank account and an applicant that a thing made; else the scenario's. */
  bank: string | undefined;
  applicant: string;
  /** The token that calls; without one the scenario's own. */
  token: { id: string; login: string } | undefined;
  own(customer: string, currency?: string): Promise<string>;
  /** What is at hand in an account, held money apart, in minor units. */
  holds(accountId: string): number;
  /** The session that signs for Eva, begun by a code to her phone, and another, by a code to her email. */
  session: Session;
  other: Session;
  sealed(key: ClientKey, credential: string): Promise<object>;
  /** The link, invitation or hosted page that a thing opened. */
  opened: { link?: string; invitation?: string; document?: string };
  /** First call, and the signed one after it. */
  signed(first: Answer, method: string, path: string, body?: unknown): Promise<Answer>;
  signedBy(key: ClientKey, first: Answer, method: string, path: string, body?: unknown): Promise<Answer>;
  /** The header alone, over what is known before. */
  stamped(payload: string): Promise<Record<string, string>>;
  /** A visit of the hosted identity page, or what is sent from it; the status. */
  hosted(path: string, form?: Record<string, string>): Promise<number>;
  /** A call of which half the body has come; the rest of it, and the answer. */
  slowly(method: string, path: string, body: object): Promise<() => Promise<Answer>>;
  deviceCode(): string;
  agentToken(): Promise<string>;
  asAgent(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Tells something of the card; the payment's id where it opened one. */
  tell(what: string, body: object): Promise<string>;
  sca(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** A status, with the code of a refusal or a member of the reply. */
export const said = ({ status, body }: Answer, member = 'status'): string =>
  [status, status >= 400 ? body?.code : body?.[member]].filter((part) => part !== undefined).join(' ');

/** The reply, where it is not a refusal. */
export function ok(answer: Answer): Body {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

/** The state in which Eva has logged in to her wallet, twice; a login costs more than all the rest of a cell. */
const loggedIn = new Map<ProfileName, { state: unknown; sessions: readonly [byPhone: Session, byEmail: Session] }>();

export async function stage(profile: ProfileName): Promise<Stage> {
  const base = await kit({ profile, scenario: SCENARIO });
  const header = base.host.profile.walletSignatureHeader.toLowerCase();
  let access: Promise<string> | undefined;
  const call: Kit['call'] = (method, path, body, o) =>
    base.call(method, path, body, { ...(it.token ? { as: it.token.login } : {}), ...o });
  const own: Stage['own'] = async (customerId, currency = 'USD') =>
    ok(await base.get('/customers/internal-accounts', { customerId, currency })).data[0].id;
  /** A code is sent to Eva; what it is answered with, sealed for the wallet. */
  const sealed: Stage['sealed'] = async (key, credential) => {
    const { quorumPublicKey } = (await base.control('GET', '/wallet-key')).body;
    const { type, otpEncryptionTargetBundle: bundle } = ok(
      await base.post(`/auth/credentials/${credential}/challenge`, {}),
    );
    const encryptedOtpBundle = await walletClient.encryptOtpCodeToBundle(
      '000000',
      bundle,
      key.compressed,
      quorumPublicKey,
    );
    return { type, encryptedOtpBundle };
  };
  const login = async (type: 'SMS_OTP' | 'EMAIL_OTP'): Promise<Session> => {
    const accountId = await own(IDS.eva, 'USDB');
    const { data } = ok(await base.get('/auth/credentials', { accountId }));
    const credential = data.find((one: Body) => one.type === type).id;
    const key = clientKey();
    const path = `/auth/credentials/${credential}`;
    const body = await sealed(key, credential);
    const first = await base.post(`${path}/verify`, body);
    const begun = ok(await base.post(`${path}/verify`, body, { headers: await proof(key, first, header) }));
    return { key, id: begun.id, accountId, credential };
  };
  const it: Stage = {
    ...base,
    card: IDS.everyday,
    agent: IDS.agent,
    bank: undefined,
    applicant: IDS.pia,
    token: undefined,
    call,
    get: (path, query) => call('GET', path, undefined, query ? { query } : {}),
    post: (path, body, o?: CallOptions) => call('POST', path, body, o),
    patch: (path, body, o?: CallOptions) => call('PATCH', path, body, o),
    del: (path, o?: CallOptions) => call('DELETE', path, undefined, o),
    get broken() {
      return base.broken;
    },
    own,
    holds: (account) => balanceOf(base.sandbox.world, account).available,
    opened: {},
    sealed,
    session: NOBODY,
    other: NOBODY,
    signed: (first, ...rest) => it.signedBy(it.session.key, first, ...rest),
    signedBy: async (key, first, method, path, body) =>
      call(method, path, body, { headers: await proof(key, first, header) }),
    stamped: async (payload) => ({ [header]: await stampOf(it.session.key, payload) }),
    hosted: async (path, form) => {
      const { status } = await createApp(base.host).request(`http://127.0.0.1:4010${path}`, {
        method: form ? 'POST' : 'GET',
        ...(form
          ? {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: new URLSearchParams(form).toString(),
            }
          : {}),
      });
      return status;
    },
    slowly: async (method, path, body) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const answer = createApp(base.host).request(`http://127.0.0.1:4010${base.host.basePath}${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(it.token?.login ?? 'test:secret')}`,
          'content-type': 'application/json',
        },
        body: readable,
        duplex: 'half',
      } as RequestInit);
      await writer.write(bytes.subarray(0, 20));
      return async () => {
        await writer.write(bytes.subarray(20));
        await writer.close();
        const reply = await answer;
        const text = await reply.text();
        const { status, headers } = reply;
        return { status, headers, text, body: JSON.parse(text) };
      };
    },
    deviceCode: () => `${base.host.profile.prefixes.deviceCode}${it.agent === IDS.agent ? 'PAYR-0001' : 'SPAR-0002'}`,
    agentToken: () =>
      (access ??= base
        .post(`/agents/device-codes/${it.deviceCode()}/redeem`, undefined, { as: null })
        .then((answer) => ok(answer).accessToken)),
    asAgent: async (method, path, body) =>
      base.call(method, `/agents/me${path}`, body, {
        as: null,
        headers: { authorization: `Bearer ${await it.agentToken()}` },
      }),
    tell: async (what, body) => {
      const { issuerTransactionToken } = ok(await call('POST', `/sandbox/cards/${it.card}/simulate/${what}`, body));
      await base.settle();
      const { data } = ok(await base.get('/transactions', { limit: 100 }));
      return data.find((one: Body) => one.issuerTransactionToken === issuerTransactionToken)?.id ?? '';
    },
    sca: (method, path, body) => call(method, `/sca${path}`, body, { query: { customerId: IDS.eva } }),
  };
  await base.settle();
  let known = loggedIn.get(profile);
  if (!known) {
    const sessions = [await login('SMS_OTP'), await login('EMAIL_OTP')] as const;
    const { challengeId } = ok(await it.sca('POST', '/login/start', { factor: 'SMS_OTP' }));
    const proven = { factor: 'SMS_OTP', challengeId, endUserIpAddress: '203.0.113.42', code: '123456' };
    ok(await it.sca('POST', '/login/complete', proven));
    await base.settle();
    loggedIn.set(profile, (known = { state: (await base.control('GET', '/state')).body, sessions }));
  } else ok(await base.control('PUT', '/state', known.state));
  [it.session, it.other] = known.sessions;
  const permissions = ['VIEW', 'TRANSACT', 'MANAGE'];
  const made = ok(await base.post('/tokens', { name: 'Begins what is under way', permissions }));
  it.token = { id: made.id, login: `${made.clientId}:${made.clientSecret}` };
  return it;
}

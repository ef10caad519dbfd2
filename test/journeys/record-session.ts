import { expect } from 'vitest';
import { redeemAgent, SoftwareAuthenticator, WalletClient } from '../../src/testkit/index.ts';
import { chance } from '../kit/chance.ts';

// biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
type Body = any;

/** A sandbox of a running emulator, as somebody plays with it. */
export interface Played {
  /** With the version segment. */
  readonly baseUrl: string;
  /** Of the emulator, without a path. */
  readonly url: string;
  readonly login: { readonly id: string; readonly secret: string };
  readonly signatureHeader: string;
}

type Act = (session: Session) => Promise<void>;

/** A random session: calls of many areas, and what a person does by hand between them. */
export class Session {
  readonly played: Played;
  readonly chance: ReturnType<typeof chance>;
  #people = 0;
  #payee: string | undefined;

  constructor(played: Played, seed: number) {
    this.played = played;
    this.chance = chance(seed);
  }

  get authorization(): string {
    return `Basic ${btoa(`${this.played.login.id}:${this.played.login.secret}`)}`;
  }

  /** Calls the API, whatever it answers. */
  async tries(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Body> {
    const isForm = body instanceof FormData;
    const type = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: this.authorization, ...type, ...more };
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const answer = await fetch(`${this.played.baseUrl}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { ok: answer.ok, status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Calls the API, which must do what it is asked to. */
  async does(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Body> {
    const answer = await this.tries(method, path, body, more);
    expect(answer.ok, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(true);
    return answer.body;
  }

  async control(method: string, path: string, body?: unknown): Promise<Body> {
    const join = path.includes('?') ? '&' : '?';
    const target = `${this.played.url}/_emulator${path}${join}sandbox=${this.played.login.id}`;
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(target, { method, headers, ...sent });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** A new customer, decided about by hand if need be. */
  async person(): Promise<Body> {
    this.#people += 1;
    const [first, last] = [this.chance.of(['Ada', 'Ben', 'Ida', 'Omar']), this.chance.of(["O'Hara", 'Ito', 'Lind'])];
    const email = `${first}${this.#people}@example.com`.toLowerCase();
    const sent = { customerType: 'INDIVIDUAL', fullName: `${first} ${last}`, birthDate: '1990-01-02', email };
    const made = await this.does('POST', '/customers', sent);
    await this.control('POST', '/clock', { advance: 'PT5S' });
    const customer = await this.does('GET', `/customers/${made.id}`);
    if (customer.kycStatus === 'APPROVED') return customer;
    await this.control('POST', `/customers/${made.id}/decision`, { decision: 'APPROVED' });
    return this.does('GET', `/customers/${made.id}`);
  }

  /** A new customer's account in dollars, with money. */
  async account(): Promise<{ id: string; customerId: string }> {
    const { id: customerId } = await this.person();
    const { data } = await this.does('GET', `/customers/internal-accounts?customerId=${customerId}&currency=USD`);
    await this.does('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 500_000 });
    return { id: data[0].id, customerId };
  }

  async bank(customerId: string): Promise<Body> {
    return this.does('POST', '/customers/external-accounts', {
      customerId,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: `12345678${this.chance.of(['9501', '9502', '1234'])}`,
        routingNumber: '021000021',
        paymentRails: ['ACH'],
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
      },
    });
  }

  /** A payment to a bank. */
  async payment(): Promise<string> {
    const { id, customerId } = await this.account();
    this.#payee = (await this.bank(customerId)).id;
    const quote = await this.does('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: id },
      destination: { destinationType: 'ACCOUNT', accountId: this.#payee },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000 + this.chance.below(9000),
    });
    await this.does('POST', `/quotes/${quote.id ?? quote.quoteId}/execute`);
    return quote.transactionId;
  }

  /** A customer's wallet, as an app has it. */
  async wallet(): Promise<{ wallet: WalletClient; customerId: string } | undefined> {
    const { baseUrl, signatureHeader } = this.played;
    const { data } = await this.does('GET', '/customers/internal-accounts?type=EMBEDDED_WALLET');
    if (data.length === 0) return undefined;
    const { id: accountId, customerId } = this.chance.of(data as Body[]);
    const options = { baseUrl, authorization: this.authorization, accountId, signatureHeader };
    return { wallet: new WalletClient(options), customerId };
  }
}

const login: Act = async (session) => {
  const found = await session.wallet();
  if (!found) return;
  const { wallet } = found;
  await wallet.loginWithOtp({ sealUncompressed: session.chance.below(2) === 0 });
  await wallet.setPrivacy(session.chance.below(2) === 0);
  const phone = new SoftwareAuthenticator({ origin: 'https://app.example.org' });
  await wallet.addPasskey(phone, { nickname: 'a phone' });
  await wallet.loginWithPasskey(phone);
  await wallet.refresh();
  await wallet.exportWallet();
};

const card: Act = async (session) => {
  const { id, customerId } = await session.account();
  const sent = { cardholderId: customerId, form: 'VIRTUAL', fundingSources: [id] };
  const made = await session.does('POST', '/cards', sent);
  await session.control('POST', '/clock', { advance: 'PT1H' });
  if ((await session.does('GET', `/cards/${made.id}`)).state === 'PROCESSING')
    await session.control('POST', `/cards/${made.id}/decision`, { decision: 'ACTIVATE' });
  const simulate = `/sandbox/cards/${made.id}/simulate`;
  const merchant = { descriptor: 'CAFE', mcc: '5812', country: 'US' };
  for (const amount of [2500, 700])
    await session.does('POST', `${simulate}/authorization`, { amount, currency: { code: 'USD' }, merchant });
  const { data } = await session.control('GET', '/webhooks?type=CARD_TRANSACTION.AUTHORIZED&limit=1');
  const cardTransactionId = data[0].payload.data.id;
  await session.does('POST', `${simulate}/clearing`, { cardTransactionId, amount: 700 });
  await session.does('POST', `${simulate}/return`, { cardTransactionId, amount: 300 });
  await session.does('GET', `/transactions/${cardTransactionId}`);
};

const agent: Act = async (session) => {
  const { id, customerId } = await session.account();
  const bank = await session.bank(customerId);
  const policy = {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: null, monthlyLimit: 900_000 },
    accountRestrictions: { allowedAccountIds: [id], accountRules: [{ accountId: id }] },
    approvalThresholds: { currency: 'USD', amount: 500 },
  };
  const { agent: made, deviceCode } = await session.does('POST', '/agents', { name: 'Payroll', customerId, policy });
  const { baseUrl } = session.played;
  const client = await redeemAgent({ baseUrl, authorization: session.authorization }, deviceCode.code);
  const transfer = { source: id, destination: bank.id };
  await client.transferOut({ ...transfer, amount: 300 });
  const waits = await client.transferOut({ ...transfer, amount: 900 });
  if (session.chance.below(2) === 0)
    await session.control('POST', `/agent-actions/${waits.id}/decision`, { decision: 'approve' });
  else await session.does('POST', `/agents/${made.id}/actions/${waits.id}/reject`, { reason: 'too much' });
  await client.action(waits.id);
  await client.transferOut({ ...transfer, amount: 60_000 }).catch(() => {});
};

const FILES = [
  ['scan.pdf', 'application/pdf', '%PDF-1.7 a passport'],
  ['scan.png', 'image/png', '\x89PNG\r\n\x1a\n a passport'],
] as const;

/** What a session is made of, by name. */
export const ACTS: Readonly<Record<string, Act>> = {
  person: async (session) => {
    await session.person();
    await session.does('GET', '/customers?limit=1');
  },
  refused: async (session) => {
    await session.tries('POST', '/quotes', { source: {} });
    await session.tries('GET', '/customers/Customer:00000000-0000-4000-8000-000000000000');
  },
  payout: async (session) => {
    const id = await session.payment();
    await session.control('POST', '/clock', { advance: `PT${1 + session.chance.below(180)}M` });
    await session.does('GET', `/transactions/${id}`);
  },
  outcome: async (session) => {
    const id = await session.payment();
    const { status } = await session.does('GET', `/transactions/${id}`);
    if (status === 'PROCESSING')
      await session.control('POST', `/transactions/${id}/outcome`, {
        outcome: session.chance.of(['COMPLETED', 'FAILED']),
      });
    await session.does('GET', `/transactions/${id}`);
  },
  job: async (session) => {
    const id = await session.payment();
    const { data } = await session.control('GET', '/jobs');
    const job = data.find((one: Body) => one.about === id);
    if (job) await session.control('POST', `/jobs/${job.id}/run`);
    await session.does('GET', `/transactions/${id}`);
  },
  fault: async (session) => {
    await session.control('POST', '/faults', {
      match: { operation: 'getPlatformConfig', times: 1 },
      then: { status: 503 },
    });
    expect((await session.tries('GET', '/config')).status).toBe(503);
    await session.does('GET', '/config');
  },
  trigger: async (session) => {
    const events = [
      'OUTGOING_PAYMENT.COMPLETED',
      'INCOMING_PAYMENT.COMPLETED',
      'CUSTOMER.KYC_REJECTED',
      'CARD_TRANSACTION.SETTLED',
      'AGENT_ACTION.PENDING_APPROVAL',
    ];
    await session.control('POST', '/trigger', { event: session.chance.of(events) });
    await session.does('GET', '/transactions?limit=1');
  },
  rewind: async (session) => {
    const { id } = await session.person();
    await session.does('DELETE', `/customers/${id}`);
    await session.control('POST', '/requests/last/rewind');
    expect((await session.does('GET', `/customers/${id}`)).isDeleted).toBe(false);
  },
  clock: async (session) => {
    await session.control('POST', '/clock', { advance: session.chance.of(['PT30S', 'PT2H', 'P1D']) });
    await session.does('GET', '/platform/internal-accounts');
  },
  document: async (session) => {
    const { id } = await session.person();
    const [name, type, text] = session.chance.of(FILES);
    const form = new FormData();
    for (const [part, value] of Object.entries({ documentHolder: id, documentType: 'PASSPORT', country: 'US' }))
      form.append(part, value);
    form.append('file', new Blob([Buffer.from(text, 'latin1')], { type }), name);
    const made = await session.does('POST', '/documents', form);
    await session.does('GET', `/documents/${made.id}`);
  },
  csv: async (session) => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['customerType,fullName\nINDIVIDUAL,Nora Lind\n'], { type: 'text/csv' }),
      'people.csv',
    );
    const job = await session.does('POST', '/customers/bulk/csv', form);
    await session.control('POST', '/clock', { advance: 'PT1M' });
    await session.does('GET', `/customers/bulk/jobs/${job.jobId ?? job.id}`);
    await session.does('GET', '/customers?limit=1');
  },
  login,
  card,
  agent,
};

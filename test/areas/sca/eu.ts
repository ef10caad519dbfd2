import { expect } from 'vitest';
import type { HostOptions } from '../../../src/public.ts';
import { SoftwareAuthenticator } from '../../../src/testkit/index.ts';
import { type Answer, type Kit, kit } from '../../kit/sandbox.ts';

const customer = (n: number) => `Customer:0196b0de-0000-7000-8000-00000000e00${n}`;
const account = (n: number) => `ExternalAccount:0196b0de-0000-7000-8000-00000000e01${n}`;

/** In Sweden with a phone, in Germany with app and passkey, and abroad. */
export const [NORA, EMIL, JOAN] = [customer(1), customer(2), customer(3)];
export const BANK = { nora: account(1), emilTrusted: account(2), emil: account(3), joan: account(4) };
/** The secret of Emil's app, and a code that is always right. */
export const SECRET_BASE32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
export const CODE = '123456';
export const ORIGIN = 'https://app.example.org';
const IP = '203.0.113.42';

export interface EuKit extends Kit {
  /** A call about a customer; `null` sends no body. */
  sca(method: string, path: string, body?: unknown, of?: string): Promise<Answer>;
  /** The same for one that counts although it is refused. */
  counted(method: string, path: string, body?: unknown, of?: string): Promise<Answer>;
  /** A login by SMS; with a proof of another kind, or a wrong one, it may count although it is refused. */
  login(proof?: object, of?: string): Promise<Answer>;
  own(customerId: string, currency?: string): Promise<string>;
  /** A quote of so many cents from a customer's account to an account elsewhere. */
  quote(customerId: string, to: string, more?: object): Promise<Answer>;
  /** One that is executed, and waits for a proof. */
  challenged(customerId?: string, to?: string, more?: object): Promise<Answer['body']>;
  authorize(quoteId: string, proof: object): Promise<Answer>;
  /** An authorization that counts although it is refused. */
  misauthorized(quoteId: string, proof?: object): Promise<Answer>;
  balance(accountId: string): Promise<number>;
  /** Types of the events about payments so far, without what they have in common. */
  story(): string[];
  /** Enrols a real passkey of Nora's. */
  passkey(of?: string): Promise<SoftwareAuthenticator>;
}

/** The scenario `sca`, or with more of its own. */
export async function euKit(more: object = {}, options: HostOptions = {}): Promise<EuKit> {
  const it = await kit({ scenario: ['sca', more], ...options });
  const sca: EuKit['sca'] = (method, path, body, of = NORA) =>
    it.call(method, `/sca${path}`, body, { query: { customerId: of } });
  const counted: EuKit['counted'] = (method, path, body, of = NORA) =>
    it.overlapping(method, `/sca${path}`, body, { query: { customerId: of } });
  const own: EuKit['own'] = async (customerId, currency = 'EUR') =>
    (await it.get('/customers/internal-accounts', { customerId, currency })).body.data[0].id;
  const quote: EuKit['quote'] = async (customerId, to, body = {}) =>
    it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: await own(customerId) },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
      ...body,
    });
  return {
    ...it,
    sca,
    counted,
    own,
    quote,
    login: async (proof, of = NORA) => {
      const { body } = await sca('POST', '/login/start', { factor: 'SMS_OTP' }, of);
      const sent = { factor: 'SMS_OTP', challengeId: body.challengeId, endUserIpAddress: IP, code: CODE, ...proof };
      return (proof ? counted : sca)('POST', '/login/complete', sent, of);
    },
    challenged: async (customerId = NORA, to = BANK.nora, body = {}) => {
      const { id } = (await quote(customerId, to, body)).body;
      const answer = await it.post(`/quotes/${id}/execute`);
      expect([answer.status, answer.body.status]).toEqual([200, 'PENDING_AUTHORIZATION']);
      return answer.body;
    },
    authorize: (id, proof) => it.post(`/quotes/${id}/authorize`, proof),
    misauthorized: (id, proof = { code: '000000' }) => it.overlapping('POST', `/quotes/${id}/authorize`, proof),
    balance: async (id) => {
      const { body } = await it.get('/customers/internal-accounts', { limit: 100 });
      return body.data.find((one: { id: string }) => one.id === id).balance.amount;
    },
    story: () =>
      it
        .events()
        .filter(({ type }) => type.startsWith('OUTGOING_PAYMENT'))
        .map(({ type }) => type.replace('OUTGOING_PAYMENT.', '')),
    passkey: async (of = NORA) => {
      const device = new SoftwareAuthenticator({ origin: ORIGIN });
      const { body } = await sca('POST', '/factors', { type: 'PASSKEY' }, of);
      const sent = { type: 'PASSKEY', origin: ORIGIN, credential: device.create(body.options) };
      expect((await sca('POST', '/factors/confirm', sent, of)).status).toBe(200);
      return device;
    },
  };
}

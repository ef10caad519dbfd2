import { expect } from 'vitest';
import type { HostOptions } from '../../../src/public.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import type { Answer, CallOptions } from '../../kit/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

export interface CoinKit extends MoneyKit {
  /** A POST with an `Idempotency-Key` of its own, unless one is named. */
  keyed(path: string, body: unknown, key?: string): Promise<Answer>;
  /** A provider account, linked with these credentials. */
  link(apiClientId?: string, more?: object): Promise<Answer>;
  /** A coin, registered; all its steps have been taken. */
  coin(providerTokenIdentifier?: string, more?: object): Promise<Body>;
  /** Ana's Spark wallet whose address ends so. */
  spark(end?: string): Promise<string>;
  mint(coin: Body, more?: object): Promise<Answer>;
  burn(coin: Body, more?: object): Promise<Answer>;
  operation(id: string | undefined): Promise<Body>;
  /** A scenario's policies, from now on. */
  policies(policies: Record<string, 'hold' | `after ${string}` | 'at once'>): void;
  decide(path: string, body?: object): Promise<Answer>;
}

export const LINK = { provider: 'STABLECOIN_PROVIDER_1', apiClientId: 'client-one', apiClientSecret: 'sesame-1' };

export const tokenOf = (providerTokenIdentifier: string) => ({
  providerTokenIdentifier,
  networkTokenIdentifier: `btkn1${providerTokenIdentifier.toLowerCase()}`,
  network: 'SPARK',
});

/** Ana with her accounts, and short ways to everything that a coin needs. */
export async function coinKit(options: HostOptions = {}): Promise<CoinKit> {
  const it = await moneyKit(options);
  let keys = 0;
  const keyed: CoinKit['keyed'] = (path, body, key) => {
    keys += 1;
    const headers: CallOptions['headers'] = { 'idempotency-key': key ?? `key-${keys}` };
    return it.post(path, body, { headers });
  };
  let wallets = 0;
  const spark: CoinKit['spark'] = async (end = 'abc') => {
    wallets += 1;
    const { status, body } = await it.post('/customers/external-accounts', {
      customerId: it.customer.id,
      currency: 'USDB',
      accountInfo: { accountType: 'SPARK_WALLET', address: `spark1pgssyuuuhnrr${wallets}x${end}` },
    });
    expect(status).toBe(201);
    return body.id;
  };
  return {
    ...it,
    keyed,
    spark,
    link: (apiClientId = LINK.apiClientId, more = {}) =>
      keyed('/stablecoin-provider-accounts', { ...LINK, apiClientId, ...more }),
    coin: async (name = 'ACME', more = {}) => {
      const { status, body, text } = await keyed('/stablecoins', { ...tokenOf(name), ...more });
      expect(status, text).toBe(201);
      await it.settle();
      return (await it.get(`/stablecoins/${body.id}`)).body;
    },
    mint: async ({ id }, more = {}) =>
      keyed(`/stablecoins/${id}/mints`, {
        amount: '1000000',
        fundingSource: { type: 'WIRE' },
        destination: 'destination' in more ? {} : { accountId: await spark() },
        ...more,
      }),
    burn: async ({ id }, more = {}) =>
      keyed(`/stablecoins/${id}/burns`, {
        amount: '1000000',
        source: { type: 'EXTERNAL_ACCOUNT' },
        destination:
          'destination' in more
            ? {}
            : { type: 'EXTERNAL_ACCOUNT', externalAccountId: it.bank('USD').id, rail: 'ACH_CREDIT' },
        ...more,
      }),
    operation: async (id) => (await it.get(`/stablecoin-operations/${id}`)).body,
    policies: (policies) => {
      const { world } = it.sandbox;
      world.settings = { ...world.settings, policies: { ...world.settings.policies, ...policies } };
    },
    decide: (path, body = {}) => it.control('POST', path, body),
  };
}

/** The coin of a linked provider account. */
export async function coinKitWithCoin(name?: string, options?: HostOptions) {
  const it = await coinKit(options);
  const linked = (await it.link()).body;
  return { ...it, linked, acme: await it.coin(name) };
}

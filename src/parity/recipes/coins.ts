import type { Builder, Recipes, Thing } from '../builder.ts';
import { type Json, unique } from '../plan.ts';
import { external, internal } from './accounts.ts';
import { customer, list } from './people.ts';

const key = (b: Builder): Readonly<Record<string, string>> => ({ 'Idempotency-Key': unique(`k${b.number()}-`) });

function link(b: Builder): Thing {
  const ending = b.of(['', '', '', '-002', '-003', '-004', '-005']);
  const body = {
    provider: 'STABLECOIN_PROVIDER_1',
    apiClientId: unique(`client-${b.number()}-`).concat(ending),
    apiClientSecret: 'a made-up secret',
  };
  return b.keep('provider', b.call('linkStablecoinProviderAccount', { body, headers: key(b) }));
}
const provider = (b: Builder): Thing => b.some('provider', () => link(b));

function register(b: Builder): Thing {
  const { id } = provider(b);
  const ending = b.of(['', '', '', '', '-001', '-002', '-003', '-004', '-005']);
  const body = {
    providerTokenIdentifier: unique(`COIN${b.number()}`).concat(ending),
    networkTokenIdentifier: unique(`btkn1${b.number()}`),
    network: 'SPARK',
    stablecoinProviderAccountId: id,
  };
  const call = b.call('registerStablecoin', { body, headers: key(b) });
  if (!b.once(4)) b.pause('10s');
  return b.keep('coin', call);
}
const coin = (b: Builder): Thing => b.some('coin', () => register(b));

function mint(b: Builder): Thing {
  const params = { stablecoinId: coin(b).id };
  const who = b.once(2) ? customer(b) : undefined;
  const wire = !b.once(2);
  const fundingSource: Json = wire
    ? { type: 'WIRE' }
    : { type: 'ACH_DEBIT', externalAccountId: external(b, 'USD', who).id };
  const accountId = (b.once(3) ? internal : external)(b, 'USDB', who).id;
  const body = { amount: b.of(['10000', '250000000', '12345']), fundingSource, destination: { accountId } };
  const call = b.call('createStablecoinMint', { params, body, headers: key(b) });
  if (b.once(2)) b.pause('1m');
  return b.keep('coinOperation', call);
}

function burn(b: Builder): Thing {
  const params = { stablecoinId: coin(b).id };
  const externalAccountId = external(b, 'USD').id;
  const body = {
    amount: b.of(['10000', '250000000']),
    source: { type: b.of(['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE', 'NONE']) },
    destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail: b.of(['WIRE', 'ACH_CREDIT']) },
  };
  return b.keep('coinOperation', b.call('createStablecoinBurn', { params, body, headers: key(b) }));
}

export const COINS: Recipes = {
  linkStablecoinProviderAccount: (b) => void link(b),
  listStablecoinProviderAccounts: (b) => {
    provider(b);
    list(b, 'listStablecoinProviderAccounts', { query: b.of<Record<string, string>>([{}, { status: 'ACTIVE' }]) });
  },
  getStablecoinProviderAccount: (b) =>
    void b.call('getStablecoinProviderAccount', { params: { stablecoinProviderAccountId: provider(b).id } }),
  registerStablecoin: (b) => void register(b),
  listStablecoins: (b) => {
    coin(b);
    const filters = [{}, { issuanceStatus: 'PROVISIONED' }, { serviceOperationsStatus: 'ENABLED' }];
    list(b, 'listStablecoins', { query: b.of(filters) as Record<string, string> });
  },
  getStablecoin: (b) => void b.call('getStablecoin', { params: { stablecoinId: coin(b).id } }),
  createStablecoinMint: (b) => void mint(b),
  createStablecoinBurn: (b) => void burn(b),
  listStablecoinOperations: (b) => {
    const { id } = coin(b);
    mint(b);
    list(b, 'listStablecoinOperations', { params: { stablecoinId: id } });
  },
  getStablecoinOperation: (b) => {
    const { id } = b.some('coinOperation', () => mint(b));
    b.call('getStablecoinOperation', { params: { stablecoinOperationId: id } });
  },
};

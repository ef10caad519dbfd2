import type { Facts } from './facts.ts';
import { at, type Recipes } from './recipe.ts';

const coin = (the: Facts): string => the.id('stablecoins', 'registerStablecoin', { issuanceStatus: 'PROVISIONED' });
const dollars = (the: Facts): string =>
  the.id(
    'external-accounts',
    'createPlatformExternalAccount',
    { currency: 'USD', status: 'ACTIVE', isDeleted: false },
    (row) => row['customerId'] === undefined,
  );

/** Stablecoins and their providers. */
export const COINS: Recipes = {
  linkStablecoinProviderAccount: (the) => ({
    body: {
      provider: 'STABLECOIN_PROVIDER_1',
      apiClientId: `client-${the.count('stablecoin-provider-accounts') + 1}x`,
      apiClientSecret: 'hush',
    },
  }),
  getStablecoinProviderAccount: at('stablecoinProviderAccountId', (the) =>
    the.id('stablecoin-provider-accounts', 'linkStablecoinProviderAccount'),
  ),
  registerStablecoin: (the) => {
    const name = `COIN${the.count('stablecoins') + 1}X`;
    return {
      body: {
        providerTokenIdentifier: name,
        networkTokenIdentifier: `btkn1${name.toLowerCase()}`,
        network: 'SPARK',
        stablecoinProviderAccountId: the.id('stablecoin-provider-accounts', 'linkStablecoinProviderAccount', {
          status: 'ACTIVE',
        }),
      },
    };
  },
  getStablecoin: at('stablecoinId', (the) => the.id('stablecoins', 'registerStablecoin')),
  listStablecoinOperations: at('stablecoinId', (the) => the.id('stablecoins', 'registerStablecoin')),
  createStablecoinMint: at('stablecoinId', coin, (the, id) => ({
    body: {
      amount: '10000',
      fundingSource: { type: 'WIRE' },
      destination: {
        accountId: the.id(
          'accounts',
          'createCustomer',
          { currency: String(the.newest('stablecoins', { id })?.['symbol'] ?? 'USDB'), status: 'ACTIVE' },
          (row) => row['type'] !== 'EMBEDDED_WALLET',
        ),
      },
    },
  })),
  createStablecoinBurn: at('stablecoinId', coin, (the) => ({
    body: {
      amount: '10000',
      source: { type: 'EXTERNAL_ACCOUNT' },
      destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: dollars(the), rail: 'WIRE' },
    },
  })),
  getStablecoinOperation: at('stablecoinOperationId', (the) => the.id('stablecoin-operations', 'createStablecoinMint')),
};

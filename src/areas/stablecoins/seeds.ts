import * as z from 'zod';
import { seed } from '../../declare/seed.ts';
import { plantStablecoin, STABLECOINS, STANDS } from './coins.ts';
import { decideLink, linkProviderAccount, PROVIDER_ACCOUNTS } from './provider-accounts.ts';
import { LINK_STATUSES, PROVIDERS } from './schema.ts';

export const seeds = [
  seed(PROVIDER_ACCOUNTS, {
    key: 'stablecoinProviderAccounts',
    about: 'Linked accounts at stablecoin providers',
    example: '{ label: issuer, providerAccountId: issuer-1 }',
    members: () => ({
      provider: z.enum(PROVIDERS).default('STABLECOIN_PROVIDER_1').describe('Who issues the coins'),
      providerAccountId: z.string().min(1).max(255).describe('What the provider calls the account'),
      status: z.enum(LINK_STATUSES).default('ACTIVE').describe('What the provider says of the link'),
    }),
    plant: (world, { id, provider, providerAccountId, status }) => {
      const linked = linkProviderAccount(
        world,
        { provider, apiClientId: '', apiClientSecret: '', providerAccountId },
        { isNamed: true, id },
      );
      return status === 'ACTIVE' ? linked.id : decideLink(world, linked.id, status).id;
    },
  }),
  seed(STABLECOINS, {
    key: 'stablecoins',
    about: 'Registered coins that the provider has issued',
    example: '{ label: acme, providerAccount: issuer, providerTokenIdentifier: ACME }',
    members: () => ({
      providerAccount: z.string().describe('Label of a provider account'),
      providerTokenIdentifier: z
        .string()
        .min(1)
        .max(255)
        .describe('What the provider calls the token; also its symbol'),
      networkTokenIdentifier: z.string().min(1).max(255).optional().describe('What the network calls it'),
      status: z.enum(STANDS).default('ENABLED').describe('ENABLED: it is a currency here'),
    }),
    plant: (world, sent, labels) => {
      const { id, providerTokenIdentifier, status } = sent;
      const stablecoinProviderAccountId = labels.idOf(PROVIDER_ACCOUNTS, sent.providerAccount, 'providerAccount');
      const networkTokenIdentifier = sent.networkTokenIdentifier ?? `btkn1${providerTokenIdentifier.toLowerCase()}`;
      return plantStablecoin(
        world,
        { network: 'SPARK', networkTokenIdentifier, providerTokenIdentifier, stablecoinProviderAccountId },
        status,
        id,
      );
    },
  }),
];

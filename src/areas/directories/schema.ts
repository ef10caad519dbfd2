import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyShape } from '../../contract/money.ts';
import { Country, CurrencyCode, pageOf, pageQuery, QueryBoolean } from '../../contract/shapes.ts';

const UmaProviderShape = named('UmaProvider', () =>
  z
    .strictObject({
      name: z.string(),
      supportedRegions: z.array(Country()),
      domain: z.string(),
      logoUrl: z.url(),
      supportedCurrencies: z.array(CurrencyShape()),
      lei: z.string().describe('Legal Entity Identifier'),
      allowListStatus: z.boolean().describe('Whether this platform allows the provider'),
    })
    .partial(),
);

export const UmaProviderPage = pageOf('UmaProviderListResponse', UmaProviderShape);

export const UmaProviderQuery = lazy(() =>
  z.object({
    countryCode: Country().optional(),
    currencyCode: CurrencyCode().optional(),
    hasBlockedProviders: QueryBoolean().optional().describe('false leaves out providers that are not allowed'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery(),
  }),
);

export const VaspPage = named('VaspListResponse', () =>
  z.strictObject({
    data: z.array(z.strictObject({ vaspName: z.string(), url: z.url().optional() }).meta({ id: 'Vasp' })),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
  }),
);

export const VaspQuery = lazy(() => z.object(pageQuery()));

export const DiscoveryList = named('DiscoveryListResponse', () =>
  z.strictObject({
    data: z.array(
      z.strictObject({
        bankName: z.string().describe('What an external account is created with'),
        displayName: z.string(),
        country: Country(),
        currency: CurrencyCode(),
      }),
    ),
  }),
);

export const DiscoveryQuery = lazy(() =>
  z.object({ country: Country().optional(), currency: CurrencyCode().optional() }),
);

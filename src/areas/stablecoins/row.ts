import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import {
  ISSUANCE_STATUSES,
  LINK_STATUSES,
  NETWORKS,
  OPERATION_STATUSES,
  OPERATION_TYPES,
  OperationDestination,
  OperationSource,
  PROVIDERS,
  SERVICE_STATUSES,
} from './schema.ts';

/** The stored row of a linked provider account, without any of its credentials. */
export const ProviderAccountRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('StablecoinProviderAccount'),
    provider: z.enum(PROVIDERS),
    providerAccountId: z.string(),
    status: z.enum(LINK_STATUSES),
    lastVerifiedAt: Moment().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export type ProviderAccount = RowOf<typeof ProviderAccountRow>;

/** The stored row of a registered coin. */
export const StablecoinRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Stablecoin'),
    name: z.string(),
    symbol: z.string(),
    baseCurrency: z.string(),
    network: z.enum(NETWORKS),
    decimals: z.int().min(2).max(18),
    issuanceStatus: z.enum(ISSUANCE_STATUSES),
    serviceOperationsStatus: z.enum(SERVICE_STATUSES),
    networkTokenIdentifier: z.string(),
    provider: z.enum(PROVIDERS),
    stablecoinProviderAccountId: z.string(),
    providerTokenIdentifier: z.string(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export type Stablecoin = RowOf<typeof StablecoinRow>;

/** The stored row of a mint or a burn. */
export const OperationRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('StablecoinOperation'),
    stablecoinId: z.string(),
    stablecoinProviderAccountId: z.string(),
    operationType: z.enum(OPERATION_TYPES),
    status: z.enum(OPERATION_STATUSES),
    /** Digits, because amounts may exceed the safe integers. */
    amount: z.string().regex(/^[1-9][0-9]*$/),
    source: OperationSource(),
    destination: OperationDestination(),
    /** Present while funds are awaited, and for good if they never arrived. */
    expiresAt: Moment().optional(),
    failureReason: z.string().optional(),
    description: z.string().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export type IssuerOperation = RowOf<typeof OperationRow>;

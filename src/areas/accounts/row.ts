import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from './schema.ts';

/** An internal account as it is kept. */
export const AccountRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('InternalAccount'),
    customerId: z.string().optional(),
    currency: KnownCurrency(),
    type: z.enum(ACCOUNT_TYPES),
    status: z.enum(ACCOUNT_STATUSES),
    /** Embedded wallets only: how their owner is reached, inherited by each owner of the customer. */
    contact: z.strictObject({ email: z.string().optional(), phoneNumber: z.string().optional() }).optional(),
    /** Embedded wallets only. */
    privateEnabled: z.boolean().optional(),
    /** Embedded wallets only: its owner no longer exists, nor does any way into it. */
    ownerDeleted: z.literal(true).optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type InternalAccount = RowOf<typeof AccountRow>;
/** The contact of a wallet's owner. */
export type WalletContact = NonNullable<InternalAccount['contact']>;

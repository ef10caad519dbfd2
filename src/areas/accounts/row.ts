import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from './schema.ts';

/** The stored row of an internal account. */
export const AccountRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('InternalAccount'),
    customerId: z.string().optional(),
    currency: KnownCurrency(),
    type: z.enum(ACCOUNT_TYPES),
    status: z.enum(ACCOUNT_STATUSES),
    /** Embedded wallets only: how to reach the owner; copied to each wallet of the customer. */
    contact: z.strictObject({ email: z.string().optional(), phoneNumber: z.string().optional() }).optional(),
    /** Embedded wallets only. */
    privateEnabled: z.boolean().optional(),
    /** Embedded wallets only: the owner no longer exists, so nobody can access it. */
    ownerDeleted: z.literal(true).optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type InternalAccount = RowOf<typeof AccountRow>;
/** The contact details of a wallet's owner. */
export type WalletContact = NonNullable<InternalAccount['contact']>;

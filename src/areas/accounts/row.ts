import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from './schema.ts';

/** How the owner of a wallet is reached. */
export interface WalletContact {
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

export interface InternalAccount extends Row {
  readonly customerId?: string | undefined;
  readonly currency: string;
  readonly type: (typeof ACCOUNT_TYPES)[number];
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  /** Embedded wallets only: how their owner is reached, handed down by whoever owns the customer. */
  readonly contact?: WalletContact | undefined;
  /** Embedded wallets only: whoever owned it is gone, and so is every way into it. */
  readonly ownerDeleted?: true | undefined;
  /** Embedded wallets only. */
  readonly privateEnabled?: boolean | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An internal account as it is kept. */
export const AccountRow = rowShape<InternalAccount>()(() =>
  z.strictObject({
    id: IdOf('InternalAccount'),
    customerId: z.string().optional(),
    currency: KnownCurrency(),
    type: z.enum(ACCOUNT_TYPES),
    status: z.enum(ACCOUNT_STATUSES),
    contact: z.strictObject({ email: z.string().optional(), phoneNumber: z.string().optional() }).optional(),
    privateEnabled: z.boolean().optional(),
    ownerDeleted: z.literal(true).optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

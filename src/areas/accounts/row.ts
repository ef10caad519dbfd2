import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { InternalAccount } from './rules.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from './schema.ts';

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

import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { InfoReply, OWNERSHIP_METHODS, OWNERSHIP_TYPES, STATUSES, VERIFICATION_RESULTS } from './schema.ts';

/** The stored row of an external account. */
export const ExternalAccountRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('ExternalAccount'),
    /** Missing on the platform's own account. */
    customerId: z.string().optional(),
    status: z.enum(STATUSES),
    currency: KnownCurrency(),
    accountInfo: InfoReply(),
    ownershipType: z.enum(OWNERSHIP_TYPES).optional(),
    platformAccountId: z.string().optional(),
    defaultUmaDepositAccount: z.boolean().optional(),
    beneficiaryVerificationStatus: z.enum(VERIFICATION_RESULTS).optional(),
    beneficiaryVerifiedData: z.strictObject({ fullName: z.string().optional() }).optional(),
    /** The pending proof of ownership, if any. */
    challenge: z
      .strictObject({ method: z.enum(OWNERSHIP_METHODS), message: z.string(), expiresAt: Moment() })
      .optional(),
    isDeleted: z.boolean(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type ExternalAccount = RowOf<typeof ExternalAccountRow>;
/** The proof that an owner has to give, and its deadline. */
export type Challenge = NonNullable<ExternalAccount['challenge']>;

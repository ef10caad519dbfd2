import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { ExternalAccount } from './rules.ts';
import { InfoReply, OWNERSHIP_METHODS, OWNERSHIP_TYPES, STATUSES, VERIFICATION_RESULTS } from './schema.ts';

/** An account elsewhere as it is kept. */
export const ExternalAccountRow = rowShape<ExternalAccount>()(() =>
  z.strictObject({
    id: IdOf('ExternalAccount'),
    customerId: z.string().optional(),
    status: z.enum(STATUSES),
    currency: KnownCurrency(),
    accountInfo: InfoReply(),
    ownershipType: z.enum(OWNERSHIP_TYPES).optional(),
    platformAccountId: z.string().optional(),
    defaultUmaDepositAccount: z.boolean().optional(),
    beneficiaryVerificationStatus: z.enum(VERIFICATION_RESULTS).optional(),
    beneficiaryVerifiedData: z.strictObject({ fullName: z.string().optional() }).optional(),
    challenge: z
      .strictObject({ method: z.enum(OWNERSHIP_METHODS), message: z.string(), expiresAt: Moment() })
      .optional(),
    isDeleted: z.boolean(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import type { Finding } from './magic.ts';
import type { AccountInfo, Status } from './schema.ts';
import { InfoReply, OWNERSHIP_METHODS, OWNERSHIP_TYPES, STATUSES, VERIFICATION_RESULTS } from './schema.ts';

/** What an owner has been asked to prove, and by when. */
export interface Challenge {
  readonly method: (typeof OWNERSHIP_METHODS)[number];
  readonly message: string;
  readonly expiresAt: string;
}

export interface ExternalAccount extends Row {
  /** Absent on the platform's own account. */
  readonly customerId?: string | undefined;
  readonly status: Status;
  readonly currency: string;
  readonly accountInfo: AccountInfo;
  readonly ownershipType?: (typeof OWNERSHIP_TYPES)[number] | undefined;
  readonly platformAccountId?: string | undefined;
  readonly defaultUmaDepositAccount?: boolean | undefined;
  readonly beneficiaryVerificationStatus?: Exclude<Finding, 'refused'> | undefined;
  readonly beneficiaryVerifiedData?: { readonly fullName?: string | undefined } | undefined;
  /** The proof of ownership that is outstanding, if any. */
  readonly challenge?: Challenge | undefined;
  readonly isDeleted: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

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

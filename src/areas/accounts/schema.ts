import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyAmountShape } from '../../contract/money.ts';
import { CurrencyCode, Moment, pageOf, pageQuery } from '../../contract/shapes.ts';
import { PaymentInstructions } from './instructions.ts';

export const ACCOUNT_TYPES = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const;
export const ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'] as const;

export const InternalAccountType = named('InternalAccountType', () => z.enum(ACCOUNT_TYPES));

/** An internal account as replies and webhooks show it (spec 2.1 rule 2; fields from the reference). */
export const InternalAccountShape = named('InternalAccount', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['InternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
    customerId: z.string().optional().describe('Absent on an account of the platform itself'),
    type: InternalAccountType(),
    status: z.enum(ACCOUNT_STATUSES).meta({ id: 'InternalAccountStatus' }),
    balance: CurrencyAmountShape().describe('What can be spent'),
    totalBalance: CurrencyAmountShape().describe('What can be spent, and what is pending or held'),
    fundingPaymentInstructions: z.array(PaymentInstructions()),
    privateEnabled: z.boolean().optional().describe('Embedded wallets only'),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export const InternalAccountPage = pageOf('InternalAccountListResponse', InternalAccountShape);

export const PlatformAccountList = named('PlatformInternalAccountListResponse', () =>
  z.strictObject({ data: z.array(InternalAccountShape()) }),
);

export const CustomerAccountQuery = lazy(() =>
  z.object({
    currency: CurrencyCode().optional(),
    customerId: z.string().max(200).optional(),
    type: InternalAccountType().optional(),
    ...pageQuery(),
  }),
);

export const PlatformAccountQuery = lazy(() =>
  z.object({ currency: CurrencyCode().optional(), type: InternalAccountType().optional() }),
);

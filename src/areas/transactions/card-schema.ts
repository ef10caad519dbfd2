import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { CurrencyAmountShape } from '../../contract/money.ts';
import { Moment } from '../../contract/shapes.ts';

export const TransactionDirection = named('TransactionDirection', () => z.enum(['CREDIT', 'DEBIT']));

const summary = () => ({ count: z.int(), totalAmount: z.int() });

/** A card payment as it stands among the transactions. */
export const CardTransactionShape = named('CardTransaction', () =>
  z.strictObject({
    id: z.string(),
    type: z.literal('CARD'),
    status: z
      .enum(['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'])
      .meta({ id: 'CardTransactionStatus' }),
    direction: TransactionDirection(),
    cardId: z.string().optional(),
    customerId: z.string(),
    platformCustomerId: z.string(),
    issuerTransactionToken: z.string().optional(),
    merchant: z
      .strictObject({ descriptor: z.string(), mcc: z.string().optional(), country: z.string().optional() })
      .meta({ id: 'CardMerchant' }),
    authorizedAmount: CurrencyAmountShape(),
    settledAmount: CurrencyAmountShape().optional(),
    refundedAmount: CurrencyAmountShape().optional(),
    accountId: z.string(),
    pullSummary: z.strictObject({ ...summary(), pendingCount: z.int().optional() }).optional(),
    refundSummary: z.strictObject(summary()).optional(),
    settlementSummary: z.strictObject(summary()).optional(),
    authorizedAt: Moment(),
    lastEventAt: Moment().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

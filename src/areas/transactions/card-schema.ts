import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { CurrencyAmountShape } from '../../contract/money.ts';
import { Country, Moment, Text } from '../../contract/shapes.ts';

export const DIRECTIONS = ['CREDIT', 'DEBIT'] as const;
export const CARD_STATUSES = ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'] as const;

export const TransactionDirection = named('TransactionDirection', () => z.enum(DIRECTIONS));

/** The merchant where a card is used, as the card network reports it. */
export const CardMerchant = named('CardMerchant', () =>
  z.object({
    descriptor: Text(200).describe('As the network captured it; its last three characters can be a magic value'),
    mcc: z
      .string()
      .regex(/^[0-9]{4}$/, 'not four digits')
      .optional()
      .describe('Merchant category code of ISO 18245'),
    country: Country().optional().describe('Where it is: ISO 3166-1 alpha-2'),
  }),
);

const summary = () => ({
  count: z.int().min(0),
  totalAmount: z.int().min(0).describe("Minor units of the funding account's currency"),
});

const PullSummary = named('CardPullSummary', () =>
  z.strictObject({ ...summary(), pendingCount: z.int().min(0).optional().describe('Neither confirmed nor failed') }),
);
const RefundSummary = named('CardRefundSummary', () => z.strictObject(summary()));
const SettlementSummary = named('CardSettlementSummary', () => z.strictObject(summary()));
const CardStatus = named('CardTransactionStatus', () => z.enum(CARD_STATUSES));

/** A card payment as lists of transactions show it (reference 4.2). */
export const CardTransactionShape = named('CardTransaction', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['CardTransaction:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e79'] }),
    type: z.literal('CARD'),
    status: CardStatus(),
    direction: TransactionDirection(),
    cardId: z.string().optional(),
    customerId: z.string().describe('The cardholder'),
    platformCustomerId: z.string(),
    issuerTransactionToken: z.string().optional().describe('As the answer to the simulated authorization'),
    merchant: CardMerchant(),
    authorizedAmount: CurrencyAmountShape(),
    settledAmount: CurrencyAmountShape().optional(),
    refundedAmount: CurrencyAmountShape().optional(),
    accountId: z.string().describe('The internal account that pays'),
    pullSummary: PullSummary().optional(),
    refundSummary: RefundSummary().optional(),
    settlementSummary: SettlementSummary().optional(),
    authorizedAt: Moment(),
    lastEventAt: Moment().optional().describe('Of the latest pull, clearing or refund'),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

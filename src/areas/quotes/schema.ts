import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { CurrencyShape } from '../../contract/money.ts';
import { CurrencyCode, Moment, Text } from '../../contract/shapes.ts';
import { PaymentInstructions } from '../accounts/index.ts';
import { ScaChallenge, ScaFactor } from '../sca/index.ts';
import { MAX_AMOUNT, PaymentRail, PurposeOfPayment, RateDetails } from '../transactions/index.ts';

const NETWORKS = ['SOLANA', 'ETHEREUM', 'BASE', 'POLYGON', 'TRON', 'PLASMA', 'SPARK', 'LIGHTNING', 'BITCOIN'] as const;
const id = () => Text(200);

/**
 * The public contract has a plain string, and more networks may follow: the document lists them, and clients need no
 * new types.
 */
const CryptoNetwork = () =>
  z.enum(NETWORKS).meta({
    wire: {
      type: 'string',
      description: `Of a stablecoin: ${NETWORKS.join(', ')}; required for USDB, which moves on SPARK alone`,
    },
  });

/** Strict for replies; a request may have members that we do not know. */
type Make = typeof z.object;

const source = (make: Make, of: string) =>
  z.discriminatedUnion('sourceType', [
    make({ sourceType: z.literal('ACCOUNT'), accountId: id(), customerId: id().optional() }).meta({
      id: `Account${of}Source`,
    }),
    make({
      sourceType: z.literal('REALTIME_FUNDING'),
      currency: CurrencyCode(),
      customerId: id().optional().describe('Without it the payment is the platform its own'),
      cryptoNetwork: CryptoNetwork().optional(),
    }).meta({ id: `RealtimeFunding${of}Source` }),
  ]);

const destination = (make: Make, of: string) =>
  z.discriminatedUnion('destinationType', [
    make({ destinationType: z.literal('ACCOUNT'), accountId: id(), paymentRail: PaymentRail().optional() }).meta({
      id: `Account${of}Destination`,
    }),
    make({
      destinationType: z.literal('UMA_ADDRESS'),
      umaAddress: Text(320),
      currency: CurrencyCode().optional(),
    }).meta({ id: `UmaAddress${of}Destination` }),
  ]);

const Minor = () => z.int().min(0);

export const QuoteRequest = named('QuoteRequest', () =>
  z.object({
    source: source(z.object, 'QuoteRequest'),
    destination: destination(z.object, 'QuoteRequest'),
    lockedCurrencySide: z.enum(['SENDING', 'RECEIVING']),
    lockedCurrencyAmount: z.int().min(1).max(MAX_AMOUNT).describe('Minor units of the locked side'),
    lookupId: id().optional().describe('Required for UMA addresses'),
    immediatelyExecute: z.boolean().optional().describe('Otherwise the quote waits to be executed'),
    description: Text().optional(),
    remittanceInformation: Text(80).optional(),
    purposeOfPayment: PurposeOfPayment().optional(),
    platformFeeOverride: z
      .object({
        platformFixedFee: z.object({ amount: Minor(), currency: CurrencyCode() }),
        platformVariableFeeBps: z.int().min(0).max(10_000),
      })
      .optional()
      .describe('In place of the configured platform fee'),
    scaFactor: ScaFactor().optional(),
    senderCustomerInfo: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Data of the sender by the names in requiredPayerDataFields of the lookup'),
  }),
);

export const ExecuteRequest = named('ExecuteQuoteRequest', () => z.object({ scaFactor: ScaFactor().optional() }));

export const QuoteShape = named('Quote', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['Quote:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e55'] }),
    status: z.enum(['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED']),
    createdAt: Moment(),
    expiresAt: Moment(),
    source: source(z.strictObject as unknown as Make, 'Quote'),
    destination: destination(z.strictObject as unknown as Make, 'Quote'),
    sendingCurrency: CurrencyShape(),
    receivingCurrency: CurrencyShape(),
    totalSendingAmount: z.int().min(1),
    totalReceivingAmount: z.int().min(1),
    exchangeRate: z.number().positive().describe('Sending units for one receiving unit, net of fees'),
    feesIncluded: Minor().describe('Minor units of the sending currency, within totalSendingAmount'),
    platformFeesIncluded: Minor().optional(),
    transactionId: z.string(),
    paymentInstructions: z.array(PaymentInstructions()).optional(),
    counterpartyInformation: z.record(z.string(), z.unknown()).optional(),
    rateDetails: RateDetails().optional(),
    scaChallenge: ScaChallenge().optional(),
    description: z.string().optional(),
  }),
);

import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyShape } from '../../contract/money.ts';
import { Text } from '../../contract/shapes.ts';
import { CUSTOMER_INFO_FIELDS } from '../platform/index.ts';

const found = () => ({
  supportedCurrencies: z.array(
    z
      .strictObject({
        currency: CurrencyShape(),
        estimatedExchangeRate: z
          .number()
          .positive()
          .describe('Units of this currency for one of the sender; not locked'),
        min: z.int().positive().describe('Least that a quote may lock of this currency, in its smallest unit'),
        max: z.int().positive().describe('Most that a quote may lock of this currency, in its smallest unit'),
      })
      .meta({ id: 'CurrencyPreference' }),
  ),
  requiredPayerDataFields: z
    .array(z.strictObject({ name: z.enum(CUSTOMER_INFO_FIELDS), mandatory: z.boolean() }))
    .optional()
    .describe('What the receiving institution asks about the payer'),
  lookupId: z.string().meta({ examples: ['Lookup:0195a7c2-41aa-8d10-8c3e-5b8f2a6d0e11'] }),
});

export const UmaLookup = named('ReceiverUmaLookupResponse', () =>
  z.strictObject({ ...found(), receiverUmaAddress: z.string() }),
);
export const AccountLookup = named('ReceiverExternalAccountLookupResponse', () =>
  z.strictObject({ ...found(), accountId: z.string() }),
);

export const LookupQuery = lazy(() =>
  z.object({
    senderUmaAddress: Text(320).optional().describe('Who would pay'),
    customerId: Text(200).optional().describe('Who would pay'),
  }),
);

export const FeeEstimateRequest = named('EstimateCryptoWithdrawalFeeRequest', () =>
  z.object({
    internalAccountId: Text(200),
    currency: Text(10),
    cryptoNetwork: Text(32),
    amount: z.int().positive().describe('In the smallest unit of the currency'),
    destinationAddress: Text(300),
  }),
);

export const FeeEstimate = named('EstimateCryptoWithdrawalFeeResponse', () =>
  z.strictObject({
    networkFee: z.int().describe('In the smallest unit of the fee asset'),
    networkFeeAsset: z.string(),
    applicationFee: z.int(),
    totalFee: z.int().describe('In the smallest unit of the withdrawn currency'),
    netAmount: z.int().describe('What arrives'),
  }),
);

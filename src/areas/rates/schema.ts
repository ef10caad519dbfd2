import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyShape } from '../../contract/money.ts';
import { Moment } from '../../contract/shapes.ts';
import { RAIL_NAMES } from '../accounts/index.ts';

const Minor = () => z.int().min(0);

/** The rates of a corridor, by rail. */
export const ExchangeRate = named('ExchangeRate', () =>
  z.strictObject({
    sourceCurrency: CurrencyShape(),
    destinationCurrency: CurrencyShape(),
    destinationPaymentRail: z.enum(RAIL_NAMES),
    minSendingAmount: Minor().describe('Least that a quote may send, in the smallest unit of the source currency'),
    maxSendingAmount: Minor().describe('Most that a quote may send, in the smallest unit of the source currency'),
    sendingAmount: Minor().describe('As requested, in the smallest unit of the source currency'),
    receivingAmount: Minor().describe('What arrives after fees, in the smallest unit of the destination currency'),
    exchangeRate: z.number().positive().describe('Sending units per receiving unit for this amount, fees included'),
    fees: z
      .strictObject({ fixed: Minor().optional(), total: Minor().optional() })
      .meta({ id: 'ExchangeRateFees' })
      .describe('In the smallest unit of the source currency'),
    updatedAt: Moment().describe('When the rates were refreshed, every five minutes'),
  }),
);

export const ExchangeRateList = named('ExchangeRateListResponse', () =>
  z.strictObject({ data: z.array(ExchangeRate()) }),
);

const Code = () => z.string().min(1).max(10);

export const ExchangeRateQuery = lazy(() =>
  z.object({
    sourceCurrency: Code().optional(),
    // Clients send a list by repeating the name, or separated by commas.
    destinationCurrency: z
      .union([z.string(), z.array(z.string())])
      .transform((sent) => [sent].flat().flatMap((text) => text.split(',')))
      .pipe(z.array(Code()).max(100))
      .optional()
      .meta({ wire: { type: 'array', items: { type: 'string' } } })
      .describe('Can be repeated, or a list with commas'),
    sendingAmount: z
      .string()
      .regex(/^[0-9]{1,16}$/, 'not a whole number of 0 or more')
      .transform(Number)
      .pipe(z.int().max(9_000_000_000_000_000))
      .default(10_000)
      .meta({ wire: { type: 'integer', format: 'int64', minimum: 0, default: 10_000 } }),
  }),
);

import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { seed } from '../../declare/seed.ts';
import { accountsOf } from '../accounts/index.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { EXTERNAL_ACCOUNTS } from '../external-accounts/index.ts';
import { createQuote, QUOTES } from './rules.ts';

export const seeds = [
  seed(QUOTES, {
    key: 'quotes',
    about: 'Quotes that nobody has executed yet; each expires as a new one does',
    example: '{ customer: ada, currency: USD, to: ada-bank, amount: 12500, description: Invoice 42 }',
    members: () => ({
      customer: z.string().optional().describe("Label of the customer whose money it is; absent: the platform's"),
      currency: KnownCurrency().describe('Currency of the account that pays'),
      to: z.string().describe('Label of the external account that is paid'),
      amount: z.int().min(1).describe('Minor units that leave'),
      description: z.string().max(500).optional().describe('What the payment is for'),
    }),
    plant: (world, { customer, currency, to, amount, description }, labels) => {
      const owner = customer === undefined ? undefined : labels.idOf(CUSTOMERS, customer, 'customer');
      const account = accountsOf(world, owner).find((one) => one.currency === currency);
      if (!account) return labels.refuse('currency', `there is no account in ${currency}`);
      const accountId = labels.idOf(EXTERNAL_ACCOUNTS, to, 'to');
      const quote = createQuote(world, {
        source: { sourceType: 'ACCOUNT', accountId: account.id },
        destination: { destinationType: 'ACCOUNT', accountId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: amount,
        ...(description === undefined ? {} : { description }),
      });
      return quote.id;
    },
  }),
];

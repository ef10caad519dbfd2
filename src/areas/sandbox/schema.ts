import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { CurrencyCode, Text } from '../../contract/shapes.ts';
import { MAX_AMOUNT } from '../transactions/index.ts';

export const FundRequest = named('SandboxFundRequest', () =>
  z.object({ amount: z.int().min(1).max(100_000_000_000).describe('Minor units of the currency of the account') }),
);

const Amount = () => z.int().min(1).max(MAX_AMOUNT);

export const SendRequest = named('SandboxSendRequest', () =>
  z.object({
    quoteId: Text(200),
    currencyCode: CurrencyCode().describe('What the quote is to be funded in'),
    currencyAmount: Amount().optional().describe('Minor units; the amount of the quote, when it is not sent'),
  }),
);

export const UmaReceiveRequest = named('SandboxUmaReceiveRequest', () =>
  z.object({
    senderUmaAddress: Text(320).describe('A sandbox address such as $success.usd@sandbox.uma.money'),
    receiverUmaAddress: Text(320).optional().describe('This or customerId'),
    customerId: Text(200).optional().describe('This or receiverUmaAddress'),
    receivingCurrencyCode: CurrencyCode(),
    receivingCurrencyAmount: Amount().describe('Minor units'),
  }),
);

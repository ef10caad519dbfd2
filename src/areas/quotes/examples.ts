import { AMOUNT, a, type Fits, having, type Match, ofSomebody, type Scene } from '../../declare/example.ts';

/** Who pays whom by quote. */
export function quoteExample(the: Scene, match?: Match): object {
  const pair = the.pair(match);
  return {
    source: { sourceType: 'ACCOUNT', accountId: pair?.from.id ?? '<accountId>' },
    destination: { destinationType: 'ACCOUNT', accountId: pair?.to.id ?? '<externalAccountId>' },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: AMOUNT,
  };
}

/** A quote of customers who are still there, which can be paid. */
export const isUnpaid: Fits = ({ customers, transactionId, expiresAt }, the) =>
  (customers as string[]).every((id) => the.isThere(id)) &&
  the.newest('transactions', { id: transactionId, status: 'PENDING' }) !== undefined &&
  Date.parse(expiresAt as string) > the.now;

/** The id of a quote whose payer has to answer a challenge by SMS. */
export const challenged = a(
  'sca-challenges',
  { kind: 'PAYMENT', status: 'PENDING', factors: having({ 0: 'SMS_OTP' }), customerId: ofSomebody },
  'executeQuote',
  { member: 'subject' },
);

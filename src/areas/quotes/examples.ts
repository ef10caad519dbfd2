import {
  AMOUNT,
  a,
  type Fits,
  having,
  type Ingredients,
  type Match,
  ofConcerned,
  oneOf,
  type Scene,
  wallet,
  who,
  wordOf,
} from '../../declare/example.ts';

/** To an address that was looked up. */
const viaUma = wordOf((the) => {
  const { id, umaAddress } = the.row('lookups', {}, 'lookupUma');
  return { lookupId: id, destination: { destinationType: 'UMA_ADDRESS', umaAddress } };
});

/** Who pays whom by quote. */
export function quoteExample(the: Scene, match?: Match): Ingredients {
  const pair = the.pair(match);
  const owner = pair?.from['customerId'] ?? who();
  const { pushed: _, ...source } = the.choose([
    { pushed: false, sourceType: 'ACCOUNT', accountId: pair?.from.id ?? '<accountId>' },
    { pushed: false, sourceType: 'ACCOUNT', accountId: wallet },
    { pushed: true, sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: owner },
  ]) as Readonly<Record<string, unknown>>;
  return {
    body: {
      source,
      destination: { destinationType: 'ACCOUNT', accountId: pair?.to.id ?? '<externalAccountId>' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: oneOf(AMOUNT, 100, 20_000, 9_000_000),
    },
    vary: [
      { body: { lockedCurrencySide: 'RECEIVING' } },
      { body: { immediatelyExecute: true } },
      { body: { description: 'Rent' } },
      { body: viaUma },
    ],
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
  { kind: 'PAYMENT', status: 'PENDING', factors: having({ 0: 'SMS_OTP' }), customerId: ofConcerned },
  'executeQuote',
  { member: 'subject' },
);

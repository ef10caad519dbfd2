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
  who,
  wordOf,
} from '../../declare/example.ts';

/** A quote to an address that was looked up. */
const viaUma = wordOf((the) => {
  const { id, umaAddress } = the.row('lookups', {}, 'lookupUma');
  return { lookupId: id, destination: { destinationType: 'UMA_ADDRESS', umaAddress } };
});

/**
 * Kinds of quotes: the first is from an account to a bank, the last from an external account, which cannot be executed.
 */
const KINDS = [
  { pushed: false, isOfWallet: false, isOutside: false },
  { pushed: false, isOfWallet: true, isOutside: false },
  { pushed: true, isOfWallet: false, isOutside: false },
  { pushed: false, isOfWallet: false, isOutside: true },
] as const;

/** Returns the source and the destination of an example quote. */
export function quoteExample(the: Scene, match?: Match): Ingredients {
  const { pushed, isOfWallet, isOutside } = the.choose(KINDS) as (typeof KINDS)[number];
  if (isOfWallet) return ofWallet(the, match);
  const pair = the.pair(match);
  const from = { accountId: pair?.from.id ?? '<accountId>' };
  const to = { accountId: pair?.to.id ?? '<externalAccountId>' };
  const [source, destination] = isOutside ? [to, from] : [from, to];
  const customerId = pair?.from['customerId'] ?? who();
  return {
    body: {
      source: pushed
        ? { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
        : { sourceType: 'ACCOUNT', ...source },
      destination: { destinationType: 'ACCOUNT', ...destination },
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

/** Returns a quote from a wallet to an account of its owner: only the owner's signature moves money. */
function ofWallet(the: Scene, match?: Match): Ingredients {
  const owner = the.who(match)?.id;
  return {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: the.accountOf(owner, 'USDB')?.id },
      destination: { destinationType: 'ACCOUNT', accountId: the.accountOf(owner)?.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    },
  };
}

/** Accepts a quote that can still be paid and whose customers have not been deleted. */
export const isUnpaid: Fits = ({ customers, transactionId, expiresAt }, the) =>
  (customers as string[]).every((id) => the.isThere(id)) &&
  the.newest('transactions', { id: transactionId, status: 'PENDING' }) !== undefined &&
  Date.parse(expiresAt as string) > the.now;

/** The id of a quote whose payer must answer a challenge by SMS. */
export const challenged = a(
  'sca-challenges',
  { kind: 'PAYMENT', status: 'PENDING', factors: having({ 0: 'SMS_OTP' }), customerId: ofConcerned },
  'executeQuote',
  { member: 'subject' },
);

import { failFields } from '../../contract/errors.ts';
import { knownCurrency, moneyText } from '../../contract/money.ts';
import { bySuffix, magicName, suffixOf } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { accountOf, type InternalAccount } from '../accounts/index.ts';
import { type Customer, customerOf } from '../customers/index.ts';
import type { CardPayment } from '../transactions/index.ts';
import { DECLINING, MERCHANTS } from './magic.ts';
import { covers } from './money.ts';
import { inactive, type Reason, unsigned } from './payer.ts';
import { countable, type Draft, openPayment } from './payments.ts';
import type { Card } from './row.ts';
import type { AuthorizationRequest } from './schema.ts';

/** The data of an authorization that the checks see. */
interface Attempt {
  readonly card: Card;
  /** The account to debit or credit: only the first funding source. */
  readonly account: InternalAccount;
  /** The amount in minor units of the account. */
  readonly amount: number;
  readonly descriptor: string;
}

/** The kind of authorization: a purchase, a credit, or a balance inquiry. */
type Kind = 'purchase' | 'credit' | 'inquiry';

interface Check {
  readonly of: readonly Kind[];
  /** Returns a code and a sentence if the check declines; undefined if it passes. */
  readonly declines: (world: World, request: Attempt) => Reason | undefined;
}

const EVERY: readonly Kind[] = ['purchase', 'credit', 'inquiry'];

/**
 * Declines for a customer who is not approved, or not any more: such a customer moves no money by card either (spec
 * 3.1).
 */
const unapproved = ({ id, kycStatus }: Customer): Reason | undefined =>
  kycStatus === 'APPROVED' ? undefined : ['CARDHOLDER_NOT_APPROVED', `${id} is ${kycStatus}`];

/** The checks of an authorization, in order (reference 4.3); the first that declines decides. */
const CHECKS: readonly Check[] = [
  {
    of: ['purchase', 'credit'],
    declines: (_world, { descriptor }) => {
      const decline = bySuffix(DECLINING, descriptor);
      return decline && [decline, `the merchant's descriptor ends in ${suffixOf(descriptor)}`];
    },
  },
  {
    of: EVERY,
    declines: (_world, { card }) => (card.cardState === 'FROZEN' ? ['CARD_PAUSED', 'the card is FROZEN'] : undefined),
  },
  {
    of: EVERY,
    declines: (_world, { card }) =>
      card.cardState === 'ACTIVE' ? undefined : ['CARD_NOT_ACTIVE', `the card is ${card.cardState}`],
  },
  {
    of: ['purchase'],
    declines: (_world, { card: { maxSpendPerTransaction: most, currency }, amount }) =>
      most !== undefined && amount > most
        ? ['SPEND_LIMIT_EXCEEDED', `the card pays at most ${moneyText(most, currency)} at once`]
        : undefined,
  },
  { of: EVERY, declines: (world, { card }) => unapproved(customerOf(world, card.cardholderId)) },
  { of: EVERY, declines: (_world, { account }) => inactive(account) },
  { of: ['purchase', 'inquiry'], declines: (world, { card, account }) => unsigned(world, card.id, account) },
  {
    of: ['purchase'],
    declines: (world, { account: { id, currency }, amount }) =>
      covers(world, id, amount)
        ? undefined
        : ['INSUFFICIENT_FUNDS', `${id} holds ${moneyText(balanceOf(world, id).available, currency)}`],
  },
];

/**
 * Returns whether an authorization is approved. The request log says why one is declined, because nothing else does.
 */
function approves(world: World, kind: Kind, request: Attempt): boolean {
  for (const { of, declines } of CHECKS) {
    const declined = of.includes(kind) ? declines(world, request) : undefined;
    if (!declined) continue;
    const byName = bySuffix(DECLINING, request.descriptor) === declined[0];
    world.magic(
      `declined, ${declined[0]}: ${declined[1]}`,
      byName ? magicName('merchant.descriptor', suffixOf(request.descriptor)) : undefined,
    );
    return false;
  }
  return true;
}

/** Currencies worth the same as that of the card, but with other decimals. */
const PEGGED: Readonly<Record<string, string>> = { USDB: 'USD' };

/**
 * Returns the currency of an authorization: the card's, or dollars for a card in USDB (reference 4.2). 400
 * INVALID_CURRENCY for any other, as nothing is exchanged.
 */
function currencyOf(card: Card, code: string): string {
  const { code: known } = knownCurrency(code, 'currency.code');
  if (known !== card.currency && known !== PEGGED[card.currency])
    failFields(
      [{ field: 'currency.code', message: `the card is in ${card.currency}, and nothing is exchanged` }],
      'INVALID_CURRENCY',
      'reference 4.2',
    );
  return known;
}

const payerOf = (world: World, card: Card): InternalAccount => accountOf(world, card.fundingSources[0] ?? '');

type Request = Infer<typeof AuthorizationRequest>;

/** Returns the payment that an authorization of a card opens once it is approved. 400 INVALID_CURRENCY. */
export function draftOf(
  world: World,
  card: Card,
  { amount, currency: { code }, merchant }: Request,
  direction: CardPayment['direction'],
  issuerTransactionToken: string,
): Draft {
  const account = payerOf(world, card);
  return {
    direction,
    customerId: card.cardholderId,
    platformCustomerId: customerOf(world, card.cardholderId).platformCustomerId,
    cardId: card.id,
    accountId: account.id,
    issuerTransactionToken,
    merchant,
    currency: currencyOf(card, code),
    authorized: amount,
    accountCurrency: account.currency,
  };
}

/** Returns a new token in the form that issuers use: a UUID. */
export const newToken = (world: World): string =>
  world.ids.hex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');

/** The effects of a kind of authorization once it is approved. */
export interface Authorizing {
  readonly direction: CardPayment['direction'];
  /** True if it clears in the same message. */
  readonly clears: boolean;
}

/**
 * Decides on an authorization, and opens the payment if it is approved (reference 4.3); a decline leaves only a
 * sentence in the request log. Returns the issuer's token. 400 INVALID_CURRENCY, 400 AMOUNT_OUT_OF_RANGE.
 */
export function authorize(world: World, card: Card, request: Request, { direction, clears }: Authorizing): string {
  const token = newToken(world);
  const draft = draftOf(world, card, request, direction, token);
  const units = countable(draft, request.amount);
  const account = payerOf(world, card);
  const { descriptor } = request.merchant;
  const kind = direction === 'DEBIT' ? 'purchase' : 'credit';
  if (!approves(world, kind, { card, account, amount: units, descriptor })) return token;
  const fate = direction === 'DEBIT' ? bySuffix(MERCHANTS, descriptor) : undefined;
  if (fate)
    world.magic(
      `the merchant's descriptor ends in ${suffixOf(descriptor)}: ${SAYS[fate]}`,
      magicName('merchant.descriptor', suffixOf(descriptor)),
    );
  openPayment(world, draft, { clears, fate });
  return token;
}

const SAYS = {
  DELAYED: 'the pull is confirmed after 30 seconds',
  CONFIRMATION_FAILS: 'the confirmation of the pull fails',
  FAILS: 'the pull fails',
} as const;

/**
 * Checks whether the card could pay at all; the request log has the result. Returns the issuer's token of the inquiry.
 */
export function inquire(world: World, card: Card, descriptor: string): string {
  const token = newToken(world);
  const account = payerOf(world, card);
  if (approves(world, 'inquiry', { card, account, amount: 0, descriptor }))
    world.magic(
      `balance inquiry: approved, the account holds ${moneyText(balanceOf(world, account.id).available, account.currency)}`,
    );
  return token;
}

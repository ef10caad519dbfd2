import { type FieldError, failFields } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { accountsOf, type InternalAccount } from '../accounts/index.ts';
import { byPinnedId, INELIGIBLE } from './magic.ts';
import { CARDS, type Card, type FundingSource, SOURCES } from './row.ts';

/** The currencies that cards can have (reference 1.1). */
const CARD_CURRENCIES: readonly string[] = ['USD', 'USDB'];

/** Returns what is wrong with an account as a funding source of a card. */
function complaintOf(account: InternalAccount | undefined, currency: string | undefined): string | undefined {
  if (!account) return 'not an account of the cardholder';
  if (account.status !== 'ACTIVE') return `is ${account.status}`;
  if (!CARD_CURRENCIES.includes(account.currency))
    return `is in ${account.currency}: cards are in ${CARD_CURRENCIES.join(' or ')}`;
  if (currency !== undefined && account.currency !== currency) return `is in ${account.currency}, not in ${currency}`;
  return byPinnedId(INELIGIBLE, account.id);
}

/**
 * Returns the funding sources of a card: accounts of the cardholder in one currency, the card's if it has one. 400
 * FUNDING_SOURCE_INELIGIBLE names each unsuitable account; 400 INVALID_INPUT for one that is named twice (reference
 * 3.1).
 */
export function eligible(
  world: World,
  cardholderId: string,
  ids: readonly string[],
  currency?: string,
): readonly [InternalAccount, ...InternalAccount[]] {
  const twice = ids.flatMap((id, i) =>
    ids.indexOf(id) < i ? [{ field: `fundingSources.${i}`, message: 'twice' }] : [],
  );
  if (twice.length > 0) failFields(twice);
  const own = accountsOf(world, cardholderId);
  const accounts = ids.map((id) => own.find((account) => account.id === id));
  const wanted = currency ?? accounts[0]?.currency;
  const errors = accounts.flatMap((account, i): FieldError[] => {
    const message = complaintOf(account, wanted);
    return message === undefined ? [] : [{ field: `fundingSources.${i}`, message }];
  });
  if (errors.length > 0) failFields(errors, 'FUNDING_SOURCE_INELIGIBLE', 'reference 3.1');
  // Every account was found, and there is at least one.
  return accounts as unknown as readonly [InternalAccount, ...InternalAccount[]];
}

/**
 * Records which accounts pay for a card; a former one keeps its binding's id, and with it its delegated key (reference
 * 5).
 */
export function bind(world: World, card: Card): void {
  for (const accountId of card.fundingSources)
    if (!world.rows(SOURCES).find('binding', `${card.id} ${accountId}`))
      world.rows(SOURCES).insert({
        id: world.newId('CardFundingSource'),
        cardId: card.id,
        accountId,
        createdAt: world.clock.iso(),
      });
}

/** Returns the binding of an account to a card that it pays for; undefined if it does not, or not any more. */
export const fundingSourceOf = (world: World, cardId: string, accountId: string): FundingSource | undefined =>
  world.rows(CARDS).get(cardId)?.fundingSources.includes(accountId)
    ? world.rows(SOURCES).find('binding', `${cardId} ${accountId}`)
    : undefined;

/** Returns the bindings of the accounts that pay for a card, in the order of payment. */
export const fundingSourcesOf = (world: World, cardId: string): FundingSource[] =>
  (world.rows(CARDS).get(cardId)?.fundingSources ?? []).flatMap(
    (accountId) => fundingSourceOf(world, cardId, accountId) ?? [],
  );

/** Records the active delegated key of a binding, or that it has none any more. */
export const bindDelegatedKey = (world: World, source: FundingSource, keyId: string | undefined): FundingSource =>
  world.rows(SOURCES).put({ ...source, delegatedKeyId: keyId });

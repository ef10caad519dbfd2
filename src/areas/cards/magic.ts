import { bySuffix } from '../../contract/suffix.ts';
import type { PullFate } from '../transactions/index.ts';

/** The issuer's treatment of a new card; by default it activates the card at once. */
export type Provisioning = 'never' | 'reject' | 'late';

/** By the ending of `platformCardId`, or of a pinned `cardholderId` if none is sent (reference 3.3). */
export const PROVISIONING: Readonly<Record<string, Provisioning>> = { '001': 'never', '002': 'reject', '005': 'late' };

/** The reasons why an account cannot pay for a card, by the ending of its pinned id (reference 3.3). */
export const INELIGIBLE: Readonly<Record<string, string>> = {
  '002': 'does not hold enough',
  '003': 'is closed',
};

/** The reason why an authorization is declined. */
export type Decline =
  | 'INSUFFICIENT_FUNDS'
  | 'CARD_PAUSED'
  | 'CARD_NOT_ACTIVE'
  | 'CARDHOLDER_NOT_APPROVED'
  | 'SPEND_LIMIT_EXCEEDED'
  | 'NO_DELEGATED_KEY'
  | 'ACCOUNT_NOT_ACTIVE';

/** Declines by the ending of the merchant's descriptor (reference 4.3). */
export const DECLINING: Readonly<Record<string, Decline>> = { '002': 'INSUFFICIENT_FUNDS', '003': 'CARD_PAUSED' };
/** The fate of an approved authorization's pull, by the ending of the merchant's descriptor (reference 4.3). */
export const MERCHANTS: Readonly<Record<string, PullFate>> = { '005': 'DELAYED', '006': 'CONFIRMATION_FAILS' };
/** The fate of later pulls, by the ending of the payment's pinned id (reference 4.4). */
export const PARENTS: Readonly<Record<string, PullFate>> = {
  '002': 'FAILS',
  '005': 'DELAYED',
  '006': 'CONFIRMATION_FAILS',
};

/** The delay of whatever is late or delayed, in virtual milliseconds. */
export const LATE_MS = 30_000;

/**
 * Returns the entry of a suffix table for an id. Ids that the sandbox draws are version 7 and match nothing, whatever
 * their ending. Only an id pinned by a scenario with another version matches, such as
 * `InternalAccount:00000000-0000-4000-8000-000000000002`.
 */
export const byPinnedId = <T>(table: Readonly<Record<string, T>>, id: string): T | undefined =>
  /:[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? undefined : bySuffix(table, id);

/** Every suffix, by its field; those that refuse the call count as its refusal. */
export const MAGIC = () => [
  { field: 'platformCardId', values: Object.keys(PROVISIONING) },
  ...[DECLINING, MERCHANTS].map((table) => ({ field: 'merchant.descriptor', values: Object.keys(table) })),
];

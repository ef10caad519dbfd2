import { bySuffix } from '../../contract/suffix.ts';
import type { PullFate } from '../transactions/index.ts';

/** The issuer's treatment of a new card; by default it activates one at once. */
export type Provisioning = 'never' | 'reject' | 'late';

/** By the end of `platformCardId`, or of a pinned `cardholderId` where none is sent (reference 3.3). */
export const PROVISIONING: Readonly<Record<string, Provisioning>> = { '001': 'never', '002': 'reject', '005': 'late' };

/** Reasons why an account whose pinned id ends so cannot pay for a card (reference 3.3). */
export const INELIGIBLE: Readonly<Record<string, string>> = {
  '002': 'does not hold enough',
  '003': 'is closed',
};

/** The reason for which an authorization is declined. */
export type Decline =
  | 'INSUFFICIENT_FUNDS'
  | 'CARD_PAUSED'
  | 'CARD_NOT_ACTIVE'
  | 'CARDHOLDER_NOT_APPROVED'
  | 'SPEND_LIMIT_EXCEEDED'
  | 'NO_DELEGATED_KEY'
  | 'ACCOUNT_NOT_ACTIVE';

/** Merchants that are declined by the end of their descriptor (reference 4.3). */
export const DECLINING: Readonly<Record<string, Decline>> = { '002': 'INSUFFICIENT_FUNDS', '003': 'CARD_PAUSED' };
/** The fate of the pull of an approved authorization, by the end of the merchant's descriptor (reference 4.3). */
export const MERCHANTS: Readonly<Record<string, PullFate>> = { '005': 'DELAYED', '006': 'CONFIRMATION_FAILS' };
/** The fate of later pulls, by the end of the pinned id of the payment (reference 4.4). */
export const PARENTS: Readonly<Record<string, PullFate>> = {
  '002': 'FAILS',
  '005': 'DELAYED',
  '006': 'CONFIRMATION_FAILS',
};

/** The duration of what is late or delayed, in virtual milliseconds. */
export const LATE_MS = 30_000;

/**
 * Returns what a table of suffixes says of an id. Ids that the sandbox draws are version 7 and say nothing, whatever they
 * end in: only one that a scenario pins with another version does, such as
 * `InternalAccount:00000000-0000-4000-8000-000000000002`.
 */
export const byPinnedId = <T>(table: Readonly<Record<string, T>>, id: string): T | undefined =>
  /:[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? undefined : bySuffix(table, id);

/** Every suffix, by the field that carries it; those that refuse the call count as its refusal. */
export const MAGIC = () => [
  { field: 'platformCardId', values: Object.keys(PROVISIONING) },
  ...[DECLINING, MERCHANTS].map((table) => ({ field: 'merchant.descriptor', values: Object.keys(table) })),
];

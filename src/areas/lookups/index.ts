/**
 * Receivers and the currencies that they can be paid in: lookups of UMA addresses and of external accounts, and the fee
 * of a withdrawal to a blockchain.
 * Chosen where the specification is silent: a lookup leaves no row; its id is derived from the receiver, never expires
 * and can be used again. Neither sender is required; an estimate starts from the sender's first currency, else from the
 * dollar. Sandbox receivers ask for payer data, and none is mandatory. A customer of this platform is found at their
 * own address, and the platform requires of the sender what `requiredCounterpartyFields` of the currencies says.
 * Network fees are fixed.
 * Not emulated: counterparties that fail, or that use another version of the protocol.
 */

import { area } from '../../declare/area.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';

export { type UmaOutcome, umaMagic } from './magic.ts';
export { checkLookup, lookupIdOf, lookupUma, type UmaReceiver } from './rules.ts';

export const lookups = area('lookups', { operations: routes, magic: MAGIC });

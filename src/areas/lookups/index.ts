/**
 * People who can be paid, and in which currency: lookups of UMA addresses and of external accounts, and the fee of a
 * withdrawal to a chain. Chosen where the specification is silent: a lookup leaves no row, its id follows from the
 * receiver, never expires and can be used again; neither sender is required, and an estimate starts from the sender's first
 * currency, else from the dollar; receivers of the sandbox ask for payer data, and none is mandatory; a customer of this platform is
 * found at their own address, and the platform wants of the sender what `requiredCounterpartyFields` of the currencies says. Network fees are fixed. Not emulated: counterparties that fail, or that speak another version of the
 * protocol.
 */

import { area } from '../../declare/area.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';

export { type UmaOutcome, umaMagic } from './magic.ts';
export { checkLookup, lookupIdOf, lookupUma, type UmaReceiver } from './rules.ts';

export const lookups = area('lookups', { operations: routes, magic: MAGIC });

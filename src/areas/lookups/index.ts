/**
 * Who can be paid, and in what: lookups of UMA addresses and of external accounts.
 */
export type { UmaOutcome } from './magic.ts';
export { checkLookup, lookupIdOf, lookupUma, type UmaReceiver } from './rules.ts';

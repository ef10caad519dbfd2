import { magicName } from '../../contract/suffix.ts';

/** The outcome of a payment to (or from) a sandbox UMA address. */
export type UmaOutcome = 'success' | 'pending' | 'compliance';

export interface Receiver {
  readonly outcome: UmaOutcome;
  /** The currencies that the receiver accepts. */
  readonly currencies: readonly string[];
}

/** Domains whose receivers the sandbox simulates; the public material has one with an extra label. */
export const SANDBOX_DOMAIN = /^sandbox\.(?:[a-z]+\.)?uma\.money$/;

/** Sandbox receivers, by the part of the address before `@`; any other name at these domains has no receiver. */
export const RECEIVERS: ReadonlyMap<string, Receiver> = new Map([
  ['$success.usd', { outcome: 'success', currencies: ['USD'] }],
  ['$success.eur', { outcome: 'success', currencies: ['EUR'] }],
  ['$success.mxn', { outcome: 'success', currencies: ['MXN'] }],
  ['$pending.long.usd', { outcome: 'pending', currencies: ['USD'] }],
  ['$fail.compliance.usd', { outcome: 'compliance', currencies: ['USD'] }],
]);

const UMA = 'UMA address';

/** Returns the name of a sandbox address among magic values: the part before `@`. */
export const umaMagic = (address: string): string => magicName(UMA, address.split('@')[0] as string);

/** The addresses at which payments do not succeed at once. */
export const MAGIC = () => [
  { field: UMA, values: [...RECEIVERS].flatMap(([name, { outcome }]) => (outcome === 'success' ? [] : [name])) },
];

import { magicName } from '../../contract/suffix.ts';

/** The end of a payment to (or from) a sandbox UMA address. */
export type UmaOutcome = 'success' | 'pending' | 'compliance';

export interface Receiver {
  readonly outcome: UmaOutcome;
  /** The currencies that the receiver takes. */
  readonly currencies: readonly string[];
}

/** Domains whose receivers the sandbox plays itself; the public material writes one with a label more. */
export const SANDBOX_DOMAIN = /^sandbox\.(?:[a-z]+\.)?uma\.money$/;

/** Sandbox receivers by the part of the address before `@`; any other name at these domains has no receiver. */
export const RECEIVERS: ReadonlyMap<string, Receiver> = new Map([
  ['$success.usd', { outcome: 'success', currencies: ['USD'] }],
  ['$success.eur', { outcome: 'success', currencies: ['EUR'] }],
  ['$success.mxn', { outcome: 'success', currencies: ['MXN'] }],
  ['$pending.long.usd', { outcome: 'pending', currencies: ['USD'] }],
  ['$fail.compliance.usd', { outcome: 'compliance', currencies: ['USD'] }],
]);

const UMA = 'UMA address';

/** The name of a sandbox address among magic values: what stands before `@`. */
export const umaMagic = (address: string): string => magicName(UMA, address.split('@')[0] as string);

/** The addresses at which payments end other than well. */
export const MAGIC = () => [
  { field: UMA, values: [...RECEIVERS].flatMap(([name, { outcome }]) => (outcome === 'success' ? [] : [name])) },
];

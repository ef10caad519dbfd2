import { bySuffix, suffixOf } from '../../contract/suffix.ts';
import type { CustomerType } from './schema.ts';

/**
 * The fate of a new customer of an unregulated platform: decided by the sandbox, or left to a decision by hand.
 * `unsubmitted` waits like `wait`, but starts as `UNVERIFIED` in profile `grid`.
 */
export type Fate = 'approve' | 'reject' | 'wait' | 'unsubmitted';

/** Sandbox suffixes: the last three characters of `fullName`, or of `businessInfo.registrationNumber`. */
export const SUFFIXES: Readonly<Record<CustomerType, Readonly<Record<string, Fate>>>> = {
  INDIVIDUAL: { '001': 'wait', '002': 'reject', '003': 'unsubmitted' },
  BUSINESS: { '001': 'unsubmitted', '002': 'unsubmitted', '003': 'unsubmitted' },
};

export const CARRIER: Readonly<Record<CustomerType, string>> = {
  INDIVIDUAL: 'fullName',
  BUSINESS: 'businessInfo.registrationNumber',
};

/** Returns the fate that the last three characters of a text choose, if they are magic. */
export function fateOf(
  type: CustomerType,
  text: string | undefined,
): { suffix: string; simulatedOutcome: Fate } | undefined {
  const simulatedOutcome = bySuffix(SUFFIXES[type], text);
  return simulatedOutcome && { suffix: suffixOf(text ?? ''), simulatedOutcome };
}

/** Every suffix, by its field. */
export const MAGIC = () =>
  (['INDIVIDUAL', 'BUSINESS'] as const).map((type) => ({
    field: CARRIER[type],
    values: Object.keys(SUFFIXES[type]),
  }));

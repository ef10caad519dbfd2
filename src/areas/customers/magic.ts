import { bySuffix, suffixOf } from '../../contract/suffix.ts';
import type { CustomerType } from './schema.ts';

/**
 * The fate of a new customer of an unregulated platform: decided by the sandbox, or left for a decision by hand;
 * `unsubmitted` is waiting, too, and
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

/** The fate that a text's last three characters choose, if they are magic. */
export function fateOf(
  type: CustomerType,
  text: string | undefined,
): { suffix: string; simulatedOutcome: Fate } | undefined {
  const simulatedOutcome = bySuffix(SUFFIXES[type], text);
  return simulatedOutcome && { suffix: suffixOf(text ?? ''), simulatedOutcome };
}

/** Every suffix, by the field that carries it. */
export const MAGIC = () =>
  (['INDIVIDUAL', 'BUSINESS'] as const).map((type) => ({
    field: CARRIER[type],
    values: Object.keys(SUFFIXES[type]),
  }));

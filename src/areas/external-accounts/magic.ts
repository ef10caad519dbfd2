import type { VERIFICATION_RESULTS } from './schema.ts';

/** The result of checking a beneficiary's name; `refused` means that there is no such account. */
export type Finding = (typeof VERIFICATION_RESULTS)[number] | 'refused';

/** Sandbox suffixes of bank accounts at creation: the last three characters of the primary identifier. */
export const NAME_CHECKS: Readonly<Record<string, Finding>> = {
  '101': 'MATCHED',
  '102': 'NOT_MATCHED',
  '103': 'PARTIAL_MATCH',
  '104': 'PENDING',
  '105': 'refused',
  '106': 'UNSUPPORTED',
  '107': 'CHECKED_BY_RECEIVING_FI',
};

/** Every suffix, except the one that refuses the call, which counts as its refusal. */
export const MAGIC = () => [
  {
    field: 'account identifier',
    values: Object.keys(NAME_CHECKS).filter((suffix) => NAME_CHECKS[suffix] !== 'refused'),
  },
];

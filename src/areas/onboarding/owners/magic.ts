import type { Trigger } from './machine.ts';

/** What becomes of an owner when the business is decided: the last three characters of `personalInfo.lastName`. */
export const OWNER_SUFFIXES: Readonly<Record<string, Trigger>> = { '001': 'leave open', '002': 'reject' };

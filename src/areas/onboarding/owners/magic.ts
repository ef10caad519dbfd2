import type { Trigger } from './machine.ts';

/** The decision on an owner when the business is decided, by the last three characters of `personalInfo.lastName`. */
export const OWNER_SUFFIXES: Readonly<Record<string, Trigger>> = { '001': 'leave open', '002': 'reject' };

/** Every suffix. */
export const MAGIC = () => [{ field: 'personalInfo.lastName', values: Object.keys(OWNER_SUFFIXES) }];

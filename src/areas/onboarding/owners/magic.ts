import type { Status } from '../../customers/index.ts';

/** What becomes of an owner when the business is decided: the last three characters of `personalInfo.lastName`. */
export const OWNER_SUFFIXES: Readonly<Record<string, Status>> = { '001': 'PENDING', '002': 'REJECTED' };

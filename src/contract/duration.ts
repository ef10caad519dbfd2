import * as z from 'zod';
import { DURATION_FORM, DURATION_PATTERN, parseDuration, tooLong } from './duration-text.ts';

/** The longest delay of work, and the longest duration: the clock ends a year before dates do. */
export const LONGEST_DAYS = 365;
const LONGEST_MS = LONGEST_DAYS * 86_400_000;

/** True for milliseconds that are more than `LONGEST_DAYS`. */
export const isTooLong = (ms: number): boolean => ms > LONGEST_MS;

/** Returns the schema of a duration by which work is delayed, at most `LONGEST_DAYS`. */
export const Delay = () =>
  Duration().refine((text) => !isTooLong(parseDuration(text) ?? 0), tooLong(`${LONGEST_DAYS} days`));

/** Returns the schema of a duration, kept as it was written; its pattern is in the JSON schema, too. */
export const Duration = () =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, `must be ${DURATION_FORM}`)
    .meta({ pattern: `^${DURATION_PATTERN}$` });

import * as z from 'zod';
import { DURATION_FORM, DURATION_PATTERN, isTooLong, LONGEST_DAYS, parseDuration, tooLong } from './duration-text.ts';

/** Returns the schema of a duration by which work is delayed, at most `LONGEST_DAYS`. */
export const Delay = () =>
  Duration().refine((text) => !isTooLong(parseDuration(text) ?? 0), tooLong(`${LONGEST_DAYS} days`));

/** Returns the schema of a duration, kept as it was written; its pattern is in the JSON schema, too. */
export const Duration = () =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, `must be ${DURATION_FORM}`)
    .meta({ pattern: `^${DURATION_PATTERN}$` });

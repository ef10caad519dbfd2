import * as z from 'zod';
import { DURATION_FORM, DURATION_PATTERN, parseDuration } from './duration-text.ts';

/** A duration wherever one is taken, kept as it was written; its pattern is in the JSON schema, too. */
export const Duration = () =>
  z
    .string()
    .refine((text) => parseDuration(text) !== undefined, `must be ${DURATION_FORM}`)
    .meta({ pattern: `^${DURATION_PATTERN}$` });

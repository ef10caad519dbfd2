import * as z from 'zod';
import { LONGEST_DAYS } from './duration-text.ts';
import type { Shape } from './lazy.ts';
import { CURRENCIES } from './money.ts';

/** An amount, a number or a duration that a scenario may change: `limits.<name>`, read by `world.limit`. */
export interface Limit<S extends number | undefined = number | undefined> {
  readonly name: string;
  /** The default value, unless the scenario sets another. */
  readonly standard: S;
  /** A value as a scenario writes it, described for its schema. */
  readonly shape: Shape<z.ZodType<number | Readonly<Record<string, number>> | undefined>>;
}

/** Returns the schema of a span in virtual seconds: 1 second to 365 days. */
const Lasting = () =>
  z
    .number()
    .min(1)
    .max(LONGEST_DAYS * 86_400);

/** Declares a limit of one number, in virtual seconds unless `shape` says otherwise. */
export const limit = (name: string, standard: number, about: string, shape = Lasting): Limit<number> => ({
  name,
  standard,
  shape: () => shape().optional().describe(about),
});

/** Declares a limit by sending currency, or by corridor, in minor units; there is none unless it is set. */
export const corridorLimit = (name: string, about: string): Limit<undefined> => ({
  name,
  standard: undefined,
  shape: () =>
    z
      .record(
        z
          .string()
          .regex(/^[A-Z]{3,4}(\/[A-Z]{3,4})?$/, 'must be a currency such as USD, or a corridor such as USD/MXN')
          .refine((key) => key.split('/').every((code) => CURRENCIES.has(code)), 'names an unknown currency'),
        z.int().min(0),
      )
      .optional()
      .describe(`${about}: minor units, by sending currency (USD) or by corridor (USD/MXN); no limit without`),
});

import * as z from 'zod';
import { DURATION_FORM, DURATION_PATTERN, isTooLong, LONGEST_DAYS, parseDuration, tooLong } from './duration-text.ts';

/** The moment for work of one kind: in the same call, after a while, or only by hand. */
export type Policy = 'at once' | 'hold' | `after ${string}`;

/** Returns the milliseconds to wait; 0 is at once, `Infinity` is by hand. */
export function policyDelay(policy: Policy): number {
  if (policy === 'at once') return 0;
  if (policy === 'hold') return Number.POSITIVE_INFINITY;
  return parseDuration(policy.slice('after '.length)) ?? 0;
}

const FORM = `must be "at once", "hold" or "after" and ${DURATION_FORM}, at most ${LONGEST_DAYS} days`;

/** Returns the fault in a policy; undefined for `at once`, `hold` and `after <duration>` of at most `LONGEST_DAYS`. */
function wrongWith(text: string): string | undefined {
  if (text === 'at once' || text === 'hold') return undefined;
  const ms = text.startsWith('after ') ? parseDuration(text.slice(6)) : undefined;
  if (ms === undefined) return FORM;
  return isTooLong(ms) ? tooLong(`${LONGEST_DAYS} days`) : undefined;
}

/** Returns whether a text is `at once`, `hold` or `after <duration>` of at most `LONGEST_DAYS`. */
export const isPolicy = (text: string): text is Policy => wrongWith(text) === undefined;

// biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
const POLICY_TYPE = "'at once' | 'hold' | `after ${string}`";

/**
 * Returns the schema of a policy in a scenario; its pattern is in the JSON schema, so that editors refuse the same
 * texts as a start.
 */
export const PolicyText = () =>
  z
    .string()
    .refine(isPolicy, { error: ({ input }) => wrongWith(String(input)) ?? FORM })
    .meta({ pattern: `^(?:at once|hold|after ${DURATION_PATTERN})$`, tsType: POLICY_TYPE, tsName: 'Policy' })
    .transform((text) => text as Policy);

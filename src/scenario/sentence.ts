import type * as z from 'zod';
import { valueAt } from './draft.ts';
import { eitherOf, instead, LONGEST_NAME, nearValues } from './nearest.ts';

/** Where all values of a member are listed. */
const SCHEMA = 'scenario.schema.json';

/** Returns issues with those of the nearest alternative in place of a union's own, which says little. */
export const issuesIn = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    const nearest = issue.code === 'invalid_union' && [...issue.errors].sort((a, b) => a.length - b.length)[0];
    if (!nearest || nearest.length === 0) return [issue];
    return issuesIn(nearest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });

/** Returns one sentence about an issue with data; a wrong value gets the one that may be meant, or those that there are. */
export function sentenceAbout(issue: z.core.$ZodIssue, data: unknown): string {
  const [values, value] = [valuesOf(issue), valueAt(data, issue.path)];
  const isShown = ['string', 'number', 'boolean'].includes(typeof value);
  return values && isShown ? unknownAmong('value', String(value), values) : issue.message;
}

/** Returns the value that a wrong one of data means, where only one is near. */
export function meantValue(issue: z.core.$ZodIssue, data: unknown): string | undefined {
  const value = valueAt(data, issue.path);
  const near = typeof value === 'string' ? nearValues(value, valuesOf(issue) ?? []) : [];
  return near.length === 1 ? near[0] : undefined;
}

/** Returns the values that there are, of an issue with one that is none of them. */
function valuesOf(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options)) return undefined;
  return issue.options.map(String);
}

/** Returns what is said of a value or a key that is none of those that there are. */
export function unknownAmong(word: 'value' | 'key', text: string, values: readonly string[]): string {
  const shown = text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
  const near = nearValues(text, values);
  return `unknown ${word} ${shown}${instead(near.length > 0 ? eitherOf(near) : undefined, values, SCHEMA)}`;
}

import type * as z from 'zod';
import { issueText } from '../contract/issue-text.ts';
import { definitionOf } from '../contract/shape-check.ts';
import { valueAt } from './draft.ts';
import { eitherOf, instead, LONGEST_NAME, nearValues } from './nearest.ts';

/** The file that lists all values of a member. */
const SCHEMA = 'scenario.schema.json';

/** Returns issues in which those of the nearest alternative replace a union's own, which says little. */
export const issuesIn = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    const nearest = issue.code === 'invalid_union' && [...issue.errors].sort((a, b) => a.length - b.length)[0];
    if (!nearest || nearest.length === 0) return [issue];
    return issuesIn(nearest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });

/** The types of schemas whose members are optional. */
const OPTIONAL: ReadonlySet<string> = new Set(['optional', 'default', 'prefault']);

/**
 * Returns the message about a value in place of an object: a required member of the object helps more than its type.
 */
export function objectText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object' || issue.input === undefined) return undefined;
  const shape = definitionOf(issue.inst as z.ZodType).shape ?? {};
  const member = Object.keys(shape).find((name) => !OPTIONAL.has(definitionOf(shape[name] as z.ZodType).type));
  const said = issueText(issue);
  return member === undefined ? said : said?.replace('an object', `an object such as { ${member}: … }`);
}

/** Words that other formats read as true or false, and YAML 1.2 as texts. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

/** Returns one sentence about an issue with data; for a wrong value it names the probable one, or all valid ones. */
export function sentenceAbout(issue: z.core.$ZodIssue, data: unknown): string {
  const [values, value] = [valuesOf(issue), valueAt(data, issue.path)];
  const isShown = ['string', 'number', 'boolean'].includes(typeof value);
  if (values && isShown) return unknownAmong('value', String(value), values);
  const meant = meantValue(issue, data);
  if (typeof meant === 'boolean') return `unknown value ${String(value)}; did you mean ${meant}?`;
  if (typeof meant === 'number') return `${issue.message}; write it without quotes`;
  if (typeof meant === 'string') return `${issue.message}; write it in quotes`;
  const isTight =
    issue.code === 'invalid_type' && issue.expected === 'array' && /^-/.test(Object.keys(Object(value))[0] ?? '');
  return isTight ? `${issue.message}; a dash is followed by a space` : issue.message;
}

/** Returns the value that a wrong one probably means, if only one is near. */
export function meantValue(issue: z.core.$ZodIssue, data: unknown): string | number | boolean | undefined {
  const value = valueAt(data, issue.path);
  if (issue.code === 'invalid_type') return ofType(issue.expected, value);
  const near = typeof value === 'string' ? nearValues(value, valuesOf(issue) ?? []) : [];
  return near.length === 1 ? near[0] : undefined;
}

/** Returns a value in another type, if it looks like a value of that type. */
function ofType(type: string, value: unknown): string | number | boolean | undefined {
  if (type === 'string') return typeof value === 'number' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return SWITCHES.get(value.toLowerCase());
  return type === 'number' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Returns the valid values, for an issue with an invalid one. */
function valuesOf(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options)) return undefined;
  return issue.options.map(String);
}

/** Returns the message about a value or a key that is not among the valid ones. */
export function unknownAmong(word: 'value' | 'key', text: string, values: readonly string[]): string {
  const shown = text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
  const near = nearValues(text, values);
  return `unknown ${word} ${shown}${instead(near.length > 0 ? eitherOf(near) : undefined, values, SCHEMA)}`;
}

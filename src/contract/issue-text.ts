import type * as z from 'zod';
import { notOneOf } from './errors.ts';

/** Names of types as people write them, with their article. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'nothing',
  date: 'a date',
  nan: 'no number',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a date-time such as 2026-01-05T09:30:00Z',
  date: 'a date such as 2026-01-05',
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  regex: 'of the declared form',
};

const typeName = (type: string): string => TYPES[type] ?? type;

/** Returns the type of a JSON value, by the names of schemas. */
const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isNaN(value) ? 'nan' : typeof value;
};

/** The units of size for a value of a type, singular and plural. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

function bound(word: 'at least' | 'at most', limit: number | bigint, origin: string, inclusive = true): string {
  const unit = UNITS[origin];
  if (unit) return `must have ${word} ${limit} ${unit[limit === 1 ? 0 : 1]}`;
  if (inclusive) return `must be ${word} ${limit}`;
  return `must be ${word === 'at least' ? 'more' : 'less'} than ${limit}`;
}

/** The most unknown keys that a message names, and the most characters that it shows of each. */
const MOST_KEYS = 20;
const LONGEST_KEY = 100;

function unknownKeys(keys: readonly string[]): string {
  const names = keys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, LONGEST_KEY)));
  const more = keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : '';
  return `unknown ${keys.length > 1 ? 'keys' : 'key'} ${names.join(', ')}${more}`;
}

/** Returns one sentence about a value that a schema refuses, for every schema without a message of its own. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'required';
      if (issue.expected === 'int' && typeof issue.input === 'number') return 'must be a whole number';
      return `must be ${typeName(issue.expected)}, not ${typeName(typeOf(issue.input))}`;
    case 'invalid_value':
      return issue.input === undefined ? 'required' : notOneOf(issue.values.map(String));
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin, issue.inclusive);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin, issue.inclusive);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      if (issue.format === 'regex' && issue.pattern) return `must match ${issue.pattern.slice(0, LONGEST_KEY)}`;
      return `must be ${FORMATS[issue.format] ?? `a text of the form ${issue.format}`}`;
    case 'unrecognized_keys':
      return unknownKeys(issue.keys);
    case 'invalid_union':
      return unionText(issue);
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'must have another name';
    default:
      return 'is not allowed';
  }
}

/**
 * Returns the message about a value that none of several schemas accepts; it lists the kinds, if a member names the
 * kind.
 */
function unionText({ input, discriminator, options }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (input === undefined) return 'required';
  if (discriminator === undefined || !Array.isArray(options)) return 'must have one of the allowed forms';
  return Reflect.get(Object(input), discriminator) === undefined ? 'required' : notOneOf(options.map(String));
}

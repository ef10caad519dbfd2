import type * as z from 'zod';
import { type FieldError, failFields, notOneOf } from '../contract/errors.ts';
import { safeParse } from '../contract/shape-parse.ts';
import { E164 } from '../contract/shapes.ts';

/** Finds errors in the members that a schema accepts; `bad` holds the fields that it refused. */
export type FieldRules = (rest: Readonly<Record<string, unknown>>, bad: ReadonlySet<string>) => readonly FieldError[];

/**
 * Returns a value parsed by a schema. 400 INVALID_INPUT with every bad field at once, in the words of `error` if it has
 * any. If the schema refuses some members, `rules` checks the others.
 */
export function parseAs<T extends z.ZodType>(
  shape: T,
  value: unknown,
  error?: z.core.$ZodErrorMap,
  rules: FieldRules = () => [],
): z.output<T> {
  const parsed = safeParse(shape, value, error);
  if (parsed.success) return parsed.data;
  const errors = everyError(shape, value, parsed.error);
  const bad = new Set(errors.map(({ field }) => field));
  const more = isObject(value)
    ? rules(without(value, pathsOf(errors)), bad).filter(({ field }) => !bad.has(field))
    : [];
  return failFields([...errors, ...more], 'INVALID_INPUT', 'the declared shape of this operation (GET /openapi.json)');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pathsOf = (errors: readonly FieldError[]) => errors.map(({ field }) => field.split('.'));

/**
 * Returns an object or list without its bad parts at any depth; a bad item leaves a gap, so that the others keep their
 * positions.
 */
function without<T extends object>(value: T, bad: readonly (readonly string[])[]): T {
  const rest = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const inside = new Map<string, string[][]>();
  for (const [member = '', ...inner] of bad) {
    const known = inside.get(member);
    if (inner.length === 0 || !isNested(rest[member])) rest[member] = undefined;
    else if (known) known.push(inner);
    else inside.set(member, [inner]);
  }
  for (const [member, paths] of inside) {
    const whole = rest[member];
    if (isNested(whole)) rest[member] = without(whole, paths);
  }
  return rest as T;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Returns every error of a value. A union stops at a bad discriminator, so errors that all alternatives share are
 * added: the client wants to see every bad field.
 */
function everyError(shape: z.ZodType, value: unknown, error: z.ZodError): FieldError[] {
  const errors = fieldErrors(error, value);
  const { discriminator, options } = (shape as { def?: { discriminator?: string; options?: z.ZodType[] } }).def ?? {};
  if (!discriminator || !options || typeof value !== 'object' || !errors.some((e) => e.field === discriminator))
    return errors;
  const others = options.map((option) => {
    const parsed = option.safeParse(value);
    return parsed.success ? [] : fieldErrors(parsed.error, value).filter((e) => e.field !== discriminator);
  });
  const fields = others.map((list) => new Set(list.map(({ field }) => field)));
  const common = others[0]?.filter((e) => fields.every((names) => names.has(e.field))) ?? [];
  return [...errors, ...common];
}

const FORMATS: Readonly<Record<string, string>> = { datetime: 'date-time', jwt: 'jwt' };

/**
 * Returns the name of the format that a text did not have. A plain pattern has none, except that of phone numbers
 * (reference 3.4).
 */
function formatOf({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): { format?: string } {
  if (format !== 'regex') return { format: FORMATS[format] ?? format };
  return pattern === String(E164) ? { format: 'e.164' } : {};
}

/** Returns zod's issues about a value as entries of `details.errors[]`. */
export function fieldErrors(error: z.ZodError, value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const issue of flatten(error.issues)) {
    const field = issue.path.join('.');
    if (seen.has(field)) continue;
    seen.add(field);
    const constraint = constraintOf(issue);
    errors.push({
      field,
      message: messageOf(issue, isAbsent(value, issue.path)),
      ...(Object.keys(constraint).length > 0 ? { constraint } : {}),
    });
  }
  return errors;
}

/**
 * Yields issues with unions resolved: a union's own issue says little, those of its nearest alternative say what is
 * wrong.
 */
function* flatten(issues: readonly z.core.$ZodIssue[]): Generator<z.core.$ZodIssue> {
  for (const issue of issues) {
    const nearest = issue.code === 'invalid_union' && [...issue.errors].sort((a, b) => a.length - b.length)[0];
    if (nearest && nearest.length > 0)
      for (const inner of flatten(nearest)) yield { ...inner, path: [...issue.path, ...inner.path] };
    else yield issue;
  }
}

/** Returns whether a value has nothing at a path, which zod does not say. */
function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return true;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at === undefined;
}

const WANTED: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function messageOf(issue: z.core.$ZodIssue, absent: boolean): string {
  if (absent && WANTED.has(issue.code)) return 'required';
  const values = constraintOf(issue).enum;
  if (values) return notOneOf(values);
  return issue.code === 'invalid_union' ? 'of none of the allowed forms' : issue.message;
}

/**
 * Returns the pattern that a text did not match. One with a flag is left out: without the flag it means something else.
 */
function patternOf(issue: z.core.$ZodIssueInvalidStringFormat): { pattern?: string } {
  const pattern = /^\/(.*)\/$/s.exec(issue.pattern ?? '')?.[1];
  return pattern === undefined ? {} : { pattern };
}

function constraintOf(issue: z.core.$ZodIssue): NonNullable<FieldError['constraint']> {
  switch (issue.code) {
    case 'invalid_format':
      return { ...formatOf(issue), ...patternOf(issue) };
    case 'invalid_value':
      return { enum: issue.values.map(String) };
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? { enum: issue.options.map(String) } : {};
    case 'too_small':
      return issue.origin === 'string' ? { minLength: Number(issue.minimum) } : {};
    case 'too_big':
      return issue.origin === 'string' ? { maxLength: Number(issue.maximum) } : {};
    case 'custom':
      return typeof issue.params?.['format'] === 'string' ? { format: issue.params['format'] } : {};
    default:
      return {};
  }
}

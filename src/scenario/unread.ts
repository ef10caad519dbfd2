import { distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { definitionOf, hasShape } from '../contract/shape-check.ts';

/** A member that was sent and that no schema names, with the one that may have been meant. */
export interface Unread {
  readonly name: string;
  readonly near?: string;
}

/** A member that no schema names, at its place, with the names that its object may have. */
export interface Unknown {
  readonly path: string;
  readonly name: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}

/** Members that are named at most; a body may be full of them. */
const MOST = 10;
/** Characters of a name that are shown. */
const LONGEST = 60;
/** Levels that are looked into. */
const DEEPEST = 12;

/** Names that people write for a member that has another name here; the first one that the schema has is meant. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    firstname: ['fullName', 'name'],
    lastname: ['fullName', 'name'],
    dob: ['birthDate'],
    dateofbirth: ['birthDate'],
    birthday: ['birthDate'],
    phone: ['phoneNumber'],
    mobile: ['phoneNumber'],
    type: ['customerType', 'accountType', 'sourceType', 'destinationType'],
    sum: ['amount', 'lockedCurrencyAmount'],
    value: ['amount'],
    amount: ['lockedCurrencyAmount'],
    reference: ['description', 'remittanceInformation'],
    memo: ['description', 'remittanceInformation'],
    note: ['description', 'remittanceInformation'],
    externalid: ['platformCustomerId', 'platformAccountId', 'platformCardId'],
    customer: ['customerId'],
    account: ['accountId', 'accountInfo'],
    pagesize: ['limit'],
    perpage: ['limit'],
    zip: ['postalCode'],
    zipcode: ['postalCode'],
    postcode: ['postalCode'],
    page: ['cursor'],
    offset: ['cursor'],
    starttime: ['startDate'],
    endtime: ['endDate'],
    from: ['source', 'startDate'],
    to: ['destination', 'endDate'],
  }),
);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The member that a name may mean: the same letters, then the meaning, then a part of it, then the nearest letters. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  const letters = plain(name.slice(0, LONGEST));
  if (letters === '') return undefined;
  const same = known.find((one) => plain(one) === letters);
  const meant = MEANT.get(letters)?.find((one) => known.includes(one));
  const whole = known.find((one) => letters.length > 2 && plain(one).endsWith(letters));
  const [near] = known
    .map((one) => [distance(letters, plain(one)), one] as const)
    .filter(([far]) => far <= Math.max(1, letters.length / 3))
    .sort(([a], [b]) => a - b);
  return same ?? meant ?? whole ?? near?.[1];
}

/** Returns the members of a value that its schema does not name and that are therefore not read; at most ten. */
export function unreadIn(schema: z.ZodType, value: unknown): Unread[] {
  return first(walk(schema, value, '', DEEPEST)).map(named);
}

/** Returns the same members with the names that are known in their places; `more` are names that only the top has besides. */
export function unknownIn(schema: z.ZodType, value: object, more: readonly string[]): Unknown[] {
  return first(walk(schema, value, '', DEEPEST)).map((one) => {
    if (one.path !== one.name) return one;
    const known = [...one.known, ...more];
    return { ...one, known, near: one.near ?? meantBy(one.name, more) };
  });
}

/** Walks no further than it has to: of ten thousand unknown members, the nearest names of ten are looked for. */
function first(found: Iterable<Unknown>): Unknown[] {
  const all: Unknown[] = [];
  for (const one of found) if (all.push(one) === MOST) break;
  return all;
}

function* walk(schema: z.ZodType, value: unknown, at: string, left: number): Generator<Unknown> {
  if (left === 0 || typeof value !== 'object' || value === null) return;
  const {
    type,
    shape,
    catchall,
    element,
    innerType,
    options,
    in: input,
    left: one,
    right: other,
    getter,
  } = parts(schema);
  if (type === 'object' && shape) {
    const known = Object.keys(shape);
    const free = known.filter((name) => !(name in value));
    for (const [name, member] of Object.entries(value)) {
      const path = at === '' ? name : `${at}.${name}`;
      const of = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (of) yield* walk(of, member, path, left - 1);
      else if (!catchall) yield { path, name, near: meantBy(name, free), known };
    }
  } else if (type === 'array' && element && Array.isArray(value)) {
    for (const [i, each] of value.slice(0, MOST).entries()) yield* walk(element, each, `${at}.${i}`, left - 1);
  } else if (options) yield* fewest(options, value, at, left);
  else if (one && other) {
    const both = new Set([...walk(other, value, at, left - 1)].map(({ path }) => path));
    for (const each of walk(one, value, at, left - 1)) if (both.has(each.path)) yield each;
  } else {
    const inner = innerType ?? input ?? getter?.();
    if (inner) yield* walk(inner, value, at, left - 1);
  }
}

interface Parts extends ReturnType<typeof definitionOf> {
  readonly in?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly getter?: () => z.ZodType;
}
const parts = (schema: z.ZodType): Parts => definitionOf(schema);

/** Of several schemas, those that the value fits count, else all; the one that reads most of it says what it does not. */
function* fewest(options: readonly z.ZodType[], value: unknown, at: string, left: number): Generator<Unknown> {
  const fitting = options.filter((option) => hasShape(option, value));
  const found = (fitting.length > 0 ? fitting : options).map((option) => first(walk(option, value, at, left - 1)));
  const [least] = found.sort((a, b) => a.length - b.length);
  yield* least ?? [];
}

function named({ path, name, near }: Unknown): Unread {
  const shown = path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path;
  return near === undefined
    ? { name: shown }
    : { name: shown, near: `${path.slice(0, path.length - name.length)}${near}` };
}

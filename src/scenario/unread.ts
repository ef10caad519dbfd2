import { distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { definitionOf, hasShape, optionsOf } from '../contract/shape-check.ts';

/** A member that was sent and that no schema names, with its probable meaning. */
export interface Unread {
  readonly name: string;
  readonly near?: string;
}

/** A member that no schema names, with the names that its object may have, and those that it does not have yet. */
export interface Unknown {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
  readonly free: readonly string[];
  /** The members that its object may have. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** The most members that are named; a body may be full of them. */
const MOST = 10;
/** The most characters of a name that are shown. */
const LONGEST = 60;
/** The most levels that are searched. */
const DEEPEST = 12;

/** Common names for a member that has another name here; the first one that the schema has is meant. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    name: ['fullName', 'legalName'],
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
    currency: ['currencies'],
    balance: ['accounts'],
    balances: ['accounts'],
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

/** Returns the member with the same letters as a name, otherwise the one of the same meaning. */
export function sameAs(name: string, known: readonly string[]): string | undefined {
  const letters = plain(name.slice(0, LONGEST));
  const same = letters === '' ? undefined : known.find((one) => plain(one) === letters);
  return same ?? MEANT.get(letters)?.find((one) => known.includes(one));
}

/**
 * Returns the member that a name may mean: by the same letters, then the meaning, then a part of it, then the nearest
 * letters.
 */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  const letters = plain(name.slice(0, LONGEST));
  if (letters === '') return undefined;
  const whole = known.find((one) => letters.length > 2 && plain(one).endsWith(letters));
  const [near] = known
    .map((one) => [distance(letters, plain(one)), one] as const)
    .filter(([far]) => far <= Math.max(1, letters.length / 3))
    .sort(([a], [b]) => a - b);
  return sameAs(name, known) ?? whole ?? near?.[1];
}

/** Returns the members of a value that its schema does not name, and therefore ignores; at most ten. */
export function unreadIn(schema: z.ZodType, value: unknown): Unread[] {
  return first(walk(schema, value, [], DEEPEST, MOST)).map(named);
}

/** Yields the members of a value that its schema does not name, however many there are. */
export const unknownIn = (schema: z.ZodType, value: unknown): Iterable<Unknown> =>
  walk(schema, value, [], DEEPEST, Number.POSITIVE_INFINITY);

/** Returns the first of them, and walks no further than necessary. */
function first(found: Iterable<Unknown>): Unknown[] {
  const all: Unknown[] = [];
  for (const one of found) if (all.push(one) === MOST) break;
  return all;
}

type Path = readonly PropertyKey[];

function* walk(schema: z.ZodType, value: unknown, at: Path, left: number, items: number): Generator<Unknown> {
  if (left === 0 || typeof value !== 'object' || value === null) return;
  const definition = parts(schema);
  const { type, shape, catchall, element, innerType, options, in: input, left: one, right: other, getter } = definition;
  if (type === 'object' && shape) {
    let known: string[] | undefined;
    let free: string[] = [];
    for (const [name, member] of Object.entries(value)) {
      const of = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (of) yield* walk(of, member, [...at, name], left - 1, items);
      else if (!catchall) {
        if (!known) {
          known = Object.keys(shape);
          free = known.filter((each) => !Object.hasOwn(value, each));
        }
        yield { path: [...at, name], known, free, shape };
      }
    }
  } else if (type === 'array' && element && Array.isArray(value)) {
    for (const [i, each] of value.slice(0, items).entries()) yield* walk(element, each, [...at, i], left - 1, items);
  } else if (options) yield* fewest(definition, options, value, at, left, items);
  else if (one && other) {
    const both = new Set([...walk(other, value, at, left - 1, items)].map(({ path }) => path.join('.')));
    for (const each of walk(one, value, at, left - 1, items)) if (both.has(each.path.join('.'))) yield each;
  } else {
    const inner = innerType ?? input ?? getter?.();
    if (inner) yield* walk(inner, value, at, left - 1, items);
  }
}

/** Returns the nested members that a name may mean, as `address.city` for `city`: it may belong there. */
export const placesOf = (name: string, shape: Unknown['shape']): string[] =>
  Object.entries(shape).flatMap(([member, schema]) => {
    const meant = sameAs(name, [...membersOf(schema, 3)]);
    return meant === undefined ? [] : [`${member}.${meant}`];
  });

/** Returns the members that a value of a schema may have. */
function membersOf(schema: z.ZodType, left: number): Set<string> {
  const { shape, options, innerType } = parts(schema);
  if (shape || left === 0) return new Set(Object.keys(shape ?? {}));
  const inner = [...(options ?? []), ...(innerType ? [innerType] : [])];
  return new Set(inner.flatMap((one) => [...membersOf(one, left - 1)]));
}

interface Parts extends ReturnType<typeof definitionOf> {
  readonly in?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly getter?: () => z.ZodType;
}
const parts = (schema: z.ZodType): Parts => definitionOf(schema);

/**
 * Yields the unknown members of a value with several possible schemas. The one that the value's own discriminator names
 * counts; otherwise, of those that fit, or of all, the one that leaves fewest members unknown.
 */
function* fewest(
  definition: Parts,
  options: readonly z.ZodType[],
  value: object,
  at: Path,
  left: number,
  items: number,
): Generator<Unknown> {
  const kindOf = kinds.get(definition) ?? kindsOf(definition);
  if (kindOf && Reflect.get(value, definition.discriminator as string) !== undefined) {
    const option = kindOf(value);
    // For an unknown kind, nobody knows which members it has.
    if (option) yield* walk(option, value, at, left - 1, items);
    return;
  }
  const fitting = options.filter((option) => hasShape(option, value));
  const found = (fitting.length > 0 ? fitting : options).map((one) => first(walk(one, value, at, left - 1, items)));
  const [least] = found.sort((a, b) => a.length - b.length);
  yield* least ?? [];
}

type KindOf = ((value: unknown) => z.ZodType | undefined) | undefined;
const kinds = new WeakMap<Parts, KindOf>();

/** Returns the function that finds the schema of a value's kind, if a member names it. */
function kindsOf(definition: Parts): KindOf {
  const kindOf = definition.discriminator === undefined ? undefined : optionsOf(definition, (one) => one);
  kinds.set(definition, kindOf);
  return kindOf;
}

function named({ path, free }: Unknown): Unread {
  const [name, whole] = [String(path.at(-1)), path.join('.')];
  const shown = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
  const near = meantBy(name, free);
  return near === undefined ? { name: shown } : { name: shown, near: [...path.slice(0, -1), near].join('.') };
}

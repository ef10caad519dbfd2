import type * as z from 'zod';
import { isObject } from '../contract/json.ts';
import { definitionOf } from '../contract/shape-check.ts';
import { tick } from '../engine/signal.ts';
import { MOST_MISTAKES } from './bounds.ts';
import { Draft, valueAt } from './draft.ts';
import { unknownName } from './fault-lint.ts';
import { minorUnitsOf, type Pointed, pointSentence } from './minor-units.ts';
import { eitherOf, instead, LONGEST_NAME, nearest, nearValues, PAGE } from './nearest.ts';
import { OF_A_CALL } from './of-a-call.ts';
import { Scenario } from './schema.ts';
import { issuesIn, meantValue, objectText, sentenceAbout, unknownAmong } from './sentence.ts';
import { meantBy, placesOf, sameAs, type Unknown, unknownIn } from './unread.ts';

type Path = readonly PropertyKey[];
type Members = Readonly<Record<PropertyKey, unknown>>;

/** A mistake of form: its place, and its sentence, which is built when it is shown. */
export interface Mistake {
  readonly path: Path;
  /** The place that its message names: a wrong name is already in the sentence. */
  readonly about: Path;
  readonly say: () => string;
}

/** The form of a scenario: valid, or all its mistakes. */
export interface Form {
  readonly parsed: Scenario | undefined;
  readonly mistakes: readonly Mistake[];
  /** The number of mistakes; if there are very many, `mistakes` has only the first. */
  readonly count: number;
  /** The scenario with its nearly right names and values corrected, and without other unknown members. */
  readonly mended: unknown;
  /** Returns a place in `mended` as the file has it. */
  readonly written: (path: Path) => Path;
  /** Places of members in `mended` whose wrong value cannot be guessed. */
  readonly wrong: readonly Path[];
  /** Places of unknown members in `mended` that cannot be guessed. */
  readonly dropped: readonly Path[];
}

/** The most readings of a scenario: a member with a corrected name may contain others to correct. */
const MOST_ROUNDS = 4;

/** The length from which on a name with two wrong characters can still be guessed. */
const SHORTEST_NAME = 4;

/** Members of replies that follow from others: an account copied from a reply has them, which is not a mistake. */
const FOLLOWS: ReadonlySet<string> = new Set(['accountInfo.paymentRails']);

/**
 * Checks the form of a scenario: its members, their names and their values. A member with a misspelt name is read under
 * its right name, so that a required member is not reported as missing. `pointed` are numbers with a decimal point.
 */
export async function formOf(data: unknown, pointed: readonly Pointed[] = []): Promise<Form> {
  const mistakes: Mistake[] = [];
  const dropped: Path[] = [];
  const names = new Renamed();
  let mended: unknown = data ?? {};
  let read = await parse(mended);
  for (let round = 1; ; round += 1) {
    const unknown: UnknownName[] = [...unknownOf(read.issues, read.known), ...unreadIn(mended)];
    const guesses = unknown.length > MOST_MISTAKES ? undefined : guessesFor(mended, unknown);
    for (const [i, one] of unknown.entries())
      mistakes.push(aboutName(names.written(one.path), () => unknownSentence(one, guesses?.[i])));
    if (!guesses || unknown.length === 0 || round === MOST_ROUNDS) break;
    mended = named(mended, unknown, guesses, names);
    dropped.push(...unknown.flatMap(({ path }, i) => (guesses[i] === undefined ? [path] : [])));
    await tick();
    read = await parse(mended);
  }
  const points = new Set(pointed.map(({ path }) => path.join('\n')));
  // A member that an object lacks may be one of its unknown members.
  const emptied = new Set(dropped.map((path) => path.slice(0, -1).join('\n')));
  // If there are very many, only the first are processed: that costs several times as much as finding them.
  const some = read.issues.length > MOST_MISTAKES ? read.issues.slice(0, MOST_MISTAKES) : read.issues;
  const found = some.filter(
    ({ code, path }) =>
      code !== 'unrecognized_keys' &&
      !points.has(names.written(path).join('\n')) &&
      !(code === 'custom' && emptied.has(path.join('\n'))),
  );
  for (const issue of found) {
    const path = names.written(issue.path);
    mistakes.push({ path, about: path, say: () => sentenceAbout(issue, mended) });
  }
  for (const { path, message } of unknownNames(mended))
    mistakes.push({ path: names.written(path), about: names.written(path), say: () => message });
  for (const one of pointed) mistakes.push({ path: one.path, about: one.path, say: () => pointSentence(one, data) });
  const count = mistakes.length + read.issues.length - some.length;
  await tick();
  return {
    parsed: count === 0 ? read.data : undefined,
    mistakes,
    count,
    written: (path) => names.written(path),
    dropped,
    ...(count > MOST_MISTAKES ? { mended, wrong: [] } : withValues(mended, found, pointed)),
  };
}

/** Returns a mistake in a name: in a row its message says which row, elsewhere the name is enough. */
function aboutName(path: Path, say: () => string): Mistake {
  const inside = path.slice(0, -1);
  return { path, about: inside.some((step) => typeof step === 'number') ? inside : [], say };
}

/** Returns a scenario with corrected values, and the places of those that cannot be guessed. */
function withValues(data: unknown, issues: readonly z.core.$ZodIssue[], pointed: readonly Pointed[]) {
  const draft = new Draft(data);
  const guesses = [
    ...issues.map((issue) => ({ path: issue.path, value: meantValue(issue, data) })),
    ...pointed.map((one) => ({ path: one.path, value: minorUnitsOf(one, data) })),
  ];
  for (const { path, value } of guesses) if (value !== undefined) draft.put(path, value);
  return { mended: draft.data, wrong: guesses.flatMap(({ path, value }) => (value === undefined ? [path] : [])) };
}

/** Returns the places where faults name an unknown operation or event type: they could never match anything. */
function unknownNames(data: unknown): { path: Path; message: string }[] {
  const { faults } = Object(data);
  if (!Array.isArray(faults)) return [];
  return faults.flatMap((rule, i) => {
    const mistake = unknownName(rule);
    return mistake ? [{ path: ['faults', i, ...mistake.field.split('.')], message: mistake.message }] : [];
  });
}

type Known = WeakMap<readonly string[], z.ZodType>;

/**
 * Parses a scenario by its schema; for unknown members it notes which ones their object may have. That takes a second
 * reading, which is skipped for very many mistakes without unknown members, because other calls would wait.
 */
async function parse(data: unknown): Promise<{ data?: Scenario; issues: readonly z.core.$ZodIssue[]; known: Known }> {
  const known: Known = new WeakMap();
  const first = Scenario().safeParse(data);
  if (first.success) return { data: first.data, issues: [], known };
  await tick();
  const { issues } = first.error;
  if (issues.length > MOST_MISTAKES && !issues.some(({ code }) => code === 'unrecognized_keys'))
    return { issues, known };
  const again = Scenario().safeParse(data, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') known.set(issue.keys, issue.inst as z.ZodType);
      return objectText(issue);
    },
  });
  await tick();
  return { ...again, issues: issuesIn(again.error?.issues ?? []), known };
}

/**
 * An unknown member, perhaps of an object whose names are values, such as currencies, or of one with names of its own.
 */
interface UnknownName extends Unknown {
  readonly isValue?: boolean;
}

/** Returns the unknown members that the schema refuses. */
const unknownOf = (issues: readonly z.core.$ZodIssue[], known: Known): UnknownName[] =>
  issues.flatMap((issue) => {
    const schema = issue.code === 'unrecognized_keys' ? known.get(issue.keys) : undefined;
    if (issue.code !== 'unrecognized_keys' || !schema) return [];
    const { shape, keyType } = definitionOf(schema);
    const values = keyType && Object.values(definitionOf(keyType).entries ?? {});
    const names = values ?? Object.keys(shape ?? {});
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      known: names,
      free: names,
      shape: shape ?? {},
      isValue: !!values,
    }));
  });

/**
 * Returns the members that the schema would ignore: a call may have more than its operation knows, but a file means
 * every member.
 */
function unreadIn(data: unknown): Unknown[] {
  const found = [...unknownIn(Scenario(), data)];
  for (const [list, call] of Object.entries(OF_A_CALL)) {
    const entries = Object(data)[list];
    if (!Array.isArray(entries)) continue;
    for (const [i, entry] of entries.entries()) if (isObject(entry)) found.push(...unreadOf(entry, [list, i], call));
  }
  return found;
}

type Call = (typeof OF_A_CALL)[keyof typeof OF_A_CALL];

/** Returns the members of an entry that neither the call nor the list has. */
function unreadOf(entry: Members, at: Path, { shape, own, without }: Call): Unknown[] {
  const body = Object.fromEntries(Object.entries(entry).filter(([name]) => !own.includes(name)));
  const names = (known: readonly string[]) =>
    [...new Set([...own, ...known])].filter((name) => !without.includes(name));
  const found: Unknown[] = [];
  for (const one of unknownIn(shape(), body)) {
    const path = [...at, ...one.path];
    if (one.path.length > 1) found.push({ ...one, path });
    else found.push({ ...one, path, known: names(one.known), free: names(one.known) });
  }
  for (const name of without) if (name in body) found.push({ path: [...at, name], known: own, free: own, shape: {} });
  return found.filter(({ path }) => !FOLLOWS.has(path.slice(at.length).join('.')));
}

/** Returns the names that unknown members probably mean: no name twice in an object, and none that it has already. */
function guessesFor(data: unknown, unknown: readonly UnknownName[]): (string | undefined)[] {
  const taken = new Map<object, Set<string>>();
  return unknown.map((one) => {
    const whole = Object(valueAt(data, one.path.slice(0, -1)));
    const names = taken.get(whole) ?? new Set(Object.keys(whole));
    taken.set(whole, names);
    const guess = guessFor({ ...one, free: one.free.filter((name) => !names.has(name)) });
    if (guess !== undefined) names.add(guess);
    return guess;
  });
}

/** Returns the name that an unknown one probably means; for values, only if no other is equally near. */
function guessFor({ path, free, shape, isValue }: UnknownName): string | undefined {
  const name = String(path.at(-1));
  if (name.length > LONGEST_NAME) return undefined;
  if (isValue) {
    const near = nearValues(name, free);
    return near.length === 1 ? near[0] : undefined;
  }
  const same = sameAs(name, free);
  if (same !== undefined || placesOf(name, shape).length > 0) return same;
  return meantBy(name, free) ?? (name.length >= SHORTEST_NAME ? nearest(name, free) : undefined);
}

/**
 * Returns the sentence about an unknown member; without a guess, it names another place for it, or a near name that is
 * already present.
 */
function unknownSentence(one: UnknownName, guess: string | undefined): string {
  const { path, known, shape, isValue } = one;
  const name = String(path.at(-1));
  if (name.length > LONGEST_NAME) return `unknown key ${name.slice(0, LONGEST_NAME)}…`;
  if (isValue) return unknownAmong('key', name, known);
  if (name.startsWith('//')) return 'a comment begins with #, not with //';
  const places = eitherOf(placesOf(name, shape));
  return `unknown key ${name || '""'}${instead(guess ?? (places || guessFor({ ...one, free: known })), known, PAGE)}`;
}

/** Returns a scenario with unknown members under their guessed names, and without those that have no guess. */
function named(
  data: unknown,
  unknown: readonly Unknown[],
  guesses: readonly (string | undefined)[],
  names: Renamed,
): unknown {
  const draft = new Draft(data);
  for (const [i, { path }] of unknown.entries()) {
    const [inside, name] = [path.slice(0, -1), path.at(-1) as PropertyKey];
    const guess = guesses[i];
    if (guess !== undefined) {
      draft.put([...inside, guess], valueAt(data, path));
      names.note(inside, name, guess);
    }
    draft.drop(path);
  }
  return draft.data;
}

/** The names of members in the file, by the names under which they were read. */
class Renamed {
  readonly #names = new Map<string, Map<PropertyKey, PropertyKey>>();

  note(inside: Path, written: PropertyKey, read: PropertyKey): void {
    const key = this.written(inside).join('\n');
    const names = this.#names.get(key) ?? new Map();
    this.#names.set(key, names.set(read, written));
  }

  /** Returns a place as the file has it. */
  written(path: Path): PropertyKey[] {
    const out: PropertyKey[] = [];
    for (const step of path) out.push(this.#names.get(out.join('\n'))?.get(step) ?? step);
    return out;
  }
}

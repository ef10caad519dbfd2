import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isObject, jsonIn } from '../../contract/json.ts';
import type { Plan } from '../plan.ts';
import { tryOut } from '../record.ts';
import type { Member, Replies, Shape } from './shape.ts';

/** The format of a file. */
const FORMAT = 'sandbox-emulator shapes 1';

/** The shapes of one side's replies, and the day on which it gave them. */
export interface Shapes {
  /** The day of the replies in UTC, `2026-11-25`. */
  readonly date: string;
  /** The names and rules of the side that replied. */
  readonly profile: 'spec' | 'grid';
  /** The walks in which it replied. */
  readonly walks: Plan;
  readonly operations: Replies;
}

/** A shape as a file has it: a text of types, an object of members, `{"[]": ...}` for lists; a list of these is a choice. */
type Written = string | { readonly [name: string]: Written } | readonly Written[];

const LIST = '[]';
/** The deepest shape that is read. */
const DEEPEST = 100;

function write({ plain, elements, members }: Shape): Written {
  const choices: Written[] = plain.length > 0 ? [plain.join(' | ')] : [];
  if (elements !== undefined) choices.push({ [LIST]: elements === 'unseen' ? elements : write(elements) });
  if (members !== undefined)
    choices.push(
      Object.fromEntries(
        [...members].map(([name, { shape, isOptional }]) => [`${name}${isOptional ? '?' : ''}`, write(shape)]),
      ),
    );
  return choices.length === 1 ? (choices[0] as Written) : choices;
}

/** Returns shapes as the text of a file: equal shapes give equal texts. */
export function shapesText({ operations, ...rest }: Shapes): string {
  const written = Object.fromEntries(
    [...operations].map(([operation, replies]) => [
      operation,
      Object.fromEntries([...replies].map(([key, shape]) => [key, write(shape)])),
    ]),
  );
  return `${JSON.stringify({ format: FORMAT, ...rest, operations: written }, null, 2)}\n`;
}

class Wrong extends Error {}

const PLAIN = /^(?:boolean|null|number|string|none|text)$/;

function read(written: unknown, where: string, depth = 0): Shape {
  if (depth > DEEPEST) throw new Wrong(where);
  if (Array.isArray(written)) return together(written.map((one) => read(one, where, depth + 1)));
  if (typeof written === 'string') {
    const plain = written.split(' | ');
    if (!plain.every((type) => PLAIN.test(type))) throw new Wrong(where);
    return { plain };
  }
  if (!isObject(written)) throw new Wrong(where);
  if (LIST in written) {
    const elements = written[LIST];
    return { plain: [], elements: elements === 'unseen' ? elements : read(elements, `${where}[]`, depth + 1) };
  }
  const members = Object.entries(written).map(([key, shape]): [string, Member] => {
    const isOptional = key.endsWith('?');
    const name = isOptional ? key.slice(0, -1) : key;
    return [name, { shape: read(shape, `${where}.${name}`, depth + 1), isOptional }];
  });
  return { plain: [], members: new Map(members) };
}

const together = (shapes: readonly Shape[]): Shape =>
  Object.assign({}, ...shapes, { plain: shapes.flatMap(({ plain }) => plain) });

function isPlan(plan: unknown): plan is Plan {
  if (!isObject(plan)) return false;
  const { seed, count, operations, scenario, service } = plan;
  const areNames =
    operations === 'all' || (Array.isArray(operations) && operations.every((one) => typeof one === 'string'));
  return (
    Number.isInteger(seed) &&
    Number.isInteger(count) &&
    areNames &&
    typeof scenario === 'string' &&
    typeof service === 'boolean'
  );
}

const isOurs = (found: unknown): found is Record<string, unknown> => isObject(found) && found['format'] === FORMAT;

/**
 * Reads a file of shapes. Throws one sentence if it is not one, and the error of the file system if it cannot be read.
 */
export function readShapes(file: string): Shapes {
  const found = jsonIn(readFileSync(file, 'utf8'));
  if (!isOurs(found))
    throw new Error(`${file} is not a file of shapes, or of another version: it has to say ${FORMAT}`);
  const { date, profile, walks, operations } = found;
  const changed = (what: string) => new Error(`${file} is a file of shapes that was changed: ${what}`);
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date))
    throw changed('its date is not a day such as 2026-11-25');
  if (profile !== 'spec' && profile !== 'grid') throw changed('its profile is neither spec nor grid');
  if (!isPlan(walks)) throw changed('its walks cannot be made again');
  if (!isObject(operations) || !Object.values(operations).every(isObject)) throw changed('it has no operations');
  try {
    const replies = Object.entries(operations as Record<string, object>).map(
      ([operation, byKey]) =>
        [
          operation,
          new Map(Object.entries(byKey).map(([key, shape]) => [key, read(shape, `${operation} ${key}`)])),
        ] as const,
    );
    return { date, profile, walks, operations: new Map(replies) };
  } catch (error) {
    if (error instanceof Wrong) throw changed(`${error.message} is not a shape`);
    throw error;
  }
}

/** Checks before the first call that shapes can be written there, without overwriting a file of another kind. */
export function tryOutShapes(file: string): void {
  if (existsSync(file) && !isOurs(jsonIn(readFileSync(file, 'utf8'))))
    throw new Error(
      `${file} is not a file of shapes, so it is not written over: name another file, or delete this one`,
    );
  tryOut(file);
}

export const writeShapes = (file: string, shapes: Shapes): void => writeFileSync(file, shapesText(shapes));

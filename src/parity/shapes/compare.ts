import { ANY_KEY, type Declared, isDeclared, maybeNull, type Place } from './declared.ts';
import type { Replies, Shape } from './shape.ts';

/** One place in which the shapes of two sides contradict each other. */
export interface ShapeDifference {
  readonly operation: string;
  /** The status, and the code of a refusal: `409 CONFLICT`. */
  readonly reply: string;
  readonly kind: 'type' | 'missing' | 'added';
  /** The member, `data[].status`; empty for the reply as a whole. */
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Something that only one side showed, which may also be due to the chance of the walks. */
export interface Unseen {
  readonly operation: string;
  /** Empty if the operation was never called. */
  readonly reply: string;
  readonly path: string;
  /** The side that did not show it. */
  readonly by: 'ours' | 'theirs';
  readonly what: string;
}

export interface ShapeResult {
  readonly differences: readonly ShapeDifference[];
  readonly unseen: readonly Unseen[];
}

/** The result of a comparison with a file of shapes. */
export interface ShapesResult extends ShapeResult {
  readonly file: string;
  readonly date: string;
  readonly profile: 'spec' | 'grid';
  readonly seed: number;
  readonly walks: number;
  readonly calls: number;
}

/** Returns the types of a shape in words. */
const typesOf = ({ plain, elements, members }: Shape): string[] =>
  [...plain, ...(elements === undefined ? [] : ['list']), ...(members === undefined ? [] : ['object'])].sort();
const wordsOf = (shape: Shape): string => typesOf(shape).join(' or ');

/** Compares the shapes of this side with those of another. `declared` is the contract of this side. */
export function compareShapes(ours: Replies, theirs: Replies, declared: Declared): ShapeResult {
  const differences: ShapeDifference[] = [];
  const unseen: Unseen[] = [];
  for (const operation of union(ours, theirs)) {
    const [a, b] = [ours.get(operation), theirs.get(operation)];
    if (a === undefined || b === undefined) {
      unseen.push({ operation, reply: '', path: '', by: a === undefined ? 'ours' : 'theirs', what: 'any reply' });
      continue;
    }
    for (const reply of union(a, b)) {
      const [mine, other] = [a.get(reply), b.get(reply)];
      if (mine && other) {
        const pair = new Pair(operation, reply, declared, differences, unseen);
        pair.compare(mine, other, '', declared.reply(operation, Number.parseInt(reply, 10)));
      } else unseen.push({ operation, reply, path: '', by: mine ? 'theirs' : 'ours', what: 'such a reply' });
    }
  }
  return { differences, unseen };
}

const union = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].sort();

/** Compares one kind of reply. */
class Pair {
  readonly #operation: string;
  readonly #reply: string;
  readonly #declared: Declared;
  readonly #differences: ShapeDifference[];
  readonly #unseen: Unseen[];

  constructor(operation: string, reply: string, declared: Declared, differences: ShapeDifference[], unseen: Unseen[]) {
    this.#operation = operation;
    this.#reply = reply;
    this.#declared = declared;
    this.#differences = differences;
    this.#unseen = unseen;
  }

  compare(ours: Shape, theirs: Shape, path: string, place: Place): void {
    this.#types(ours, theirs, path, place);
    if (ours.members && theirs.members) this.#members(ours.members, theirs.members, path, place);
    const [a, b] = [ours.elements, theirs.elements];
    if (a === undefined || b === undefined || (a === 'unseen' && b === 'unseen')) return;
    const at = `${path}[]`;
    if (a === 'unseen' || b === 'unseen') this.#notSeen(a === 'unseen' ? 'ours' : 'theirs', 'an element', at);
    else this.compare(a, b, at, this.#declared.element(place));
  }

  #differ(kind: ShapeDifference['kind'], path: string, ours: string, theirs: string): void {
    this.#differences.push({ operation: this.#operation, reply: this.#reply, kind, path, ours, theirs });
  }

  #notSeen(by: Unseen['by'], what: string, path: string): void {
    this.#unseen.push({ operation: this.#operation, reply: this.#reply, path, by, what });
  }

  /**
   * Compares types. Null depends on the state of a row: it is a difference only if the contract here does not allow it.
   */
  #types(ours: Shape, theirs: Shape, path: string, place: Place): void {
    const [a, b] = [typesOf(ours), typesOf(theirs)];
    const [more, others] = [a.filter((type) => !b.includes(type)), b.filter((type) => !a.includes(type))];
    if (more.length === 0 && others.length === 0) return;
    const isOnlyNull = (types: readonly string[]): boolean => types.every((type) => type === 'null');
    const isChance = (isOnlyNull(more) || isOnlyNull(b)) && (isOnlyNull(others) || isOnlyNull(a));
    if (!isChance || (others.includes('null') && !maybeNull(place)))
      return void this.#differ('type', path, wordsOf(ours), wordsOf(theirs));
    if (more.length > 0) this.#notSeen('theirs', more.join(' or '), path);
    if (others.length > 0) this.#notSeen('ours', others.join(' or '), path);
  }

  #members(
    ours: NonNullable<Shape['members']>,
    theirs: NonNullable<Shape['members']>,
    path: string,
    place: Place,
  ): void {
    for (const name of union(ours, theirs)) {
      const at = path === '' ? name : `${path}.${name}`;
      const [mine, other] = [ours.get(name), theirs.get(name)];
      if (mine && other) this.compare(mine.shape, other.shape, at, this.#declared.member(place, name));
      else if (name === ANY_KEY) this.#notSeen(mine ? 'theirs' : 'ours', 'a key', at);
      else if (mine) {
        if (mine.isOptional) this.#notSeen('theirs', 'the member', at);
        else this.#differ('missing', at, wordsOf(mine.shape), '');
      } else if (other) {
        // A member that is not in the contract here can never appear here.
        if (other.isOptional && isDeclared(place, name)) this.#notSeen('ours', 'the member', at);
        else this.#differ('added', at, '', wordsOf(other.shape));
      }
    }
  }
}

import { ERRORS } from '../../contract/errors.ts';
import { PROFILES } from '../../contract/profile.ts';
import type { Said } from '../normal.ts';
import { ANY_KEY, type Declared, type Place } from './declared.ts';

/** The types of values in one place, and of their contents; it contains no value. */
export interface Shape {
  /**
   * The types without contents, in order: `boolean`, `null`, `number`, `string`; of a whole body also `none` and
   * `text`.
   */
  readonly plain: readonly string[];
  /** The elements of lists there; `unseen` if every list was empty. */
  readonly elements?: Shape | 'unseen';
  /** The members of objects there, in order of their names. */
  readonly members?: ReadonlyMap<string, Member>;
}

export interface Member {
  readonly shape: Shape;
  /** True if some of the objects lack it. */
  readonly isOptional: boolean;
}

/** The shapes of replies, by operation, then by status with its error code: `409 CONFLICT`. */
export type Replies = ReadonlyMap<string, ReadonlyMap<string, Shape>>;

/** The types that were seen in one place so far. */
class Seen {
  readonly #plain = new Set<string>();
  readonly #members = new Map<string, { seen: Seen; count: number }>();
  #objects = 0;
  #lists = 0;
  #elements: Seen | undefined;

  value(value: unknown, place: Place, declared: Declared): void {
    if (Array.isArray(value)) {
      this.#lists += 1;
      for (const element of value) {
        this.#elements ??= new Seen();
        this.#elements.value(element, declared.element(place), declared);
      }
    } else if (typeof value === 'object' && value !== null) this.#object(value, place, declared);
    else this.type(value === null ? 'null' : typeof value);
  }

  type(name: string): void {
    this.#plain.add(name);
  }

  #object(value: object, place: Place, declared: Declared): void {
    this.#objects += 1;
    const met = new Set<string>();
    for (const [key, member] of Object.entries(value)) {
      const name = declared.nameOf(place, key);
      const known = this.#members.get(name) ?? { seen: new Seen(), count: 0 };
      known.seen.value(member, declared.member(place, key), declared);
      // A map has many keys, but counts as one member.
      this.#members.set(name, { seen: known.seen, count: known.count + (met.has(name) ? 0 : 1) });
      met.add(name);
    }
  }

  get shape(): Shape {
    const plain = [...this.#plain].sort();
    const members = [...this.#members]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { seen, count }]) => [name, { shape: seen.shape, isOptional: count < this.#objects }] as const);
    return {
      plain,
      ...(this.#lists === 0 ? {} : { elements: this.#elements?.shape ?? 'unseen' }),
      ...(this.#objects === 0 ? {} : { members: new Map(members) }),
    };
  }
}

/** The error codes of the contract, in the words of either profile: any other code of a refusal may be a value. */
const CODES: ReadonlySet<string> = new Set([
  ...Object.keys(ERRORS),
  ...Object.values(PROFILES).flatMap(({ values }) => Object.values(values['code'] ?? {})),
]);

function keyOf({ status, body }: Said): string {
  if (status < 400 || typeof body !== 'object' || body === null || Array.isArray(body)) return String(status);
  const { code } = body as { readonly code?: unknown };
  if (typeof code !== 'string') return String(status);
  return `${status} ${CODES.has(code) ? code : ANY_KEY}`;
}

/** Collects the shapes of replies. It keeps no value of any reply. */
export class Gathered {
  readonly #declared: Declared;
  readonly #seen = new Map<string, Map<string, Seen>>();

  constructor(declared: Declared) {
    this.#declared = declared;
  }

  add(operation: string, said: Said): void {
    const replies = this.#seen.get(operation) ?? new Map<string, Seen>();
    this.#seen.set(operation, replies);
    const key = keyOf(said);
    const seen = replies.get(key) ?? new Seen();
    replies.set(key, seen);
    const isJson = said.type === 'application/json' || said.type?.endsWith('+json');
    if (said.body === null && said.type === null) seen.type('none');
    else if (typeof said.body === 'string' && !isJson) seen.type('text');
    else seen.value(said.body, this.#declared.reply(operation, said.status), this.#declared);
  }

  get replies(): Replies {
    const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(
      sorted(this.#seen).map(([operation, replies]) => [
        operation,
        new Map(sorted(replies).map(([key, seen]) => [key, seen.shape])),
      ]),
    );
  }
}

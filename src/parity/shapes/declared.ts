import { isObject } from '../../contract/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schemas of a place in a reply by the contract; none if the contract does not have the place. */
export type Place = readonly Schema[];

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** The form of member names in a contract. Other names are keys of maps: ids, labels, currencies. */
const NAME = /^[a-z][A-Za-z0-9]{0,40}$/;
/** The name that stands for every key of a map. */
export const ANY_KEY = '*';

/** The replies of a contract, by an OpenAPI document: which names of members are its own, and which are values. */
export class Declared {
  readonly #document: Schema;
  readonly #replies = new Map<string, Schema>();

  constructor(document: Schema) {
    this.#document = document;
    for (const path of Object.values((document['paths'] ?? {}) as Schema))
      for (const operation of Object.values(path as Schema))
        if (isObject(operation)) this.#replies.set(String(operation['operationId']), operation['responses'] as Schema);
  }

  /**
   * Returns the place of a whole reply. An undeclared status may have any declared shape of its class, success or
   * refusal.
   */
  reply(operation: string, status: number): Place {
    const replies = this.#replies.get(operation) ?? {};
    const own = replies[status];
    const isRefusal = (text: string): boolean => Number(text) >= 400;
    const others = Object.entries(replies).filter(([text]) => isRefusal(text) === status >= 400);
    return (own === undefined ? others.map(([, reply]) => reply) : [own]).flatMap((reply) => {
      const { content } = reply as { content?: Record<string, { schema?: Schema }> };
      return this.#flat(content?.['application/json']?.schema);
    });
  }

  /** Returns a member's name as a file may contain it: as it is, or `*` if it may be a key that a person chose. */
  nameOf(place: Place, name: string): string {
    if (isDeclared(place, name)) return name;
    const objects = place.filter(hasMembers);
    // Only a closed object can have a new member; in any other, a name may as well be a value.
    const isCertain = objects.length > 0 && objects.every((schema) => schema['additionalProperties'] === false);
    return isCertain && NAME.test(name) ? name : ANY_KEY;
  }

  /** Returns the place of a member. */
  member(place: Place, name: string): Place {
    if (!isDeclared(place, name)) return place.flatMap((schema) => this.#flat(schema['additionalProperties']));
    return place.flatMap((schema) => this.#flat(membersOf(schema)[name]));
  }

  /** Returns the place of an element of a list. */
  element(place: Place): Place {
    return place.flatMap(({ items, prefixItems }) => [...listOf(prefixItems), items].flatMap((one) => this.#flat(one)));
  }

  /** Returns a schema as the list of its alternatives. */
  #flat(schema: unknown, within: readonly unknown[] = []): Place {
    if (!isObject(schema) || within.includes(schema)) return [];
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
    const parts = [
      ...listOf(anyOf),
      ...listOf(oneOf),
      ...listOf(allOf),
      ...(typeof $ref === 'string' ? [this.#at($ref)] : []),
    ];
    const branches = parts.flatMap((part) => this.#flat(part, [...within, schema]));
    return 'type' in rest || hasMembers(rest) || parts.length === 0 ? [rest, ...branches] : branches;
  }

  #at(ref: string): unknown {
    let found: unknown = this.#document;
    for (const name of ref.split('/').slice(1)) found = isObject(found) ? found[name] : undefined;
    return found;
  }
}

const membersOf = ({ properties }: Schema): Schema => (isObject(properties) ? properties : {});
const hasMembers = (schema: Schema): boolean => 'properties' in schema || 'additionalProperties' in schema;

/** Returns whether the contract names a member in this place. */
export const isDeclared = (place: Place, name: string): boolean =>
  place.some((schema) => Object.hasOwn(membersOf(schema), name));

/** Returns whether the contract allows null in a place. A place without a schema may be anything. */
export const maybeNull = (place: Place): boolean =>
  place.length === 0 ||
  place.some((schema) => {
    const { type, enum: values } = schema;
    if (listOf(type).includes('null') || listOf(values).includes(null)) return true;
    return type === undefined && values === undefined && !('const' in schema) && !hasMembers(schema);
  });

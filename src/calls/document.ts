import { isObject } from '../contract/json.ts';
import type { CommandContext } from '../sandbox/commands/command.ts';
import type { Host } from '../sandbox/host.ts';

/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** An operation in the OpenAPI document. */
export interface Documented extends Json {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Json;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content?: Readonly<Record<string, { schema?: Json }>>;
  };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, { schema?: Json }>> }>
  >;
  /** The credentials of the call, if they are not Basic credentials. */
  readonly security?: readonly Json[];
}

/** The depth to which named shapes within each other are unfolded; deeper ones are only named. */
const DEEPEST = 6;

const documents = new WeakMap<Host, Promise<Json>>();

/** Returns the OpenAPI document of a host's profile, parsed; it is read once per host. */
export function documentOf({ host, baseUrl }: Pick<CommandContext, 'host' | 'baseUrl'>): Promise<Json> {
  let document = documents.get(host);
  if (!document) {
    const url = new URL('/_emulator/openapi.json', baseUrl);
    document = host.fetch(new Request(url)).then((response) => response.json() as Promise<Json>);
    documents.set(host, document);
    document.catch(() => documents.delete(host));
  }
  return document;
}

/** Returns the entry of an operation in the document. */
export function documented(document: Json, { method, path }: { method: string; path: string }): Documented {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  return paths[path]?.[method.toLowerCase()] ?? {};
}

/** Returns a named shape of the document. */
export function namedShape(document: Json, reference: string): Json {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, Json>> };
  return schemas[reference.split('/').at(-1) as string] ?? {};
}

/** Returns a schema with its references unfolded; a recursive or too deep one keeps its name as `title`. */
export function unfolded(document: Json, schema: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((one) => unfolded(document, one, within));
  if (!isObject(schema)) return schema;
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, unfolded(document, one, within)]));
  const title = $ref.split('/').at(-1) as string;
  if (within.includes(title) || within.length >= DEEPEST) return { title, ...rest };
  const shape = unfolded(document, namedShape(document, $ref), [...within, title]) as Json;
  return { title, ...shape, ...rest };
}

/** The parts of a schema that list its members. */
export interface Schema {
  readonly properties?: object;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Returns the names of the members of a schema, in any of its forms. */
export const membersIn = ({ properties = {}, oneOf = [], anyOf = [], allOf = [] }: Schema = {}): string[] => [
  ...Object.keys(properties),
  ...[...oneOf, ...anyOf, ...allOf].flatMap(membersIn),
];

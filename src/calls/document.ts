import { isObject } from '../contract/json.ts';
import type { CommandContext } from '../sandbox/commands/command.ts';
import type { Host } from '../sandbox/host.ts';

/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** An operation as the document has it. */
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

/** Named shapes that are unfolded within each other at most; deeper ones are named only. */
const DEEPEST = 6;

const documents = new WeakMap<Host, Promise<Json>>();

/** The OpenAPI document of a host's profile, parsed; read once a host. */
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

/** Returns what an operation is in the document. */
export function documented(document: Json, { method, path }: { method: string; path: string }): Documented {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  return paths[path]?.[method.toLowerCase()] ?? {};
}

/** A named shape of the document. */
export function namedShape(document: Json, reference: string): Json {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, Json>> };
  return schemas[reference.split('/').at(-1) as string] ?? {};
}

/** A schema with its references unfolded; where one comes again within itself, or too deep, its name stands as `title`. */
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

/** A schema of the document, as far as its members go. */
export interface Schema {
  readonly properties?: object;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The names of the members that a schema has, in any of its forms. */
export const membersIn = ({ properties = {}, oneOf = [], anyOf = [], allOf = [] }: Schema = {}): string[] => [
  ...Object.keys(properties),
  ...[...oneOf, ...anyOf, ...allOf].flatMap(membersIn),
];

import { nearest } from '../scenario/nearest.ts';

/** A JSON schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The parts of a call. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An operation as the control API describes it. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly body?: Schema;
  readonly example: Sent & { readonly needs?: string };
}

type ReadFile = (path: string) => Promise<object>;

/**
 * Returns a call with fields added to it: a field is a parameter in the path or the query, a header, or a member of the
 * body.
 */
export async function sentOf(
  described: Described,
  base: Sent,
  fields: readonly string[],
  readFile: ReadFile,
): Promise<Sent> {
  const sent = { params: { ...base.params }, query: { ...base.query }, headers: { ...base.headers } };
  let body = base.body;
  for (const [name, text] of fieldsOf(fields)) {
    const parameter = described.parameters.find((one) => one.name === name);
    if (parameter?.in === 'path') sent.params[name] = text ?? missing(name);
    else if (parameter?.in === 'query') sent.query[name] = text ?? 'true';
    else if (parameter?.in === 'header') sent.headers[name] = text ?? missing(name);
    else {
      const path = name.split('.');
      const schemas = schemasAt(described, path);
      body = put(body, path, await typed(name, text, schemas, readFile));
    }
  }
  return body === undefined ? sent : { ...sent, body };
}

/** Returns a hint how to send a valid body, after a 400; undefined otherwise. `program` starts this program. */
export function bodyHint({ id, body }: Described, status: number, program: string): string | undefined {
  if (status !== 400 || body === undefined) return undefined;
  return `a body that is valid now: ${program} call ${id} --example; fields beside it, such as --name value, change it`;
}

const missing = (name: string): never => {
  throw new Error(`--${name} needs a value`);
};

/** Returns fields in order: `--name value`, `--name=value` or `--name` alone. */
function fieldsOf(words: readonly string[]): [name: string, text: string | undefined][] {
  const fields: [string, string | undefined][] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as string;
    if (!word.startsWith('--') || word.length < 3) throw new Error(`${word} stands for no field; write --name ${word}`);
    const at = word.indexOf('=');
    const next = words[i + 1];
    if (at > 0) fields.push([word.slice(2, at), word.slice(at + 1)]);
    else if (next === undefined || next.startsWith('--')) fields.push([word.slice(2), undefined]);
    else {
      fields.push([word.slice(2), next]);
      i += 1;
    }
  }
  return fields;
}

/** Returns a schema and all its alternatives. */
function alternatives(schema: Schema): Schema[] {
  const others = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...others.flatMap(alternatives)];
}

/** Returns the schemas that a member may have; refuses one that no schema knows, with the right names. */
function schemasAt(described: Described, path: readonly string[]): Schema[] {
  let at = described.body ? alternatives(described.body) : [];
  const names: string[] = described.parameters.map((one) => one.name);
  for (const [i, name] of path.entries()) {
    const known = at.flatMap((one) => Object.keys(one.properties ?? {}));
    const next = at.flatMap((one) => {
      const member = Object.hasOwn(one.properties ?? {}, name) ? one.properties?.[name] : undefined;
      return [member, /^\d+$/.test(name) ? one.items : undefined].filter((found) => found !== undefined);
    });
    const isOpen = at.some((one) => typeof one.additionalProperties === 'object' || one.additionalProperties === true);
    if (next.length === 0 && !(isOpen && name !== '__proto__'))
      throw new Error(unknown(described, path.slice(0, i + 1), i === 0 ? [...names, ...known] : known));
    at = next.flatMap(alternatives);
  }
  return at;
}

function unknown({ id }: Described, path: readonly string[], known: readonly string[]): string {
  const right = [...new Set(known)];
  const name = path.at(-1) as string;
  const near = nearest(name, right);
  const before = path
    .slice(0, -1)
    .map((one) => `${one}.`)
    .join('');
  const hint = near
    ? `did you mean --${before}${near}?`
    : right.length > 0
      ? `there is ${right.join(', ')}`
      : 'it takes none';
  return `${id} has no field ${path.join('.')}; ${hint}`;
}

/** Returns a text as a value of the requested type. */
async function typed(
  name: string,
  text: string | undefined,
  schemas: readonly Schema[],
  readFile: ReadFile,
): Promise<unknown> {
  const types = new Set(schemas.flatMap(({ type, const: fixed }) => type ?? (fixed === undefined ? [] : typeof fixed)));
  if (text === undefined) return types.has('boolean') ? true : missing(name);
  if (schemas.some(({ format }) => format === 'binary')) return readFile(text.replace(/^@/, ''));
  if (types.has('null') && text === 'null') return null;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.has('integer') || types.has('number')) && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text);
  if ((types.has('array') || types.has('object') || types.size === 0) && /^[[{]/.test(text)) return json(name, text);
  if (types.has('array') && !types.has('string')) return text.split(',').map((one) => one.trim());
  return text;
}

/** Returns the value of a flag as JSON. Throws if it is not JSON, with the position in the text. */
export function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`--${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Returns a value with a member replaced, at any depth; a text or a number on the way is overwritten. */
function put(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  if (Array.isArray(value) || (value === undefined && /^\d+$/.test(name))) {
    const list = [...((value as unknown[] | undefined) ?? [])];
    list[Number(name)] = put(list[Number(name)], rest, member);
    return list;
  }
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...object, [name]: put(Object.hasOwn(object, name) ? object[name] : undefined, rest, member) };
}

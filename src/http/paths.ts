import { decode } from '../contract/decode.ts';

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  /** The declared path, if one ends here. */
  path: string | undefined;
  readonly methods: Map<string, T>;
  names: readonly string[];
}

const node = <T>(): Node<T> => ({
  literals: new Map(),
  parameter: undefined,
  path: undefined,
  methods: new Map(),
  names: [],
});

/** The contents of a path: the methods that answer there, and the values of its parameters. */
export interface Found<T> {
  readonly path: string;
  readonly methods: ReadonlyMap<string, T>;
  readonly params: Record<string, string>;
  /** Returns the value for a method; HEAD is served like GET, without a body (RFC 9110, 9.3.2). */
  at(method: string): T | undefined;
}

/**
 * Declared paths as a tree of segments. A literal segment precedes a parameter if both match, whatever the order of
 * declaration, so that no path shadows another. One lookup distinguishes found, wrong method and unknown.
 */
export class Paths<T> {
  readonly #root: Node<T> = node();

  /** Declares `METHOD /some/{parameter}`. A duplicate is a bug. */
  add(method: string, path: string, value: T): void {
    let at = this.#root;
    const names: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      let next = name ? at.parameter : at.literals.get(segment);
      if (!next) {
        next = node();
        if (name) at.parameter = next;
        else at.literals.set(segment, next);
      }
      if (name) names.push(name);
      at = next;
    }
    if (at.methods.has(method)) throw new Error(`${method} ${path} is declared twice`);
    at.path = path;
    at.names = names;
    at.methods.set(method, value);
  }

  /** Finds a path that begins with `/`, percent-encoded or not. */
  find(path: string): Found<T> | undefined {
    const values: string[] = [];
    const end = walk(this.#root, path, 1, values);
    if (end?.path === undefined) return undefined;
    const params: Record<string, string> = {};
    for (let i = 0; i < end.names.length; i += 1) params[end.names[i] as string] = decode(values[i] as string);
    const { path: declared, methods } = end;
    return { path: declared, methods, params, at: (method) => methods.get(method === 'HEAD' ? 'GET' : method) };
  }
}

/** Walks on from the start of a segment in the path; 0 means that the path has ended. */
function walk<T>(at: Node<T>, path: string, from: number, values: string[]): Node<T> | undefined {
  if (from === 0) return at.path === undefined ? undefined : at;
  const slash = path.indexOf('/', from);
  const segment = slash < 0 ? path.slice(from) : path.slice(from, slash);
  const literal = at.literals.get(segment);
  const found = literal && walk(literal, path, slash + 1, values);
  if (found || !at.parameter || segment === '') return found;
  values.push(segment);
  const end = walk(at.parameter, path, slash + 1, values);
  if (!end) values.pop();
  return end;
}

/** Returns a path in the canonical spelling for comparisons: `%3A` is `:`, whatever a client escapes. */
export const plainPath = (path: string): string =>
  path.includes('%') ? path.split('/').map(plainSegment).join('/') : path;

/** Returns a segment decoded; a slash within it stays escaped, because it does not end the segment. */
const plainSegment = (segment: string): string => decode(segment).replaceAll('/', '%2F');

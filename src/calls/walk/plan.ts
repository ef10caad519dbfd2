/** A value of a JSON body. In its texts, `{{name:path}}` stands for a member of an earlier reply of the called side. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The file and the text parts of an upload. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly type: string; readonly content: string };
}

/** One call of a walk, the same for both sides: ids are references to earlier replies of each side. */
export interface Call {
  /** The name by which later calls refer to its reply; unique within a walk. */
  readonly name: string;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly form?: Form;
  /** The credentials of a call: the platform's, none, wrong ones, or an access token that a reference names. */
  readonly as: string;
}

/** A pause on both sides, so that jobs become due. */
export interface Pause {
  readonly name: string;
  /** A duration, as people write it: `10s`. */
  readonly pass: string;
}

export type Step = Call | Pause;
export type Walk = readonly Step[];

export const isPause = (step: Step): step is Pause => 'pass' in step;

/** Returns the calls of a walk, without the pauses between them. */
export const callsOf = (walk: Walk): Call[] => walk.filter((step): step is Call => !isPause(step));

const REFERENCE = /\{\{([\w|]+)(?::([\w.-]+))?\}\}/g;
/** The name of a text that is unique to each run, so that a walk can be sent to the same service twice. */
export const RUN = 'run';

/**
 * Returns a reference to a member of the reply of a call, such as `{{c1:data.0.id}}`; for `c1|c2`, the last that has
 * it.
 */
export const ref = (call: string, path = 'id'): string => `{{${call}:${path}}}`;

/** The token of an identity provider that was made for this run, bound to the client's key of the samples. */
export const OIDC = '{{oidc}}';

/** Returns a text that differs from that of every other run. */
export const unique = (text: string): string => `${text}{{${RUN}}}`;

/** The error for a reference that leads nowhere on a side: the call with it cannot be made there. */
export class Unresolved extends Error {}

/** The values of references on one side. */
export interface Known {
  readonly run: string;
  readonly oidc: string;
  reply(call: string): unknown;
}

const memberOf = (at: unknown, part: string): unknown =>
  typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? (at as Record<string, unknown>)[part] : undefined;

function lookUp(known: Known, name: string, path: string | undefined): unknown {
  if (name === RUN || name === 'oidc') return name === RUN ? known.run : known.oidc;
  const parts = (path ?? '').split('.').filter(Boolean);
  for (const one of name.split('|').reverse()) {
    const found = parts.reduce<unknown>((at, part) => memberOf(at, part), known.reply(one));
    if (found !== undefined && found !== null) return found;
  }
  throw new Unresolved(`${name}:${path}`);
}

/** Returns a value with every reference replaced by its value. Throws `Unresolved`. */
export function resolve<T>(value: T, known: Known): T {
  if (typeof value === 'string') {
    const [whole] = value.matchAll(REFERENCE);
    if (whole === undefined) return value;
    if (whole[0] === value) return lookUp(known, whole[1] as string, whole[2]) as T;
    return value.replace(REFERENCE, (_, name, path) => String(lookUp(known, name, path))) as T;
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, known)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, known)])) as T;
}

/** Returns the calls whose replies a step needs. */
export function needs(step: Step): ReadonlySet<string> {
  const names = [...JSON.stringify(step).matchAll(REFERENCE)].flatMap((match) => (match[1] as string).split('|'));
  return new Set(names.filter((name) => name !== RUN && name !== 'oidc'));
}

/** Returns a step and all the steps that it needs, directly or not. */
export function leadingTo(walk: Walk, last: number): Step[] {
  const step = walk[last];
  if (!step) return [];
  const wanted = new Set(needs(step));
  const kept: Step[] = [step];
  for (const earlier of walk.slice(0, last).reverse()) {
    if (!wanted.has(earlier.name)) continue;
    kept.unshift(earlier);
    for (const name of needs(earlier)) wanted.add(name);
  }
  return kept;
}

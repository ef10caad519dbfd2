import type { Json } from '../calls/index.ts';
import type { Said } from './normal.ts';

/** The kind of difference. */
export type Kind = 'status' | 'code' | 'type' | 'missing' | 'added' | 'value' | 'length' | 'order' | 'time';

/** One place in which two replies to the same call differ. */
export interface Difference {
  readonly operation: string;
  readonly kind: Kind;
  /** The member, `data[].status`; empty for the reply as a whole. */
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Returns a text that identifies the cause of a difference: equal texts have the same cause, as far as a caller can
 * see.
 */
export function causeOf({ operation, kind, path, ours, theirs }: Difference): string {
  const shown = kind === 'missing' || kind === 'added' || !isWord(ours) || !isWord(theirs);
  const where = [operation, kind, path].filter(Boolean).join(' ');
  return shown && kind !== 'status' && kind !== 'code' ? where : `${where}: ${ours} -> ${theirs}`;
}

/** Returns whether a text is a value that a contract lists, not one that a person has chosen or counted. */
const isWord = (text: string): boolean => /^(?:[A-Z][A-Z_0-9]*|true|false|null|[A-Z_-]*‹\w+›|[a-z]+_‹\w+›)$/.test(text);

const NAME = /([A-Za-z]*#\d+)/;
const TIME = /^‹time (-?[\d.]+)›$/;

/** The pairs of names that both sides use for one thing, learned as replies are compared. */
export class Pairs {
  readonly #theirs = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  /** Returns whether two names may stand for the same thing; from then on they do. */
  same(ours: string, theirs: string): boolean {
    const [known, back] = [this.#theirs.get(ours), this.#ours.get(theirs)];
    if (known !== undefined || back !== undefined) return known === theirs && back === ours;
    if (ours.split('#')[0] !== theirs.split('#')[0]) return false;
    this.#theirs.set(ours, theirs);
    this.#ours.set(theirs, ours);
    return true;
  }

  /** Returns whether the walk has met this name of ours, or of theirs, before. */
  knows(name: string, side: 'ours' | 'theirs'): boolean {
    return (side === 'ours' ? this.#theirs : this.#ours).has(name);
  }
}

/** The rules by which two replies are compared. */
export interface Rules {
  /** True if others also work in the other side's account: rows that this walk did not make are skipped. */
  readonly shared: boolean;
  /** True if the other side has a webhook endpoint of its own, which is not compared. */
  readonly endpoint: boolean;
}

const NO_ENDPOINT = 'WEBHOOK_ENDPOINT_NOT_SET';

interface Context {
  readonly operation: string;
  readonly pairs: Pairs;
  readonly rules: Rules;
  readonly found: Difference[];
  readonly times: { ours: number; theirs: number; path: string }[];
}

/** Returns every difference between two replies to one call. */
export function compare(operation: string, ours: Said, theirs: Said, pairs: Pairs, rules: Rules): Difference[] {
  const context: Context = { operation, pairs, rules, found: [], times: [] };
  const add = (kind: Kind, path: string, a: string, b: string) =>
    context.found.push({ operation, kind, path, ours: a, theirs: b });
  const [a, b] = [codeOf(ours), codeOf(theirs)];
  if (ours.status !== theirs.status) {
    if (rules.endpoint && (a === NO_ENDPOINT || b === NO_ENDPOINT)) return [];
    // An account of the platform that an earlier walk has left there.
    if (rules.shared && operation === 'createPlatformExternalAccount' && theirs.status === 409) return [];
    add('status', '', [ours.status, a].filter(Boolean).join(' '), [theirs.status, b].filter(Boolean).join(' '));
    return context.found;
  }
  if (a !== b) {
    add('code', '', a, b);
    return context.found;
  }
  if (ours.type !== theirs.type) add('value', 'content-type', String(ours.type), String(theirs.type));
  values(ours.body, theirs.body, '', context);
  order(context);
  return context.found;
}

const codeOf = ({ status, body }: Said): string => {
  if (status < 400 || typeof body !== 'object' || body === null || Array.isArray(body)) return '';
  const { code } = body as { code?: Json };
  return typeof code === 'string' ? code : '';
};

const kindOf = (value: Json): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
const shown = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

function values(ours: Json, theirs: Json, path: string, context: Context): void {
  const { operation, found } = context;
  const add = (kind: Kind, a: string, b: string, at = path) =>
    void found.push({ operation, kind, path: at, ours: a, theirs: b });
  if (kindOf(ours) !== kindOf(theirs)) {
    const isValue = ours === null || theirs === null;
    if (isValue) add('value', ours === null ? 'null' : kindOf(ours), theirs === null ? 'null' : kindOf(theirs));
    else add('type', kindOf(ours), kindOf(theirs));
  } else if (Array.isArray(ours)) lists(ours, theirs as readonly Json[], path, context);
  else if (typeof ours === 'object' && ours !== null) {
    const other = theirs as { readonly [name: string]: Json };
    for (const [name, member] of Object.entries(ours)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (context.rules.shared && NOT_OURS.test(at)) continue;
      if (!Object.hasOwn(other, name)) add('missing', shown(member), '', at);
      else values(member, other[name] as Json, at, context);
    }
    for (const [name, member] of Object.entries(other)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(ours, name) && !(context.rules.shared && NOT_OURS.test(at)))
        add('added', '', shown(member), at);
    }
  } else if (typeof ours === 'string') texts(ours, theirs as string, path, context);
  else if (ours !== theirs) add('value', String(ours), String(theirs));
}

/** Members to which others contribute on a shared side: the length of lists, and the balances of the platform. */
const NOT_OURS = /^(?:hasMore|nextCursor|totalCount|(?:data\[\]\.)?(?:b|totalB|availableB)alance\.amount)$/;

const idIn = (row: Json): string | undefined => {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
  const { id } = row as { id?: Json };
  return typeof id === 'string' && NAME.test(id) ? id : undefined;
};

const typeIn = (row: Json): Json | undefined => (row as { readonly type?: Json }).type;

function lists(ours: readonly Json[], theirs: readonly Json[], path: string, context: Context): void {
  const { operation, pairs, rules, found } = context;
  const at = `${path}[]`;
  const isKnown = (row: Json, side: 'ours' | 'theirs') => {
    const id = idIn(row);
    return id === undefined || pairs.knows(id, side);
  };
  const keep = rules.shared && path === 'data';
  const [a, b] = keep
    ? [ours.filter((row) => isKnown(row, 'ours')), theirs.filter((row) => isKnown(row, 'theirs'))]
    : [ours, theirs];
  if (a.length !== b.length)
    return void found.push({ operation, kind: 'length', path: at, ours: `${a.length}`, theirs: `${b.length}` });
  const moved = isReordered(a, b, pairs);
  if (moved) return void found.push({ operation, kind: 'order', path: at, ours: 'its order', theirs: 'another' });
  for (const [i, row] of a.entries()) values(row, b[i] as Json, at, context);
}

/** Returns whether known rows are in another order on the other side. */
function isReordered(a: readonly Json[], b: readonly Json[], pairs: Pairs): boolean {
  return a.some((row, i) => {
    const [mine, other] = [idIn(row), idIn(b[i] as Json)];
    if (mine === undefined || other === undefined) return false;
    // A different thing: of another table, or of another kind.
    if (mine.split('#')[0] !== other.split('#')[0] || typeIn(row) !== typeIn(b[i] as Json)) return true;
    return (pairs.knows(mine, 'ours') || pairs.knows(other, 'theirs')) && !pairs.same(mine, other);
  });
}

function texts(ours: string, theirs: string, path: string, context: Context): void {
  const { operation, pairs, found, times } = context;
  const [a, b] = [TIME.exec(ours), TIME.exec(theirs)];
  if (a && b) return void times.push({ ours: Number(a[1]), theirs: Number(b[1]), path });
  const [mine, other] = [ours.split(NAME), theirs.split(NAME)];
  const same =
    mine.length === other.length &&
    mine.every((part, i) => (i % 2 === 0 ? part === other[i] : pairs.same(part, other[i] as string)));
  if (!same) found.push({ operation, kind: 'value', path, ours: shown(ours), theirs: shown(theirs) });
}

/** Finds a pair of moments in a reply whose order differs between the sides. */
function order({ operation, times, found }: Context): void {
  for (const [i, one] of times.entries()) {
    const other = times.slice(0, i).find((t) => (t.ours - one.ours) * (t.theirs - one.theirs) < 0);
    if (!other) continue;
    const said = (x: number, y: number) => (x < y ? 'EARLIER' : 'LATER');
    const path = `${other.path} and ${one.path}`;
    found.push({
      operation,
      kind: 'time',
      path,
      ours: said(other.ours, one.ours),
      theirs: said(other.theirs, one.theirs),
    });
  }
}

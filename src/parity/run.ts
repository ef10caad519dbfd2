import { createHash } from 'node:crypto';
import { type Call, CLIENT_KEY, isPause, type Known, resolve, Unresolved, unique, type Walk } from '../calls/index.ts';
import { jsonOrText } from '../contract/json.ts';
import { compare, type Difference, Pairs } from './compare.ts';
import { Names, type Said } from './normal.ts';
import { endpointOf, type Session, type Side } from './sides.ts';

/** A difference, and the step of the walk that showed it. */
export interface Found extends Difference {
  readonly step: number;
}

/** The result of a walk. */
export interface Outcome {
  readonly found: readonly Found[];
  /** The number of calls that were sent to each side. */
  readonly calls: number;
  /** The replies of the other side to each call, in comparable terms, by the name of the call. */
  readonly said: ReadonlyMap<string, Said>;
  /** Our replies, by operation and status. */
  readonly seen: readonly string[];
  readonly run: string;
  /** The step after which the two sides had diverged and no more calls were sent. */
  readonly end: number;
}

/** One side of a walk under way. */
class Walker {
  readonly #replies = new Map<string, unknown>();
  readonly names: Names;
  readonly known: Known;

  constructor(run: string, oidc: string, self: string) {
    this.names = new Names(self);
    this.known = { run, oidc, reply: (name) => this.#replies.get(name) };
  }

  prepare(call: Call): Call | undefined {
    try {
      return resolve(call, this.known);
    } catch (error) {
      if (error instanceof Unresolved) return undefined;
      throw error;
    }
  }

  async ask(session: Session, call: Call, prepared: Call): Promise<Said> {
    this.names.heard(shared(call, this.known));
    const { status, type, text } = await session.call(prepared);
    const body = text === '' ? null : jsonOrText(text);
    this.#replies.set(call.name, status < 300 || status === 401 || status === 409 ? body : undefined);
    return this.names.said(status, type, body);
  }
}

/** Returns the texts of a call that both sides get alike: those with references differ between them. */
function shared(value: unknown, known: Known): unknown {
  if (typeof value === 'string') {
    const text = value.replaceAll(unique(''), known.run);
    return text.includes('{{') ? undefined : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.values(value).map((member) => shared(member, known));
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns the unsigned token of an identity provider, as a sandbox accepts it, bound to the client's key. */
function oidcToken(now: number): string {
  const iat = Math.floor(now / 1000);
  const nonce = createHash('sha256').update(CLIENT_KEY).digest('hex');
  const claims = { iss: 'https://accounts.google.com', aud: 'parity', sub: 'user-1', iat, exp: iat + 300, nonce };
  return `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}.sandbox-signature`;
}

/** The setting of one walk on two sides. */
export interface Setting {
  readonly ours: Side;
  /** The other side, or its recorded replies. */
  readonly theirs: Side | ReadonlyMap<string, Said>;
  readonly scenario: string | object;
  /** The number of the walk. */
  readonly number: number;
  /** The mark that makes the texts of this run unique. */
  readonly run: string;
  /** Milliseconds for which a read is repeated on a side that lives in real time, until it returns the same. */
  readonly patienceMs: number;
  /** True if the recording is of an account in which others worked, too. */
  readonly shared?: boolean;
  /** True if the recording is of a service. */
  readonly live?: boolean;
}

const isSide = (theirs: Setting['theirs']): theirs is Side => 'begin' in theirs;
const parts = (found: readonly Difference[]): boolean => found.some(({ kind }) => kind === 'status');
/** The step of our clock in a pause while the other side lives in real time: jobs due soon run, nothing expires. */
const LIVE_PASS = '5s';
/** Milliseconds between two polls. */
const LOOK_MS = 250;

/**
 * Makes the calls of a walk on both sides and compares every pair of replies; it ends when one side accepts a call that
 * the other refuses.
 */
export async function runWalk(walk: Walk, setting: Setting): Promise<Outcome> {
  const { ours, theirs, scenario, number, run } = setting;
  const oidc = oidcToken(Date.now());
  const other = isSide(theirs) ? theirs : undefined;
  const mine = await ours.begin(number, scenario);
  const his = await other?.begin(number, scenario);
  const [we, they] = [new Walker(run, oidc, mine.id), new Walker(run, oidc, his?.id ?? '')];
  const pairs = new Pairs();
  const rules = {
    shared: other === undefined ? setting.shared === true : !other.isolated,
    endpoint: other?.live === true || setting.live === true,
  };
  const found: Found[] = [];
  const said = new Map<string, Said>();
  const seen: string[] = [];
  let [calls, end] = [0, walk.length];
  try {
    for (const [step, at] of walk.entries()) {
      if (isPause(at)) {
        await Promise.all([mine.pass(other?.live || setting.live ? LIVE_PASS : at.pass), his?.pass(at.pass)]);
        continue;
      }
      const prepared = we.prepare(at);
      const there = other ? they.prepare(at) : at;
      if (!prepared || !there || (!isSide(theirs) && !theirs.has(at.name))) continue;
      calls += 1;
      const [a, first] = await Promise.all([
        we.ask(mine, at, prepared),
        his ? they.ask(his, at, there) : (theirs as ReadonlyMap<string, Said>).get(at.name),
      ]);
      let b = first as Said;
      seen.push(`${at.operation} ${a.status}`);
      let differences = compare(at.operation, a, b, pairs, rules);
      if (his && other?.live && differences.length > 0 && endpointOf(at.operation).method === 'GET') {
        const until = performance.now() + setting.patienceMs;
        while (differences.length > 0 && performance.now() < until) {
          await new Promise((done) => setTimeout(done, LOOK_MS));
          b = await they.ask(his, at, there);
          differences = compare(at.operation, a, b, pairs, rules);
        }
      }
      said.set(at.name, b);
      for (const difference of differences) found.push({ ...difference, step });
      if (parts(differences) && a.status < 300 !== b.status < 300) {
        end = step + 1;
        break;
      }
    }
  } finally {
    await Promise.all([mine.end(), his?.end()]);
  }
  return { found, calls, said, seen, run, end };
}

/** The setting of one walk on one side. */
interface AloneSetting {
  readonly side: Side;
  readonly scenario: string | object;
  readonly number: number;
  readonly run: string;
  /** True if time passes as on a side that lives in real time. */
  readonly live: boolean;
}

/** Makes the calls of a walk on one side, and hands each reply to `heard`. Returns the number of calls. */
export async function runAlone(
  walk: Walk,
  { side, scenario, number, run, live }: AloneSetting,
  heard: (operation: string, said: Said) => void,
): Promise<number> {
  const session = await side.begin(number, scenario);
  const walker = new Walker(run, oidcToken(Date.now()), session.id);
  let calls = 0;
  try {
    for (const step of walk) {
      if (isPause(step)) {
        await session.pass(live ? LIVE_PASS : step.pass);
        continue;
      }
      const prepared = walker.prepare(step);
      if (!prepared) continue;
      calls += 1;
      heard(step.operation, await walker.ask(session, step, prepared));
    }
  } finally {
    await session.end();
  }
  return calls;
}

/** Returns the present day in UTC, as the date of a side's replies. */
export const today = (): string => new Date(Date.now()).toISOString().slice(0, 10);

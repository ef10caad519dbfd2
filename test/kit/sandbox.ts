import { expect, onTestFinished } from 'vitest';
import { DELIVERIES, envelope } from '../../src/areas/webhooks/index.ts';
import { EVENTS } from '../../src/areas.ts';
import { bodyOf } from '../../src/contract/domain-event.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { FIRST_ANSWERS } from '../../src/declare/first-answers.ts';
import type { Snapshot, World } from '../../src/engine/world.ts';
import { createApp } from '../../src/http/app.ts';
import { POSTINGS } from '../../src/ledger/ledger.ts';
import type { HostOptions } from '../../src/public.ts';
import { type Complaint, StateError } from '../../src/sandbox/complaints.ts';
import { Host } from '../../src/sandbox/host.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { checkedState } from '../../src/sandbox/state-check.ts';
import { knowsRulesOf } from '../planted/falsify-known.ts';
import { madeBy } from './agent-login.ts';
import { eventBeyondContract, isHeldByContract, replyBeyondContract } from './contract.ts';
import { directly } from './direct.ts';
import { brokenRules } from './ledger.ts';
import { note, noteLine, operationAt } from './seen.ts';

/** A reply, read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
  body: any;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Send this text as it is, instead of a JSON body. */
  raw?: string | Uint8Array | FormData;
  query?: Record<string, string | number | boolean>;
  /** `id:secret`; `null` sends none. Without it, an agent's own operations are called by an agent. */
  as?: string | null;
}

export interface Kit {
  host: Host;
  sandbox: Sandbox;
  /** Call the API below its version segment. A refused call must leave the world untouched: checked every time. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** The same without that comparison: for calls that overlap. */
  overlapping(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  get(path: string, query?: CallOptions['query']): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  del(path: string, options?: CallOptions): Promise<Answer>;
  /** Call `/_emulator`. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Move the clock on by an ISO 8601 duration and let everything due happen; the jobs that ran, in order. */
  advance(duration: string): Promise<{ id: string; kind: string; at: string; payload: Record<string, unknown> }[]>;
  /** Resolves when nothing is due or under way at the present moment. */
  settle(): Promise<void>;
  /** Events told so far, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  events(type?: string): { id: string; type: string; timestamp: string; data: any }[];
  /** Bugs that a test provoked on purpose; any other fails the test. */
  broken: string[];
  /** From now on the test puts rows in place that no area would write: they are not held against their tables' schemas. */
  oddRows(): void;
  /** From now on the test has books that this version would not have written: the rules of the ledger are not held against them. */
  oddBooks(): void;
}

export interface KitOptions extends HostOptions {
  /** false: calls are not held against the world as it was before, which with many rows takes longer than they do. */
  compares?: boolean;
}

const eventShapes = new Map<string, ReturnType<typeof envelope>>();

/** The declared shape of an event; made once a type, for making one costs more than many checks. */
function shapeOfEvent(type: string): ReturnType<typeof envelope> | undefined {
  const group = EVENTS.find(({ types }) => types.includes(type));
  if (group && !eventShapes.has(type)) eventShapes.set(type, envelope(group.types, group.data()));
  return eventShapes.get(type);
}

/**
 * A fresh world behind the real pipeline, without a socket: clock held at 2026-01-05T09:00:00Z, seed 1. A 500 that the
 * test does not expect fails it, and so does a refusal that changes anything, an event in another shape than it is
 * declared, a reply or an event that the public contract does not know, a row that its table's schema does not know, and a
 * ledger that breaks one of its rules.
 */
export async function kit({ compares = true, ...options }: KitOptions = {}): Promise<Kit> {
  const broken: string[] = [];
  let noticed = 0;
  const host = await Host.start(
    { seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true, ...options },
    { broken: (what, error) => broken.push(`${what}: ${error instanceof Error ? error.stack : error}`) },
  );
  const app = createApp(host);
  const sandbox = host.default;
  const misshapen: string[] = [];
  const beyondContract: string[] = [];
  let odd = false;
  let oddBooks = false;
  const watch = (world: World) =>
    world.watch((happening) => {
      if (happening.what !== 'event') return;
      const { event: fact } = happening;
      const shape = shapeOfEvent(fact.type);
      if (!shape) misshapen.push(`${fact.type} is declared by no area`);
      else {
        const checked = shape.safeParse(JSON.parse(bodyOf(PROFILES.spec, fact)));
        if (!checked.success) misshapen.push(`${fact.type}: ${checked.error.message}`);
        const beyond = eventBeyondContract(host.profile, JSON.parse(bodyOf(host.profile, fact)));
        if (beyond) beyondContract.push(`${fact.type}: ${beyond}`);
      }
    });
  const watched = new Set<World>();
  /** Watch the present life, if it is a new one. */
  const watchOn = () => {
    if (!watched.has(sandbox.world)) watch(sandbox.world);
    watched.add(sandbox.world);
  };
  watchOn();
  onTestFinished(async () => {
    await knowsRulesOf(host);
    expect(misshapen, 'an event was told in another shape than its area declares').toEqual([]);
    expect(beyondContract, 'a reply or an event is not as the public contract says').toEqual([]);
    expect(unbalanced(sandbox), 'postings do not sum to zero').toEqual([]);
    if (!odd && !oddBooks) expect(brokenRules(sandbox.world), 'a rule of the ledger is broken').toEqual([]);
    if (!odd) expect(unlike(sandbox), 'rows are not what their tables declare').toEqual([]);
    host.close();
    expect(broken.slice(noticed), 'the emulator broke during this test').toEqual([]);
  });
  const send = async (
    method: string,
    path: string,
    body: unknown,
    { headers = {}, raw, query, as }: CallOptions = {},
  ): Promise<Answer> => {
    watchOn();
    const url = new URL(`http://127.0.0.1:4010${path}`);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.append(key, String(value));
    const login = as === undefined ? `${sandbox.credentials[0]?.tokenId}:${sandbox.credentials[0]?.secret}` : as;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const all = {
      ...(login === null ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
      ...(body !== undefined && raw === undefined ? { 'content-type': 'application/json' } : {}),
      ...headers,
    };
    const isPlain = raw === undefined && !path.startsWith('/_') && sandbox.faults.list.length === 0;
    const direct = isPlain
      ? directly(app, { method, url, headers: all, ...(sent === undefined ? {} : { body: sent as string }) })
      : undefined;
    const response =
      (await direct) ??
      (await app.request(url.href, {
        method,
        headers: all,
        ...(sent === undefined ? {} : { body: sent as NonNullable<RequestInit['body']> }),
      }));
    const text = typeof response.text === 'string' ? response.text : await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    };
    const id = path.startsWith(host.basePath) && operationAt(method, path.slice(host.basePath.length));
    const beyond = id && replyBeyondContract(host.profile, id, answer.status, answer.body);
    if (beyond) beyondContract.push(`${id} ${answer.status}: ${beyond}`);
    else if (id && isHeldByContract(id, answer.status)) noteLine(`${id} held ${host.profile.name} ${answer.status}`);
    return answer;
  };
  const call: Kit['call'] = async (method, path, body, asked) => {
    const callOptions = madeBy(sandbox.world, path, asked);
    // The first answer to a key may be a refusal, and is kept.
    const isKeyed = callOptions?.headers?.['idempotency-key'] !== undefined;
    // What earlier calls led to and is due runs before a call: neither that nor its end is this call's doing.
    const { scheduler } = sandbox.world;
    await scheduler.catchUp();
    if (compares && [...scheduler.jobs.rows()].some(({ id }) => scheduler.isRunning(id)))
      await new Promise((resolve) => setImmediate(resolve));
    const before = compares ? without(isKeyed ? FIRST_ANSWERS.name : undefined, sandbox.world.snapshot()) : undefined;
    const answer = await send(method, `${host.basePath}${path}`, body, callOptions);
    note(method, path, answer.status, answer.status >= 400 ? answer.body?.code : undefined);
    if (answer.status < 400 || !before) return answer;
    const after = without(isKeyed ? FIRST_ANSWERS.name : undefined, sandbox.world.snapshot());
    // Rows are values: only where one is another object, or anything else differs, is there something to compare.
    if (!isSame(before, after))
      expect(
        JSON.stringify(after),
        `${method} ${path} was refused with ${answer.status}, yet it changed the world`,
      ).toBe(JSON.stringify(before));
    return answer;
  };
  return {
    host,
    sandbox,
    call,
    overlapping: (method, path, body, o) =>
      send(method, `${host.basePath}${path}`, body, madeBy(sandbox.world, path, o)),
    get: (path, query) => call('GET', path, undefined, query ? { query } : {}),
    post: (path, body, o) => call('POST', path, body, o),
    patch: (path, body, o) => call('PATCH', path, body, o),
    del: (path, o) => call('DELETE', path, undefined, o),
    control: (method, path, body) => send(method, `/_emulator${path}`, body, { as: null }),
    advance: async (duration) => {
      const answer = await send('POST', '/_emulator/clock', { advance: duration }, { as: null });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.ran;
    },
    settle: () => sandbox.world.scheduler.settle(),
    events: (type) =>
      [...sandbox.world.rows(DELIVERIES).rows()]
        .map((d) => JSON.parse(bodyOf(host.profile, d)))
        .filter((event) => type === undefined || event.type === type),
    oddRows: () => {
      odd = true;
    },
    oddBooks: () => {
      oddBooks = true;
    },
    get broken() {
      noticed = broken.length;
      return broken;
    },
  };
}

/** A state without one of its tables. */
const without = (table: string | undefined, { tables, ...rest }: Snapshot): Snapshot => ({
  ...rest,
  tables: tables.filter(({ name }) => name !== table),
});

/** Everything of a state but its rows. */
const headOf = ({ tables, ...head }: Snapshot): string =>
  JSON.stringify([head, tables.map(({ rows, ...table }) => [table, rows.length])]);

/** Whether two states hold the very same rows, and all else is equal. */
const isSame = (a: Snapshot, b: Snapshot): boolean =>
  headOf(a) === headOf(b) && a.tables.every(({ rows }, t) => rows.every((row, i) => row === b.tables[t]?.rows[i]));

/** What would be refused of the present state if it came from outside. */
export function unlike({ world }: Sandbox): readonly Complaint[] {
  try {
    checkedState(world.snapshot());
    return [];
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return error.complaints;
  }
}

/** Currencies whose postings do not sum to zero. */
export function unbalanced({ world }: Sandbox): string[] {
  const sums = new Map<string, bigint>();
  for (const posting of world.rows(POSTINGS).rows())
    for (const { currency, amount } of posting.lines) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency, sum]) => `${currency}: ${sum}`);
}

/** The codes and the bad fields of a refusal, for short expectations. */
export const refusal = (answer: Answer): { status: number; code: string; fields: string[] } => ({
  status: answer.status,
  code: answer.body?.code,
  fields: (answer.body?.details?.errors ?? []).map((error: { field: string }) => error.field),
});

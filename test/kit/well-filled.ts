import { expect } from 'vitest';
import * as z from 'zod';
import type { decisions } from '../../src/sandbox/commands/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { fullLife } from './full-life.ts';
import type { Kit } from './sandbox.ts';
import { longestTurn } from './turns.ts';

/** Customers of a sandbox that is well filled; payments are twice as many. */
const ROWS = 2000;
/** Sandboxes, imported customers, requests and faults beside them. */
const SANDBOXES = 50;
const IMPORTED = 300;
const REQUESTS = 960;
const FAULTS = 500;
/** CPU milliseconds that a call may keep others waiting: the promise is 100 ms, and a slow machine takes twice as long. */
const MOST_MS = 200;
/** How often a call is made again that took longer: a collection of garbage or code that is compiled is not the call's doing. */
const TRIES = 6;
const MIB = 1024 * 1024;

/** Characters of a body in which the rest of what is sent must fit. */
export const FULL = MIB - 3000;

/** A request to an emulator, below `/_emulator`. */
export interface Sent {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A body as it is. */
  readonly raw?: string;
  /** Asks `?sandbox=`. */
  readonly of?: string;
  /** What is answered; 200 unless it is said. */
  readonly status?: number;
  /** The answer goes on for ever: its beginning is enough. */
  readonly endless?: true;
}

/** An emulator in which there is much of everything. */
export interface Filled extends Kit {
  /** The newest requests first: long lists, one that made many rows, and many that made one. */
  readonly requests: readonly string[];
  /** The request that changed most. */
  readonly importing: string;
  /** Sends to the emulator, which answers as it is meant to, and returns the text. */
  send(method: string, sent: Sent): Promise<string>;
  /** Makes a request ready, so that sending it and taking the answer in is next to nothing beside what the emulator does. */
  ready(method: string, sent: Sent): () => Promise<Buffer>;
  /** A copy of the sandbox for an act that changes much, or ends it. */
  copy(): Promise<Sandbox>;
  /** A sandbox in which many customers wait for their decision, or many events for their delivery; anew each time. */
  crowd(waiting: 'jobs' | 'events'): Promise<string>;
}

const person = (n: number): string =>
  `$u${n}@pay.example,u-${n},INDIVIDUAL,Ada Keller,1990-01-02,1 Elm St,Tacoma,WA,98402,US`;
const CSV = [
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country',
  ...Array.from({ length: IMPORTED }, (_, n) => person(n)),
].join('\n');

/** Imports many customers, and returns the id of the request. */
async function importing(it: Kit, as: string): Promise<string> {
  const raw = new FormData();
  raw.append('file', new Blob([CSV], { type: 'text/csv' }), 'customers.csv');
  const answer = await it.overlapping('POST', '/customers/bulk/csv', undefined, { raw, as });
  expect(answer.status, answer.text).toBe(202);
  await it.host.named(as.split(':')[0] as string).world.scheduler.settle();
  return answer.headers.get('x-request-id') as string;
}

/** A sandbox where everything has happened, with thousands of rows, long requests, and as many other things as there may be. */
export async function wellFilled(): Promise<Filled> {
  const it = await fullLife('spec', 1, { generate: { customers: ROWS, transactions: 2 * ROWS, days: 300 } });
  const { host, sandbox } = it;
  const ready: Filled['ready'] = (method, { path, query = {}, body, raw, of, status = 200, endless }) => {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
    if (of !== undefined) asked.set('sandbox', of);
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://127.0.0.1:4010/_emulator${path}?${asked}`, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(text === undefined ? {} : { body: text }),
    });
    return async () => {
      const reply = await host.fetch(request);
      const parts: Uint8Array[] = [];
      if (endless) await reply.body?.cancel();
      else for await (const part of reply.body ?? []) parts.push(part);
      if (reply.status !== status)
        throw new Error(`${method} ${path}: ${reply.status}, not ${status}: ${Buffer.concat(parts)}`.slice(0, 400));
      return Buffer.concat(parts);
    };
  };
  const send: Filled['send'] = async (method, sent) => (await ready(method, sent)()).toString('utf8');
  const made = async (body: object): Promise<{ id: string; as: string }> => {
    const { id, credentials } = JSON.parse(await send('POST', { path: '/sandboxes', body }));
    return { id, as: `${credentials.id}:${credentials.secret}` };
  };
  for (let i = 0; i < SANDBOXES; i += 1) await made({ scenario: 'unregulated' });
  await send('POST', { path: '/snapshots', body: { name: 'before' } });
  // Read back, so that every row is another object than the one that the snapshot has.
  await send('PUT', { path: '/state', raw: await send('GET', { path: '/state' }) });
  await send('POST', { path: '/webhooks/pause' });
  const [login] = sandbox.credentials;
  // As many as a recording takes, of as many characters.
  const fullName = 'x'.repeat(500);
  for (let i = 0; i < REQUESTS; i += 1)
    await it.overlapping('POST', '/customers', { customerType: 'INDIVIDUAL', fullName });
  const import_ = await importing(it, `${login?.tokenId}:${login?.secret}`);
  for (let i = 0; i < 20; i += 1) await it.overlapping('GET', '/customers', undefined, { query: { limit: 100 } });
  for (let i = 0; i < FAULTS; i += 1)
    await send('POST', {
      path: '/faults',
      body: { match: { path: `/${'**/*'.repeat(40)}/${i}`, times: 1 }, then: { status: 503 } },
    });
  return {
    ...it,
    requests: [...sandbox.requestLog.newest()].map(({ id }) => id),
    importing: import_,
    send,
    ready,
    copy: () => host.fork(sandbox),
    crowd: async (waiting) => {
      const policies = { 'customer.decide': 'after 1h' };
      const { id, as } = await made({ scenario: { policies }, webhookUrl: 'http://127.0.0.1:9/hooks' });
      await send('POST', { path: '/webhooks/pause', of: id });
      await importing(it, as);
      if (waiting === 'events') await send('POST', { path: '/clock', of: id, body: { advance: '2h' } });
      return id;
    },
  };
}

/** A row on which a decision can be made, and the body that makes it. */
export function decidable(sandbox: Sandbox, decision: (typeof decisions)[number]): { id: string; body: object } {
  for (const row of sandbox.world.rows(decision.table).rows())
    for (const { body } of decision.choices(sandbox.world, row)) return { id: row.id, body };
  throw new Error(`nothing in ${decision.table.name} can be decided by ${decision.name}: the story lacks it`);
}

/** CPU milliseconds of the longest turn of a call, where it is longer than it may be, however often it is made again. */
export async function tooLong(call: () => Promise<() => Promise<unknown>>): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i += 1) {
    const send = await call();
    least = Math.min(least, (await longestTurn(send)).ms);
    if (least < MOST_MS) return undefined;
  }
  return Math.round(least);
}

/** Every value of the members of a schema that are one of several, as `member=value`. */
export function choicesOf(schema: z.ZodType | undefined): string[] {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.entries(shape).flatMap(([name, member]) => {
    let inner: unknown = member;
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    return inner instanceof z.ZodEnum ? inner.options.map((option) => `${name}=${option}`) : [];
  });
}

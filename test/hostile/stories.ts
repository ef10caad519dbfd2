import { OPERATIONS } from '../../src/areas.ts';
import { type Example, exampleOf } from '../../src/calls/example.ts';
import type { Operation } from '../../src/declare/operation.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { stamp, WalletClient, type WalletSession } from '../../src/testkit/index.ts';
import { LEADS } from './leads.ts';
import { type FormPlan, isChallenge, type Plan, type Reply, type Send } from './plan.ts';
import { named, type Place } from './requests.ts';
import { resolved, type Schema } from './schemas.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a reply holds depends on the operation
export type Body = any;

/** What a call has besides its example; of a body, the members that are other. */
export interface Change {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A story that does not go on: a call of it was refused, or nothing comes about that the next one could be about. */
export class Abandoned extends Error {}

/** Times that one operation is called, or time passes, for another before it is given up. */
const MOST_ROUNDS = 6;
/** A wallet, a credential or a session, in what a call is about. */
const OF_WALLET = /^(?:InternalAccount|AuthMethod|Session):/;

/** References of a schema unfolded, down to where one comes within itself. */
function unfolded(schema: unknown, root: Schema, within: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((one) => unfolded(one, root, within));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as Schema;
  if ($ref !== undefined)
    return within.includes($ref) ? {} : unfolded(resolved(schema as Schema, root), root, [...within, $ref]);
  return Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, unfolded(one, root, within)]));
}

const bodies = new Map<string, unknown>();

/** The schema of an operation's body without references; made once. */
export function bodySchema(id: string): unknown {
  if (!bodies.has(id)) {
    const { body } = named(id);
    bodies.set(id, body && unfolded(body, body));
  }
  return bodies.get(id);
}

export const operationNamed = (id: string): Operation => {
  const found = OPERATIONS.find((one) => one.id === id);
  if (!found) throw new Error(`nothing is called ${id}`);
  return found;
};

/** A form of an example, whose files are members with a text. */
function formOf(body: Readonly<Record<string, unknown>>): FormPlan {
  const fields: Record<string, string> = {};
  let file: FormPlan['file'];
  for (const [name, value] of Object.entries(body)) {
    const part = value as { name?: string; type?: string; text?: string };
    if (typeof value === 'object' && part.text !== undefined)
      file = { name: part.name ?? name, type: part.type ?? 'application/octet-stream', content: part.text };
    else fields[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return { fields, file };
}

/**
 * Does operations as somebody does who knows the API: by the sandbox's own examples, each after what it needs, signed where
 * a wallet's owner has to sign, with the tokens of agents that were connected.
 */
export class Teller {
  readonly sandbox: () => Sandbox;
  readonly #send: Send;
  readonly #place: Place;
  readonly #header: string;
  /** Access tokens by agent. */
  readonly #tokens: Map<string, string>;
  readonly #sessions = new Map<string, WalletSession>();
  #logins = 0;

  constructor(
    send: Send,
    sandbox: () => Sandbox,
    place: Place,
    header: string,
    tokens: Map<string, string> = new Map(),
  ) {
    this.#tokens = tokens;
    this.#send = send;
    this.sandbox = sandbox;
    this.#place = place;
    this.#header = header;
  }

  /** The example of an operation once nothing is lacking for it. */
  async ready(id: string, depth = 0): Promise<Example> {
    const made = new Set<string>();
    for (let round = 0; round < MOST_ROUNDS && depth < MOST_ROUNDS; round += 1) {
      const { world } = this.sandbox();
      const example = exampleOf(world, operationNamed(id));
      const token = /<access token of (.*)>/.exec(example.headers['Authorization'] ?? '')?.[1];
      if (token !== undefined && example.needs === undefined && !this.#tokens.has(token)) {
        await this.#connect(depth);
        if (round > 0) throw new Abandoned(`${id} takes the token of ${token}, which nobody here has`);
        continue;
      }
      if (example.needs === undefined) return example;
      const lead = made.has(id) ? undefined : LEADS[id];
      if (lead) {
        made.add(id);
        await lead(this);
      } else if (made.has(example.needs)) await this.control('POST', '/clock', { advance: 'PT2H' });
      else {
        made.add(example.needs);
        await this.done(example.needs, {}, depth + 1);
      }
    }
    throw new Abandoned(`nothing comes about that ${id} could be about`);
  }

  async #connect(depth: number): Promise<void> {
    await this.done('createAgent', {}, depth + 1);
    await this.done('redeemAgentDeviceCode', {}, depth + 1);
  }

  /** Calls an operation that has to be done. Returns the body of its last reply. */
  async done(id: string, change: Change = {}, depth = 0): Promise<Body> {
    return this.finish(id, await this.ready(id, depth), change);
  }

  /** The same by an example that is there already. */
  async finish(id: string, example: Example, change: Change = {}): Promise<Body> {
    const plan = this.plan(id, example, change);
    const reply = await this.#signed(plan, await this.#send(plan));
    if (reply.status >= 300) throw new Abandoned(`${id}: ${reply.status} ${reply.text.slice(0, 300)}`);
    const body = reply.json as Body;
    if (body?.accessToken !== undefined && body.agentId !== undefined) this.#tokens.set(body.agentId, body.accessToken);
    await this.sandbox().world.scheduler.settle();
    return body;
  }

  /** An example as a request. */
  plan(id: string, { params, query, headers, body }: Omit<Example, 'needs'>, change: Change = {}): Plan {
    const operation = operationNamed(id);
    const filled: Readonly<Record<string, string>> = { ...params, ...change.params };
    const words = new URLSearchParams({ ...query, ...change.query }).toString();
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled[name] ?? ''));
    const sent = body === undefined && change.body === undefined ? undefined : { ...(body as object), ...change.body };
    const plan: Plan = {
      target: id,
      kind: 'api',
      method: operation.method,
      path: `${this.#place.basePath}${path}`,
      query: words === '' ? '' : `?${words}`,
      headers: operation.auth === 'basic' ? { authorization: this.#place.authorization } : {},
      mutations: [],
    };
    for (const [name, value] of Object.entries(headers)) plan.headers[name.toLowerCase()] = value;
    const agent = /<access token of (.*)>/.exec(plan.headers['authorization'] ?? '')?.[1];
    if (agent !== undefined) plan.headers['authorization'] = `Bearer ${this.#tokens.get(agent)}`;
    if (sent !== undefined && operation.upload) plan.body = formOf(sent as Record<string, unknown>);
    else if (sent !== undefined) {
      plan.body = JSON.stringify(sent);
      plan.headers['content-type'] = 'application/json';
    }
    return plan;
  }

  /** A call of the control API. */
  async control(method: string, path: string, body?: object): Promise<Body> {
    const { sandbox } = this.#place;
    const plan: Plan = {
      target: `${method} ${path.replaceAll(/[A-Z]\w+:[0-9a-f-]+/g, ':id')}`,
      kind: 'control',
      method,
      path: `/_emulator${path}`,
      query: sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(sandbox)}`,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      mutations: [],
    };
    if (body !== undefined) plan.body = JSON.stringify(body);
    const reply = await this.#send(plan);
    if (reply.status >= 300) throw new Abandoned(`${plan.target}: ${reply.status} ${reply.text.slice(0, 300)}`);
    await this.sandbox().world.scheduler.settle();
    return reply.json;
  }

  /** A client of a wallet, logged in by email. */
  async login(accountId: string): Promise<WalletClient> {
    this.#logins += 1;
    const { world } = this.sandbox();
    const client = new WalletClient({
      baseUrl: `http://127.0.0.1:4010${this.#place.basePath}`,
      authorization: this.#place.authorization,
      accountId,
      signatureHeader: this.#header,
      seed: `a story, login ${this.#logins}`,
      now: () => world.clock.now(),
      fetch: async (url, { method, headers, body }) => {
        const { pathname, search } = new URL(url);
        const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const plan: Plan = {
          target: 'a wallet',
          kind: 'api',
          method,
          path: pathname,
          query: search,
          headers: lower,
          mutations: [],
        };
        if (body !== undefined) plan.body = body;
        const { status, text } = await this.#send(plan);
        return { status, text: async () => text };
      },
    });
    await client.loginWithOtp();
    if (client.session) this.#sessions.set(accountId, client.session);
    return client;
  }

  /** Signs what a reply asks the owner of a wallet to sign, as often as it asks. */
  async #signed(plan: Plan, first: Reply): Promise<Reply> {
    let reply = first;
    for (let leg = 0; leg < 3 && isChallenge(reply); leg += 1) {
      const { payloadToSign, requestId } = reply.json as { payloadToSign: string; requestId: string };
      const session = await this.#session(plan);
      const proof = { [this.#header]: stamp(session.key, payloadToSign), 'request-id': requestId };
      reply = await this.#send({ ...plan, headers: { ...plan.headers, ...proof } });
    }
    return reply;
  }

  /** The session that signs for what a request is about: the last one that was opened for its wallet, or a new one. */
  async #session(plan: Plan): Promise<WalletSession> {
    const { world } = this.sandbox();
    const accountId = this.#walletOf(plan);
    const known = this.#sessions.get(accountId);
    if (known && Date.parse(known.expiresAt) > world.clock.now()) return known;
    const { session } = await this.login(accountId);
    if (!session) throw new Abandoned(`nobody can sign for ${accountId}`);
    return session;
  }

  #walletOf({ path, body }: Plan): string {
    const inBody = typeof body === 'string' ? [...body.matchAll(/"([A-Z]\w+:[0-9a-f-]+)"/g)].map(([, id]) => id) : [];
    const ids = [...path.split('/').map(decodeURIComponent), ...inBody].filter((id) => OF_WALLET.test(id ?? ''));
    const { tables } = this.sandbox().world.snapshot();
    for (const id of ids)
      for (const { name, rows } of tables) {
        if (!['accounts', 'credentials', 'sessions'].includes(name)) continue;
        const row = rows.find((one) => one.id === id) as { id: string; accountId?: string; type?: string } | undefined;
        if (row?.accountId !== undefined) return row.accountId;
        if (row?.type === 'EMBEDDED_WALLET') return row.id;
      }
    throw new Abandoned(`no wallet is named in ${path}`);
  }
}

import { isPaused } from '../../areas/webhooks/index.ts';
import { fail } from '../../contract/errors.ts';
import { soonestFirst } from '../../engine/scheduler.ts';
import { clock } from '../../sandbox/commands/clock.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { webhooks } from '../../sandbox/commands/webhooks.ts';
import { call } from '../call.ts';
import { documented, documentOf, membersIn, type Schema, unfolded } from '../document.ts';
import { type Example, exampleOf } from '../example.ts';
import { operationNamed } from '../operation.ts';

/** One completed act: a call of the API with its request id, or a control with its input. */
export interface Done {
  readonly operation: string;
  readonly requestId: string | null;
  readonly status: number;
  readonly input?: unknown;
}

/** The most rounds in which prerequisites are created or awaited for one operation before it is refused. */
const MOST_ROUNDS = 8;
const ID = /^[A-Z][A-Za-z]+:[0-9a-f-]{36}$/;

/** Makes the calls that lead to something, one after the other, and remembers them. */
export class Doer {
  readonly calls: Done[] = [];
  /** The resources that the calls were about so far. */
  readonly ids = new Set<string>();
  readonly #context: CommandContext;
  /** The access token of the agent that it connected last. */
  #token: string | undefined;
  /** True while deliveries are paused by it. */
  #pauses = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  get world() {
    return this.#context.sandbox.world;
  }

  /** Returns the example of an operation for the present state of the world. */
  #example(id: string): Example {
    return exampleOf(this.world, operationNamed(id));
  }

  /** Returns the names of the members that the body of an operation may have. */
  async members(id: string): Promise<string[]> {
    const document = await documentOf(this.#context);
    const content = documented(document, operationNamed(id)).requestBody?.content ?? {};
    return [...new Set(membersIn(unfolded(document, Object.values(content)[0]?.schema) as Schema | undefined))];
  }

  /** Returns the example of an operation once nothing is lacking for it. 409 `CONFLICT` if that cannot be reached. */
  async ready(id: string, depth = 0): Promise<Example> {
    const made = new Map<string, readonly string[]>();
    for (let round = 0; round < MOST_ROUNDS && depth < MOST_ROUNDS; round += 1) {
      const example = this.#example(id);
      const { needs } = example;
      if (needs === undefined) return example;
      const before = made.get(needs);
      // A resource that exists but does not fit yet is waiting for a job.
      if (before && (await this.hasten(before))) continue;
      made.set(needs, idsIn((await this.call(needs, {}, depth + 1)).body));
    }
    return fail('CONFLICT', `${id} cannot be called in this sandbox: nothing comes about that it could be about`, {
      details: { calls: this.calls },
    });
  }

  /** Calls an operation by its example with a change of it. 409 `CONFLICT` if the API refuses. */
  async call(id: string, change: Change, depth = 0) {
    const example = change.complete ? this.#example(id) : await this.ready(id, depth);
    const { params, query, headers, body } = example;
    const sent = {
      params: { ...params, ...change.params },
      query: { ...query, ...change.query },
      headers: { ...headers, ...(headers['Authorization'] && this.#token ? { Authorization: this.#token } : {}) },
      ...(body === undefined && change.body === undefined ? {} : { body: change.body ? change.body(body) : body }),
    };
    const { requestId, status, body: answer } = await call(this.#context, id, sent);
    this.calls.push({ operation: id, requestId, status });
    if (status >= 400) {
      const { code, message } = (answer ?? {}) as { code?: string; message?: string };
      fail('CONFLICT', `${id} was refused with ${status} ${code}: ${message}`, { details: { calls: this.calls } });
    }
    for (const one of idsIn(answer)) this.ids.add(one);
    const { accessToken } = (answer ?? {}) as { accessToken?: string };
    if (id === 'redeemAgentDeviceCode' && accessToken) this.#token = `Bearer ${accessToken}`;
    // No event on the way waits for an answer of the receiver: attempts may stay open.
    await this.world.scheduler.rest();
    await this.#confirm(id, answer);
    await this.#authorize(id, answer);
    return { body: answer };
  }

  /** Confirms the contacts of a customer if they have to be verified. */
  async #confirm(id: string, answer: unknown): Promise<void> {
    if (id !== 'createCustomer') return;
    const { id: customerId, contactVerification = {} } = answer as {
      id: string;
      contactVerification?: Record<string, string>;
    };
    for (const channel of ['email', 'phone'])
      if (contactVerification[channel] === 'PENDING') {
        const name = channel === 'email' ? 'Email' : 'Phone';
        await this.call(`sendCustomer${name}Verification`, { params: { customerId }, complete: true });
        await this.call(`confirmCustomer${name}Verification`, { params: { customerId }, complete: true });
      }
  }

  /** Answers the challenges of a payment whose payer needs strong customer authentication. */
  async #authorize(id: string, answer: unknown): Promise<void> {
    const { id: quoteId, status } = (answer ?? {}) as { id?: string; status?: string };
    if (!/^(?:executeQuote|authorizeQuote)$/.test(id) || status !== 'PENDING_AUTHORIZATION' || !quoteId) return;
    await this.call('authorizeQuote', { params: { quoteId }, complete: true });
  }

  /** Submits the form of the hosted page at an address. */
  async page(url: string, outcome: string): Promise<void> {
    const target = new URL(url);
    const form = new URLSearchParams({ outcome });
    const response = await this.#context.host.fetch(
      new Request(target, { method: 'POST', body: form, redirect: 'manual' }),
    );
    this.calls.push({
      operation: 'the hosted identity page',
      requestId: response.headers.get('x-request-id'),
      status: response.status,
      input: { outcome },
    });
    if (response.status >= 400)
      fail('CONFLICT', `the hosted page refused ${outcome}`, { details: { calls: this.calls } });
    await this.world.scheduler.rest();
  }

  /** Pauses deliveries, or resumes what it paused: a pause of the user's stays. */
  async control(name: 'webhooks.pause' | 'webhooks.resume'): Promise<void> {
    const pauses = name === 'webhooks.pause';
    if (pauses ? isPaused(this.world) : !this.#pauses) return;
    this.#pauses = pauses;
    webhooks[pauses ? 'pause' : 'resume'].run(this.#context, {});
    this.calls.push({ operation: name, requestId: null, status: 200 });
    await this.world.scheduler.rest();
  }

  /**
   * Runs the next pending job about some resources. A held clock moves on to it; a live one stays where it is, and the
   * job runs now. Returns whether there was one.
   */
  async hasten(ids: Iterable<string>): Promise<boolean> {
    const about = new Set(ids);
    const { scheduler, clock: time } = this.world;
    const waiting = [...scheduler.jobs.rows()]
      .filter(
        ({ kind, payload }) =>
          kind !== 'webhook.deliver' && Object.values(payload).some((one) => about.has(one as string)),
      )
      .sort(soonestFirst);
    const [next] = waiting;
    if (!next) return false;
    if (next.dueAt !== null && time.state().mode === 'held') {
      const input = { to: new Date(next.dueAt).toISOString() };
      await clock.move.run(this.#context, input);
      this.calls.push({ operation: 'clock.move', requestId: null, status: 200, input });
    } else {
      await clock.runJob.run(this.#context, { id: next.id });
      this.calls.push({
        operation: 'clock.runJob',
        requestId: null,
        status: 200,
        input: { id: next.id, kind: next.kind },
      });
    }
    await scheduler.rest();
    return true;
  }
}

/** The changes of a call to its example. */
export interface Change {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: ((example: unknown) => unknown) | undefined;
  /** True if the change names the subject of the call, whatever the example lacks. */
  readonly complete?: boolean;
}

/** Returns the resources that a reply itself is about: those that it merely names have work of their own. */
function idsIn(answer: unknown): string[] {
  const { id, transactionId } = (answer ?? {}) as { id?: unknown; transactionId?: unknown };
  return [id, transactionId].filter((one): one is string => typeof one === 'string' && ID.test(one));
}

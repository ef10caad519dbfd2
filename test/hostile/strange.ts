import { OPERATIONS } from '../../src/areas.ts';
import type { Example } from '../../src/calls/example.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { request as externalAccount, SAMPLES } from '../areas/external-accounts/material.ts';
import { northPier } from '../areas/onboarding/material.ts';
import { type Watch, WatchedHost } from './host.ts';
import { type TextMember, textMembers, withText } from './members.ts';
import { isForm, type Plan, type Reply } from './plan.ts';
import type { Schema } from './schemas.ts';
import { bodySchema, type Teller } from './stories.ts';
import { STRANGE_TEXTS, type StrangeText } from './texts.ts';
import { PLACES, tellerOf } from './tour.ts';

/** Names that a member may have that no operation knows. */
const STRANGE_NAMES = ['"__proto__"', '"constructor"', '"toString"', '""', '"\u2028"', '"\\uD800"', '"a.b[0]"'];
/** The state before a change, for the pages that show what changed. */
const BEFORE = 'before';
const NOBODY_LISTENS = 'http://127.0.0.1:9/hooks';

export interface StrangeOptions {
  readonly profile: 'spec' | 'grid';
  readonly seed: number;
  /** Of the texts, one in so many goes to a member, another one to the next member. */
  readonly oneIn: number;
  /** Whether the first text goes to every member. */
  readonly firstToAll: boolean;
  /** How many of the places that show what was made are looked at, after one in so many calls. */
  readonly looks: number;
  readonly lookAfter: number;
}

/** How much was sent, and how much of it was taken. */
export interface Sent {
  readonly members: number;
  readonly calls: number;
  readonly done: number;
}

/** Valid bodies besides the example, so that variants of a union are met in a call that would be done. */
const MORE: Readonly<Record<string, (example: Record<string, unknown>) => readonly object[]>> = {
  createCustomer: () => [northPier()],
  createCustomerExternalAccount: ({ customerId }) => SAMPLES.map((one) => ({ customerId, ...externalAccount(one) })),
  createPlatformExternalAccount: () => SAMPLES.map((one) => externalAccount(one)),
  agentCreateExternalAccount: () => SAMPLES.map((one) => externalAccount(one)),
};

/** Where something that a call made is shown: each has to answer, whatever the text is. */
const LOOKS: readonly ((call: { id: string; made: string; text: string; operation: string }) => string)[] = [
  ({ id }) => `/_emulator/requests/${id}`,
  ({ id }) => `/inspector/requests/${id}`,
  ({ text }) => `/inspector/search?q=${text}`,
  ({ made }) => `/inspector/id/${made}`,
  ({ made }) => `/_emulator/resources/${made}`,
  () => '/inspector/requests',
  ({ text }) => `/inspector/requests?q=${text}`,
  () => `/_emulator/snapshots/${BEFORE}/diff`,
  () => `/inspector/scenario/${BEFORE}`,
  () => '/inspector/webhooks',
  () => '/_emulator/webhooks?limit=20',
  ({ text }) => `/_emulator/webhooks?type=${text}`,
  () => '/inspector',
  ({ id }) => `/_emulator/requests/${id}/code`,
  ({ operation }) => `/inspector/api/${operation}`,
  () => '/_emulator/state',
  () => '/inspector/jobs',
  () => '/inspector/ledger',
  () => '/inspector/codes',
  ({ text }) => `/_emulator/requests?path=${text}`,
  () => '/inspector/state/customers',
  () => '/inspector/state/transactions',
];

const percent = (json: string): string => {
  try {
    return encodeURIComponent(
      Buffer.from(JSON.parse(json) as string, 'utf8')
        .toString('utf8')
        .slice(0, 300),
    );
  } catch {
    return '';
  }
};

/** One strange text at a time in each member of each body that is otherwise valid. */
export async function strangeTexts(options: StrangeOptions, watch: Watch): Promise<Sent> {
  const { profile, seed } = options;
  const sent = { members: 0, calls: 0, done: 0 };
  for (const { scenario, ids } of PLACES) {
    const watched = await WatchedHost.open({ profile, scenario, seed, webhookUrl: NOBODY_LISTENS }, watch);
    const run = new StrangeRun(watched, tellerOf(watched), options, sent);
    for (const { id } of OPERATIONS.filter((one) => ids.test(one.id))) await run.operation(id);
    watched.end();
  }
  return sent;
}

class StrangeRun {
  readonly #watched: WatchedHost;
  readonly #teller: Teller;
  readonly #options: StrangeOptions;
  readonly #sent: { members: number; calls: number; done: number };
  #turn = 0;
  #looked = 0;

  constructor(watched: WatchedHost, teller: Teller, options: StrangeOptions, sent: StrangeRun['sent']) {
    this.#watched = watched;
    this.#teller = teller;
    this.#options = options;
    this.#sent = sent;
  }

  get sent(): { members: number; calls: number; done: number } {
    return this.#sent;
  }

  get #sandbox(): Sandbox {
    return this.#watched.host.default;
  }

  async operation(id: string): Promise<void> {
    const schema = bodySchema(id) as Schema | undefined;
    if (!schema) return;
    const example = await this.#teller.ready(id);
    await this.#teller.control('POST', '/snapshots', { name: BEFORE });
    const before = this.#sandbox.snapshot();
    const body = example.body ?? {};
    const more = MORE[id]?.(body as Record<string, unknown>) ?? [];
    const members = [...textMembers(schema, [body, ...more], this.#watched.host.profile)];
    this.#sent.members += members.length;
    const { oneIn, firstToAll } = this.#options;
    for (const [m, member] of members.entries())
      for (const [t, text] of STRANGE_TEXTS.entries())
        if ((m + t) % oneIn === 0 || (firstToAll && t === 0)) await this.#text(id, example, member, text, before);
    for (const [n, name] of STRANGE_NAMES.entries())
      if (oneIn === 1 || n === this.#turn % STRANGE_NAMES.length) await this.#name(id, example, name, before);
  }

  async #text(
    id: string,
    example: Example,
    member: TextMember,
    text: StrangeText,
    before: ReturnType<Sandbox['snapshot']>,
  ) {
    const plan = this.#teller.plan(id, { ...example, body: member.body });
    plan.mutations.push(`${member.path.join('.')} is ${text.name}`);
    if (isForm(plan.body)) {
      const name = String(member.path[0]);
      plan.body = { ...plan.body, fields: { ...plan.body.fields, [name]: String(JSON.parse(text.json)) } };
    } else plan.body = withText(member, text.json);
    await this.#send(id, plan, text.json, before);
  }

  /** A member with a strange name beside the right ones. */
  async #name(id: string, example: Example, name: string, before: ReturnType<Sandbox['snapshot']>) {
    const plan = this.#teller.plan(id, example);
    if (typeof plan.body !== 'string' || !plan.body.startsWith('{')) return;
    plan.mutations.push(`a member ${name}`);
    plan.body = `{${name}:{"x":"y"}${plan.body === '{}' ? '' : ','}${plan.body.slice(1)}`;
    await this.#send(id, plan, name, before);
  }

  async #send(id: string, plan: Plan, json: string, before: ReturnType<Sandbox['snapshot']>): Promise<void> {
    this.#sent.calls += 1;
    const reply = await this.#watched.ask(plan, this.#sandbox);
    if (!reply) return;
    this.#turn += 1;
    const { looks, lookAfter } = this.#options;
    const isDone = reply.status < 300;
    // Of a refusal there is less to see: why, with what came.
    const isLooked = this.#turn % (isDone ? lookAfter : 5 * lookAfter) === 0;
    if (isDone) await this.#sandbox.world.scheduler.settle();
    if (isLooked) await this.#look(reply, id, json, looks);
    if (!isDone) return;
    this.#sent.done += 1;
    await this.#sandbox.begin({ from: 'state', state: before });
  }

  /** Looks at some of the places that show what a call made, others after the next call. */
  async #look(reply: Reply, operation: string, json: string, looks: number): Promise<void> {
    const { id: made } = (reply.json ?? {}) as { id?: unknown };
    const call = {
      id: reply.headers.get('x-request-id') ?? '',
      made: encodeURIComponent(typeof made === 'string' ? made : 'none'),
      text: percent(json),
      operation,
    };
    const first = this.#looked;
    this.#looked += looks;
    for (let n = 0; n < looks; n += 1) {
      const [path = '', query] = (LOOKS[(first + n) % LOOKS.length] as (typeof LOOKS)[number])(call).split('?');
      const kind = path.startsWith('/_emulator') ? 'control' : 'page';
      await this.#watched.ask(
        {
          target: `${path.replace(/(?:req|ctl)_\d+|\w+%3A[^/]+/g, ':id')}, shown after ${operation}`,
          kind,
          method: 'GET',
          path,
          query: query === undefined ? '' : `?${query}`,
          headers: kind === 'page' ? { accept: 'text/html' } : {},
          mutations: [],
        },
        this.#sandbox,
      );
    }
  }
}

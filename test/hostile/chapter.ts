import { OPERATIONS } from '../../src/areas.ts';
import type { Example } from '../../src/calls/example.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Watch, WatchedHost } from './host.ts';
import { textMembers, withText } from './members.ts';
import { Memory } from './memory.ts';
import { mutate } from './mutations.ts';
import { pageRequest } from './pages.ts';
import { isForm, type Plan, type Reply, type Send } from './plan.ts';
import { type Random, randomOf } from './random.ts';
import { FIRST, NEXT, named, type Place, requestFor } from './requests.ts';
import { type Schema, targets } from './schemas.ts';
import { sizeOf } from './state.ts';
import { bodySchema, Teller } from './stories.ts';
import { STRANGE_TEXTS } from './texts.ts';
import type { Source } from './values.ts';
import { signedRetry, type Wallets, walletStory } from './wallet.ts';

/** Inputs that share an emulator; a replay begins where their chapter does. */
export const CHAPTER = 500;
/** Rows after which a sandbox starts over. */
const GROWN = 4000;
const SCENARIOS = [
  'default',
  'wallet',
  'default',
  'payouts',
  'unregulated',
  'wallet',
  'contact-verification',
  'regulated',
  'demo',
  'sca',
  'cards',
  'sca',
  'agents',
  'stablecoins',
];
/** With policies that hold what would be over at once, so that the states in between are met, too. */
const HOLDING = {
  policies: {
    'transaction.settle': 'after PT1H',
    'customer.decide': 'after PT2S',
    'external-account.liveness': 'hold',
  },
  platform: {
    counterpartyRules: true,
    currencies: ['USD', 'EUR', 'USDC', 'USDB', 'MXN'].map((code) => ({ code })),
  },
};
/** Scenarios whose currencies are theirs. */
const OWN = new Set(['sca', 'stablecoins']);
/** Share of emulators whose webhooks go to a receiver. */
const HOOKED = 0.2;
/** Chances of the kinds of an input; what is left is an operation. */
const SHARES = {
  start: 0.3,
  page: 0.03,
  control: 0.07,
  wrong: 0.65,
  retry: 0.5,
  story: 0.02,
  walletClient: 0.003,
  ownWallet: 0.06,
};

/** Calls that others follow: with every operation as likely as any other, what they lead to would rarely be met. */
const STARTS = Object.keys(NEXT);

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** A run of inputs against one emulator, each decided by the seed and its number. */
export class Chapter {
  readonly #watch: Watch;
  readonly #watched: WatchedHost;
  readonly #memory = new Memory();
  readonly #wallets: Wallets = { sessions: [], authenticators: [], keys: 0 };
  readonly #isWallet: boolean;
  /** Access tokens that stories were given, by agent. */
  readonly #tokens = new Map<string, string>();
  #other: Sandbox | undefined;
  #unauthorized = 0;
  #state = '{}';

  static async open(seed: number, number: number, watch: Watch, webhookUrl: string): Promise<Chapter> {
    const random = randomOf(seed, -1 - number);
    const name = SCENARIOS[number % SCENARIOS.length] as string;
    const scenario = random.once(0.4) && !OWN.has(name) ? [name, HOLDING] : name;
    const options = {
      profile: random.of(['spec', 'grid'] as const),
      scenario,
      seed: `${seed} ${number}`,
      webhookUrl: random.once(HOOKED) ? webhookUrl : undefined,
    };
    const watched = await WatchedHost.open(options, watch);
    const other = random.once(0.3) ? await watched.host.fork(watched.host.default) : undefined;
    return new Chapter(watched, watch, name === 'wallet', other);
  }

  private constructor(watched: WatchedHost, watch: Watch, isWallet: boolean, other: Sandbox | undefined) {
    this.#watched = watched;
    this.#watch = watch;
    this.#isWallet = isWallet;
    this.#other = other;
  }

  /** Fill the sandbox, so that the first inputs find something. */
  async begin(seed: number): Promise<void> {
    const random = randomOf(seed, -7);
    for (const name of FIRST) await this.#valid(name, random);
  }

  end(): void {
    this.#watched.end();
  }

  async input(random: Random): Promise<void> {
    const source = { random, memory: this.#memory };
    const sandbox = this.#sandbox(random);
    const place = this.#placeOf(sandbox);
    if (random.once(this.#isWallet ? SHARES.ownWallet : SHARES.walletClient))
      await this.#wallet(source, place, sandbox);
    else if (random.once(SHARES.story)) await this.#story(source, place, sandbox);
    else await this.#one(source, place, sandbox);
    await this.#tidy(sandbox);
  }

  #sandbox(random: Random): Sandbox {
    const { host } = this.#watched;
    if (this.#other && !host.find(this.#other.id)) this.#other = undefined;
    return this.#other && random.once(0.3) ? this.#other : host.default;
  }

  #placeOf(sandbox: Sandbox): Place {
    const { host } = this.#watched;
    const [login] = sandbox.credentials;
    return {
      basePath: host.basePath,
      authorization: basic(login?.tokenId ?? sandbox.id, login?.secret ?? 'secret'),
      sandbox: sandbox === host.default ? undefined : sandbox.id,
    };
  }

  async #valid(name: string, random: Random): Promise<void> {
    const sandbox = this.#watched.host.default;
    await this.#ask(requestFor(named(name), { random, memory: this.#memory }, this.#placeOf(sandbox)), sandbox);
  }

  async #one(source: Source, place: Place, sandbox: Sandbox): Promise<void> {
    const { random } = source;
    const plan = this.#plan(source, place);
    if (random.once(SHARES.wrong)) mutate(plan, source);
    const reply = await this.#ask(plan, sandbox);
    if (reply && reply.status < 300) await this.#next(plan.target, source, place, sandbox);
    const retry = reply && random.once(SHARES.retry) && signedRetry(plan, reply, this.#wallets, source, this.#header);
    if (!retry) return;
    if (random.once(0.3)) mutate(retry, source);
    await this.#ask(retry, sandbox);
  }

  /** Go on as a client would, mostly in good order. */
  async #next(done: string, source: Source, place: Place, sandbox: Sandbox): Promise<void> {
    const next = NEXT[done];
    if (!next || source.random.once(0.3)) return;
    const plan = requestFor(named(source.random.of(next)), source, place);
    if (source.random.once(0.3)) mutate(plan, source);
    const reply = await this.#ask(plan, sandbox);
    if (reply && reply.status < 300) await this.#next(plan.target, source, place, sandbox);
  }

  #plan(source: Source, place: Place): Plan {
    const { random } = source;
    if (random.once(SHARES.page)) return pageRequest(source, place);
    const kind = random.once(SHARES.control / (1 - SHARES.page)) ? 'control' : 'api';
    const isStart = kind === 'api' && random.once(SHARES.start);
    const target = isStart ? named(random.of(STARTS)) : random.of(targets().filter((one) => one.kind === kind));
    const plan = requestFor(target, source, place);
    // A state that was read is the only one worth giving back.
    if (target.name === 'PUT /state' && random.once(0.8)) plan.body = this.#state;
    return plan;
  }

  /** What leads to some operation, in good order, and at one place perhaps not: often the last call is what is wrong. */
  async #story(source: Source, place: Place, sandbox: Sandbox): Promise<void> {
    const { random } = source;
    const { id } = random.of(OPERATIONS);
    const last = random.once(0.5);
    let until = !last && random.once(0.7) ? random.below(6) : -1;
    const send: Send = async (plan) => {
      until -= 1;
      if (until === -1) mutate(plan, source);
      const reply = await this.#ask(plan, sandbox);
      if (!reply) throw new Error('no answer');
      return reply;
    };
    const teller = new Teller(send, () => sandbox, place, this.#header, this.#tokens);
    try {
      const example = await teller.ready(id);
      if (!last) await teller.finish(id, example);
      else {
        const plan = teller.plan(id, example);
        if (random.once(0.5) || !this.#strange(id, example, plan, random)) mutate(plan, source);
        await send(plan);
      }
    } catch {
      // The scenario does not have it, or a call was refused, or a mutated one made what comes after useless.
    }
  }

  /** Put a strange text into some member of a body; `false` where it has none. */
  #strange(id: string, { body }: Example, plan: Plan, random: Random): boolean {
    const schema = bodySchema(id) as Schema | undefined;
    if (!schema || isForm(plan.body)) return false;
    const members = [...textMembers(schema, [body ?? {}], this.#watched.host.profile)];
    if (members.length === 0) return false;
    const member = random.of(members);
    const text = random.of(STRANGE_TEXTS);
    plan.body = withText(member, text.json);
    plan.headers['content-type'] = 'application/json';
    plan.mutations.push(`${member.path.join('.')} is ${text.name}`);
    return true;
  }

  async #wallet(source: Source, place: Place, sandbox: Sandbox): Promise<void> {
    const send = async (plan: Plan) => {
      const reply = await this.#ask(plan, sandbox);
      if (!reply) throw new Error('no answer');
      return reply;
    };
    await walletStory(send, place, this.#wallets, source, this.#header, () => sandbox.world.clock.now());
  }

  get #header(): string {
    return this.#watched.host.profile.walletSignatureHeader.toLowerCase();
  }

  async #ask(plan: Plan, sandbox: Sandbox): Promise<Reply | undefined> {
    const reply = await this.#watched.ask(plan, sandbox);
    if (!reply) return undefined;
    this.#unauthorized = reply.status === 401 ? this.#unauthorized + 1 : 0;
    if (reply.status >= 300) return reply;
    this.#memory.learn(reply.json);
    if (plan.target === 'GET /state') this.#state = reply.text;
    return reply;
  }

  /** Keep the run fast and its calls allowed: what would only make it wait is taken back. */
  async #tidy(sandbox: Sandbox): Promise<void> {
    const { host } = this.#watched;
    const { input } = this.#watch;
    // A mutated query may have told another sandbox than was meant.
    for (const { faults, world } of host.sandboxes) {
      for (const { id, rule } of faults.list) if ((rule.then.delayMs ?? 0) > 5) faults.remove(id);
      if (input % 25 === 0) faults.clear();
      if (input % 5 === 0 && world.clock.mode === 'live') world.clock.setMode('held');
    }
    const grown = input % 50 === 0 && sizeOf(sandbox.world.snapshot()) > GROWN;
    if (grown || this.#unauthorized > 25) {
      await sandbox.begin({ from: 'scenario' });
      sandbox.world.clock.setMode('held');
      this.#unauthorized = 0;
    }
    if (host.count > 20) for (const one of [...host.sandboxes].slice(1)) if (one !== this.#other) host.drop(one);
  }
}

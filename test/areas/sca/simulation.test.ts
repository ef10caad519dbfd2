import { expect, test } from 'vitest';
import { CHALLENGE, RESET, TRUST } from '../../../src/areas/sca/machine.ts';
import { SCA_CHALLENGES, SCA_RESETS, SCA_TRUST } from '../../../src/areas/sca/row.ts';
import { chance } from '../../kit/chance.ts';
import { effort } from '../../kit/effort.ts';
import { Watch } from '../quotes/invariants.ts';
import { BANK, CODE, type EuKit, euKit, NORA } from './eu.ts';

const SEEDS = process.env['SIMULATION_SEED']
  ? [Number(process.env['SIMULATION_SEED'])]
  : [1, 2, 3].slice(0, effort(2, 3));
const STEPS = effort(350, 2000);
const MINUTE = 60_000;
const LOCKS: Readonly<Record<number, number>> = { 5: 15, 6: 30, 7: 60, 8: 1440 };

interface Payment {
  id: string;
  status: string;
  /** Comes from outside; its challenges end with the quote. */
  pushed: boolean;
  misses: number;
  resent: number[];
  until: number;
}

/** What must be true of Nora, kept by the simplest means. */
class Model {
  now: number;
  failed = 0;
  lockedUntil = 0;
  trusted = false;
  asked: { change: 'trust' | 'untrust'; id: string; misses: number; until: number } | undefined;
  payments: Payment[] = [];
  resets: { at: number; id: string; status: 'OPEN' | 'COMPLETED' | 'EXPIRED' }[] = [];

  constructor(now: number) {
    this.now = now;
  }

  get locked(): boolean {
    return this.failed > 8 || this.now < this.lockedUntil;
  }

  miss(): void {
    this.failed += 1;
    this.lockedUntil = this.now + (LOCKS[this.failed] ?? 0) * MINUTE;
  }

  pass(ms: number): void {
    this.now += ms;
    for (const payment of this.payments) {
      if (this.now < payment.until) continue;
      if (payment.status === 'PENDING_AUTHORIZATION') payment.status = 'FAILED';
      if (payment.status === 'PENDING') payment.status = 'EXPIRED';
    }
    if (this.asked && this.now >= this.asked.until) this.asked = undefined;
    for (const reset of this.resets)
      if (reset.status === 'OPEN' && this.now >= reset.at + 30 * MINUTE) reset.status = 'EXPIRED';
  }
}

class Story {
  readonly it: EuKit;
  readonly model: Model;
  readonly random: ReturnType<typeof chance>;
  readonly done: string[] = [];
  readonly statuses = new Set<string>();

  constructor(it: EuKit, seed: number) {
    this.it = it;
    this.random = chance(seed);
    this.model = new Model(it.sandbox.world.clock.now());
  }

  /** Holds a reply against the model. */
  expect(what: string, status: number, right: number): void {
    this.done.push(`${what} ${status}`);
    this.statuses.add(`${what} ${status}`);
    expect(status, what).toBe(right);
  }

  async step(): Promise<void> {
    const { random } = this;
    await random.of([
      () => this.pay(),
      () => this.pay(),
      () => this.authorize(CODE),
      () => this.authorize(CODE),
      () => this.authorize('000000'),
      () => this.resend(),
      () => this.fund(),
      () => this.fund(),
      () => this.login(random.of([CODE, CODE, '000000'])),
      () => this.record(random.of(['FAILED_LOGIN_ATTEMPT', 'FAILED_LOGIN_ATTEMPT', 'RESET_PASSWORD_COMPLETED'])),
      () => this.ask(random.of(['trust', 'untrust'])),
      () => this.confirm(random.of([CODE, CODE, '000000'])),
      () => this.reset(),
      () => this.reset(),
      () => this.completeReset(),
      () => this.wait(random.of([10, 10, 60, 60, 240, 300, 900, 86_400])),
    ])();
    await this.it.settle();
  }

  async pay(): Promise<void> {
    const { it, model } = this;
    const pushed = this.random.below(3) === 0;
    const source = pushed ? { source: { sourceType: 'REALTIME_FUNDING', currency: 'EUR', customerId: NORA } } : {};
    const created = await it.quote(NORA, BANK.nora, { lockedCurrencyAmount: 100, ...source });
    this.expect('quote', created.status, pushed && !model.trusted ? 202 : 201);
    const { id } = created.body;
    const until = model.now + 5 * MINUTE;
    const waits = { id, pushed, misses: 0, resent: [], until };
    if (pushed) model.payments.push({ ...waits, status: model.trusted ? 'PENDING' : 'PENDING_AUTHORIZATION' });
    else {
      const { status } = await it.post(`/quotes/${id}/execute`);
      this.expect('execute', status, 200);
      model.payments.push({ ...waits, status: model.trusted ? 'COMPLETED' : 'PENDING_AUTHORIZATION' });
    }
  }

  /** One of the last payments, waiting or not. */
  some(): Payment | undefined {
    const last = this.model.payments.slice(-4);
    return last.length > 0 ? this.random.of(last) : undefined;
  }

  async authorize(code: string): Promise<void> {
    const { it, model } = this;
    const payment = this.some();
    if (!payment) return;
    const waits = payment.status === 'PENDING_AUTHORIZATION';
    const right = code === CODE ? 200 : payment.misses === 2 ? 429 : 400;
    const status = !waits ? 409 : model.locked ? 423 : payment.misses >= 3 ? 429 : right;
    const counts = waits && !model.locked && payment.misses < 3 && code !== CODE;
    const send = counts ? it.misauthorized : it.authorize;
    this.expect(`authorize ${code}`, (await send(payment.id, { code })).status, status);
    if (counts) {
      payment.misses += 1;
      model.miss();
    } else if (status === 200) payment.status = payment.pushed ? 'PENDING' : 'COMPLETED';
  }

  async resend(): Promise<void> {
    const { it, model } = this;
    const payment = this.some();
    if (!payment) return;
    const recent = payment.resent.filter((at) => model.now - at < MINUTE);
    const waits = payment.status === 'PENDING_AUTHORIZATION' && payment.misses < 3;
    const right = !waits ? 409 : recent.length >= 3 ? 429 : 204;
    this.expect('resend', (await it.post(`/quotes/${payment.id}/authorize/resend`)).status, right);
    if (right === 204) payment.resent = [...recent, model.now];
  }

  async fund(): Promise<void> {
    const payment = this.some();
    if (!payment?.pushed) return;
    const { status } = await this.it.post('/sandbox/send', { quoteId: payment.id, currencyCode: 'EUR' });
    this.expect('fund', status, payment.status === 'PENDING' ? 200 : 409);
    if (status === 200) payment.status = 'COMPLETED';
  }

  async login(code: string): Promise<void> {
    const { it, model } = this;
    const right = model.locked ? 423 : code === CODE ? 200 : 400;
    this.expect(`login ${code}`, (await it.login({ code })).status, right);
    if (right === 400) model.miss();
  }

  async record(eventType: string): Promise<void> {
    const { it, model } = this;
    const fails = eventType === 'FAILED_LOGIN_ATTEMPT';
    const { status } = await it.sca('POST', '/record-event', { eventType });
    this.expect(eventType, status, fails && model.locked ? 423 : 200);
    if (status !== 200) return;
    if (fails) model.miss();
    else [model.failed, model.lockedUntil] = [0, 0];
  }

  async ask(change: 'trust' | 'untrust'): Promise<void> {
    const { it, model } = this;
    const possible = (change === 'trust') !== model.trusted;
    const { status, body } = await it.post(`/customers/external-accounts/${BANK.nora}/${change}`);
    this.expect(change, status, possible ? 200 : 409);
    if (possible) model.asked = { change, id: body.scaChallenge.id, misses: 0, until: model.now + 5 * MINUTE };
  }

  async confirm(code: string): Promise<void> {
    const { it, model } = this;
    const { change = 'trust', id, misses = 0 } = model.asked ?? {};
    const right = !model.asked ? 409 : code === CODE && misses < 3 ? 200 : 400;
    const path = `/customers/external-accounts/${BANK.nora}/${change}/confirm`;
    const { status } = await it.overlapping('POST', path, { challengeId: id, code });
    this.expect(`confirm ${code}`, status, right);
    if (right === 200) [model.trusted, model.asked] = [change === 'trust', undefined];
    else if (model.asked) model.asked.misses += 1;
  }

  async reset(): Promise<void> {
    const { it, model } = this;
    const day = model.resets.filter(({ at }) => model.now - at < 1440 * MINUTE).length;
    const { status, body } = await it.sca('POST', '/factors/reset', { factor: 'SMS_OTP' });
    this.expect('reset', status, day >= 5 ? 429 : 201);
    if (status !== 201) return;
    for (const old of model.resets) if (old.status === 'OPEN') old.status = 'EXPIRED';
    model.resets.push({ at: model.now, id: body.resetId, status: 'OPEN' });
  }

  async completeReset(): Promise<void> {
    const reset = this.model.resets.at(-1);
    if (!reset) return;
    const mobile = { countryCode: '+46', number: String(700_000_000 + this.random.below(99_999_999)) };
    const { status } = await this.it.sca('POST', `/factors/reset/${reset.id}/complete`, { mobile });
    this.expect('complete reset', status, { OPEN: 204, COMPLETED: 409, EXPIRED: 400 }[reset.status]);
    if (status === 204) reset.status = 'COMPLETED';
  }

  async wait(seconds: number): Promise<void> {
    await this.it.advance(`PT${seconds}S`);
    this.done.push(`wait ${seconds}`);
    this.model.pass(seconds * 1000);
  }

  /** What holds after every step. */
  async check(): Promise<void> {
    const { it, model } = this;
    for (const { id, status } of model.payments.slice(-6))
      expect((await it.get(`/quotes/${id}`)).body.status, id).toBe(status);
    const { world } = it.sandbox;
    const open = [...world.rows(SCA_CHALLENGES).rows()].filter(
      ({ kind, status }) => kind === 'PAYMENT' && (status === 'PENDING' || status === 'EXHAUSTED'),
    );
    const waiting = model.payments.filter(({ status }) => status === 'PENDING_AUTHORIZATION');
    expect(open.map(({ subject }) => subject).sort()).toEqual(waiting.map(({ id }) => id).sort());
    const trust = world.rows(SCA_TRUST).get(BANK.nora)?.status ?? 'UNTRUSTED';
    const standing = model.trusted ? 'TRUSTED' : 'UNTRUSTED';
    expect(trust).toBe(model.asked ? `${model.asked.change.toUpperCase()}_PENDING` : standing);
  }
}

/** Answers that a run of this length has to have seen, or it proves little. */
const SEEN = [
  'execute 200',
  'quote 201',
  'quote 202',
  'authorize 123456 200',
  'authorize 123456 409',
  'authorize 123456 423',
  'authorize 000000 400',
  'resend 204',
  'resend 409',
  'fund 200',
  'login 123456 200',
  'login 000000 400',
  'FAILED_LOGIN_ATTEMPT 423',
  'trust 200',
  'untrust 200',
  'untrust 409',
  'confirm 123456 200',
  'confirm 000000 400',
  'reset 201',
  'reset 429',
  'complete reset 204',
  'complete reset 409',
  // Half an hour has to pass between the two calls, which a short run seldom has.
  ...['complete reset 400'].slice(0, effort(0, 1)),
];

async function live(seed: number): Promise<Story> {
  const it = await euKit();
  const watch = new Watch(it.sandbox.world);
  const story = new Story(it, seed);
  try {
    for (let i = 0; i < STEPS; i += 1) {
      await story.step();
      watch.check();
      await story.check();
    }
    await story.wait(86_400);
    await story.check();
    watch.end();
    const { world } = it.sandbox;
    const left = [...world.rows(SCA_CHALLENGES).rows(), ...world.rows(SCA_RESETS).rows()];
    expect(left.filter(({ status }) => status === 'PENDING' || status === 'EXHAUSTED')).toEqual([]);
    return story;
  } catch (error) {
    throw new Error(`SIMULATION_SEED=${seed} after ${story.done.join(', ')}`, { cause: error });
  } finally {
    watch.close();
  }
}

test('payments, logins, resets and trust obey their rules in any order', async () => {
  const seen = new Set<string>();
  for (const seed of SEEDS) for (const one of (await live(seed)).statuses) seen.add(one);
  if (!process.env['SIMULATION_SEED']) expect(SEEN.filter((one) => !seen.has(one))).toEqual([]);
});

test.each([
  { ...CHALLENGE, ends: ['PASSED', 'REPLACED', 'EXPIRED'] },
  { ...RESET, ends: ['REJECTED', 'COMPLETED', 'EXPIRED'] },
  { ...TRUST, ends: [] },
])('every state of the $name can be reached, and be left unless it is an end', ({ transitions, ends }) => {
  const reached = new Set(transitions.map(({ to }) => to));
  const left = new Set(transitions.flatMap(({ from }) => (Array.isArray(from) ? from : [])));
  expect([...left, ...ends].sort()).toEqual([...reached].sort());
});

import { realWait } from '../engine/timers.ts';
import type { Call, Desk, Event, Payment, Posting } from './desk.ts';
import { type Backend, Failed, type Reply, Skipped, Unable } from './types.ts';
import { hasWords } from './words.ts';

/** Real milliseconds without a POST and a delivery after which a check ends. */
const QUIET_MS = 300;
/** Real milliseconds between two looks: at first, and at most. */
const LOOK_MS = 30;
const SELDOM_MS = 200;
/** Real milliseconds after which silence from a backend that failed is final. */
const SILENCE_MS = 3000;

/** The belief of a backend about a payment; undefined if it does not know. */
export type Belief = 'paid' | 'failed' | undefined;

/** A call by the backend, with the real moment at which the exam first saw it. */
export interface Seen extends Call {
  readonly seenAt: number;
}

/** A debit, and its payment. */
export interface Debit {
  readonly payment: Payment;
  /** The call that moved it, if the log has it. */
  readonly call: string | undefined;
  /** True if no call names the reference of a payment: the debit counts for the scene that saw it. */
  readonly isNameless?: boolean;
}

/** The state that scenes share. */
export interface Stage {
  readonly desk: Desk;
  readonly backend: Backend;
  readonly saysPaid: RegExp;
  readonly saysFailed: RegExp;
  /** The most real milliseconds to wait for an expected state. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Scenes before this one, oldest first. */
  readonly earlier: Scene[];
}

/** The newest entries of a sandbox when a scene began: everything newer belongs to it. */
interface Start {
  readonly at: string;
  readonly isLive: boolean;
  readonly speed: number;
  /** The newest entry of the ledger, and the newest that an earlier scene has read. */
  readonly posting: number;
  readonly looked: number;
  readonly event: string | undefined;
  readonly call: string | undefined;
}

/** Returns why the exam cannot begin: nothing replies at `--pay`, or the program there pays nothing. */
function whyNothing(text: string, isDown: boolean): string {
  const failed = `--pay failed with ${text.trim().slice(0, 200)}`;
  return isDown ? `the backend cannot be reached: ${failed}` : `${failed}, and no call reached the emulator`;
}

/** One check under way: its payment, and everything that the emulator has seen since its start. */
export class Scene {
  readonly check: string;
  readonly reference: string;
  readonly #stage: Stage;
  readonly #pays: { reply: Reply | undefined }[] = [];
  readonly #faults: string[] = [];
  readonly #known = new Set<string>();
  readonly #debits = new Map<string, Debit>();
  #start: Start | undefined;
  /** POSTs by the backend, oldest first. */
  posts: Seen[] = [];
  /** The number of calls of any method. */
  calls = 0;
  /** Emitted events, oldest first. */
  events: readonly Event[] = [];
  #busyAt = 0;
  #traffic = '';
  /** The newest entry of the ledger that it has read. */
  #looked = 0;
  /** The number of debits at the time of the verdict. */
  judged = 0;
  /** The last reply about the payment, for people. */
  answer = '';

  constructor(check: string, reference: string, stage: Stage) {
    this.check = check;
    this.reference = reference;
    this.#stage = stage;
  }

  get desk(): Desk {
    return this.#stage.desk;
  }

  get canAsk(): boolean {
    return this.#stage.backend.ask !== undefined;
  }

  /** The debits for this payment, oldest first. */
  get debits(): Debit[] {
    return [...this.#debits.values()];
  }

  /** Returns whether every call of `--pay` has ended. */
  get paysEnded(): boolean {
    return this.#pays.every(({ reply }) => reply !== undefined);
  }

  async begin(): Promise<void> {
    const { desk } = this;
    const { now, mode, speed } = await desk.ask<{ now: string; mode: string; speed: number }>('GET', '/clock');
    const [posting, event, call] = await Promise.all([
      desk.ask<{ data: Posting[] }>('GET', '/ledger?limit=1'),
      desk.ask<{ data: Event[] }>('GET', '/webhooks?limit=1'),
      desk.ask<{ data: Call[] }>('GET', '/requests?limit=1'),
    ]);
    const newest = posting.data[0]?.number ?? 0;
    // The later check sees everything that happens between two checks.
    const before = this.#stage.earlier.at(-1);
    this.#start = {
      at: now,
      isLive: mode === 'live',
      speed,
      posting: newest,
      looked: before ? before.#looked : newest,
      event: event.data[0]?.id,
      call: call.data[0]?.id,
    };
    this.#looked = this.#start.looked;
  }

  /** Returns whether an event is older than this scene. */
  isOld = ({ id }: { id: string }): boolean => id === this.#start?.event;

  /** Adds a fault for the time of this check. */
  async fault(rule: object): Promise<string> {
    const id = await this.desk.fault(rule);
    this.#faults.push(id);
    return id;
  }

  /** Removes the faults of this check. */
  async withoutFaults(): Promise<void> {
    await this.desk.remove(this.#faults.splice(0));
  }

  /** Starts a payment, and does not wait for it. */
  pay(): void {
    const pay: { reply: Reply | undefined } = { reply: undefined };
    this.#pays.push(pay);
    const { backend } = this.#stage;
    void backend
      .pay(this.reference, this.check)
      .catch((error: unknown): Reply => ({ ok: false, text: String(error) }))
      .then((reply) => {
        pay.reply = reply;
      });
  }

  /**
   * Moves the clock forward. While it moves, a receiver has a second to respond. An event whose last attempt was cut
   * short by that is sent once more, with the full time.
   */
  async moveClock(how: Parameters<Desk['moveClock']>[0]): Promise<void> {
    await this.desk.moveClock(how);
    await this.look();
    const short = this.events.filter(({ state, attempts }) => state === 'PENDING' && attempts.at(-1)?.cutShort);
    await Promise.all(short.map(({ id }) => this.desk.ask('POST', `/webhooks/${id}/redeliver`)));
    await this.look();
  }

  /** Returns the backend's belief about the payment. */
  async believes(): Promise<Belief> {
    const { backend, saysPaid, saysFailed } = this.#stage;
    const reply = await backend
      .ask?.(this.reference, this.check)
      .catch((error: unknown): Reply => ({ ok: false, text: String(error) }));
    if (!reply) return undefined;
    const text = reply.text.replaceAll(this.reference, ' ');
    this.answer = text.replace(/\s+/g, ' ').trim().slice(0, 100);
    if (!reply.ok) return undefined;
    if (hasWords('--says-failed', saysFailed, text)) return 'failed';
    return hasWords('--says-paid', saysPaid, text) ? 'paid' : undefined;
  }

  /** Reads everything new since the last look. Throws `Unable` if the exam was aborted. */
  async look(): Promise<void> {
    const { desk } = this;
    const start = this.#start as Start;
    if (this.#stage.signal.aborted) throw new Unable('the exam was interrupted');
    const [calls, events, postings] = await Promise.all([
      desk.calls(({ id }) => id === start.call),
      desk.events(this.isOld),
      desk.postings(({ number }) => number <= start.looked),
    ]);
    const seenAt = this.#stage.now();
    const posts = calls.filter(({ method }) => method === 'POST').reverse();
    const at = new Map(this.posts.map((one) => [one.id, one.seenAt]));
    this.posts = posts.map((call) => ({ ...call, seenAt: at.get(call.id) ?? seenAt }));
    this.calls = calls.length;
    this.events = events.reverse();
    this.#looked = postings[0]?.number ?? this.#looked;
    for (const one of postings.reverse()) if (one.reason === 'debit') await this.#book(one);
    const traffic = `${posts.length} ${events.reduce((sum, { attempts }) => sum + attempts.length, 0)}`;
    if (traffic !== this.#traffic) this.#busyAt = seenAt;
    this.#traffic = traffic;
  }

  /** Counts a debit for the payment to which it belongs: an earlier check's, if it is late. */
  async #book({ cause: transaction, number }: Posting): Promise<void> {
    if (this.#known.has(transaction)) return;
    const payment = await this.desk.payment(transaction);
    const { owner, ...found } = await this.#ownerOf(payment, number <= (this.#start as Start).posting);
    for (const scene of [...this.#stage.earlier, this]) scene.#debits.delete(transaction);
    owner.#debits.set(transaction, { payment, ...found });
    // The call may appear in the log a moment later.
    if (found.call !== undefined) this.#known.add(transaction);
  }

  /**
   * Finds the call that moved the money, and the check to which it belongs: by its quote's age, and by its reference.
   */
  async #ownerOf(
    { id, createdAt, quoteId }: Payment,
    isBefore: boolean,
  ): Promise<Omit<Debit, 'payment'> & { owner: Scene }> {
    const { earlier } = this.#stage;
    const moved = this.posts.find(({ path, status }) => quoteId && path.includes(quoteId) && status < 300)?.id;
    if (isBefore || createdAt < (this.#start as Start).at) {
      const before = earlier.filter((scene) => (scene.#start as Start).at <= createdAt).at(-1);
      return { call: moved, owner: before ?? this };
    }
    for (const { id: call } of this.posts) {
      const { request, reply } = await this.desk.call(call);
      if (!reply.body?.includes(id)) continue;
      const text = `${JSON.stringify(request.headers)} ${request.body ?? ''}`;
      const owner = [...earlier, this].find(({ reference }) => text.includes(reference));
      return { call: moved ?? call, owner: owner ?? this, isNameless: !owner };
    }
    return { call: moved, owner: this };
  }

  /** Looks repeatedly until a condition holds, or patience has ended. Returns whether it holds. */
  async until(isThere: () => boolean | Promise<boolean>, patienceMs = this.#stage.patienceMs): Promise<boolean> {
    const { now, signal } = this.#stage;
    const end = now() + patienceMs;
    const began = now();
    for (let ms = LOOK_MS; ; ms = Math.min(ms * 1.3, SELDOM_MS)) {
      await this.look();
      if (await isThere()) return true;
      const broken = this.#pays.find(({ reply }) => reply && !reply.ok)?.reply;
      const isSilent = this.calls === 0 && this.events.length === 0 && now() - began > SILENCE_MS;
      if (broken && (broken.isDown || isSilent)) throw new Unable(whyNothing(broken.text, broken.isDown === true));
      if (now() > end) return false;
      await realWait(ms, signal);
    }
  }

  /** Waits until no POST and no delivery has arrived for a moment; polling does not prolong it. */
  async quiet(): Promise<void> {
    const { now, signal, patienceMs } = this.#stage;
    const from = now();
    for (;;) {
      await this.look();
      const left = QUIET_MS - (now() - Math.max(this.#busyAt, from));
      if (left <= 0 || now() - from > patienceMs) return;
      await realWait(Math.max(left / 2, LOOK_MS), signal);
    }
  }

  /** Returns whether every event that may be sent has been attempted at least once. */
  get isSent(): boolean {
    return this.events.every(({ state, attempts }) => state !== 'PENDING' || attempts.length > 0);
  }

  /** Waits for a debit, its events and a belief, or until they can no longer be expected; then for quiet. */
  async settled(belief: Belief = 'paid', wants: () => boolean = () => true): Promise<void> {
    const isThere = async () =>
      this.debits.length > 0 && this.isSent && wants() && (!this.canAsk || (await this.believes()) === belief);
    await this.until(isThere);
    await this.quiet();
  }

  /**
   * Returns the real milliseconds from one call to the next. If the emulator's clock runs by itself, they are derived from
   * its moments and its speed.
   */
  gap(from: Seen, to: Seen): number {
    const { isLive, speed } = this.#start as Start;
    return isLive ? (Date.parse(to.at) - Date.parse(from.at)) / speed : to.seenAt - from.seenAt;
  }

  /** Skips a check that needs `--ask`. */
  needsAsk(): void {
    if (!this.canAsk) throw new Skipped('it needs --ask, to know what the backend believes');
  }

  /** Returns in words why nothing may have been paid: no call at all, or one that was refused. */
  #lastRefusal(): string {
    if (this.posts.length === 0) return ': no POST of the backend reached this sandbox';
    const refused = this.posts.findLast(({ code }) => code !== undefined);
    return refused ? `; ${refused.method} ${refused.path} was refused: ${refused.status} ${refused.code}` : '';
  }

  /** Fails unless the number of debits is between `least` and one. */
  hasDebits(least: 0 | 1, hint: string): void {
    const { debits, posts } = this;
    if (debits.length > 1)
      throw new Failed(
        'one debit for one payment',
        `${debits.length} debits: the money left ${debits.length} times`,
        debits.flatMap(({ call, payment }) => call ?? payment.id),
        hint,
      );
    if (debits.length < least)
      throw new Failed(
        'one debit',
        `no debit within ${this.#stage.patienceMs / 1000} s${this.#lastRefusal()}`,
        posts.slice(-2).map(({ id }) => id),
        posts.length === 0 ? 'is its base URL that of this emulator, and its login that of this sandbox?' : hint,
      );
  }

  /**
   * Fails unless every event of this check was sent, and acknowledged with 2xx. Attempts that a fault held back or that
   * were cut short do not count. `known` is another status that ends a delivery.
   */
  isAcknowledged(events = this.events, known = 200): void {
    for (const { id, type, attempts, state } of events) {
      const sent = attempts.filter(({ fault, cutShort }) => !cutShort && !/pretended|dropped/.test(fault ?? ''));
      const bad = sent.find(({ status = 0 }) => status !== known && (status < 200 || status > 299));
      if (!bad && (sent.length > 0 || state === 'WAITING')) continue;
      throw new Failed(
        'every event answered with 2xx',
        bad ? `${type} was answered with ${bad.status ?? bad.error}` : `${type} was not sent: its state is ${state}`,
        [id],
        'answer 2xx to every event whose signature holds, also to one that you know or do not need',
      );
    }
  }

  /** Fails unless the backend's belief is the right one; asks repeatedly. */
  async isBelieved(belief: Belief, why: string, hint: string): Promise<void> {
    if (!this.canAsk || (await this.believes()) === belief) return;
    throw new Failed(
      `the backend says ${belief}: ${why}`,
      this.answer === '' ? '--ask got no answer' : `--ask answers: ${this.answer}`,
      this.lookAt(),
      hint,
    );
  }

  /** Returns the call that moved the money, and the last event about it, as evidence. */
  lookAt(): string[] {
    const [debit] = this.debits;
    const last = this.events.filter(({ subject }) => subject === debit?.payment.id).at(-1);
    return [debit?.call, last?.id].filter((id) => id !== undefined);
  }
}

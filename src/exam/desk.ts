import type { Control } from './types.ts';

/** A call of the API as the request log lists it. */
export interface Call {
  readonly id: string;
  /** The virtual moment. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation?: string;
  readonly status: number;
  /** The error code of a refusal. */
  readonly code?: string;
}

/** A call with everything that the log has about it. */
export interface WholeCall extends Call {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body?: string };
  readonly reply: { readonly body?: string };
}

/** One attempt at a delivery. */
export interface Attempt {
  readonly status?: number;
  readonly error?: string;
  readonly fault?: string;
  /** True if the receiver had less than its usual time, because the clock was being moved. */
  readonly cutShort?: true;
}

/** An event with its delivery. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly state: 'WAITING' | 'PENDING' | 'DELIVERED' | 'ABANDONED' | 'UNSENT';
  readonly attempts: readonly Attempt[];
}

/** The members of a payment that an exam reads. */
export interface Payment {
  readonly id: string;
  readonly quoteId?: string;
  readonly createdAt: string;
}

/** A fault, and the number of calls that it matched. */
interface Met {
  readonly id: string;
  readonly fired: number;
  readonly waiting?: number;
  readonly gaveUp?: number;
}

interface Policies {
  readonly data: readonly { readonly kind: string; readonly policy: string; readonly scenario: string }[];
}

/** The most entries of a list that are read at once: more than one check leads to. */
const MOST = 100;

/** The text by which one exam recognizes that another is under way. */
const MARK = 'an exam is under way';

/** The emulator during an exam: it is read, set up, and restored. */
export class Desk {
  readonly #control: Control;
  readonly #faults = new Set<string>();
  /** Policies to restore, by kind of work. */
  readonly #policies = new Map<string, string | null>();
  /** Virtual milliseconds by which the clock was moved, to the second. */
  movedMs = 0;

  constructor(control: Control) {
    this.#control = control;
  }

  ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#control.ask<T>(method, path, body);
  }

  /** Moves the clock forward, and adds up the total. */
  async moveClock(how: { readonly advance: string } | { readonly to: string }): Promise<void> {
    const before = await this.ask<{ now: string }>('GET', '/clock');
    const { now } = await this.ask<{ now: string }>('POST', '/clock', how);
    // The clock runs on between the two requests: that is not our move.
    this.movedMs += Math.round((Date.parse(now) - Date.parse(before.now)) / 1000) * 1000;
  }

  /**
   * Returns the entries of a list, newest first, up to the first known one. It reads few at first, because it is called
   * often.
   */
  async #newest<T>(path: string, isKnown: (one: T) => boolean, few: number): Promise<T[]> {
    for (const limit of [few, MOST]) {
      const { data } = await this.ask<{ data: readonly T[] }>('GET', `${path}?limit=${limit}`);
      const known = data.findIndex(isKnown);
      if (known >= 0) return data.slice(0, known);
      if (data.length < limit || limit === MOST) return [...data];
    }
    return [];
  }

  calls = (isKnown: (one: Call) => boolean): Promise<Call[]> => this.#newest('/requests', isKnown, 10);
  events = (isKnown: (one: Event) => boolean): Promise<Event[]> => this.#newest('/webhooks', isKnown, 10);
  postings = (isKnown: (one: Posting) => boolean): Promise<Posting[]> => this.#newest('/ledger', isKnown, 4);

  call = (id: string): Promise<WholeCall> => this.ask('GET', `/requests/${id}`);
  async payment(id: string): Promise<Payment> {
    return (await this.ask<{ transaction: Payment }>('GET', `/transactions/${id}`)).transaction;
  }

  /** Returns the mark of another exam in this sandbox, by its id. */
  async other(): Promise<string | undefined> {
    const { data } = await this.ask<{ data: { id: string; then: { message?: string } }[] }>('GET', '/faults');
    return data.find(({ id, then }) => then.message === MARK && !this.#faults.has(id))?.id;
  }

  /** Marks the sandbox as being examined, by a fault that never fires. */
  mark = (): Promise<string> => this.fault({ match: { after: 1_000_000_000 }, then: { status: 503, message: MARK } });

  /** Adds a fault. */
  async fault(rule: object): Promise<string> {
    const { id } = await this.ask<{ id: string }>('POST', '/faults', rule);
    this.#faults.add(id);
    return id;
  }

  fired = async (fault: string): Promise<number> => (await this.#met(fault)).fired;

  /** Returns how many clients of the calls that a fault delayed are still waiting, and how many gave up. */
  async held(fault: string): Promise<{ waiting: number; gaveUp: number }> {
    const { waiting = 0, gaveUp = 0 } = await this.#met(fault);
    return { waiting, gaveUp };
  }

  async #met(fault: string): Promise<Met> {
    const { data } = await this.ask<{ data: Met[] }>('GET', '/faults');
    return data.find(({ id }) => id === fault) ?? { id: fault, fired: 0 };
  }

  /** Removes faults that were added here, if they still exist. */
  async remove(faults: Iterable<string>): Promise<void> {
    const { data } = await this.ask<{ data: { id: string }[] }>('GET', '/faults');
    for (const id of faults) {
      if (data.some((one) => one.id === id)) await this.ask('DELETE', `/faults/${id}`);
      this.#faults.delete(id);
    }
  }

  async policy(kind: string): Promise<string | undefined> {
    return (await this.ask<Policies>('GET', '/policies')).data.find((one) => one.kind === kind)?.policy;
  }

  /** Changes when work happens, and remembers the earlier policies. */
  async setPolicies(policies: Readonly<Record<string, string>>): Promise<void> {
    const { data } = await this.ask<Policies>('GET', '/policies');
    for (const { kind, policy, scenario } of data)
      if (kind in policies && !this.#policies.has(kind)) this.#policies.set(kind, policy === scenario ? null : policy);
    await this.ask('PUT', '/policies', policies);
  }

  /**
   * Restores faults and policies, and sends the deliveries that a fault of ours still holds. `isOld` recognizes earlier
   * events.
   */
  async restore(isOld: (event: Event) => boolean): Promise<void> {
    await this.remove([...this.#faults]);
    if (this.#policies.size > 0) await this.ask('PUT', '/policies', Object.fromEntries(this.#policies));
    this.#policies.clear();
    await this.release(isOld);
  }

  /** Sends the deliveries that a fault holds, oldest first; a receiver that refuses them keeps its own retries. */
  async release(isOld: (event: Event) => boolean): Promise<void> {
    const given = new Set<string>();
    for (;;) {
      const events = (await this.events(isOld)).reverse();
      const held = events.find(
        ({ id, subject, state, attempts }) =>
          state === 'PENDING' &&
          !given.has(id) &&
          !given.has(subject) &&
          (attempts.length === 0 || attempts.at(-1)?.fault !== undefined),
      );
      if (!held) return;
      given.add(held.id);
      const { state } = await this.ask<Event>('POST', `/webhooks/${held.id}/redeliver`);
      if (state !== 'DELIVERED') given.add(held.subject);
    }
  }
}

/** An entry of the ledger. */
export interface Posting {
  readonly number: number;
  readonly reason: string;
  readonly cause: string;
}

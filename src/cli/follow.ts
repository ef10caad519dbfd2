import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, Item, LogItems } from './log-items.ts';
import { NobodyThere, Refused, type Remote } from './remote.ts';
import { eventsIn, type ServerEvent } from './sse.ts';

/** Real milliseconds between two attempts to reach an emulator that has ended. */
const AGAIN_MS = 250;
/** The number of lines that are remembered, so that none is printed twice: more than an emulator keeps. */
const REMEMBERED = 5000;

/**
 * Prints the log of a sandbox, at most that many lines, and then everything new, until a signal or until nobody reads.
 * It outlives the emulator: it says so, and joins the next one.
 */
export async function follow(remote: Remote, items: LogItems, lines: number, print: (line: string) => void) {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort());
  process.stdout.once('error', () => end.abort());
  const log = new Follower(remote, items, print);
  await log.follow(await remote.open('/events', end.signal), lines).catch(unlessEnded(end.signal));
  while (!end.signal.aborted) {
    print(items.note('lost', `lost the emulator at ${remote.url}; waiting for it`, { url: remote.url }));
    const stream = await joined(remote, end.signal).catch(unlessEnded(end.signal));
    if (!stream) return;
    print(items.note('joined', `the emulator at ${remote.url} is there again`, { url: remote.url }));
    log.forget();
    await log.follow(stream, Number.POSITIVE_INFINITY).catch(unlessEnded(end.signal));
  }
}

/** Returns the live feed of an emulator, as soon as there is one: the sandbox may appear only with its first call. */
async function joined(remote: Remote, signal: AbortSignal): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await remote.open('/events', signal);
    } catch (error) {
      if (!(error instanceof NobodyThere || (error instanceof Refused && error.status === 404))) throw error;
    }
    await wait(AGAIN_MS, undefined, { signal });
  }
}

/** Returns a handler that ignores a broken connection after the end was requested. */
const unlessEnded = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
};

/** Prints each line once, whether it arrives with the past or with the live feed. */
class Follower {
  readonly #remote: Remote;
  readonly #items: LogItems;
  readonly #print: (line: string) => void;
  #seen = new Set<string>();

  constructor(remote: Remote, items: LogItems, print: (line: string) => void) {
    this.#remote = remote;
    this.#items = items;
    this.#print = print;
  }

  /** Forgets the lines: ids start anew with another emulator, or after a reset. */
  forget(): void {
    this.#seen.clear();
  }

  /** Prints the past, and the events of an open live feed, until it ends. */
  async follow(stream: IncomingMessage, lines: number): Promise<void> {
    try {
      const past = await this.#items.past(this.#remote);
      for (const [i, item] of past.entries()) {
        if (i >= past.length - lines) this.#say(item);
        else this.#remember(item.key);
      }
      for await (const event of eventsIn(stream)) for (const item of await this.#itemsOf(event)) this.#say(item);
    } catch (error) {
      // The emulator ended in the middle: that is an end like any other.
      if (!(error instanceof NobodyThere || isBroken(error))) throw error;
    }
  }

  async #itemsOf({ event, data }: ServerEvent): Promise<Item[]> {
    if (event === 'request') return this.#items.request(data);
    if (event === 'delivery') return this.#deliveries(data);
    if (event === 'reset') {
      this.forget();
      this.#print(this.#items.note('reset', 'another life has begun: reset, restored, rewound or read again'));
    }
    if (event === 'missed')
      this.#print(this.#items.note('missed', `${data.count} events were missed: this reader is too slow`, data));
    return [];
  }

  /** Returns the attempts, not printed yet, of an event that the live feed reports. */
  async #deliveries({ id }: { id: string }): Promise<Item[]> {
    if (!this.#items.withWebhooks) return [];
    const delivery = await this.#remote
      .ask<Delivery>('GET', `/webhooks/${encodeURIComponent(id)}`)
      .catch((error: unknown) => {
        // The emulator may have forgotten it by now.
        if (!(error instanceof Refused)) throw error;
      });
    return delivery?.attempts.flatMap((_, i) => this.#items.attempt(delivery, i)) ?? [];
  }

  #say({ key, text }: Item): void {
    if (this.#seen.has(key)) return;
    this.#remember(key);
    this.#print(text);
  }

  #remember(key: string): void {
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

/** Returns whether a stream broke off, rather than our own code. */
const isBroken = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).code === 'string';

import type { Why } from '../contract/errors.ts';
import type { Moment } from '../engine/history.ts';
import type { CommittedEvent, World } from '../engine/world.ts';
import { type Act, type Done, REMEMBERED_ACTS } from './acts.ts';
import type { Before } from './before.ts';
import type { Kept, LogBudget } from './log-budget.ts';

/** The consequences of a request: its own and those of the jobs that it caused. */
export interface Caused {
  events: readonly string[];
  jobs: readonly { readonly id: string; readonly kind: string }[];
  magic: readonly string[];
  /** Jobs that never ran, because a restore removed them. */
  undone?: Set<string> | undefined;
}

/** One completed request in the log. Text is kept as it arrived, and masked when it is shown. */
export interface Entry {
  readonly id: string;
  /** Virtual time. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Names and values, alternating, as Node provides them. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly operation: string | undefined;
  /** 0 if a fault closed the connection before the call had any effect. */
  readonly status: number;
  readonly reply: string;
  /** Real milliseconds. */
  readonly ms: number;
  readonly code: string | undefined;
  readonly why: Why | undefined;
  /** The fault that fired, and its effect; the caller may then have seen another status or reply. */
  readonly fault?: string | undefined;
  /** The `traceparent` of its span, if spans are recorded. */
  traceparent?: string | undefined;
  /** The state before it, while that can be restored. */
  before?: Before | undefined;
  /** True if a rewind undid its effects. */
  undone?: boolean;
  /** The id of the request before which that rewind went; unknown in older capsules. */
  undoneBy?: string | undefined;
  /** The consequences, which the log adds and its jobs extend; undefined if there were none. */
  caused?: Caused | undefined;
}

/** The most requests that a sandbox keeps; it forgets older ones. */
export const REMEMBERED_REQUESTS = 1000;
/** The most events, and the most jobs, that are kept per request, so that an entry does not grow without bound. */
const MOST_CAUSED = 250;
/** The most characters of a request or reply body that are kept. */
export const REMEMBERED_BODY = 16_384;

const NOTHING: readonly never[] = [];
/**
 * The length up to which a list is copied to its exact size: most requests lead to few events, and many lists are kept.
 */
const FEW = 8;

/** Returns a list with one more element. A long one is changed in place. */
function withOne<T>(list: readonly T[], one: T): readonly T[] {
  if (list.length < FEW) return list.length === 0 ? [one] : list.concat(one);
  (list as T[]).push(one);
  return list;
}

/** The last requests of one sandbox, in a ring, within the budget of its process. */
export class RequestLog {
  readonly #budget: LogBudget;
  #ring: (Kept<Entry> | undefined)[] = [];
  /** The position of the oldest entry; `#count` is their number. */
  #first = 0;
  #count = 0;
  readonly #drop = (): void => this.#forgetOldest();
  readonly calls = new Map<string, number>();
  /** The headers of the latest request whose headers differed from those before it. */
  #headers: readonly string[] = [];
  /** The consequences of requests without a reply yet, by request id; those of the latest are in `#last`. */
  readonly #open = new Map<string, Caused>();
  #last: { readonly id: string; readonly caused: Caused } | undefined;
  /** The consequences of the request that caused a pending job, by job id. */
  readonly #ofJobs = new Map<string, Caused>();
  #unfollow = (): void => {};
  #acts: Act[] | undefined;
  #emptiedAfter: string | undefined;

  constructor(budget: LogBudget) {
    this.#budget = budget;
  }

  /**
   * Notes from now on the consequences of requests to a world. Earlier jobs that are not in it never ran: a restore
   * removed them.
   */
  follow(world: World): void {
    this.#unfollow();
    for (const [id, caused] of this.#ofJobs) {
      if (world.scheduler.jobs.get(id)) continue;
      this.#ofJobs.delete(id);
      caused.undone ??= new Set();
      caused.undone.add(id);
    }
    this.#unfollow = world.watch((event, cause) => this.#note(event, cause));
  }

  #note(event: CommittedEvent, cause: string | undefined): void {
    if (event.what === 'ended') this.#ofJobs.delete(event.id);
    if (cause === undefined || event.what === 'ended' || event.what === 'delivery' || event.what === 'entered') return;
    const caused = this.#causedBy(cause);
    if (!caused) return;
    if (event.what === 'magic') caused.magic = withOne(caused.magic, event.sentence);
    else if (event.what === 'event') {
      if (caused.events.length < MOST_CAUSED) caused.events = withOne(caused.events, event.event.id);
    } else if (caused.jobs.length < MOST_CAUSED) {
      caused.jobs = withOne(caused.jobs, { id: event.id, kind: event.kind });
      this.#ofJobs.set(event.id, caused);
    }
  }

  /**
   * Returns the consequences of the request that is a cause, or that caused it; undefined for a job of an unknown
   * request.
   */
  #causedBy(cause: string): Caused | undefined {
    if (this.#last?.id === cause) return this.#last.caused;
    const known = this.#ofJobs.get(cause) ?? this.#open.get(cause);
    if (known || cause.startsWith('Job:')) return known;
    if (this.#last) this.#open.set(this.#last.id, this.#last.caused);
    const caused: Caused = { events: NOTHING, jobs: NOTHING, magic: NOTHING, undone: undefined };
    this.#last = { id: cause, caused };
    return caused;
  }

  /** Returns the consequences of a request that now has its reply. */
  #close(id: string): Caused | undefined {
    if (this.#last?.id === id) {
      const { caused } = this.#last;
      this.#last = undefined;
      return caused;
    }
    if (this.#open.size === 0) return undefined;
    const caused = this.#open.get(id);
    this.#open.delete(id);
    return caused;
  }

  /** Returns the number of known pending jobs and unanswered requests, for a test that this does not grow. */
  get causes(): number {
    return this.#ofJobs.size + this.#open.size + (this.#last ? 1 : 0);
  }

  /** Returns equal headers as one shared list: clients repeat theirs, and each entry would keep its own. */
  sharing(headers: readonly string[]): readonly string[] {
    const before = this.#headers;
    let same = before.length === headers.length;
    for (let i = headers.length - 1; same && i >= 0; i -= 1) same = before[i] === headers[i];
    if (!same) this.#headers = headers;
    return same ? before : headers;
  }

  add(entry: Entry): void {
    entry.caused = this.#close(entry.id);
    this.#keep(entry);
  }

  #keep(entry: Entry): void {
    if (this.#count === REMEMBERED_REQUESTS) {
      this.#budget.remove(this.#ring[this.#first] as Kept);
      this.#forgetOldest();
    }
    const kept = this.#budget.add(entry, this.#drop);
    this.#ring[(this.#first + this.#count) % REMEMBERED_REQUESTS] = kept;
    this.#count += 1;
    if (entry.operation) this.calls.set(entry.operation, (this.calls.get(entry.operation) ?? 0) + 1);
  }

  /** Adds an entry of another process as the newest one, with its consequences. */
  revive(entry: Entry, world: World): void {
    for (const { id } of entry.caused?.jobs ?? [])
      if (entry.caused && world.scheduler.jobs.get(id)) this.#ofJobs.set(id, entry.caused);
    this.#keep(entry);
  }

  reviveActs(acts: readonly Act[]): void {
    this.#acts = [...acts];
  }

  /** The acts by hand that the log keeps, oldest first. */
  get acts(): readonly Act[] {
    return this.#acts ?? NOTHING;
  }

  /** Notes an act by hand at a moment of virtual time. */
  noteAct(at: string, done: Done): void {
    const [newest] = this.newest();
    this.#acts ??= [];
    this.#acts.push({ at, after: newest?.id, done });
    if (this.#acts.length > REMEMBERED_ACTS) this.#acts.shift();
  }

  /** Marks the requests that arrived after a moment as undone by a rewind; none can be restored any more. */
  forgetAfter({ turn, history }: Moment): void {
    // A restore begins a new history, whose moments are counted from the beginning.
    const turnOf = ({ before }: Entry) => (before?.moment.history === history ? before.moment.turn : undefined);
    let to: string | undefined;
    for (const entry of this.newest()) if (turnOf(entry) === turn) to = entry.id;
    for (const entry of this.newest()) {
      const before = turnOf(entry);
      if (before === undefined || before < turn) continue;
      // A request that an earlier rewind undid keeps the name of that one.
      if (!entry.undone) entry.undoneBy = to;
      entry.undone = true;
      if (before > turn) entry.before = undefined;
    }
  }

  get(id: string): Entry | undefined {
    for (const entry of this.newest()) if (entry.id === id) return entry;
    return undefined;
  }

  /** Returns the entries, newest first. */
  *newest(): Generator<Entry> {
    for (let i = this.#count - 1; i >= 0; i -= 1) {
      const kept = this.#ring[(this.#first + i) % REMEMBERED_REQUESTS];
      if (kept) yield kept.entry;
    }
  }

  /** The newest request that a reset removed from the log; undefined if none did. */
  get emptiedAfter(): string | undefined {
    return this.#emptiedAfter;
  }

  /** Forgets everything, and frees its budget. */
  clear(): void {
    const [newest] = this.newest();
    if (newest) this.#emptiedAfter = newest.id;
    for (const kept of this.#ring) if (kept) this.#budget.remove(kept);
    this.#ring = [];
    this.#first = 0;
    this.#count = 0;
    this.#headers = [];
    this.#last = undefined;
    this.#acts = undefined;
    // Clearing a map allocates a new one inside, even if it was empty.
    for (const map of [this.calls, this.#open, this.#ofJobs]) if (map.size > 0) map.clear();
  }

  #forgetOldest(): void {
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % REMEMBERED_REQUESTS;
    this.#count -= 1;
  }
}

/** Returns a body cut to the length that the log keeps. */
export const remembered = (text: string): string =>
  // A slice would keep the whole text alive; a copy does not.
  text.length > REMEMBERED_BODY
    ? `${Buffer.from(text.slice(0, REMEMBERED_BODY)).toString()}… (${text.length} characters)`
    : text;

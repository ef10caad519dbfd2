import { createHash } from 'node:crypto';
import * as z from 'zod';
import { ERRORS, type ErrorCode } from './errors.ts';
import { lazy } from './lazy.ts';

const CODES = () => z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/** The effect of a fault on an API call. */
const CallEffect = () =>
  z.strictObject({
    status: z.int().min(400).max(599).optional().describe('Answer with this status and an error body'),
    code: CODES().optional().describe('Answer with this error; its own status unless status is given'),
    message: z.string().max(500).optional().describe('The sentence of that error'),
    retryAfter: z.int().min(0).max(86_400).optional().describe('Seconds for a Retry-After header'),
    delayMs: z.int().min(0).max(600_000).optional().describe('Real milliseconds that pass before the answer'),
    drop: z.boolean().optional().describe('Close the connection without an answer'),
    truncate: z.boolean().optional().describe('Send half of the answer and close the connection; the call was done'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('before (the default): nothing was done; after: the call was done, only its answer is lost'),
  });

/** The effect of a fault on a webhook. */
const WebhookEffect = () =>
  z.strictObject({
    status: z.int().min(100).max(599).optional().describe('Send nothing, and note this as what the receiver said'),
    drop: z.boolean().optional().describe('Send nothing, and note that the connection broke'),
    delayMs: z.int().min(0).max(604_800_000).optional().describe('Virtual milliseconds until it is sent'),
    duplicate: z.boolean().optional().describe('Send it twice'),
    reorder: z.boolean().optional().describe('Let later events of its resource go first (delayMs, or a second)'),
    wrongSignature: z.boolean().optional().describe('Sign with a key that is not the published one'),
    alteredBody: z.boolean().optional().describe('Change the body after signing it'),
  });

const counts = () => ({
  every: z.int().min(1).optional().describe('Only every nth match'),
  times: z.int().min(1).optional().describe('Only this many times, then never again'),
  after: z.int().min(0).optional().describe('Let this many matches pass first'),
});

const CallMatch = () =>
  z.strictObject({
    operation: z
      .string()
      .meta({ tsType: 'keyof Operations' })
      .optional()
      .describe('Operation id, such as createCustomer'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('HTTP method'),
    path: z
      .string()
      .startsWith('/')
      .max(200)
      .optional()
      .describe('Path below the version; * is part of a segment, ** any rest, {name} a segment'),
    ...counts(),
  });

const WebhookMatch = () =>
  z.strictObject({
    webhook: z
      .string()
      .min(1)
      .max(100)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
      .meta({ tsType: 'AnyEventType | `${string}*${string}`' })
      .describe('Event type; * stands for any part, as in CUSTOMER.*'),
    ...counts(),
  });

const chance = () => z.number().min(0).max(1).optional().describe('Chance of each match, drawn from the seed');
const something = (effect: object): boolean => Object.keys(effect).some((key) => key !== 'when' && key !== 'message');
const NOTHING = 'say what goes wrong';

/** A rule for something that shall go wrong, with API calls or with webhooks. */
export const FaultRule = lazy(() =>
  z
    .union([
      z.strictObject({
        match: WebhookMatch().describe('Which webhooks'),
        probability: chance(),
        then: WebhookEffect().refine(something, NOTHING).describe('What goes wrong'),
      }),
      z.strictObject({
        match: CallMatch().prefault({}).describe('Which API calls; all of them without'),
        probability: chance(),
        then: CallEffect().refine(something, NOTHING).describe('What goes wrong'),
      }),
    ])
    .meta({ tsName: 'FaultRule' }),
);
export type FaultRule = z.output<ReturnType<typeof FaultRule>>;

export type CallFault = z.output<ReturnType<typeof CallEffect>>;
export type WebhookFault = z.output<ReturnType<typeof WebhookEffect>>;

/** A fault that fired on a delivery, with its name in the log. */
export const TamperingShape = lazy(() => WebhookEffect().extend({ fault: z.string() }));
export type DeliveryFault = WebhookFault & { readonly fault: string };

/** A fault in its present state: its rule, and how often it matched and fired. */
export interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  /** The number of matches, whether it fired or not. */
  seen: number;
  fired: number;
}

/**
 * The calls that a fault has delayed: those whose client still waits, and those whose client has closed its connection.
 */
export interface Held {
  waiting: number;
  gaveUp: number;
}

/** First attempts of webhooks that faults count before they begin. */
export interface Ahead {
  /** Ids of events that were emitted while there were faults, and whose attempt has not begun, oldest first. */
  readonly open: Set<string>;
  /** The faults that have counted the first attempt of an event, and those that fire on it. */
  readonly counted: Map<string, { readonly by: readonly string[]; readonly fire: readonly string[] }>;
}

/** Faults with their counts and their random state, as data; `ahead` is left out while it is empty. */
export interface FaultsState {
  list: readonly Fault[];
  made: number;
  drawn: number;
  ahead?: AheadState | undefined;
}
interface AheadState {
  readonly open: readonly string[];
  readonly counted: readonly {
    readonly id: string;
    readonly by: readonly string[];
    readonly fire: readonly string[];
  }[];
}

/** An API call, as a fault sees it. */
export interface Call {
  readonly operation: string | undefined;
  readonly method: string;
  /** Below the version segment, as called. */
  readonly path: string;
  /** The declared path, with `{name}` segments. */
  readonly declared: string | undefined;
}

/**
 * The faults of one sandbox. They are not part of the world: a state does not carry them, and a refused call may count
 * one.
 */
export class Faults {
  readonly #seed: string;
  #list: Fault[] = [];
  #made = 0;
  #drawn = 0;
  readonly ahead: Ahead;
  /** By the id of the fault; for this process only, and not part of a state. */
  readonly #held = new Map<string, Held>();
  /** Called when a fault is added, fires or is removed. */
  onChange: () => void = () => {};

  /**
   * Takes the faults of a scenario, with random outcomes from the seed; or copies other faults with their rules, counts
   * and random state.
   */
  constructor(seed: string, from: Faults | readonly FaultRule[] = []) {
    this.#seed = seed;
    const { open, counted } = from instanceof Faults ? from.ahead : {};
    this.ahead = { open: new Set(open), counted: new Map(counted) };
    if (from instanceof Faults) {
      this.#list = from.#list.map((fault) => ({ ...fault }));
      this.#made = from.#made;
      this.#drawn = from.#drawn;
    } else for (const rule of from) this.add(rule);
  }

  /** Returns all faults as data. */
  state(): FaultsState {
    const { open, counted } = this.ahead;
    const ahead = { open: [...open], counted: [...counted].map(([id, one]) => ({ id, ...one })) };
    return {
      list: this.#list.map((fault) => ({ ...fault })),
      made: this.#made,
      drawn: this.#drawn,
      ...(open.size + counted.size > 0 ? { ahead } : {}),
    };
  }

  /** Restores the faults of a state. */
  restore({ list, made, drawn, ahead }: FaultsState): void {
    this.#list = list.map((fault) => ({ ...fault }));
    this.#made = made;
    this.#drawn = drawn;
    const { open, counted } = this.ahead;
    open.clear();
    counted.clear();
    for (const id of ahead?.open ?? []) open.add(id);
    for (const { id, by, fire } of ahead?.counted ?? []) counted.set(id, { by, fire });
    this.onChange();
  }

  /** Skips the ids that earlier faults had, so that none of them is mistaken for a new one. */
  goOnFrom(before: Faults): void {
    this.#made = Math.max(this.#made, before.#made);
  }

  get list(): readonly Fault[] {
    return this.#list;
  }

  /** Returns whether there are no faults. */
  get none(): boolean {
    return this.#list.length === 0;
  }

  add(rule: FaultRule): Fault {
    this.#made += 1;
    const fault = { id: `fault-${this.#made}`, rule, seen: 0, fired: 0 };
    this.#list.push(fault);
    this.onChange();
    return fault;
  }

  /** Removes one; returns false if there is no such fault. */
  remove(id: string): boolean {
    const before = this.#list.length;
    this.#list = this.#list.filter((fault) => fault.id !== id);
    if (this.#list.length === before) return false;
    this.#held.delete(id);
    this.onChange();
    return true;
  }

  clear(): void {
    this.#list = [];
    this.#held.clear();
    this.onChange();
  }

  /** Returns the first fault that fires on an API call; those after it do not see the call. */
  onCall(call: Call): { id: string; then: CallFault } | undefined {
    for (const fault of this.#list) {
      const { match, then } = fault.rule;
      if ('webhook' in match || !matchesCall(match, call) || !this.#fires(fault)) continue;
      return { id: fault.id, then: then as CallFault };
    }
    return undefined;
  }

  /** Returns the calls that a fault has delayed; undefined if it delayed none. */
  heldBy(id: string): Readonly<Held> | undefined {
    return this.#held.get(id);
  }

  /**
   * Counts a call that a fault delays from now on. Returns the function that counts its end: the delay is over, or its
   * client gave up.
   */
  hold(id: string): (gaveUp: boolean) => void {
    const held = this.#held.get(id) ?? { waiting: 0, gaveUp: 0 };
    this.#held.set(id, held);
    held.waiting += 1;
    let isOver = false;
    return (gaveUp) => {
      if (isOver) return;
      isOver = true;
      held.waiting -= 1;
      if (gaveUp) held.gaveUp += 1;
    };
  }

  /** Counts an attempt of a delivery. Returns the ids of the faults that fire on it; `counted` are left out. */
  onDelivery({ type, id }: { type: string; id: string }, tried: number, counted: readonly string[] = []): string[] {
    return this.#list
      .filter((fault) => {
        const { match } = fault.rule;
        if (!('webhook' in match) || !meetsType(match.webhook, type) || counted.includes(fault.id)) return false;
        return this.#fires(fault, `${id} ${tried}`);
      })
      .map((fault) => fault.id);
  }

  /** Returns what faults do to a delivery, by their ids; if two set the same effect, the first counts. */
  effectOf(ids: readonly string[]): DeliveryFault | undefined {
    let found: DeliveryFault | undefined;
    for (const { id, rule } of this.#list)
      if (ids.includes(id))
        found = { ...rule.then, ...found, fault: found ? `${found.fault}, ${id}` : id } as DeliveryFault;
    return found;
  }

  /** Counts a match and decides whether it fires: after, every, chance, times, in this order. */
  #fires(fault: Fault, what?: string): boolean {
    const { match, probability } = fault.rule;
    const { every = 1, times = Number.POSITIVE_INFINITY, after = 0 } = match;
    fault.seen += 1;
    const nth = fault.seen - after;
    const fires =
      nth > 0 &&
      nth % every === 0 &&
      fault.fired < times &&
      (probability === undefined || this.#fraction(fault, what) < probability);
    if (fires) fault.fired += 1;
    this.onChange();
    return fires;
  }

  /**
   * Returns the next random fraction. It has a stream of its own, so that a fault does not change the ids that are
   * drawn. Each attempt of a webhook has its own draw, because attempts end in the order of the receivers' responses.
   */
  #fraction(fault: Fault, what?: string): number {
    if (what === undefined) this.#drawn += 1;
    const draw = what === undefined ? this.#drawn : `${fault.id} ${what}`;
    const digest = createHash('sha256').update(`sandbox-emulator faults ${this.#seed} ${draw}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }
}

function matchesCall(match: z.output<ReturnType<typeof CallMatch>>, call: Call): boolean {
  if (match.operation !== undefined && match.operation !== call.operation) return false;
  if (match.method !== undefined && match.method !== call.method) return false;
  if (match.path === undefined || match.path === call.declared) return true;
  return matches(glob(match.path, '/'), call.path);
}

/** Returns whether the pattern of a fault matches events of a type. */
export const meetsType = (pattern: string, type: string): boolean => matches(glob(pattern, '.'), type);

/**
 * A pattern as bits, one per position, in words of 32: the positions that a character advances from, and those where it
 * may stay.
 */
interface Glob {
  readonly words: number;
  readonly length: number;
  /** The positions from which a character advances to the next. */
  readonly chars: ReadonlyMap<string, Uint32Array>;
  /** The positions of stars, where any character may stay; `rests` are those that match separators, too. */
  readonly stars: Uint32Array;
  readonly rests: Uint32Array;
}

/** By the separator and the pattern; bounded, because patterns are sent by clients. */
const globs = new Map<string, Glob>();
const MOST_GLOBS = 20_000;

/**
 * Compiles a pattern. `**` matches anything; `*` and `{name}` match anything but the separator, except in event types,
 * where `*` matches anything.
 */
function glob(pattern: string, separator: '/' | '.'): Glob {
  const key = separator + pattern;
  const known = globs.get(key);
  if (known) return known;
  const pieces: string[] = [];
  for (const text of pattern.split(/(\*\*|\*|\{[^}]*\})/)) {
    const rest = text === '**' || (text === '*' && separator === '.');
    const part = text === '*' || (separator === '/' && text.startsWith('{') && text.endsWith('}'));
    if (!rest && !part) pieces.push(...text);
    // Stars in a row match no more than the widest of them.
    else if (pieces.at(-1) === REST || (pieces.at(-1) === PART && !rest)) continue;
    else if (pieces.at(-1) === PART) pieces[pieces.length - 1] = REST;
    else pieces.push(rest ? REST : PART);
  }
  const made = globOf(pieces);
  if (globs.size >= MOST_GLOBS) globs.clear();
  globs.set(key, made);
  return made;
}

/** Parts of a pattern that are not characters. */
const [REST, PART] = ['rest', 'part'];

function globOf(pieces: readonly string[]): Glob {
  const words = (pieces.length >> 5) + 1;
  const [stars, rests] = [new Uint32Array(words), new Uint32Array(words)];
  const chars = new Map<string, Uint32Array>();
  for (const [at, piece] of pieces.entries()) {
    const bit = 1 << (at & 31);
    const set = (bits: Uint32Array): void => {
      bits[at >> 5] = (bits[at >> 5] as number) | bit;
    };
    if (piece === REST) set(rests);
    if (piece === REST || piece === PART) set(stars);
    else {
      if (!chars.has(piece)) chars.set(piece, new Uint32Array(words));
      set(chars.get(piece) as Uint32Array);
    }
  }
  return { words, length: pieces.length, chars, stars, rests };
}

/**
 * Returns whether a text matches a pattern, in one pass over the text. Every position in the pattern that it may have
 * reached is a bit, and all of them advance at once. Trying the alternatives one by one, as a regular expression does,
 * may take for ever with many stars.
 */
function matches({ words, length, chars, stars, rests }: Glob, text: string): boolean {
  const places = new Uint32Array(words);
  places[0] = 1 | ((stars[0] as number) & 1 ? 2 : 0);
  // A star at the end of the first word cannot be the first position of a pattern.
  for (const char of text) {
    const on = chars.get(char);
    const stay = char === '/' ? rests : stars;
    let [moved, skipped, any] = [0, 0, 0];
    for (let w = 0; w < words; w += 1) {
      const at = places[w] as number;
      const leave = on ? at & (on[w] as number) : 0;
      const reached = (at & (stay[w] as number)) | (leave << 1) | moved;
      // A star may match nothing: a position before one is also a position after it.
      const stood = reached & (stars[w] as number);
      places[w] = reached | (stood << 1) | skipped;
      [moved, skipped] = [leave >>> 31, stood >>> 31];
      any |= places[w] as number;
    }
    if (any === 0) return false;
  }
  return (((places[length >> 5] as number) >>> (length & 31)) & 1) === 1;
}

/**
 * The types for a program that holds an emulator. They are self-contained, so that the package needs no other types.
 */

import type * as Spec from '../types/catalogue.js';
import type * as Grid from '../types/grid.js';

/** Every shape of the API by its name, as the default profile has it, such as `Api.Quote`. */
export type * as Api from '../types/catalogue.js';
export type { FaultRule, Scenario } from '../types/catalogue.js';
/** The shapes that differ under profile `grid`, such as `GridApi.Customer`. */
export type * as GridApi from '../types/grid.js';

/** The types of each profile. */
interface Profiles {
  spec: { events: Spec.Events; operations: Spec.Operations; refusals: Spec.Refusals };
  grid: { events: Grid.Events; operations: Grid.Operations; refusals: Grid.Refusals };
}

export type ProfileName = keyof Profiles;

/** A type of event, such as `CUSTOMER.KYC_APPROVED`. */
export type EventType<P extends ProfileName = 'spec'> = keyof Profiles[P]['events'] & string;

/** An operation by its id, such as `createCustomer`. */
export type OperationId<P extends ProfileName = 'spec'> = keyof Profiles[P]['operations'] & string;

/** One of these names: an unknown literal does not compile, but a `string` that is known only at run time does. */
type Known<T extends string, Names extends string> = T extends Names ? T : string extends T ? T : Names;

/** The options of an emulator in this process. */
export interface HostOptions {
  /** Built-in names, file paths or scenario objects; later ones take precedence. */
  scenario?: string | object | readonly (string | object)[] | undefined;
  profile?: ProfileName | undefined;
  basePath?: string | undefined;
  auth?: 'open' | 'known' | undefined;
  seed?: number | string | undefined;
  /** The initial moment of virtual clocks. */
  now?: string | undefined;
  holdClock?: boolean | undefined;
  webhookUrl?: string | undefined;
  allowRemoteWebhooks?: boolean | undefined;
  /** A folder: the emulator counts what all its sandboxes have met, and writes it to a file there on close. */
  coverage?: string | undefined;
  /** The names in `Host` to accept, besides this machine's own (and any IP address, if other machines can reach it). */
  allowHost?: readonly string[] | undefined;
  /** Origins whose pages may call the API, such as `http://localhost:3000`. */
  allowOrigin?: readonly string[] | undefined;
  /**
   * The URL by which other machines reach it, such as `https://demo.example/sandbox`: every absolute URL begins with
   * it.
   */
  publicUrl?: string | undefined;
  /** A secret that pages, the control API and MCP require; the API itself keeps its own credentials. */
  controlToken?: string | undefined;
}

/** A built-in name or a file path, or a scenario itself. */
export type ScenarioSource = string | Spec.Scenario;

/** The same options, with the keys of an inline scenario checked by the compiler. */
export interface CheckedOptions<P extends ProfileName = 'spec'> extends HostOptions {
  /** Built-in names, file paths or scenarios; later ones take precedence. */
  scenario?: ScenarioSource | readonly ScenarioSource[] | undefined;
  profile?: P | undefined;
}

export interface SandboxRequest {
  /** A name for it, which is also its token id. */
  id?: string | undefined;
  /** The client secret; by default it is derived from the seed. */
  secret?: string | undefined;
  /** A duration of real time, such as `7d`: the sandbox is dropped after so long without a call. */
  idle?: string | undefined;
  scenario?: ScenarioSource | undefined;
  seed?: number | string | undefined;
  webhookUrl?: string | undefined;
  /** A state that `snapshot` returned: the sandbox begins with it instead of its scenario. */
  state?: SandboxState | undefined;
}

export interface EmulatorOptions<P extends ProfileName = 'spec'> extends CheckedOptions<P> {
  /** The port; 0 for any free one. Default 4010. */
  port?: number | undefined;
  /** The address on which it listens. Default 127.0.0.1. */
  host?: string | undefined;
  /** Files with a certificate chain and its private key, both PEM, for HTTPS. Changed files are read again. */
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  /** A file to start from if it exists, and to save to on close. */
  state?: string | undefined;
  /** Receives errors of the emulator itself; a client saw a plain 500 at most. By default they go to stderr. */
  onBroken?: ((what: string, error: unknown) => void) | undefined;
}

/** Encounters by name, each with its number. */
export type Tally = { readonly [name: string]: number };

/** Something that a suite never met. `failure` is an operation that it calls and has never seen to fail. */
export interface Never {
  kind: 'failure' | 'refusal' | 'event' | 'magic' | 'state' | 'operation';
  name: string;
  /** The refusals that are left to meet, for an operation that was called. */
  answers?: readonly string[];
}

/** The encounters of a suite. Refusals are those that the operations it calls declare. */
export interface CoverageReport {
  operations: { called: number; of: number; byName: { readonly [operation: string]: Tally } };
  refusals: { met: number; of: number };
  events: { met: number; of: number; byName: Tally };
  magic: { met: number; of: number; byName: Tally };
  states: { met: number; of: number; byName: Tally };
  never: readonly Never[];
}

/** The result of one check of an exam. */
export interface ExamVerdict {
  check: string;
  result: 'passed' | 'failed' | 'skipped';
  /** The evidence, in a sentence or two. */
  says: string;
  /** For a failure: the expected behaviour. */
  expected?: string;
  /** Ids of requests and events to look at: `sandbox-emulator why req_12`. */
  lookAt: readonly string[];
  /** For a failure: what to change. */
  hint?: string;
  /** Real milliseconds. */
  ms: number;
}

/** The verdicts of an exam, in the order in which they were reached. */
export interface ExamReport {
  passed: number;
  failed: number;
  skipped: number;
  /** The virtual milliseconds by which the checks moved the clock of the sandbox forward. */
  clockMovedMs: number;
  checks: readonly ExamVerdict[];
}

/** The backend under test, and the checks to make. */
export interface ExamineOptions {
  /** The sandbox that the backend uses, and whose webhooks it receives. */
  sandbox: Pick<SandboxHandle, 'fetch'>;
  /**
   * Starts one payment, and may return before it is paid; or a command or URL, as for `sandbox-emulator exam --pay`.
   */
  pay: ((reference: string, check: string) => unknown) | string;
  /** Returns the backend's belief about a payment: text, or a value that becomes JSON. */
  ask?: ((reference: string, check: string) => unknown) | string | undefined;
  /** The names of checks; all of them if absent. */
  only?: readonly string[] | undefined;
  /** Words in a reply of `ask` which mean that the payment is paid. */
  saysPaid?: RegExp | undefined;
  /** Words in a reply of `ask` which mean that the payment failed; they take precedence. */
  saysFailed?: RegExp | undefined;
}

/** The virtual clock of a sandbox. */
export interface ClockState {
  now: string;
  mode: 'live' | 'held';
  /** Virtual seconds per real second. */
  speed: number;
}

/** A job that ran, with its moment by the virtual clock. */
export interface JobRun {
  id: string;
  kind: string;
  at: string;
  payload: Readonly<Record<string, unknown>>;
}

/** The state after a clock was settled: the moment, the jobs that ran, and those that are left. */
export interface Settled {
  now: string;
  ran: JobRun[];
  waiting: Waiting[];
}

/** A pending job: `does` says in words what it does, `about` is the id of its subject. A held one has no `dueAt`. */
export interface Waiting {
  id: string;
  kind: string;
  does: string;
  about: string;
  dueAt: string | null;
}

/** An event and its delivery: each attempt with the status of the receiver or the error. */
export interface Delivered {
  id: string;
  type: string;
  timestamp: string;
  subject: string;
  state: 'WAITING' | 'PENDING' | 'DELIVERED' | 'ABANDONED' | 'UNSENT';
  attempts: readonly { at: string; status?: number; error?: string }[];
  /** The body that the receiver gets. */
  payload: AnyWebhook;
}

/** A one-time code that was sent to a person, which tests may read. */
export interface SentCode {
  code: string;
  [member: string]: unknown;
}

/** A whole sandbox as data, for `restore`; it can be written as JSON and committed. */
export interface SandboxState {
  format: 1;
  clock: ClockState;
  [part: string]: unknown;
}

/** A webhook as its receiver gets it; with a type of event, a webhook of that type. */
export interface Webhook<T extends string = string, P extends ProfileName = 'spec'> {
  id: string;
  type: T;
  timestamp: string;
  data: T extends EventType<P> ? Profiles[P]['events'][T] : unknown;
}

/** Any webhook: its `type` determines the shape of its `data`. */
export type AnyWebhook<P extends ProfileName = 'spec'> = { [T in EventType<P>]: Webhook<T, P> }[EventType<P>];

/** The options of a sandbox's `fetch`: those of `fetch`, with plain headers, and a body as a value. */
export interface SandboxCall extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string> | undefined;
  /** Sent as JSON; the method is then POST unless given. */
  json?: unknown;
}

/** A reply of the API. */
export interface SandboxAnswer extends Response {
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the operation, and tests say what they expect
  json(): Promise<any>;
}

/** The input of an operation: its `params`, `query`, `headers` and `body`. */
export type OperationInput<O extends string, P extends ProfileName = 'spec'> =
  O extends OperationId<P>
    ? InputOf<Profiles[P]['operations'][O]>
    : {
        params?: object | undefined;
        query?: object | undefined;
        headers?: Spec.RequestHeaders | undefined;
        body?: unknown;
      };
type InputOf<Operation> = Operation extends { input: infer Input } ? Input : never;

/** The reply of an operation: its `status` decides the type of its `body`. */
export type OperationAnswer<O extends string, P extends ProfileName = 'spec'> =
  O extends OperationId<P>
    ? AnswerOf<Profiles[P]['operations'][O]> | Answers<Profiles[P]['refusals']>
    : Answered<number, unknown>;
type AnswerOf<Operation> = Operation extends { replies: infer Replies } ? Answers<Replies> : never;
type Answers<Bodies> = { [S in keyof Bodies]: Answered<S, Bodies[S]> }[keyof Bodies];
interface Answered<S, Body> {
  status: S;
  headers: { [name: string]: string };
  body: Body;
  /** Its id in the request log, for `/_emulator/requests/{id}`. */
  requestId: string;
}

/** The body of a successful reply of an operation. */
export type Succeeded<O extends string, P extends ProfileName = 'spec'> =
  O extends OperationId<P> ? SuccessOf<AnswerOf<Profiles[P]['operations'][O]>> : unknown;
type SuccessOf<Answer> = Answer extends { status: 200 | 201 | 202 | 204; body: infer Body } ? Body : never;

/** One isolated platform sandbox, as a program uses it. */
export interface SandboxHandle<P extends ProfileName = 'spec'> {
  readonly id: string;
  /** The base URL of its API, with the version segment. */
  readonly baseUrl: string;
  readonly credentials: { readonly id: string; readonly secret: string };
  /** The value of an `Authorization` header. */
  readonly authorization: string;
  /** PEM of the key that verifies webhook signatures. */
  readonly webhookPublicKey: string;
  /**
   * Calls the API as the platform of this sandbox: a path below `baseUrl`. A path below `/_emulator` goes to the
   * control API, about this sandbox. Resolves with any status; rejects only if there is no reply.
   */
  fetch(path: string, call?: SandboxCall): Promise<SandboxAnswer>;
  /**
   * Calls an operation by its id, as the platform of this sandbox: `call('createCustomer', { body: {...} })`. Resolves
   * with any status; rejects only if there is no reply, or no such operation.
   */
  call<O extends string>(
    operation: Known<O, OperationId<P>>,
    ...input: Record<never, never> extends OperationInput<O, P>
      ? [input?: OperationInput<O, P>]
      : [input: OperationInput<O, P>]
  ): Promise<OperationAnswer<O, P>>;
  /**
   * Returns the last requests (10), oldest first, one line each: status, method, path, and the reason for a refusal.
   * For people.
   */
  explain(most?: number): string;
  /**
   * Calls an operation that has to succeed, and returns the body of its reply. Rejects with the status, the code and
   * the reason of a refusal.
   */
  ok<O extends string>(
    operation: Known<O, OperationId<P>>,
    ...input: Record<never, never> extends OperationInput<O, P>
      ? [input?: OperationInput<O, P>]
      : [input: OperationInput<O, P>]
  ): Promise<Succeeded<O, P>>;
  /**
   * Decides by hand on a customer, a payment, a card or any other resource that waits, by its id: `decide(id,
   * 'APPROVED')`, or with the body of a decision. `name` selects one if there are several. Rejects a decision that is
   * not possible, and names those that are.
   */
  decide(id: string, answer: string | object, name?: string): Promise<void>;
  /** Returns one-time codes that were sent, newest first; about one resource if its id is given. */
  codes(subject?: string): readonly SentCode[];
  readonly jobs: {
    /** Returns the pending jobs, soonest first. */
    list(): readonly Waiting[];
    /** Runs one now, even if it is not due or is held. Rejects if there is no such job. */
    run(id: string): Promise<void>;
  };
  readonly clock: {
    now(): string;
    state(): ClockState;
    /**
     * Advances the clock by a duration (`2h`, `90s`, `7d`, `PT15M`), and runs everything that falls due, in order.
     * Rejects if the sandbox is reset, restored or dropped.
     */
    advance(duration: string): Promise<JobRun[]>;
    /** Advances the clock to a moment. */
    advanceTo(iso: string): Promise<JobRun[]>;
    /**
     * Advances from one due job to the next until nothing is due within a time (`P30D`). The clock stays at the last
     * job that ran; `waiting` are the jobs that are left, held ones without a time.
     */
    settle(options?: { within?: string | undefined }): Promise<Settled>;
    hold(): void;
    run(speed?: number): void;
  };
  readonly webhooks: {
    /**
     * Returns the next event of a type; each event, including an earlier one, is returned once. Rejects after
     * `timeoutMs` (4,000). With `within` (`P30D`) the clock moves from one due job to the next until the event is
     * delivered, or emitted without a receiver. An event that cannot happen rejects at once, and the error says what is
     * still due, held or in the way, and what ran last.
     */
    waitFor<T extends string>(
      type: Known<T, EventType<P>>,
      options?: {
        timeoutMs?: number | undefined;
        within?: string | undefined;
        where?: ((event: Webhook<T, P>) => boolean) | undefined;
      },
    ): Promise<Webhook<T, P>>;
    /** Returns every event on record, newest first, with its delivery; at most 100, of one type if it is given. */
    list(options?: { type?: string | undefined; limit?: number | undefined }): readonly Delivered[];
    /** Sends webhooks to a URL from now on, after a `TEST` event; null sends them nowhere. */
    sendTo(url: string | null): void;
    /** Holds every delivery until it is stepped or resumed. */
    pause(): void;
    /** Sends the held deliveries, in order, and holds no more. */
    resume(): void;
    /** Sends the oldest held delivery; undefined if none is held. */
    step(): Promise<Delivered | undefined>;
    /** Sends an event once more, now. Rejects if there is no such event. */
    redeliver(id: string): Promise<Delivered>;
    /** Resolves when nothing is due or under way at the present moment. */
    settle(): Promise<void>;
  };
  /** The faults of the sandbox; `reset` restores the scenario's own, `restore` those of the snapshot. */
  readonly faults: {
    /** Adds a fault and returns its id. Throws if the rule is invalid. */
    add(rule: Spec.FaultRule): string;
    /** Returns every fault with the number of times that it matched and fired. */
    list(): readonly { id: string; seen: number; fired: number }[];
    remove(id: string): boolean;
    clear(): void;
  };
  /** Creates a sandbox in the exact state of this one, with credentials of its own. */
  fork(name?: string): Promise<SandboxHandle<P>>;
  /**
   * Returns the sandbox as the bytes of a file that `sandbox-emulator open` opens elsewhere: state, log, deliveries,
   * faults and past. Secrets have stand-ins.
   */
  capsule(): Promise<Uint8Array>;
  /**
   * Goes back to the state before a request that this sandbox served (its `x-request-id`). Rejects if that state is no
   * longer kept.
   */
  rewind(requestId: string): Promise<void>;
  reset(): Promise<void>;
  snapshot(): Promise<SandboxState>;
  restore(state: SandboxState): Promise<void>;
  drop(): Promise<void>;
}

export interface Emulator<P extends ProfileName = 'spec'> {
  /** Scheme, host and port; the public URL, if there is one. */
  readonly url: string;
  readonly baseUrl: string;
  readonly inspectorUrl: string;
  /** The sandbox of the scenario's own credentials. */
  readonly sandbox: SandboxHandle<P>;
  createSandbox(request?: SandboxRequest): Promise<SandboxHandle<P>>;
  /** Serves a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns everything that the sandboxes of this process have met so far, and what they never met. Throws if the
   * emulator was started without `coverage`.
   */
  coverage(): CoverageReport;
  /** Writes the state file now. Rejects if the emulator was started without one. */
  save(): Promise<void>;
  close(): Promise<void>;
}

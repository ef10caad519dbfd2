/** The types that a program holding an emulator sees. They stand alone, so that the package needs no other types. */

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

/** One of these names: a text that is none does not compile; a `string` that only a run knows does. */
type Known<T extends string, Names extends string> = T extends Names ? T : string extends T ? T : Names;

/** The options of an emulator in this process. */
export interface HostOptions {
  /** Built-in names, file paths or scenario objects; later ones win. */
  scenario?: string | object | readonly (string | object)[] | undefined;
  profile?: ProfileName | undefined;
  basePath?: string | undefined;
  auth?: 'open' | 'known' | undefined;
  seed?: number | string | undefined;
  /** The start of virtual clocks. */
  now?: string | undefined;
  holdClock?: boolean | undefined;
  webhookUrl?: string | undefined;
  allowRemoteWebhooks?: boolean | undefined;
  /** A folder: what all sandboxes of the process have met is counted, and written to a file there on close. */
  coverage?: string | undefined;
  /** Names in `Host` to answer to, besides this machine's own (and, where others can reach it, any IP address). */
  allowHost?: readonly string[] | undefined;
  /** Origins whose pages may call the API, such as `http://localhost:3000`. */
  allowOrigin?: readonly string[] | undefined;
  /** The URL by which others reach it, such as `https://demo.example/sandbox`: every absolute URL begins with it. */
  publicUrl?: string | undefined;
  /** A secret that pages, the control API and MCP ask for; the API itself keeps its own credentials. */
  controlToken?: string | undefined;
}

/** A built-in name or a file path, or a scenario itself. */
export type ScenarioSource = string | Spec.Scenario;

/** The same, a scenario's keys checked where it is written. */
export interface CheckedOptions<P extends ProfileName = 'spec'> extends HostOptions {
  /** Built-in names, file paths or scenarios; later ones win. */
  scenario?: ScenarioSource | readonly ScenarioSource[] | undefined;
  profile?: P | undefined;
}

export interface SandboxRequest {
  /** A name of one's own, which is its token id, too. */
  id?: string | undefined;
  /** The client secret; without it, it follows from the seed. */
  secret?: string | undefined;
  /** A duration of real time, such as `7d`: the sandbox is dropped when nobody has called it for so long. */
  idle?: string | undefined;
  scenario?: ScenarioSource | undefined;
  seed?: number | string | undefined;
  webhookUrl?: string | undefined;
  /** A state that `snapshot` returned: the sandbox begins there, not with its scenario. */
  state?: SandboxState | undefined;
}

export interface EmulatorOptions<P extends ProfileName = 'spec'> extends CheckedOptions<P> {
  /** 0 is any free port. Default 4010. */
  port?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** Files with a certificate chain and its private key, both PEM: HTTPS. Changed files are read again. */
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  /** A file to start from if it exists, and to save to on close. */
  state?: string | undefined;
  /** Hear of something of the emulator's own that broke; a client saw a plain 500 at most. Default: stderr. */
  onBroken?: ((what: string, error: unknown) => void) | undefined;
}

/** Encounters by name, each with its number. */
export type Tally = { readonly [name: string]: number };

/** Something that a suite never met. `failure` is an operation that it calls and has never seen to fail. */
export interface Never {
  kind: 'failure' | 'refusal' | 'event' | 'magic' | 'state' | 'operation';
  name: string;
  /** The refusals that are left, of an operation that was called. */
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
  /** Of a failure: what should have been. */
  expected?: string;
  /** Ids of requests and events to look at: `sandbox-emulator why req_12`. */
  lookAt: readonly string[];
  /** Of a failure: what to change. */
  hint?: string;
  /** Real milliseconds. */
  ms: number;
}

/** The verdicts of an exam, in the order in which they were reached. */
export interface ExamReport {
  passed: number;
  failed: number;
  skipped: number;
  /** Milliseconds by which the checks moved the clock of the sandbox forward. */
  clockMovedMs: number;
  checks: readonly ExamVerdict[];
}

/** The backend under test, and what to examine. */
export interface ExamineOptions {
  /** The sandbox that the backend uses, and whose webhooks it receives. */
  sandbox: Pick<SandboxHandle, 'fetch'>;
  /** Starts one payment, and may return before it is paid; or a command or URL as of `sandbox-emulator exam --pay`. */
  pay: ((reference: string, check: string) => unknown) | string;
  /** Returns what the backend believes of a payment: text, or a value that becomes JSON. */
  ask?: ((reference: string, check: string) => unknown) | string | undefined;
  /** Names of checks; all of them without. */
  only?: readonly string[] | undefined;
  /** Words of an answer of `ask` that mean paid. */
  saysPaid?: RegExp | undefined;
  /** Words of an answer of `ask` that mean that it failed; they win. */
  saysFailed?: RegExp | undefined;
}

/** The virtual clock of a sandbox. */
export interface ClockState {
  now: string;
  mode: 'live' | 'held';
  /** Virtual seconds a real second. */
  speed: number;
}

/** A job that ran, and when by the virtual clock. */
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

/** A job to come: `does` says in words what it does, `about` is the id of what it is about. A held one has no `dueAt`. */
export interface Waiting {
  id: string;
  kind: string;
  does: string;
  about: string;
  dueAt: string | null;
}

/** An event and its delivery: each try with the status of the receiver or the error. */
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

/** A one-time code that was sent to somebody, as the emulator lets tests read it. */
export interface SentCode {
  code: string;
  [member: string]: unknown;
}

/** A whole sandbox as data, to be given back to `restore`; it can be written out as JSON and committed. */
export interface SandboxState {
  format: 1;
  clock: ClockState;
  [part: string]: unknown;
}

/** A webhook as its receiver gets it; with a type of event, one of those. */
export interface Webhook<T extends string = string, P extends ProfileName = 'spec'> {
  id: string;
  type: T;
  timestamp: string;
  data: T extends EventType<P> ? Profiles[P]['events'][T] : unknown;
}

/** Any webhook: its `type` tells what its `data` is. */
export type AnyWebhook<P extends ProfileName = 'spec'> = { [T in EventType<P>]: Webhook<T, P> }[EventType<P>];

/** The options of a sandbox's `fetch`: those of `fetch`, with plain headers, and a body as a value. */
export interface SandboxCall extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string> | undefined;
  /** Sent as JSON; the method is then POST unless given. */
  json?: unknown;
}

/** An answer of the API. */
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
  /** Its id in the request log, such as `/_emulator/requests/{id}` takes it. */
  requestId: string;
}

/** The body of a successful reply of an operation. */
export type Succeeded<O extends string, P extends ProfileName = 'spec'> =
  O extends OperationId<P> ? SuccessOf<AnswerOf<Profiles[P]['operations'][O]>> : unknown;
type SuccessOf<Answer> = Answer extends { status: 200 | 201 | 202 | 204; body: infer Body } ? Body : never;

/** One isolated platform sandbox, in a program's hands. */
export interface SandboxHandle<P extends ProfileName = 'spec'> {
  readonly id: string;
  /** The base URL of its API, version segment included. */
  readonly baseUrl: string;
  readonly credentials: { readonly id: string; readonly secret: string };
  /** The value of an `Authorization` header. */
  readonly authorization: string;
  /** PEM of the key that verifies webhook signatures. */
  readonly webhookPublicKey: string;
  /**
   * Call the API as the platform of this sandbox: a path below `baseUrl`. A path below `/_emulator` goes to the control
   * API, about this sandbox. Any status is an answer; rejects only when there is none.
   */
  fetch(path: string, call?: SandboxCall): Promise<SandboxAnswer>;
  /**
   * Call an operation by its id, as the platform of this sandbox: `call('createCustomer', { body: {...} })`. Any status is
   * an answer; rejects only when there is none, or no such operation.
   */
  call<O extends string>(
    operation: Known<O, OperationId<P>>,
    ...input: Record<never, never> extends OperationInput<O, P>
      ? [input?: OperationInput<O, P>]
      : [input: OperationInput<O, P>]
  ): Promise<OperationAnswer<O, P>>;
  /** The last requests (10), oldest first, a line each: status, method, path, and why it was refused. For people. */
  explain(most?: number): string;
  /**
   * Call an operation that has to succeed: returns the body of its reply. Rejects with the status, the code and the reason of a
   * refusal.
   */
  ok<O extends string>(
    operation: Known<O, OperationId<P>>,
    ...input: Record<never, never> extends OperationInput<O, P>
      ? [input?: OperationInput<O, P>]
      : [input: OperationInput<O, P>]
  ): Promise<Succeeded<O, P>>;
  /**
   * Decide by hand on a customer, a payment, a card or whatever waits, by its id: `decide(id, 'APPROVED')`, or with the body of a
   * decision. `name` says which, where there are several. Rejects for a decision that is not possible, and names those that are.
   */
  decide(id: string, answer: string | object, name?: string): Promise<void>;
  /** One-time codes that were sent, newest first; about one resource if its id is given. */
  codes(subject?: string): readonly SentCode[];
  readonly jobs: {
    /** Returns the jobs to come, soonest first. */
    list(): readonly Waiting[];
    /** Run one now, due or not, held or not. Rejects where there is no such job. */
    run(id: string): Promise<void>;
  };
  readonly clock: {
    now(): string;
    state(): ClockState;
    /**
     * Move on by a duration (`2h`, `90s`, `7d`, `PT15M`), running everything that falls due, in order. Rejects when the sandbox is
     * reset, restored or dropped.
     */
    advance(duration: string): Promise<JobRun[]>;
    /** Move on to a moment. */
    advanceTo(iso: string): Promise<JobRun[]>;
    /**
     * Move on from one due job to the next until nothing is due within a time (`P30D`). The clock stays at the last job that ran;
     * `waiting` are the jobs that are left, held ones without a time.
     */
    settle(options?: { within?: string | undefined }): Promise<Settled>;
    hold(): void;
    run(speed?: number): void;
  };
  readonly webhooks: {
    /**
     * The next event of a type, each handed out once, earlier ones included. Rejects after `timeoutMs` (5,000). With `within` (`P30D`)
     * the clock moves from one due job to the next until the event is delivered, or emitted where nobody receives it; what
     * cannot come rejects at once, and says what is still due, held or in the way.
     */
    waitFor<T extends string>(
      type: Known<T, EventType<P>>,
      options?: {
        timeoutMs?: number | undefined;
        within?: string | undefined;
        where?: ((event: Webhook<T, P>) => boolean) | undefined;
      },
    ): Promise<Webhook<T, P>>;
    /** Every event that is remembered, newest first, with its delivery; at most 100, of one type if it is given. */
    list(options?: { type?: string | undefined; limit?: number | undefined }): readonly Delivered[];
    /** Send them to a URL from now on, after a `TEST` event; null sends them nowhere. */
    sendTo(url: string | null): void;
    /** Hold every delivery until it is stepped or resumed. */
    pause(): void;
    /** Send what was held, in order, and hold nothing more. */
    resume(): void;
    /** Send the oldest held delivery; undefined where none is held. */
    step(): Promise<Delivered | undefined>;
    /** Send an event once more, now. Rejects where there is no such event. */
    redeliver(id: string): Promise<Delivered>;
    /** Resolves when nothing is due or under way at the present moment. */
    settle(): Promise<void>;
  };
  /** The faults of the sandbox; `reset` brings back the scenario's own, `restore` those of the snapshot. */
  readonly faults: {
    /** Returns the fault's id. Throws when the rule is not one. */
    add(rule: Spec.FaultRule): string;
    /** Every fault with how often it was met and fired. */
    list(): readonly { id: string; seen: number; fired: number }[];
    remove(id: string): boolean;
    clear(): void;
  };
  /** A new sandbox in the very state of this one, with credentials of its own. */
  fork(name?: string): Promise<SandboxHandle<P>>;
  /**
   * The sandbox as the bytes of a file that `sandbox-emulator open` opens elsewhere: state, log, deliveries, faults and past. Secrets
   * have stand-ins.
   */
  capsule(): Promise<Uint8Array>;
  /** Go back to the state before a request that this sandbox answered (its `x-request-id`). Rejects when that is no longer kept. */
  rewind(requestId: string): Promise<void>;
  reset(): Promise<void>;
  snapshot(): Promise<SandboxState>;
  restore(state: SandboxState): Promise<void>;
  drop(): Promise<void>;
}

export interface Emulator<P extends ProfileName = 'spec'> {
  /** Scheme, host and port; the public URL, where there is one. */
  readonly url: string;
  readonly baseUrl: string;
  readonly inspectorUrl: string;
  /** The sandbox of the scenario's own credentials. */
  readonly sandbox: SandboxHandle<P>;
  createSandbox(request?: SandboxRequest): Promise<SandboxHandle<P>>;
  /** Answer a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /**
   * Everything that the sandboxes of this process have met until now, and what they never met. Throws when the emulator was started
   * without `coverage`.
   */
  coverage(): CoverageReport;
  /** Write the state file now. Rejects when the emulator was started without one. */
  save(): Promise<void>;
  close(): Promise<void>;
}

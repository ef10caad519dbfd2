/** The types that a program holding an emulator sees. They stand alone, so that the package needs no other types. */

export interface HostOptions {
  /** Built-in names, file paths or scenario objects; later ones win. */
  scenario?: string | object | readonly (string | object)[] | undefined;
  profile?: 'spec' | 'grid' | undefined;
  basePath?: string | undefined;
  auth?: 'open' | 'known' | undefined;
  seed?: number | string | undefined;
  /** Where virtual clocks start. */
  now?: string | undefined;
  holdClock?: boolean | undefined;
  webhookUrl?: string | undefined;
  allowRemoteWebhooks?: boolean | undefined;
  /** Names in `Host` to answer to, besides this machine's own (and, where others can reach it, any IP address). */
  allowHost?: readonly string[] | undefined;
  /** Origins whose pages may call the API, such as `http://localhost:3000`. */
  allowOrigin?: readonly string[] | undefined;
}

export interface SandboxRequest {
  scenario?: string | object | undefined;
  seed?: number | string | undefined;
  webhookUrl?: string | undefined;
}

export interface EmulatorOptions extends HostOptions {
  /** 0 is any free port. Default 4010. */
  port?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** A file to start from if it exists, and to save to on close. */
  state?: string | undefined;
  /** Hear of something of the emulator's own that broke; a client saw a plain 500 at most. Default: stderr. */
  onBroken?: ((what: string, error: unknown) => void) | undefined;
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

/** A whole sandbox as data, to be given back to `restore`; it can be written out as JSON and committed. */
export interface SandboxState {
  format: 1;
  clock: ClockState;
  [part: string]: unknown;
}

/** A webhook as its receiver gets it. */
export interface Webhook {
  id: string;
  type: string;
  timestamp: string;
  data: unknown;
}

/** Which matches count. */
export interface FaultCounts {
  /** Only every nth match. */
  every?: number | undefined;
  /** Only this many times, then never again. */
  times?: number | undefined;
  /** Let this many matches pass first. */
  after?: number | undefined;
}

/** Something that shall go wrong: with API calls, or (`match.webhook`, an event type such as `CUSTOMER.*`) with webhooks. */
export type FaultRule =
  | {
      match?: FaultCounts & {
        /** Operation id, such as `createCustomer`. */
        operation?: string | undefined;
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
        /** Path below the version; `*` is part of a segment, `**` any rest, `{name}` a segment. */
        path?: string | undefined;
      };
      /** Chance of each match, drawn from the seed. */
      probability?: number | undefined;
      then: {
        status?: number | undefined;
        code?: string | undefined;
        message?: string | undefined;
        /** Seconds for a `Retry-After` header. */
        retryAfter?: number | undefined;
        /** Real milliseconds before the answer. */
        delayMs?: number | undefined;
        /** Close the connection without an answer. */
        drop?: boolean | undefined;
        /** Send half of the answer; the call was done. */
        truncate?: boolean | undefined;
        /** `before` (the default): nothing was done. `after`: only the answer is lost. */
        when?: 'before' | 'after' | undefined;
      };
    }
  | {
      match: FaultCounts & { webhook: string };
      probability?: number | undefined;
      then: {
        /** Send nothing, and note this as what the receiver said. */
        status?: number | undefined;
        drop?: boolean | undefined;
        /** Virtual milliseconds until it is sent. */
        delayMs?: number | undefined;
        duplicate?: boolean | undefined;
        /** Let later events of its resource go first. */
        reorder?: boolean | undefined;
        wrongSignature?: boolean | undefined;
        alteredBody?: boolean | undefined;
      };
    };

/** What `fetch` of a sandbox takes: what `fetch` takes, with plain headers, and a body as a value. */
export interface SandboxCall extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>;
  /** Sent as JSON; the method is then POST unless given. */
  json?: unknown;
}

/** An answer of the API. */
export interface SandboxAnswer extends Response {
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the operation, and tests say what they expect
  json(): Promise<any>;
}

/** One isolated platform sandbox, in a program's hands. */
export interface SandboxHandle {
  readonly id: string;
  /** Where its API answers, version segment included. */
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
  /** The last requests (10), oldest first, a line each: status, method, path, and why it was refused. For people. */
  explain(most?: number): string;
  readonly clock: {
    now(): string;
    state(): ClockState;
    /**
     * Move on by a duration (`2h`, `90s`, `7d`, `PT15M`), running everything that falls due, in order. Rejects when the sandbox is
     * reset, restored or dropped meanwhile.
     */
    advance(duration: string): Promise<JobRun[]>;
    /** Move on to a moment. */
    advanceTo(iso: string): Promise<JobRun[]>;
    hold(): void;
    run(speed?: number): void;
  };
  readonly webhooks: {
    /** The next event of a type, each handed out once, those told before the call included. Rejects after `timeoutMs` (5,000). */
    waitFor(type: string, options?: { timeoutMs?: number; where?: (event: Webhook) => boolean }): Promise<Webhook>;
    /** Resolves when nothing is due or under way at the present moment. */
    settle(): Promise<void>;
  };
  /** What shall go wrong; `reset` brings back the scenario's own, `restore` those of the snapshot. */
  readonly faults: {
    /** Returns the fault's id. Throws when the rule is not one. */
    add(rule: FaultRule): string;
    /** Every fault with how often it was met and fired. */
    list(): readonly { id: string; seen: number; fired: number }[];
    remove(id: string): boolean;
    clear(): void;
  };
  /** A new sandbox in the very state of this one, with credentials of its own. */
  fork(): Promise<SandboxHandle>;
  /** Go back to the state before a request that this sandbox answered (its `x-request-id`). Rejects when that is no longer kept. */
  rewind(requestId: string): Promise<void>;
  reset(): Promise<void>;
  snapshot(): Promise<SandboxState>;
  restore(state: SandboxState): Promise<void>;
  drop(): Promise<void>;
}

export interface Emulator {
  /** Scheme, host and port. */
  readonly url: string;
  readonly baseUrl: string;
  readonly inspectorUrl: string;
  /** The sandbox of the scenario's own credentials. */
  readonly sandbox: SandboxHandle;
  createSandbox(request?: SandboxRequest): Promise<SandboxHandle>;
  /** Answer a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Write the state file now. Rejects when the emulator was started without one. */
  save(): Promise<void>;
  close(): Promise<void>;
}

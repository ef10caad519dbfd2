import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { DELIVERIES, webhookKey } from './areas/webhooks/index.ts';
import { Host, type HostEvents, type HostOptions, type SandboxRequest } from './host/host.ts';
import type { Sandbox } from './host/sandbox.ts';
import { stateFile } from './host/state-file.ts';
import { createApp } from './http/app.ts';
import type { ClockState } from './kernel/clock.ts';
import { parseDuration } from './kernel/duration.ts';
import { bodyOf, type Fact } from './kernel/facts.ts';
import type { JobRun } from './kernel/scheduler.ts';
import type { Snapshot } from './kernel/world.ts';

export interface EmulatorOptions extends HostOptions {
  /** 0 is any free port. Default 4010. */
  port?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** A file to start from if it exists, and to save to on close. */
  state?: string | undefined;
  /** Hear about requests and about bugs of ours. */
  events?: HostEvents | undefined;
}

/** A webhook as its receiver gets it. */
export interface Webhook {
  id: string;
  type: string;
  timestamp: string;
  data: unknown;
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
  readonly clock: {
    now(): string;
    state(): ClockState;
    /** Move on by an ISO 8601 duration, running everything that falls due, in order. */
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
  reset(): Promise<void>;
  snapshot(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;
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

/** Port the command line and `startEmulator` use unless told otherwise. */
export const DEFAULT_PORT = 4010;

/**
 * Start an emulator in this process. Resolves once it is seeded and listening; rejects with `EADDRINUSE` when the
 * port is taken and with `ScenarioError` when a scenario is not usable.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = await Host.start(options, options.events);
  const file = options.state === undefined ? undefined : stateFile(options.state);
  await file?.load(host.default.world);
  const address = options.host ?? '127.0.0.1';
  host.open = !/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(address);
  const app = createApp(host);
  const server = createAdaptorServer({ fetch: app.fetch });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? DEFAULT_PORT, address, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  }).catch((error: unknown) => {
    host.close();
    throw error;
  });
  const shownHost =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address;
  const url = `http://${shownHost}:${port}`;
  let closing: Promise<void> | undefined;
  const close = async () => {
    host.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      if ('closeIdleConnections' in server) server.closeIdleConnections();
      // A request under way gets a moment to end; a connection that is merely open does not hold up the stop.
      const force = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), 250);
      server.once('close', () => clearTimeout(force));
    });
    await file?.save(host.default.world);
  };
  const handle = (sandbox: Sandbox) => handleOf(host, sandbox, `${url}${host.basePath}`);
  return {
    url,
    baseUrl: `${url}${host.basePath}`,
    inspectorUrl: `${url}/`,
    sandbox: handle(host.default),
    createSandbox: async (request) => handle(await host.create(request)),
    fetch: async (request) => app.fetch(request),
    save: async () => {
      if (!file) throw new Error('this emulator was started without a state file');
      await file.save(host.default.world);
    },
    close: () => (closing ??= close()),
  };
}

function handleOf(host: Host, sandbox: Sandbox, baseUrl: string): SandboxHandle {
  const { world } = sandbox;
  const handedOut = new Set<string>();
  const [credential] = sandbox.credentials;
  const credentials = { id: credential?.tokenId ?? sandbox.id, secret: credential?.secret ?? '' };
  const advanceTo = async (target: number) => {
    const ran = await world.scheduler.advanceTo(target);
    world.scheduler.rearm();
    return ran;
  };
  return {
    id: sandbox.id,
    baseUrl,
    credentials,
    authorization: `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`,
    get webhookPublicKey() {
      return webhookKey(world).pem;
    },
    clock: {
      now: () => world.clock.iso(),
      state: () => world.clock.state(),
      advance: async (duration) => {
        const ms = parseDuration(duration);
        if (ms === undefined) throw new Error(`not an ISO 8601 duration: ${duration}`);
        return advanceTo(world.clock.now() + ms);
      },
      advanceTo: async (iso) => {
        const target = Date.parse(iso);
        if (!(target >= world.clock.now()))
          throw new Error(`the clock does not go back: it is ${world.clock.iso()}, not ${iso}`);
        return advanceTo(target);
      },
      hold: () => world.clock.setMode('held'),
      run: (speed = 1) => {
        world.clock.setMode('live');
        world.clock.setSpeed(speed);
        world.scheduler.rearm();
      },
    },
    webhooks: {
      waitFor: (type, options) => waitFor(sandbox, handedOut, type, options),
      settle: () => world.scheduler.settle(),
    },
    reset: async () => sandbox.reset(),
    snapshot: async () => world.snapshot(),
    restore: async (snapshot) => world.restore(snapshot),
    drop: async () => {
      host.drop(sandbox);
    },
  };
}

function waitFor(
  { world }: Sandbox,
  handedOut: Set<string>,
  type: string,
  { timeoutMs = 5000, where = () => true }: { timeoutMs?: number; where?: (event: Webhook) => boolean } = {},
): Promise<Webhook> {
  const matches = (fact: Fact): Webhook | undefined => {
    if (fact.type !== type || handedOut.has(fact.id)) return undefined;
    const event = JSON.parse(bodyOf(world.profile, fact)) as Webhook;
    if (!where(event)) return undefined;
    handedOut.add(event.id);
    return event;
  };
  for (const told of world.rows(DELIVERIES).rows()) {
    const event = matches(told);
    if (event) return Promise.resolve(event);
  }
  return new Promise((resolve, reject) => {
    const stop = world.watch((fact) => {
      const event = matches(fact);
      if (!event) return;
      clearTimeout(timer);
      stop();
      resolve(event);
    });
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`no ${type} was told within ${timeoutMs} ms`));
    }, timeoutMs);
  });
}

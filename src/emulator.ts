import type { Server as TlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { DEFAULT_PORT, isLoopback } from './contract/address.ts';
import { PROFILES } from './contract/profile.ts';
import { nextTurn } from './engine/next-turn.ts';
import { clearReal, realTimeout } from './engine/timers.ts';
import { handleOf } from './handle.ts';
import { createApp } from './http/app.ts';
import { unprefixed } from './http/prefix.ts';
import { serverFor } from './http/server.ts';
import { followFiles, readPair, type TlsFiles } from './http/tls.ts';
import { checkSandboxRequest } from './options.ts';
import type { Emulator, EmulatorOptions, ProfileName } from './public.ts';
import type { Capsule } from './sandbox/capsule/schema.ts';
import { commands, execute } from './sandbox/commands/index.ts';
import { openFolder, writeCounts } from './sandbox/coverage/files.ts';
import { Host, type HostEvents } from './sandbox/host.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { stateFile } from './sandbox/state-file.ts';
import { openTraces } from './sandbox/traces/open.ts';

/** An emulator as the command line holds it. */
export interface Opened extends Emulator {
  /**
   * Reads the scenarios again, and starts the default sandbox over. Rejects without any change if they are not usable.
   */
  reload(): Promise<void>;
  /** The port on which it listens. */
  readonly port: number;
  /** Serves a request of this very process, which needs no control token. */
  ownFetch(request: Request): Promise<Response>;
  /** Returns the webhook endpoint of the default sandbox; `unsent` says why nothing is sent there. */
  endpoint(): { url: string | null; unsent?: string };
  /** True if it goes on from a state file: its scenario counts from the next reset. */
  readonly continues: boolean;
  /** The URL of the collector that receives spans, if there is one. */
  readonly traces: string | undefined;
}

/** Starts an emulator, as `startEmulator` does, for callers inside the package that want to observe every request. */
export async function openEmulator(
  given: EmulatorOptions<ProfileName>,
  events: HostEvents,
  capsule?: Capsule,
): Promise<Opened> {
  // A flag without a value takes the variable back.
  const options = { ...given, publicUrl: given.publicUrl || undefined };
  const { coverage } = options;
  if (coverage !== undefined) await openFolder(coverage);
  const warn = events.warn ?? ((sentence) => void process.stderr.write(`sandbox-emulator: ${sentence}\n`));
  const traces = await openTraces(process.env, warn);
  const heard = { broken: options.onBroken ?? toStderr, traces, ...events };
  const tls = tlsFiles(options);
  const pair = tls && readPair(tls);
  const host = await (capsule ? Host.open(capsule, options, heard) : Host.start(options, heard));
  const file = options.state === undefined ? undefined : stateFile(options.state);
  const address = options.host ?? '127.0.0.1';
  host.open = !isLoopback(address);
  let app: ReturnType<typeof createApp>;
  let continues: boolean;
  try {
    checkPaths(host);
    app = createApp(host);
    const saved = await file?.load();
    continues = saved !== undefined;
    if (saved) await host.continueFrom(saved);
  } catch (error) {
    host.close();
    throw error;
  }
  const server = serverFor(host, app, pair);
  const sockets = socketsOf(server);
  const unfollow = tls && followFiles(tls, server as TlsServer, (error) => host.broken('the certificate', error));
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? DEFAULT_PORT, address, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  }).catch((error: unknown) => {
    unfollow?.();
    host.close();
    throw error;
  });
  const shownHost =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address;
  const own = `${tls ? 'https' : 'http'}://${shownHost}:${port}`;
  const url = host.publicUrl ?? own;
  let closing: Promise<void> | undefined;
  const close = async () => {
    unfollow?.();
    host.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      // A request under way gets a moment to end; a connection that is merely open does not delay the stop.
      const force = realTimeout(() => sockets.forEach((socket) => void socket.destroy()), 250);
      server.once('close', () => clearReal(force));
    });
    // One that fails or takes long keeps nothing of the others back.
    await all([
      file?.save(host.default.world, host.saved()),
      coverage !== undefined && host.coverage && writeCounts(coverage, host.coverage.counts, host.profile.name),
      traces?.close(),
    ]);
  };
  const handle = (sandbox: Sandbox) => handleOf(host, sandbox, `${url}${host.basePath}`, own);
  return {
    url,
    port,
    baseUrl: `${url}${host.basePath}`,
    inspectorUrl: `${url}/`,
    sandbox: handle(host.default),
    createSandbox: async (request = {}) => {
      checkSandboxRequest(request);
      const { state, webhookUrl } = request;
      const sandbox = await host.create(request);
      const made = handle(sandbox);
      if (state === undefined) return made;
      try {
        await made.restore(state);
        // As a start with a state file does.
        if (webhookUrl !== undefined) sandbox.setEndpoint(webhookUrl);
        return made;
      } catch (error) {
        await made.drop();
        throw error;
      }
    },
    fetch: async (request) => app.fetch(unprefixed(host, request)),
    ownFetch: (request) => host.fetch(request),
    coverage: () => host.coverageReport(),
    save: async () => {
      if (!file) throw new Error('this emulator was started without a state file');
      await file.save(host.default.world, host.saved());
    },
    close: () => (closing ??= close()),
    continues,
    traces: traces?.url,
    reload: () => host.reload(),
    endpoint: () =>
      execute(commands.webhooks.endpoint, { host, sandbox: host.default, baseUrl: `${url}${host.basePath}` }, {}),
  };
}

/** Returns the open sockets of a server, with those whose TLS handshake has not begun, which `closeAllConnections` misses. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Waits for all of them, however each ends. Then throws one error that names everything that failed. */
async function all(parts: readonly unknown[]): Promise<void> {
  const failed = (await Promise.allSettled(parts)).filter((part) => part.status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => (reason as Error).message).join('; '));
}

/** Throws if a path below the public URL could also mean one below the base path. */
function checkPaths({ basePath, prefix }: Host): void {
  if (prefix === '') return;
  const served = [basePath, ...Object.values(PROFILES).map((profile) => profile.basePath)];
  for (const path of served) {
    const isAmbiguous = `${path}/`.startsWith(`${prefix}/`) && !served.includes(path.slice(prefix.length));
    if (isAmbiguous) throw new Error(`the base path ${path} must not begin with the path of --public-url, ${prefix}`);
  }
}

/** Returns the files for HTTPS, if there are any. Throws if one of the two is missing. */
function tlsFiles({ tlsCert, tlsKey }: EmulatorOptions<ProfileName>): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Error('--tls-cert and --tls-key go together: HTTPS needs a certificate and its key');
  return { cert: tlsCert, key: tlsKey };
}

/** Lets the package cache the code that was compiled so far, for the next start; a checkout has no such cache. */
export function keepCompiled(): void {
  const keep = (import.meta as { started?: () => void }).started;
  if (keep) nextTurn(keep);
}

/** Opens sandboxes that are served in this process only, by `fetch`, without a server. */
export async function openHost(options: EmulatorOptions<ProfileName>): Promise<Host> {
  const host = await Host.start(options, { broken: options.onBroken ?? toStderr });
  createApp(host);
  return host;
}

/** Returns the OpenAPI document that an emulator at an address would serve, without starting one. */
export async function openApiOf(
  profile: 'spec' | 'grid',
  server: string,
  basePath?: string,
): Promise<Record<string, unknown>> {
  const { openApiText } = await import('./http/built-openapi.ts');
  return JSON.parse(await openApiText(PROFILES[profile], [`${server}${basePath ?? PROFILES[profile].basePath}`]));
}

function toStderr(what: string, error: unknown): void {
  process.stderr.write(`sandbox-emulator: ${what}\n${error instanceof Error ? error.stack : String(error)}\n`);
}

import type { LookupAddress } from 'node:dns';
import http, {
  Agent,
  type AgentOptions,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { isLoopback, reachable } from '../../contract/address.ts';
import type { TryResult } from '../../contract/domain-event.ts';
import { stopwatch } from '../../engine/clock.ts';
import { networkTrouble } from '../../engine/network.ts';
import { VERSION } from '../../version.ts';
import type { Deadline } from './deadline.ts';
import { keptOnce } from './shared.ts';

/** The result of an attempt, with the real milliseconds that it took. */
type Timed = TryResult & { readonly ms: number; readonly whole?: string };

/** The idle connections to one receiver that are kept: as many as two sandboxes have under way at most. */
const MOST_FREE = 64;
/**
 * The shared pool of kept-alive connections to receivers on this machine. It needs no limit: each sandbox limits its
 * attempts under way. Receivers elsewhere get Node's own agent, which may use a proxy that the environment names.
 */
const agent = new Agent({ keepAlive: true, maxFreeSockets: MOST_FREE });
/** The same over TLS. */
let secureAgent: SecureAgent | undefined;

/** Closes idle connections; the next attempt opens a new one. */
export function closeKept(): void {
  for (const each of [agent, secureAgent])
    for (const sockets of Object.values(each?.freeSockets ?? {})) for (const socket of sockets ?? []) socket.destroy();
}

type Kind = new (options: AgentOptions) => Agent;

/**
 * Returns a new agent like the one that a program uses for receivers elsewhere, without its kept connections; a program's
 * own kind of agent as it is.
 */
function freshLike(global: Agent, Plain: Kind): Agent {
  const { options } = global as Agent & { readonly options: AgentOptions };
  return global.constructor === Plain ? new Plain({ ...options, keepAlive: false }) : global;
}

/** Returns the client for an endpoint over TLS, which is loaded at first use. */
async function secureClient(isHere: boolean) {
  const { default: https } = await import('node:https');
  if (isHere) secureAgent ??= new https.Agent({ keepAlive: true, maxFreeSockets: MOST_FREE });
  return {
    request: https.request,
    // In a resumed session, the certificate would not be looked at.
    by: { agent: isHere ? secureAgent : https.globalAgent, session: undefined },
    again: () => (isHere ? false : freshLike(https.globalAgent, https.Agent as unknown as Kind)),
  };
}

/** Returns the client for any other endpoint. */
function plainClient(isHere: boolean) {
  return {
    request: http.request,
    by: { agent: isHere ? agent : http.globalAgent },
    again: () => (isHere ? false : freshLike(http.globalAgent, Agent)),
  };
}

/** The part of a response that is worth storing, in bytes. */
const KEPT_BYTES = 2048;
/** The part of a response that is read where it decides something, in bytes. */
const READ_BYTES = 1024 ** 2;

/** The options of recently used endpoints; each sandbox has one. */
const known = new Map<string, ReturnType<typeof urlToHttpOptions>>();
const MOST_KNOWN = 1000;

/** Resolves any name to this machine. */
const here: LookupFunction = (_name, { all }, found) => (all ? found(null, [...HERE]) : found(null, '127.0.0.1', 4));
const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Returns the options of Node's client for an endpoint. Throws if it is not a URL. */
function targetOf(endpoint: string): ReturnType<typeof urlToHttpOptions> {
  const before = known.get(endpoint);
  if (before) return before;
  const url = new URL(endpoint);
  url.hostname = reachable(url.hostname);
  const target = urlToHttpOptions(url);
  // Names under localhost mean this machine, whatever its resolver says; receivers and certificates still see the name.
  if (target.hostname?.endsWith('.localhost')) Object.assign(target, { lookup: here });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(endpoint, target);
  return target;
}

/**
 * Posts a body to a receiver; never throws. Does not follow redirects. The deadline is in real time, as the receiver is
 * real; it starts when the attempt has its socket. With `wholly`, the result also has the `whole` response.
 */
export async function send(
  url: string,
  body: string,
  headers: Record<string, string>,
  deadline: Deadline,
  wholly = false,
): Promise<Timed> {
  const started = stopwatch();
  const took = () => Math.round((stopwatch() - started) * 100) / 100;
  try {
    const target = targetOf(url);
    const isHere = isLoopback(target.hostname ?? '');
    const client = target.protocol === 'https:' ? await secureClient(isHere) : plainClient(isHere);
    const options = {
      ...target,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `sandbox-emulator/${VERSION}`,
        ...headers,
      },
    };
    return await new Promise<Timed>((resolve) => {
      let sent: ClientRequest;
      let passed = false;
      const done: Done = (result) => {
        deadline.clear();
        resolve({ ...result, ms: took() });
      };
      const failed = (error: unknown) =>
        done(
          passed
            ? { outcome: 'timed-out', error: keptOnce(`no answer within ${deadline.ms / 1000} s`) }
            : { outcome: 'failed', error: reason(url, error) },
        );
      const go = (repeated: boolean) => {
        // Another kept connection may be dropped as well.
        const by = repeated ? { ...client.by, agent: client.again() } : client.by;
        sent = client.request({ ...options, ...by } as RequestOptions, (answer) => read(answer, wholly, done, failed));
        sent.on('error', (error: NodeJS.ErrnoException) => {
          // If a restarted receiver has dropped a kept-alive connection, that says nothing about the receiver.
          if (!repeated && sent.reusedSocket && error.code === 'ECONNRESET') go(true);
          else failed(error);
        });
        // Node hands over the socket and emits nothing more about the request: without this, the attempt would never
        // end.
        sent.on('upgrade', (answer, socket) => {
          socket.destroy();
          done({ outcome: 'answered', status: answer.statusCode ?? 0, body: '' });
        });
        // A receiver that hangs must not keep a program alive that has closed its emulator.
        sent.on('socket', (socket) => {
          socket.unref();
          deadline.start(() => {
            passed = true;
            sent.destroy(new Error('the deadline passed'));
          });
        });
        sent.end(body);
      };
      go(false);
    });
  } catch (error) {
    return { outcome: 'failed', error: reason(url, error), ms: took() };
  }
}

type Done = (result: Omit<Timed, 'ms'>) => void;

function read(answer: IncomingMessage, wholly: boolean, done: Done, failed: (error: unknown) => void): void {
  const most = wholly ? READ_BYTES : KEPT_BYTES;
  const parts: Buffer[] = [];
  let kept = 0;
  answer.on('data', (part: Buffer) => {
    if (kept < most) parts.push(part.subarray(0, most - kept));
    kept += part.length;
  });
  answer.on('error', ({ code }: NodeJS.ErrnoException) =>
    failed(new Error(`the receiver breaks off in the middle of its answer (${code})`)),
  );
  answer.on('end', () => {
    const all = Buffer.concat(parts);
    const body = keptOnce(all.subarray(0, KEPT_BYTES).toString('utf8'));
    const result = { outcome: 'answered', status: answer.statusCode ?? 0, body } as const;
    // A decoder leaves out the byte order mark.
    done(wholly ? { ...result, whole: new TextDecoder().decode(all) } : result);
  });
}

/** Returns why an attempt failed, as a sentence that names the receiver if the network is the reason. */
function reason(url: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const host = URL.canParse(url) ? new URL(url).host : url;
  return keptOnce(networkTrouble(host, code === undefined ? {} : { code }) ?? (message || String(code ?? error)));
}

import type { LookupAddress } from 'node:dns';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { isLoopback } from '../../contract/address.ts';
import type { TryResult } from '../../contract/domain-event.ts';
import { stopwatch } from '../../engine/clock.ts';
import { networkTrouble } from '../../engine/network.ts';
import { VERSION } from '../../version.ts';
import type { Deadline } from './deadline.ts';
import { keptOnce } from './shared.ts';

/** The result of a try, and the real milliseconds that it took. */
type Timed = TryResult & { readonly ms: number };

/** Connections to one receiver that are kept while nothing is under way: as many as two sandboxes have under way at most. */
const MOST_FREE = 64;
/** One pool of kept connections. It has no limit of its own: each sandbox has one, by the tries it has under way. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: MOST_FREE });

/** The same over TLS, for receivers on this machine: Node's own agent may go by a proxy that the environment names. */
let secureAgent: SecureAgent | undefined;

/** Close the connections that are kept while nothing is under way; anyone who sends next makes another. */
export function closeKept(): void {
  for (const each of [agent, secureAgent])
    for (const sockets of Object.values(each?.freeSockets ?? {})) for (const socket of sockets ?? []) socket.destroy();
}

/** Returns the client for an endpoint over TLS, which is loaded with the first one. */
async function secureClient(hostname: string) {
  const { Agent: Secure, request } = await import('node:https');
  if (!isLoopback(hostname)) return { request };
  secureAgent ??= new Secure({ keepAlive: true, maxFreeSockets: MOST_FREE });
  return { request, agent: secureAgent };
}

/** As much of a receiver's answer as is worth keeping. */
const KEPT_BYTES = 2048;

/** Endpoints that were sent to lately; each sandbox has one. */
const known = new Map<string, ReturnType<typeof urlToHttpOptions>>();
const MOST_KNOWN = 1000;

/** Finds this machine, for any name. */
const here: LookupFunction = (_name, { all }, found) => (all ? found(null, [...HERE]) : found(null, '127.0.0.1', 4));
const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Returns the options of Node's client for an endpoint. Throws where it is not a URL. */
function targetOf(endpoint: string): ReturnType<typeof urlToHttpOptions> {
  const before = known.get(endpoint);
  if (before) return before;
  const target = urlToHttpOptions(new URL(endpoint));
  // Names under localhost are this machine's, whatever its resolver says; receivers and certificates still see the name.
  if (target.hostname?.endsWith('.localhost')) Object.assign(target, { lookup: here });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(endpoint, target);
  return target;
}

/**
 * POST a body to a receiver; never throws. Redirects are not followed. The deadline is real time, for the receiver is real;
 * it begins when the try has its socket.
 */
export async function send(
  url: string,
  body: string,
  headers: Record<string, string>,
  deadline: Deadline,
): Promise<Timed> {
  const started = stopwatch();
  const took = () => Math.round((stopwatch() - started) * 100) / 100;
  try {
    const target = targetOf(url);
    const isSecure = target.protocol === 'https:';
    const { request, ...by } = isSecure ? await secureClient(target.hostname ?? '') : { request: httpRequest, agent };
    const options = {
      ...target,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `sandbox-emulator/${VERSION}`,
        ...headers,
      },
      ...by,
    };
    return await new Promise<Timed>((resolve) => {
      let sent: ClientRequest;
      let passed = false;
      const done = (result: TryResult) => {
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
        sent = request(options, (answer) => read(answer, done, failed));
        sent.on('error', (error: NodeJS.ErrnoException) => {
          // A kept connection that a restarted receiver has forgotten says nothing about the receiver.
          if (!repeated && sent.reusedSocket && error.code === 'ECONNRESET') go(true);
          else failed(error);
        });
        // Node hands over the socket, and says nothing of the request any more: without this the try would never end.
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

function read(answer: IncomingMessage, done: (result: TryResult) => void, failed: (error: unknown) => void): void {
  const parts: Buffer[] = [];
  let kept = 0;
  answer.on('data', (part: Buffer) => {
    if (kept < KEPT_BYTES) parts.push(part.subarray(0, KEPT_BYTES - kept));
    kept += part.length;
  });
  answer.on('error', failed);
  answer.on('end', () =>
    done({
      outcome: 'answered',
      status: answer.statusCode ?? 0,
      body: keptOnce(Buffer.concat(parts).toString('utf8')),
    }),
  );
}

/** Returns why a try failed, as a sentence where the network is the reason; it names the receiver. */
function reason(url: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const host = URL.canParse(url) ? new URL(url).host : url;
  return keptOnce(networkTrouble(host, code === undefined ? {} : { code }) ?? (message || String(code ?? error)));
}

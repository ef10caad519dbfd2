import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { TryResult } from '../../contract/domain-event.ts';
import { stopwatch } from '../../engine/clock.ts';
import { VERSION } from '../../version.ts';
import type { Deadline } from './deadline.ts';
import { keptOnce } from './shared.ts';

/** What came of a try, and the real milliseconds that it took. */
type Timed = TryResult & { readonly ms: number };

/** One pool of kept connections. It has no limit of its own: each sandbox has one, by the tries it has under way. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });
/** As much of a receiver's answer as is worth keeping. */
const KEPT_BYTES = 2048;

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
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const request = secure ? (await import('node:https')).request : httpRequest;
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `sandbox-emulator/${VERSION}`,
        ...headers,
      },
      ...(secure ? {} : { agent }),
      ...(target.hostname.endsWith('.localhost') ? { hostname: '127.0.0.1' } : {}),
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
            : { outcome: 'failed', error: reason(error) },
        );
      const go = (repeated: boolean) => {
        sent = request(target, options, (answer) => read(answer, done, failed));
        sent.on('error', (error: NodeJS.ErrnoException) => {
          // A kept connection that a restarted receiver has forgotten says nothing about the receiver.
          if (!repeated && sent.reusedSocket && error.code === 'ECONNRESET') go(true);
          else failed(error);
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
    return { outcome: 'failed', error: reason(error), ms: took() };
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

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return keptOnce(code && !message.includes(code) ? `${code}: ${message}` : message || String(code ?? error));
};

import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { stopwatch } from '../../kernel/clock.ts';
import { VERSION } from '../../version.ts';
import type { Deadline } from './deadline.ts';
import { keptOnce } from './shared.ts';

export interface Outcome {
  /** HTTP status of the receiver, when it answered. */
  status?: number;
  /** Why there was no answer. */
  error?: string;
  body?: string;
  /** Real milliseconds the try took. */
  ms: number;
}

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
): Promise<Outcome> {
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
    return await new Promise<Outcome>((resolve) => {
      let sent: ClientRequest;
      const done = (outcome: Omit<Outcome, 'ms'>) => {
        deadline.clear();
        resolve({ ...outcome, ms: took() });
      };
      const go = (repeated: boolean) => {
        sent = request(target, options, (answer) => read(answer, done));
        sent.on('error', (error: NodeJS.ErrnoException) => {
          // A kept connection that a restarted receiver has forgotten says nothing about the receiver.
          if (!repeated && sent.reusedSocket && error.code === 'ECONNRESET') go(true);
          else done({ error: reason(error) });
        });
        // A receiver that hangs must not keep a program alive that has closed its emulator.
        sent.on('socket', (socket) => {
          socket.unref();
          deadline.start(() => sent.destroy(new Error(`no answer within ${deadline.ms / 1000} s`)));
        });
        sent.end(body);
      };
      go(false);
    });
  } catch (error) {
    return { error: reason(error), ms: took() };
  }
}

function read(answer: IncomingMessage, done: (outcome: Omit<Outcome, 'ms'>) => void): void {
  const parts: Buffer[] = [];
  let kept = 0;
  answer.on('data', (part: Buffer) => {
    if (kept < KEPT_BYTES) parts.push(part.subarray(0, KEPT_BYTES - kept));
    kept += part.length;
  });
  answer.on('error', (error) => done({ error: reason(error) }));
  answer.on('end', () =>
    done({ status: answer.statusCode ?? 0, body: keptOnce(Buffer.concat(parts).toString('utf8')) }),
  );
}

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return keptOnce(code && !message.includes(code) ? `${code}: ${message}` : message || String(code ?? error));
};

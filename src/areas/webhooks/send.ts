import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { TryResult } from '../../contract/domain-event.ts';
import { stopwatch } from '../../engine/clock.ts';
import { Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { keptOnce } from './shared.ts';
import { type Target, targetOf, USER_AGENT } from './target.ts';

/** What came of a try, and the real milliseconds that it took. */
type Timed = TryResult & { readonly ms: number };
type Headers = Readonly<Record<string, string>>;

/** As much of a receiver's answer as is worth keeping. */
const KEPT_BYTES = 2048;

/**
 * POST a body to a receiver; never throws. Redirects are not followed. The deadline is real time, for the receiver is real;
 * it begins when the try has its socket.
 */
export async function send(url: string, body: string, headers: Headers, deadline: Deadline): Promise<Timed> {
  const started = stopwatch();
  const took = () => Math.round((stopwatch() - started) * 100) / 100;
  try {
    const target = targetOf(url);
    const request = target.url.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
    return await new Promise<Timed>((resolve) => {
      const attempt = new Try(deadline, (result) => resolve({ ...result, ms: took() }));
      if (target.plain) attempt.sendPlainly(target.plain, requestText(target.plain, body, headers));
      else attempt.sendByNode(request, target, body, headers);
    });
  } catch (error) {
    return { outcome: 'failed', error: reason(error), ms: took() };
  }
}

const contentOf = (body: string): Headers => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'user-agent': USER_AGENT,
});

/** A whole request as Node's client would send it, in one piece. */
export function requestText({ line, host }: NonNullable<Target['plain']>, body: string, headers: Headers): string {
  let text = `${line}\r\n`;
  for (const [name, value] of Object.entries({ ...contentOf(body), ...headers })) text += `${name}: ${value}\r\n`;
  return `${text}Host: ${host}\r\nConnection: keep-alive\r\n\r\n${body}`;
}

/** One try; it is over once. */
class Try {
  readonly #deadline: Deadline;
  readonly #over: (result: TryResult) => void;
  /** The deadline has passed, so that whatever goes wrong afterwards is its doing. */
  #late = false;
  /** Lets go of what is left when it is over. */
  #stop = (): void => {};

  constructor(deadline: Deadline, over: (result: TryResult) => void) {
    this.#deadline = deadline;
    this.#over = over;
  }

  /** Over a connection of our own, which takes a fifth of the time that Node's client does. */
  sendPlainly(plain: NonNullable<Target['plain']>, text: string, repeated = false): void {
    const connection = Connection.to(plain.address, KEPT_BYTES, repeated);
    const failed = (error: unknown): void => {
      // A kept connection that a restarted receiver has forgotten says nothing about the receiver.
      if (!repeated && connection.reused && this.#wasReset(error)) this.sendPlainly(plain, text, true);
      else this.#failed(error);
    };
    this.#deadline.start(() => {
      this.#late = true;
      connection.close();
      this.#failed(undefined);
    });
    connection.send(text, (ending) => {
      if ('answer' in ending) this.#answered(ending.answer.status, ending.answer.body);
      else if ('error' in ending) failed(ending.error);
      else {
        this.#stop = () => connection.close();
        this.#listen(httpRequest({ method: 'POST', createConnection: () => ending.stream }), failed).end();
      }
    });
  }

  /** By Node's own client. */
  sendByNode(request: typeof httpRequest, target: Target, body: string, headers: Headers, repeated = false): void {
    const { url, hostname } = target;
    const options: RequestOptions = { method: 'POST', headers: { ...contentOf(body), ...headers } };
    const sent = request(url, hostname === undefined ? options : { ...options, hostname });
    this.#listen(sent, (error) => {
      if (!repeated && sent.reusedSocket && this.#wasReset(error))
        this.sendByNode(request, target, body, headers, true);
      else this.#failed(error);
    });
    sent.on('socket', (socket) => {
      socket.unref();
      this.#deadline.start(() => {
        this.#late = true;
        sent.destroy(new Error('the deadline passed'));
      });
    });
    sent.end(body);
  }

  #listen(sent: ClientRequest, failed: (error: unknown) => void): ClientRequest {
    sent.on('error', failed);
    return sent.on('response', (answer: IncomingMessage) => {
      const parts: Buffer[] = [];
      let kept = 0;
      answer.on('data', (part: Buffer) => {
        if (kept < KEPT_BYTES) parts.push(part.subarray(0, KEPT_BYTES - kept));
        kept += part.length;
      });
      answer.on('error', (error) => this.#failed(error));
      answer.on('end', () => this.#answered(answer.statusCode ?? 0, Buffer.concat(parts)));
    });
  }

  #wasReset(error: unknown): boolean {
    return !this.#late && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
  }

  #answered(status: number, body: Buffer): void {
    this.#done({ outcome: 'answered', status, body: keptOnce(body.toString('utf8')) });
  }

  #failed(error: unknown): void {
    this.#done(
      this.#late
        ? { outcome: 'timed-out', error: keptOnce(`no answer within ${this.#deadline.ms / 1000} s`) }
        : { outcome: 'failed', error: reason(error) },
    );
  }

  #done(result: TryResult): void {
    this.#deadline.clear();
    this.#stop();
    this.#over(result);
  }
}

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return keptOnce(code && !message.includes(code) ? `${code}: ${message}` : message || String(code ?? error));
};

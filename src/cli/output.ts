import { undoneText } from '../sandbox/undone.ts';
import { type Colours, jsonText, printable } from './text.ts';

/** Characters that may wait for a slow reader; beyond it lines are dropped rather than the service stopped. */
const MOST_WAITING = 1024 * 1024;

/**
 * Lines to stdout, written together once a turn of the event loop. A parent that never reads its pipe costs lines,
 * never answers.
 */
export class Output {
  #waiting: string[] = [];
  #dropped = 0;

  constructor() {
    // A pipe is written synchronously by default, so a parent that does not read would stop the process.
    (process.stdout as unknown as { _handle?: { setBlocking?: (on: boolean) => void } })._handle?.setBlocking?.(false);
  }

  line(text: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push(text);
  }

  flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    if (process.stdout.writableLength > MOST_WAITING) {
      this.#dropped += lines.length;
      return;
    }
    if (this.#dropped > 0) {
      lines.unshift(JSON.stringify({ event: 'log', message: `${this.#dropped} lines dropped: nobody reads stdout` }));
      this.#dropped = 0;
    }
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  }
}

/** The colour of a status. */
export const paintStatus = (status: number, c: Colours): string =>
  (status >= 500 || status === 0 ? c.red : status >= 400 ? c.yellow : c.green)(String(status));

/** A request as the log tells of it, secrets masked. */
export interface RequestLine {
  at: string;
  id: string;
  sandbox: string;
  method: string;
  path: string;
  operation?: string | undefined;
  status: number;
  code?: string | undefined;
  /** Real milliseconds. */
  ms: number;
  magic: readonly string[];
  /** The fault that fired, and what it did: the caller may have seen another answer. */
  fault?: string | undefined;
  /** Sentences that name what was sent and not read. */
  ignored?: readonly string[] | undefined;
  /** The span of the request, as the header writes it. */
  traceparent?: string | undefined;
  /** A rewind took it back, and to before which request it went. */
  undone?: boolean | undefined;
  undoneBy?: string | undefined;
}

/** A request as a line for a person: time, status, method, path, milliseconds, sandbox, id, refusal, magic values, fault and rewind. */
export function requestText(
  { at, id, sandbox, method, path, status, code, ms, magic, fault, ignored = [], traceparent, ...rest }: RequestLine,
  c: Colours,
): string {
  const trace = traceparent && `trace ${traceparent.split('-')[1]}`;
  const notes = [undoneText(rest), code, ...magic, fault, ...ignored, trace].filter(Boolean).join('; ');
  return `${c.dim(at.slice(11, 23))} ${paintStatus(status, c)} ${printable(method).padEnd(6)} ${printable(path)} ${c.dim(
    `${ms.toFixed(1)} ms  ${printable(sandbox)}  ${printable(id)}`,
  )}${notes ? `  ${c.cyan(printable(notes))}` : ''}`;
}

/** A request as a line for a program. */
export const requestJson = ({
  at,
  id,
  sandbox,
  method,
  path,
  operation,
  status,
  code,
  ms,
  magic,
  fault,
  ignored = [],
  traceparent,
  undone,
  undoneBy,
}: RequestLine): string =>
  jsonText({
    event: 'request',
    at,
    id,
    sandbox,
    method,
    path,
    operation,
    status,
    code,
    ms: Math.round(ms * 100) / 100,
    ...(magic.length > 0 ? { magic } : {}),
    ...(fault === undefined ? {} : { fault }),
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(undone ? { undone, undoneBy } : {}),
  });

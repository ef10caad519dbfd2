import { undoneText } from '../sandbox/undone.ts';
import { type Colours, jsonText, printable } from './text.ts';

/** The most characters that may wait for a slow reader; beyond that, lines are dropped, and the service goes on. */
const MOST_WAITING = 1024 * 1024;

/**
 * Prints lines to stdout, together once per turn of the event loop. A parent that never reads its pipe loses lines, but
 * blocks no replies.
 */
export class Output {
  #waiting: string[] = [];
  #dropped = 0;
  #isHeld = false;

  constructor() {
    // By default a pipe is written synchronously, so that a parent that does not read would block the process.
    (process.stdout as unknown as { _handle?: { setBlocking?: (on: boolean) => void } })._handle?.setBlocking?.(false);
  }

  line(text: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push(text);
  }

  /** Keeps every line until `begin` gives the first ones. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Prints the first lines, then those that were kept. */
  begin(lines: readonly string[]): void {
    this.#isHeld = false;
    this.#waiting.unshift(...lines);
    this.flush();
  }

  flush(): void {
    if (this.#isHeld) return;
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

/** Returns a status in its colour. */
export const paintStatus = (status: number, c: Colours): string =>
  (status >= 500 || status === 0 ? c.red : status >= 400 ? c.yellow : c.green)(String(status));

/** A request as the log shows it, secrets masked. */
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
  /** The fault that fired, and its effect: the caller may have seen another reply. */
  fault?: string | undefined;
  /** Sentences that name parts of the request that were ignored. */
  ignored?: readonly string[] | undefined;
  /** The span of the request, as the header writes it. */
  traceparent?: string | undefined;
  /** True if a rewind undid it; `undoneBy` is the request before which that rewind went. */
  undone?: boolean | undefined;
  undoneBy?: string | undefined;
}

/**
 * Returns a request as a line for a person: time, status, method, path, milliseconds, sandbox, id, refusal, magic
 * values, fault and rewind.
 */
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

/** Returns a request as a line for a program. */
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

import { maskPath, maskTold } from '../sandbox/mask.ts';
import type { Entry } from '../sandbox/request-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
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
  (status >= 500 ? c.red : status >= 400 ? c.yellow : c.green)(String(status));

const magicOf = (entry: Entry): readonly string[] =>
  entry.caused?.magic.length ? maskTold(entry, entry.caused.magic) : [];

/** A request as a line for a person. */
export function prettyLine(sandbox: Sandbox, entry: Entry, c: Colours): string {
  const notes = [entry.code, ...magicOf(entry)].filter(Boolean).join('; ');
  return `${c.dim(entry.at.slice(11, 23))} ${paintStatus(entry.status, c)} ${printable(entry.method).padEnd(6)} ${printable(maskPath(entry))} ${c.dim(
    `${entry.ms.toFixed(1)} ms  ${printable(sandbox.id)}  ${entry.id}`,
  )}${notes ? `  ${c.cyan(printable(notes))}` : ''}`;
}

/** A request as a line for a program. */
export const jsonLine = (sandbox: Sandbox, entry: Entry): string =>
  jsonText({
    event: 'request',
    at: entry.at,
    id: entry.id,
    sandbox: sandbox.id,
    method: entry.method,
    path: maskPath(entry),
    operation: entry.operation,
    status: entry.status,
    code: entry.code,
    ms: Math.round(entry.ms * 100) / 100,
    ...(entry.caused?.magic.length ? { magic: magicOf(entry) } : {}),
  });

import type { Entry } from '../host/journal.ts';
import type { Sandbox } from '../host/sandbox.ts';

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
    process.stdout.on('error', () => {});
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

const plain = (text: string): string => text;
const ansi = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** Colours, where the terminal has them. */
export function colours(on: boolean) {
  return on
    ? { bold: ansi(1), dim: ansi(2), red: ansi(31), green: ansi(32), yellow: ansi(33), cyan: ansi(36) }
    : { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };
}
export type Colours = ReturnType<typeof colours>;

/** Escape what a terminal would obey. */
const printable = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** A request as a line for a person. */
export function prettyLine(sandbox: Sandbox, entry: Entry, c: Colours): string {
  const paint = entry.status >= 500 ? c.red : entry.status >= 400 ? c.yellow : c.green;
  const notes = [entry.code, ...(entry.trace?.magic ?? [])].filter(Boolean).join('; ');
  return `${c.dim(entry.at.slice(11, 23))} ${paint(String(entry.status))} ${entry.method.padEnd(6)} ${printable(entry.path)} ${c.dim(
    `${entry.ms.toFixed(1)} ms  ${printable(sandbox.id)}  ${entry.id}`,
  )}${notes ? `  ${c.cyan(printable(notes))}` : ''}`;
}

/** A request as a line for a program. */
export const jsonLine = (sandbox: Sandbox, entry: Entry): string =>
  JSON.stringify({
    event: 'request',
    at: entry.at,
    id: entry.id,
    sandbox: sandbox.id,
    method: entry.method,
    path: entry.path,
    operation: entry.operation,
    status: entry.status,
    code: entry.code,
    ms: Math.round(entry.ms * 100) / 100,
    ...(entry.trace && entry.trace.magic.length > 0 ? { magic: entry.trace.magic } : {}),
  });

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Real milliseconds in which a stop is done (docs/cli.md), with as much again for a busy machine. */
const STOP_MS = 2000;

/** A real emulator process, looked at from outside. */
export class Soaking {
  readonly url: string;
  readonly basePath: string;
  readonly #child: ChildProcess;
  readonly #errors: string[];

  /** Start the built command line; rejects when it ends before it is ready. */
  static async start(): Promise<Soaking> {
    const child = spawn(process.execPath, ['bin/sandbox-emulator.js', '--port', '0', '--json', '--log', 'off'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    const lines = createInterface({ input: child.stdout });
    const first = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      child.once('exit', (code) => reject(new Error(`the emulator ended with ${code}: ${errors.join('')}`)));
    });
    const { url, baseUrl } = JSON.parse(first) as { url: string; baseUrl: string };
    return new Soaking(child, url, new URL(baseUrl).pathname, errors);
  }

  private constructor(child: ChildProcess, url: string, basePath: string, errors: string[]) {
    this.#child = child;
    this.url = url;
    this.basePath = basePath;
    this.#errors = errors;
  }

  /** Call `/_emulator`; throws on a refusal. */
  async control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.url}/_emulator${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Resident memory in MiB. */
  residentMib(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** The least resident memory of the next 20 seconds, in MiB: a process at rest gives back what it had at hand. */
  async settled(): Promise<number> {
    let least = this.residentMib();
    for (let i = 0; i < 40; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      least = Math.min(least, this.residentMib());
    }
    return least;
  }

  /** Stop it as a terminal would; what was not orderly about that, and what it said on stderr. */
  async stop(): Promise<string[]> {
    const started = performance.now();
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    const code = await ended;
    clearTimeout(force);
    const ms = performance.now() - started;
    return [
      ...(code === 0 ? [] : [`the process ended with ${code}, not 0`]),
      ...(ms <= STOP_MS ? [] : [`the process took ${Math.round(ms)} ms to stop, not at most ${STOP_MS}`]),
      ...(this.#errors.length === 0 ? [] : [`stderr: ${this.#errors.join('').slice(0, 1000)}`]),
    ];
  }
}

/** The size of a sandbox's state as JSON, and what its postings sum to per currency. */
export async function stateOf(soaking: Soaking, id: string): Promise<{ bytes: number; sums: Map<string, bigint> }> {
  const text = await (await fetch(`${soaking.url}/_emulator/state?sandbox=${id}`)).text();
  const state = JSON.parse(text) as {
    tables: { name: string; rows: { lines?: { currency: string; amount: number }[] }[] }[];
  };
  const sums = new Map<string, bigint>();
  for (const { lines = [] } of state.tables.find(({ name }) => name === 'postings')?.rows ?? [])
    for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return { bytes: Buffer.byteLength(text), sums };
}

import type { IncomingMessage } from 'node:http';
import { type Command, Option } from 'commander';
import { isOfEmulator, NotAnEmulator, reach } from '../control/reach.ts';
import { refusalOf } from '../control/sentence.ts';
import type { ClockState } from '../public.ts';
import { addExamples, type Examples } from './examples.ts';
import { controlTokenOption, HERE, jsonFlag } from './options.ts';
import { httpUrl } from './start-flags.ts';
import { type Colours, colours, hasColours, jsonText } from './text.ts';

/** The address of the emulator, the sandbox, and the form of the output. */
export interface RemoteFlags {
  url: string;
  sandbox?: string;
  controlToken?: string | undefined;
  json?: boolean;
}

/** Returns the flags of every subcommand that calls a running emulator. */
export const remoteOptions = (): Option[] => [
  new Option('--url <url>', 'where the emulator runs')
    .env('SANDBOX_EMULATOR_URL')
    .argParser((text) => httpUrl('--url')(text).replace(/\/+$/, ''))
    .default(HERE),
  new Option('--sandbox <token id>', "use this sandbox; default: the scenario's own"),
  controlTokenOption(),
  jsonFlag(),
];

/** Adds to a subcommand the flags of all that call a running emulator, and its examples. */
export function declareRemote(command: Command, examples: Examples): void {
  for (const option of remoteOptions()) command.addOption(option);
  addExamples(command, examples);
}

/** Exit code for a refusal by the emulator; an unreachable emulator and wrong usage are 1. */
const REFUSED = 2;

/** The error if no emulator replies at the address. */
export class NobodyThere extends Error {}

/**
 * The error for a refusal by the emulator; `status` and `code` are those of its reply. It ends the command with exit
 * code 2.
 */
export class Refused extends Error {
  readonly exitCode = REFUSED;
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, body: unknown) {
    super(sentenceOf(status, body));
    this.status = status;
    this.code = (body as { code?: string } | undefined)?.code;
  }
}

/** Returns the sentence of a refusal, with every field that it names. */
function sentenceOf(status: number, body: unknown): string {
  const { said, fields } = refusalOf(status, body);
  return fields.length === 0 ? said : `${said}: ${fields.join('; ')}`;
}

/**
 * Returns an id or a name for a path. Throws `Refused` for one that no path can contain: an empty one, and dots that
 * lead elsewhere.
 */
export function inPath(what: string, name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new Refused(404, { message: `there is no ${what} ${name || 'without a name'}` });
  return encodeURIComponent(name);
}

/** The control API of a running emulator, for one of its sandboxes. */
export class Remote {
  readonly url: string;
  readonly #sandbox: string | undefined;
  readonly #token: string | undefined;

  constructor({ url, sandbox, controlToken }: Pick<RemoteFlags, 'url' | 'sandbox' | 'controlToken'>) {
    this.url = url;
    this.#sandbox = sandbox;
    this.#token = controlToken;
  }

  /**
   * Calls the control API and returns the JSON of its reply, text if it is text, `undefined` for a 204. `path` is below
   * `/_emulator`. Throws `NobodyThere` or `Refused`, each with one sentence.
   */
  async ask<T = unknown>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const reply = await this.#send(method, path, body, signal);
    const text = await textOf(reply, this.url);
    const isJson = reply.headers['content-type']?.includes('json');
    const value = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    if ((reply.statusCode as number) >= 400) throw new Refused(reply.statusCode as number, value);
    return value as T;
  }

  /** Opens a stream of the control API, such as `/events`. Throws as `ask` does. */
  async open(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
    const reply = await this.#send('GET', path, undefined, signal);
    if (reply.statusCode === 200) return reply;
    throw new Refused(reply.statusCode as number, JSON.parse(await textOf(reply, this.url)));
  }

  async #send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    const { url } = this;
    const target = new URL(`/_emulator${path}`, HERE);
    if (this.#sandbox !== undefined) target.searchParams.set('sandbox', this.#sandbox);
    const reply = await reach(url, {
      method,
      path: `${target.pathname}${target.search}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      controlToken: this.#token,
      signal,
    }).catch((error: NodeJS.ErrnoException) => {
      throw troubleOf(error, url);
    });
    if (isOfEmulator(reply)) return reply;
    reply.destroy();
    throw troubleOf(new NotAnEmulator(), url);
  }
}

/** Returns an error that says how to mend a failed connection. */
function troubleOf(error: NodeJS.ErrnoException, url: string): Error {
  if (error.name === 'AbortError') return error;
  const reason = error.code === 'ECONNREFUSED' || error.code === undefined ? '' : ` (${error.code})`;
  return new NobodyThere(
    error instanceof NotAnEmulator || error.code?.startsWith('HPE_')
      ? `what answers at ${url} is not a sandbox-emulator; name the one you mean with --url`
      : `no emulator answers at ${url}${reason}; start one with sandbox-emulator, or name it with --url`,
  );
}

async function textOf(reply: IncomingMessage, url: string): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of reply) parts.push(part as Buffer);
  } catch {
    throw new NobodyThere(`the emulator at ${url} broke off in the middle of its answer; its own log may say why`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Returns a moment as people read it: to the second, in UTC. */
export const momentOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;

/** Returns the clock of a sandbox in words: the moment, and whether it is held or sped up. */
export const clockText = ({ now, mode, speed }: ClockState, c: Colours): string =>
  `${c.bold(momentOf(now))}${mode === 'held' ? ', held' : speed === 1 ? '' : `, ${speed} times as fast`}`;

/** Prints a result: JSON on one line for programs, otherwise the lines for people. */
export function show(json: boolean | undefined, value: unknown, lines: (c: Colours) => readonly string[]): void {
  const text = json ? jsonText(value ?? null) : lines(colours(hasColours(process.stdout.isTTY === true))).join('\n');
  process.stdout.write(`${text}\n`);
}

import { requestFor } from '../control/index.ts';
import { type ErrorBody, refusalOf } from '../control/sentence.ts';
import type { Command, InputOf, Members } from '../sandbox/commands/index.ts';

/** The reply of the control API, read. */
export interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to the control API of an emulator, wherever it runs; `path` is below `/_emulator`, `body` JSON. */
export type Send = (method: string, path: string, body?: string, signal?: AbortSignal) => Promise<Received>;

/** The emulator refused, or none answered: one sentence, and every field that it names. */
export class Refused extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The sentence of a refusal, with every bad field beyond those that it says itself. */
function sentenceOf(status: number, body: ErrorBody): string {
  const { said, fields } = refusalOf(status, body);
  return `${[status, body.code].filter(Boolean).join(' ')}: ${[said, ...fields].join('; ')}`;
}

/** The commands of one sandbox, through the control API. */
export class Client {
  readonly #send: Send;
  readonly #sandbox: string | undefined;
  readonly #signal: AbortSignal | undefined;

  constructor(send: Send, sandbox?: string, signal?: AbortSignal) {
    this.#send = send;
    this.#sandbox = sandbox;
    this.#signal = signal;
  }

  /** The same, until a signal is aborted: what waits then is given up. */
  until(signal: AbortSignal): Client {
    return new Client(this.#send, this.#sandbox, signal);
  }

  /** The same emulator, another sandbox of it; without a name the same one. */
  in(sandbox: string | undefined): Client {
    return sandbox === undefined ? this : new Client(this.#send, sandbox, this.#signal);
  }

  /** Runs a command and returns its answer. Throws `Refused`. */
  async ask<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>>): Promise<Awaited<R>> {
    const text = await this.text(command, input);
    return (text === '' ? undefined : JSON.parse(text)) as Awaited<R>;
  }

  /** The same as text. */
  async text<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>>): Promise<string> {
    const { method, path, query, body } = requestFor(command, input);
    const sent = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body ?? {});
    const { status, text } = await this.#send(method, `${path}${this.#queryOf(query || {})}`, sent, this.#signal);
    if (status < 400) return text;
    throw new Refused(sentenceOf(status, parsed(text)), status);
  }

  #queryOf(query: object): string {
    const sent = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, sandbox: this.#sandbox }))
      if (value !== undefined) sent.set(name, String(value));
    return sent.size === 0 ? '' : `?${sent}`;
  }
}

function parsed(text: string): ErrorBody {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

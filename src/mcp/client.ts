import { jsonIn } from '../contract/json.ts';
import { requestFor } from '../control/index.ts';
import { type ErrorBody, refusalOf } from '../control/sentence.ts';
import type { Command, InputOf, Members } from '../sandbox/commands/index.ts';
import { People } from './people.ts';

/** The reply of the control API, read. */
export interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to an emulator, wherever it runs; `path` begins with a slash, `body` is JSON. */
export type Send = (
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
  headers?: Readonly<Record<string, string>>,
) => Promise<Received>;

/** The emulator refused, or none answered: one sentence, and every field that it names. */
export class Refused extends Error {
  readonly status: number | undefined;
  /** The same without status and code, which look like those of an answer of the API. */
  readonly sentence: string;
  constructor(message: string, status?: number, sentence = message) {
    super(message);
    this.status = status;
    this.sentence = sentence;
  }
}

/** A refusal as an error, with every bad field beyond those that its sentence has. */
function refused(status: number, body: ErrorBody): Refused {
  const { said, fields } = refusalOf(status, body);
  const sentence = [said, ...fields].join('; ');
  return new Refused(`${[status, body.code].filter(Boolean).join(' ')}: ${sentence}`, status, sentence);
}

/** The commands of one sandbox, through the control API. */
export class Client {
  readonly #send: Send;
  readonly #sandbox: string | undefined;
  readonly #signal: AbortSignal | undefined;
  /** The people that were played through this client, and those of the same connection or process. */
  readonly people: People;

  constructor(send: Send, sandbox?: string, people = new People(), signal?: AbortSignal) {
    this.#send = send;
    this.#sandbox = sandbox;
    this.people = people;
    this.#signal = signal;
  }

  /** The same, until a signal is aborted: what waits then is given up. */
  until(signal: AbortSignal): Client {
    return new Client(this.#send, this.#sandbox, this.people, signal);
  }

  /** The same emulator, another sandbox of it; without a name the same one. */
  in(sandbox: string | undefined): Client {
    return sandbox === undefined ? this : new Client(this.#send, sandbox, this.people, this.#signal);
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
    const { status, text } = await this.#send(
      method,
      `/_emulator${path}${this.#queryOf(query || {})}`,
      sent,
      this.#signal,
    );
    if (status < 400) return text;
    throw refused(status, (jsonIn(text) ?? {}) as ErrorBody);
  }

  /** Calls the API itself, by an address of it, as any client does. */
  async call(
    url: string,
    { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body?: string },
  ): Promise<Received> {
    const { pathname, search } = new URL(url);
    return this.#send(method, `${pathname}${search}`, body, this.#signal, headers);
  }

  #queryOf(query: object): string {
    const sent = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, sandbox: this.#sandbox }))
      if (value !== undefined) sent.set(name, String(value));
    return sent.size === 0 ? '' : `?${sent}`;
  }
}

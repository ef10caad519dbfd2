import { jsonIn } from '../contract/json.ts';
import { requestFor } from '../control/index.ts';
import { type ErrorBody, refusalOf } from '../control/sentence.ts';
import type { Command, InputOf, Members } from '../sandbox/commands/index.ts';
import { People } from './people.ts';

/** The reply of the control API, parsed. */
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

/** The error if the emulator refused, or none replied: one sentence, with every field that it names. */
export class Refused extends Error {
  readonly status: number | undefined;
  /** The same without status and code, which look like those of an API reply. */
  readonly sentence: string;
  constructor(message: string, status?: number, sentence = message) {
    super(message);
    this.status = status;
    this.sentence = sentence;
  }
}

/** Returns a refusal as an error, with every bad field that its sentence does not name. */
function refused(status: number, body: ErrorBody): Refused {
  const { said, fields } = refusalOf(status, body);
  const sentence = [said, ...fields].join('; ');
  return new Refused(`${[status, body.code].filter(Boolean).join(' ')}: ${sentence}`, status, sentence);
}

/** Runs commands on one sandbox, through the control API. */
export class Client {
  readonly #send: Send;
  readonly #sandbox: string | undefined;
  readonly #signal: AbortSignal | undefined;
  /** The people that an agent has played through this client, or through the same connection or process. */
  readonly people: People;

  constructor(send: Send, sandbox?: string, people = new People(), signal?: AbortSignal) {
    this.#send = send;
    this.#sandbox = sandbox;
    this.people = people;
    this.#signal = signal;
  }

  /** Returns the same client until a signal is aborted: pending calls are then given up. */
  until(signal: AbortSignal): Client {
    return new Client(this.#send, this.#sandbox, this.people, signal);
  }

  /** Returns a client for another sandbox of the same emulator; without a name, for the same sandbox. */
  in(sandbox: string | undefined): Client {
    return sandbox === undefined ? this : new Client(this.#send, sandbox, this.people, this.#signal);
  }

  /** Runs a command and returns its result. Throws `Refused`. */
  async ask<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>>): Promise<Awaited<R>> {
    const text = await this.text(command, input);
    return (text === '' ? undefined : JSON.parse(text)) as Awaited<R>;
  }

  /** Runs a command and returns its result as text. */
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

  /** Calls the API itself, at one of its addresses, as any client does. */
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

import type { AnswerOf, commands } from '../sandbox/commands/index.ts';
import { paintStatus, type RequestLine, requestJson, requestText } from './output.ts';
import type { Remote, RemoteFlags } from './remote.ts';
import { type Colours, jsonText, printable } from './text.ts';

/** The flags of `logs`. */
export interface LogFlags extends RemoteFlags {
  follow?: boolean;
  lines: number;
  status?: string;
  operation?: string;
  webhooks?: boolean;
}

/** A request as the control API lists it, and as the live feed tells of it. */
export type Listed = Omit<RequestLine, 'sandbox'>;

/** An event with every try to deliver it, as the control API shows it. */
export type Delivery = AnswerOf<typeof commands.webhooks.read>;

/** One line of the log. */
export interface Item {
  /** The key by which it is printed once. */
  key: string;
  at: string;
  text: string;
}

/** Turns what a sandbox tells into lines, those only that the flags ask for. */
export class LogItems {
  readonly #flags: LogFlags;
  readonly #sandbox: string;
  readonly #c: Colours;
  readonly #status: RegExp;

  constructor(flags: LogFlags, sandbox: string, c: Colours) {
    this.#flags = flags;
    this.#sandbox = sandbox;
    this.#c = c;
    this.#status = new RegExp(`^${(flags.status ?? '').replaceAll('x', '\\d')}`);
  }

  /** Returns whether tries to deliver webhooks are requested. */
  get withWebhooks(): boolean {
    return this.#flags.webhooks === true;
  }

  /** Returns what the sandbox remembers, oldest first. */
  async past(remote: Remote): Promise<Item[]> {
    const { operation, webhooks } = this.#flags;
    const only = operation === undefined ? '' : `&operation=${encodeURIComponent(operation)}`;
    const [{ data: requests }, { data: deliveries }] = await Promise.all([
      remote.ask<{ data: readonly Listed[] }>('GET', `/requests?limit=1000${only}`),
      webhooks ? remote.ask<{ data: readonly Delivery[] }>('GET', '/webhooks?limit=100') : { data: [] },
    ]);
    const items = [
      ...requests.toReversed().flatMap((line) => this.request(line)),
      ...deliveries.toReversed().flatMap((delivery) => delivery.attempts.flatMap((_, i) => this.attempt(delivery, i))),
    ];
    // Where the clock stands, calls come before what they led to.
    return items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  }

  /** A request; nothing where the flags ask for others. */
  request(line: Listed): Item[] {
    const { operation, json } = this.#flags;
    if (operation !== undefined && line.operation !== operation) return [];
    if (!this.#status.test(String(line.status))) return [];
    const whole = { ...line, sandbox: this.#sandbox };
    return [{ key: line.id, at: line.at, text: json ? requestJson(whole) : requestText(whole, this.#c) }];
  }

  /** One try to deliver an event; nothing where webhooks are not requested. */
  attempt({ id, type, subject, state, attempts }: Delivery, number: number): Item[] {
    const attempt = attempts[number];
    if (!this.withWebhooks || attempt === undefined) return [];
    const { at, status, error, ms, fault } = attempt;
    const key = `${id} ${number}`;
    if (this.#flags.json) {
      const delivery = { event: 'delivery', at, id, sandbox: this.#sandbox, type, subject, attempt: number + 1, state };
      return [{ key, at, text: jsonText({ ...delivery, status, error, ms, fault }) }];
    }
    const c = this.#c;
    const notes = [error, fault].filter((note) => note !== undefined).join('; ');
    return [
      {
        key,
        at,
        text: `${c.dim(at.slice(11, 23))} ${status === undefined ? c.red('---') : paintStatus(status, c)} ${c.bold(printable(type))} ${printable(subject)} ${c.dim(
          `attempt ${number + 1}  ${ms.toFixed(1)} ms  ${printable(id)}`,
        )}${notes ? `  ${c.cyan(printable(notes))}` : ''}`,
      },
    ];
  }

  /** Something about the stream itself, such as a reset: for a program as an event of its own. */
  note(event: string, sentence: string, members: object = {}): string {
    return this.#flags.json ? jsonText({ event, ...members }) : this.#c.yellow(sentence);
  }
}

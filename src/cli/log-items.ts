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

/** A request as the control API lists it, and as the live feed reports it. */
export type Listed = Omit<RequestLine, 'sandbox'>;

/** An event with every attempt to deliver it, as the control API shows it. */
export type Delivery = AnswerOf<typeof commands.webhooks.read>;

/** One line of the log. */
export interface Item {
  /** The key by which it is printed only once. */
  key: string;
  at: string;
  text: string;
}

/** Turns the news of a sandbox into lines, but only those that the flags select. */
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

  /** Returns whether the flags select attempts to deliver webhooks. */
  get withWebhooks(): boolean {
    return this.#flags.webhooks === true;
  }

  /** Returns the log of the sandbox, oldest first. */
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
    // At the same moment of a held clock, calls precede their consequences.
    return items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  }

  /** Returns the line of a request; none if the flags do not select it. */
  request(line: Listed): Item[] {
    const { operation, json } = this.#flags;
    if (operation !== undefined && line.operation !== operation) return [];
    if (!this.#status.test(String(line.status))) return [];
    const whole = { ...line, sandbox: this.#sandbox };
    return [{ key: line.id, at: line.at, text: json ? requestJson(whole) : requestText(whole, this.#c) }];
  }

  /** Returns the line of one attempt to deliver an event; none if the flags do not select webhooks. */
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

  /** Returns the line for an event of the stream itself, such as a reset; for a program it is an event of its own. */
  note(event: string, sentence: string, members: object = {}): string {
    return this.#flags.json ? jsonText({ event, ...members }) : this.#c.yellow(sentence);
  }
}

import { createVerify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Events as SpecEvents } from '../../types/catalogue.js';
import type { Events as GridEvents } from '../../types/grid.js';
import { realTimeout, realWait } from './real-time.ts';

/** Real milliseconds to wait. Test runners end a test after 5,000, before anyone could read what was missing. */
const PATIENCE_MS = 4000;

/** The events of each profile, with their data. */
interface ProfileEvents {
  spec: SpecEvents;
  grid: GridEvents;
}

/**
 * Returns whether the owner of a PEM public key signed a webhook. Pass the body exactly as received, and the header as
 * JSON `{v, s}` or as the bare base64 signature; newlines in the key may be escaped.
 */
export function verifyWebhook(publicKeyPem: string, headerValue: string, rawBody: string | Uint8Array): boolean {
  try {
    const header: unknown = headerValue.trim().startsWith('{') ? JSON.parse(headerValue) : { v: '1', s: headerValue };
    if (typeof header !== 'object' || header === null || !('v' in header) || !('s' in header)) return false;
    if (header.v !== '1' || typeof header.s !== 'string') return false;
    return createVerify('SHA256').update(rawBody).verify(publicKeyPem.replaceAll('\\n', '\n'), header.s, 'base64');
  } catch {
    return false;
  }
}

/** One of these names. Any other literal does not compile; a `string` known only at run time does. */
type Known<T extends string, Names> = T extends Names ? T : string extends T ? T : Names;

/** The event inside a delivery, narrowed by its type if that is known. */
export interface WebhookEvent<T extends string = string, P extends keyof ProfileEvents = 'spec'> {
  id: string;
  type: T;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event of any type holds is for tests to say
  data: T extends keyof ProfileEvents[P] ? ProfileEvents[P][T] : any;
}

/** One delivery as it arrived. */
export interface WebhookDelivery<T extends string = string, P extends keyof ProfileEvents = 'spec'> {
  event: WebhookEvent<T, P>;
  headers: { [name: string]: string };
  /** The exact text that was signed. */
  body: string;
  /** True if the signature is valid; undefined without a key. */
  verified: boolean | undefined;
}

/** The response to a delivery: a status, or more than that, or nothing at all. */
export interface WebhookAnswer {
  status?: number;
  headers?: { [name: string]: string };
  body?: string;
  delayMs?: number;
  /** True to break the connection instead. */
  drop?: boolean;
}

export interface WebhookReceiverOptions {
  /** The port. Default: any free port. */
  port?: number | undefined;
  /** PEM. If it is given, every signature is checked, and a wrong one gets 401. */
  publicKey?: string | undefined;
  /** The name of the signature header. Default: the header whose name ends with `-signature`. */
  signatureHeader?: string | undefined;
}

interface Waiting {
  wanted: (delivery: WebhookDelivery) => boolean;
  found: (delivery: WebhookDelivery) => void;
}

/** A webhook endpoint on a free loopback port; for profile `grid`, a `WebhookReceiver<'grid'>`. */
export class WebhookReceiver<P extends keyof ProfileEvents = 'spec'> {
  /** Everything that arrived, oldest first. */
  readonly deliveries: WebhookDelivery[] = [];
  readonly #options: WebhookReceiverOptions;
  readonly #unread: WebhookDelivery[] = [];
  readonly #once: WebhookAnswer[] = [];
  #answer: WebhookAnswer = { status: 200 };
  #waiting: Waiting[] = [];
  #server: Server | undefined;
  #url = '';

  private constructor(options: WebhookReceiverOptions) {
    this.#options = options;
  }

  /** Starts a receiver. Close it when done. */
  static async start<P extends keyof ProfileEvents = 'spec'>(
    options: WebhookReceiverOptions = {},
  ): Promise<WebhookReceiver<P>> {
    const receiver = new WebhookReceiver<P>(options);
    const server = createServer((request, response) => receiver.#receive(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    const address = server.address();
    receiver.#server = server;
    receiver.#url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/webhooks`;
    return receiver;
  }

  get url(): string {
    return this.#url;
  }

  /** Responds to every delivery from now on in this way. */
  answer(answer: number | WebhookAnswer): void {
    this.#answer = typeof answer === 'number' ? { status: answer } : answer;
  }

  /** Responds to the next delivery in this way; calls queue up. */
  answerOnce(answer: number | WebhookAnswer): void {
    this.#once.push(typeof answer === 'number' ? { status: answer } : answer);
  }

  /** Resolves with the oldest delivery not returned yet, of this type or of any; waits up to `timeoutMs` (4,000). */
  next<T extends string = string>(
    type?: Known<T, keyof ProfileEvents[P]>,
    timeoutMs = PATIENCE_MS,
  ): Promise<WebhookDelivery<T, P>> {
    return this.#take(
      type,
      timeoutMs,
      ({ event }) => type === undefined || event.type === type,
    ) as Promise<unknown> as Promise<WebhookDelivery<T, P>>;
  }

  /**
   * Resolves with the oldest delivery of a type not returned yet, as a sandbox's `waitFor` does. Rejects after
   * `timeoutMs` (4,000).
   */
  waitFor<T extends string>(
    type: Known<T, keyof ProfileEvents[P]>,
    options: { timeoutMs?: number | undefined; where?: ((event: WebhookEvent<T, P>) => boolean) | undefined } = {},
  ): Promise<WebhookDelivery<T, P>> {
    const { timeoutMs = PATIENCE_MS, where = () => true } = options;
    return this.#take(
      type,
      timeoutMs,
      ({ event }) => event.type === type && where(event as never),
    ) as Promise<unknown> as Promise<WebhookDelivery<T, P>>;
  }

  #take(
    type: string | undefined,
    timeoutMs: number,
    wanted: (delivery: WebhookDelivery) => boolean,
  ): Promise<WebhookDelivery> {
    const at = this.#unread.findIndex(wanted);
    const [known] = at < 0 ? [] : this.#unread.splice(at, 1);
    if (known) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const seen = () => this.deliveries.map(({ event }) => event.type).join(', ') || 'nothing';
      const giveUp = realTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== mine);
        reject(new Error(`No webhook ${type ?? 'of any type'} within ${timeoutMs} ms; seen: ${seen()}`));
      }, timeoutMs);
      const mine: Waiting = {
        wanted,
        found: (delivery) => {
          giveUp();
          resolve(delivery);
        },
      };
      this.#waiting.push(mine);
    });
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const delivery = this.#read(Buffer.concat(parts).toString('utf8'), request);
    if (!delivery) {
      response.writeHead(400).end();
      return;
    }
    this.#handOut(delivery);
    const planned = delivery.verified === false ? { status: 401 } : (this.#once.shift() ?? this.#answer);
    if (planned.delayMs) await realWait(planned.delayMs);
    if (planned.drop) request.socket.destroy();
    else response.writeHead(planned.status ?? 200, planned.headers).end(planned.body);
  }

  #read(body: string, request: IncomingMessage): WebhookDelivery | undefined {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { publicKey, signatureHeader } = this.#options;
    const name = signatureHeader?.toLowerCase() ?? Object.keys(headers).find((any) => any.endsWith('-signature')) ?? '';
    const signature = headers[name] ?? '';
    try {
      const event: WebhookEvent = JSON.parse(body);
      return { event, headers, body, verified: publicKey ? verifyWebhook(publicKey, signature, body) : undefined };
    } catch {
      return undefined;
    }
  }

  #handOut(delivery: WebhookDelivery): void {
    this.deliveries.push(delivery);
    const taker = this.#waiting.find(({ wanted }) => wanted(delivery));
    if (!taker) this.#unread.push(delivery);
    else {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== taker);
      taker.found(delivery);
    }
  }
}

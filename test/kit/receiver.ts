import { createVerify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { lentPort } from './port.ts';

/** One delivery as it came over the wire. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The exact text that was signed. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event, line by line
  event: { id: string; type: string; timestamp: string; data: any };
}

/** What a receiver answers: a status, a whole answer, `hang` (never), `stall` (half of one) or `drop` (the connection breaks). */
export type Reaction =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'stall'
  | 'drop';

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How the next deliveries are answered, at once or later; 200 until set. `n` counts deliveries from 1. */
  react: (delivery: Received, n: number) => Reaction | Promise<Reaction>;
  /** Types in the order in which they came. */
  types(): string[];
  /** Resolves when so many deliveries have come. */
  until(count: number): Promise<void>;
  /** Close the port: whoever calls is refused. */
  kill(): Promise<void>;
  /** Listen again on the same port. */
  revive(): Promise<void>;
}

/** A real webhook receiver on a loopback port that stays its own while it is down; it is gone when the test is. */
export async function receiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  let server: Server | undefined;
  let { port, giveBack } = await lentPort();
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const made = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          const raw = Buffer.concat(parts).toString('utf8');
          const delivery = { headers: request.headers, raw, event: JSON.parse(raw) };
          received.push(delivery);
          const answer = (reaction: Reaction) => {
            if (reaction === 'drop') request.socket.destroy();
            else if (reaction === 'stall') response.writeHead(200, { 'content-length': '10' }).write('half');
            else if (reaction !== 'hang') {
              const { status, headers, body } = typeof reaction === 'number' ? { status: reaction } : reaction;
              response.writeHead(status, headers).end(body);
            }
          };
          const reaction = self.react(delivery, received.length);
          if (reaction instanceof Promise) void reaction.then(answer);
          else answer(reaction);
          for (const wait of waiting) if (received.length >= wait.count) wait.done();
        });
      });
      made.once('error', reject);
      made.listen(port, '127.0.0.1', () => {
        server = made;
        resolve();
      });
    });
  const kill = async () => {
    const old = server;
    server = undefined;
    if (!old) return;
    old.closeAllConnections();
    await new Promise((resolve) => old.close(resolve));
  };
  const self: Receiver = {
    url: '',
    received,
    react: () => 200,
    types: () => received.map((delivery) => delivery.event.type),
    until: (count) =>
      new Promise((done) => {
        if (received.length >= count) done();
        else waiting.push({ count, done });
      }),
    kill,
    revive: open,
  };
  // Somebody who does not ask for a port may have taken it since.
  for (let tries = 0; !server; tries += 1)
    await open().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || tries > 5) throw error;
      giveBack();
      ({ port, giveBack } = await lentPort());
    });
  onTestFinished(async () => {
    await kill();
    giveBack();
  });
  return Object.assign(self, { url: `http://127.0.0.1:${port}/hooks` });
}

/** Whether a delivery was signed by the owner of a PEM public key, by Node's own crypto (spec 5 rule 11). */
export function signedBy(pem: string, { headers, raw }: Received, header = 'x-service-signature'): boolean {
  const { v, s } = JSON.parse(String(headers[header])) as { v: string; s: string };
  return v === '1' && createVerify('SHA256').update(raw).verify(pem, s, 'base64');
}

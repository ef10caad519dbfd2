import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { reach } from '../control/reach.ts';
import { Client, type Received, Refused, type Send } from './client.ts';
import { serverFor } from './server.ts';

/**
 * Sends over HTTP to an emulator that runs elsewhere, with its control token. Rejects with a sentence if no emulator
 * replies.
 */
export const over =
  (url: string, controlToken?: string): Send =>
  async (method, path, body, signal, more): Promise<Received> => {
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more };
    try {
      const reply = await reach(url, { method, path, headers, body, controlToken, signal });
      return { status: reply.statusCode ?? 0, text: await textOf(reply) };
    } catch {
      throw new Refused(`no emulator answers at ${url} any more; start it again with sandbox-emulator`);
    }
  };

async function textOf(reply: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Real milliseconds for the replies that are pending when stdin ends. */
const GRACE_MS = 2000;

/** A transport over stdin and stdout that tracks the ids of unanswered requests; a cancelled one gets no reply. */
class Counted extends StdioServerTransport {
  readonly unanswered = new Set<unknown>();
  settled: () => void = () => {};

  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.unanswered.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled')
        this.unanswered.delete(message.params?.['requestId']);
      onmessage?.(message);
      this.settled();
    };
    await super.start();
  }

  override async send(message: Parameters<StdioServerTransport['send']>[0]): Promise<void> {
    await super.send(message);
    if (!('method' in message)) this.unanswered.delete(message.id);
    this.settled();
  }
}

/** Serves one client over stdin and stdout, until either ends; requests from before the end still get replies. */
export async function serve(send: Send, sandbox: string | undefined): Promise<void> {
  // The library aborts pending calls when its input ends: this one never does.
  const input = new PassThrough();
  const transport = new Counted(process.stdin.pipe(input, { end: false }), process.stdout);
  const client = new Client(send, sandbox);
  const server = serveStdio(({ era }) => serverFor(client, era), { transport });
  await new Promise<void>((resolve) => {
    let over = false;
    transport.settled = () => {
      if (over && transport.unanswered.size === 0) resolve();
    };
    process.stdout.once('error', () => resolve());
    process.stdin.once('end', () => {
      over = true;
      transport.settled();
      // Nobody would receive the result of a long wait.
      setTimeout(resolve, GRACE_MS).unref();
    });
  });
  await server.close();
}

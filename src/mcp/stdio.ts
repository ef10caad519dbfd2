import { request as httpRequest, type IncomingMessage } from 'node:http';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Client, type Received, Refused, type Send } from './client.ts';
import { connect } from './gate.ts';
import { serverFor } from './server.ts';

/** Sends over HTTP to an emulator that runs elsewhere, with its control token. Rejects with a sentence where none answers. */
export const over =
  (url: string, controlToken?: string): Send =>
  async (method, path, body, signal) => {
    const target = new URL(`${url}/_emulator${path}`);
    const request = target.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(controlToken === undefined ? {} : { 'x-control-token': controlToken }),
    };
    return new Promise<Received>((resolve, reject) => {
      const failed = (): void =>
        reject(new Refused(`no emulator answers at ${url} any more; start it again with sandbox-emulator`));
      request(target, { method, headers, agent: false, ...(signal ? { signal } : {}) }, (reply) => {
        textOf(reply).then((text) => resolve({ status: reply.statusCode ?? 0, text }), failed);
      })
        .on('error', failed)
        .end(body);
    });
  };

async function textOf(reply: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Real milliseconds for the answers that are under way when stdin ends. */
const GRACE_MS = 2000;

/** Serves one client over stdin and stdout, until either ends; requests from before the end are still answered. */
export async function serve(send: Send, sandbox: string | undefined): Promise<void> {
  const server = serverFor(new Client(send, sandbox));
  const transport = new StdioServerTransport();
  await connect(server, transport);
  await new Promise<void>((resolve) => {
    /** Ids of the requests that have no answer yet; one that was cancelled gets none. */
    const unanswered = new Set<unknown>();
    let over = false;
    const settle = (): void => {
      if (over && unanswered.size === 0) resolve();
    };
    const { onmessage } = transport;
    const reply = transport.send.bind(transport);
    transport.onmessage = (message) => {
      if ('method' in message && 'id' in message) unanswered.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled')
        unanswered.delete(message.params?.['requestId']);
      onmessage?.(message);
      settle();
    };
    transport.send = async (message) => {
      await reply(message);
      if (!('method' in message)) unanswered.delete(message.id);
      settle();
    };
    transport.onclose = resolve;
    process.stdout.once('error', () => resolve());
    process.stdin.once('end', () => {
      over = true;
      settle();
      // Nobody hears what a long wait would say.
      setTimeout(resolve, GRACE_MS).unref();
    });
  });
  await server.close();
}

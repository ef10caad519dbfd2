import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Client, type Send } from './client.ts';
import { connect } from './gate.ts';
import { serverFor } from './server.ts';

/** Sends without a socket, through the app that this process serves; `origin` is where clients reach it. */
export const within =
  (fetch: (request: Request) => Promise<Response>, origin: string): Send =>
  async (method, path, body, signal) => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body };
    const response = await fetch(new Request(`${origin}/_emulator${path}`, { ...sent, ...(signal ? { signal } : {}) }));
    return { status: response.status, text: await response.text() };
  };

/**
 * Answers one POST of Streamable HTTP. Each stands alone: there are no sessions to lose when the emulator starts over, and
 * nothing is kept for a client that never comes back.
 */
export async function answer(
  send: Send,
  sandbox: string | undefined,
  request: Request,
  body: unknown,
): Promise<Response> {
  const server = serverFor(new Client(send, sandbox));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await connect(server, transport as Parameters<typeof connect>[1]);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

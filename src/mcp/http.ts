import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Client, type Send } from './client.ts';
import { peopleOf } from './people.ts';
import { serverFor } from './server.ts';

/** Sends without a socket, through the app that this process serves; `origin` is the address that clients use. */
export const within =
  (fetch: (request: Request) => Promise<Response>, origin: string): Send =>
  async (method, path, body, signal, headers) => {
    const typed = body === undefined ? { ...headers } : { 'content-type': 'application/json', ...headers };
    const sent = { method, headers: typed, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) };
    // An address in a reply has the path of the public URL already.
    const prefix = new URL(origin).pathname.replace(/\/$/, '');
    const own = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
    const response = await fetch(new Request(`${origin}${own}`, sent));
    return { status: response.status, text: await response.text() };
  };

/**
 * Handles one POST of Streamable HTTP, of either era of the protocol. Each stands alone: there are no sessions to lose
 * when the emulator starts over. Nothing is kept for a client that never comes back, except the people that an agent
 * plays: they are kept per host.
 */
export async function answer(
  send: Send,
  sandbox: string | undefined,
  request: Request,
  body: unknown,
  process: object,
): Promise<Response> {
  const client = new Client(send, sandbox, peopleOf(process));
  if (!wantsProgress(body) && (await isLegacyRequest(request, body))) return atOnce(client, request, body);
  return createMcpHandler(({ era }) => serverFor(client, era)).fetch(request, { parsedBody: body });
}

/** Replies to a client of the older era with one JSON body, where the library would open a stream. */
async function atOnce(client: Client, request: Request, body: unknown): Promise<Response> {
  const server = serverFor(client, 'legacy');
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: body }), left(request.signal)]);
  } finally {
    await server.close();
  }
}

/** Returns the response for a client that has left, once it has: as the library's newer era does. */
async function left(signal: AbortSignal): Promise<Response> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return new Response(null, { status: 499 });
}

interface RpcMessage {
  readonly params?: { readonly _meta?: { readonly progressToken?: unknown } | null } | null;
}

/** Returns whether a message requests progress reports, which only a stream can carry. */
const wantsProgress = (body: unknown): boolean =>
  (body as RpcMessage | null)?.params?._meta?.progressToken !== undefined;

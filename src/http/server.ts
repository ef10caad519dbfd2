import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { Failure } from '../contract/errors.ts';
import { takes } from '../contract/shortcut.ts';
import type { Host } from '../sandbox/host.ts';
import type { Served } from './app.ts';
import { JSON_LIMIT } from './body.ts';
import { asFailure, failureText, replyHeaders } from './failures.ts';
import { isPlain, NodeRequest } from './node.ts';
import { withoutPrefix } from './prefix.ts';
import { AnswerWriter } from './write-together.ts';

/** Errors that Node finds before there is a request, by its code; any other is 400. */
const WRONG: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are larger than this emulator reads'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are larger than this emulator reads'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

/**
 * The real milliseconds that a connection may be idle: clients that keep theirs for half a minute never find one just
 * closed.
 */
const IDLE_MS = 65_000;

const malformed = (status: number, message: string): Failure =>
  new Failure('INVALID_REQUEST_FORMAT', message, { status, why: { rule: 'RFC 9112' } });

/** Returns the HTTP server of an emulator. Malformed requests also get the error body, never an empty reply. */
export function serverFor(host: Host, served: Served, tls?: { readonly cert: string; readonly key: string }): Server {
  const viaHono = getRequestListener((request, sides) => served.fetch(request, sides as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      const isOurs = !(error instanceof RequestError);
      const failure = isOurs ? asFailure(error) : malformed(400, `this is not a request: ${error.message}`);
      if (isOurs && failure !== error) host.broken('the HTTP layer', error);
      const text = failureText(host.profile, failure);
      return new Response(text, { status: failure.status, headers: headersOf(host, text) });
    },
  });
  const broken = (error: unknown, outgoing: ServerResponse) => {
    host.broken('the HTTP layer', error);
    outgoing.destroy();
  };
  const answers = new AnswerWriter(broken);
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => {
    try {
      answers.add(await served.api.answer(new NodeRequest(incoming), path), outgoing);
    } catch (error) {
      broken(error, outgoing);
    }
  };
  // Node itself would refuse a request without Host, with an empty reply.
  const answerAny = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (host.prefix !== '') incoming.url = withoutPrefix(host.prefix, incoming.url ?? '');
    const path = takes('direct') && isPlain(incoming, JSON_LIMIT) ? (incoming.url?.split('?', 1)[0] ?? '') : '';
    if (served.api.baseOf(path) !== undefined) {
      answer(incoming, outgoing, path);
      return;
    }
    // A page or a control may take long: no reply of this turn waits for it.
    answers.flush();
    viaHono(incoming, outgoing);
  };
  const options = { requireHostHeader: false, keepAliveTimeout: IDLE_MS };
  const server = tls ? createTlsServer({ ...options, ...tls }, answerAny) : createServer(options, answerAny);
  // Node silently drops headers after the 2,000th, perhaps a key among them; the limit of their size stays.
  server.maxHeadersCount = 0;
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & Answering) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // The bytes after it are not a request either.
    if (socket.destroyed || ending.has(socket)) return;
    ending.add(socket);
    const [status, message] = WRONG[error.code ?? ''] ?? [400, `this is not HTTP: ${error.message}`];
    endWith(socket, () => rawAnswer(host, malformed(status, message)));
  });
  // Node would reply to the first of these with an empty body, and to the second not at all.
  server.on('checkExpectation', ({ headers }, outgoing) => {
    const failure = malformed(417, `this emulator does not know how to meet Expect: ${headers.expect}`);
    const text = failureText(host.profile, failure);
    outgoing.writeHead(failure.status, lastHeaders(host, text)).end(text);
  });
  server.on('connect', (_, socket: Duplex & Answering) => {
    // It no longer belongs to the server: a client that breaks it off, or leaves it half open, has to be handled here.
    socket.on('error', () => socket.destroy());
    socket.on('finish', () => socket.destroy());
    endWith(socket, () => rawAnswer(host, malformed(400, 'this emulator is not a proxy: it does not answer CONNECT')));
  });
  return server;
}

/** The reply under way on a socket, as Node stores it. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/** Ends a connection with a reply to a malformed request, once the requests before it have their replies. */
function endWith(socket: Duplex & Answering, answer: () => string): void {
  const before = socket._httpMessage;
  // A request that is itself broken off gets no reply to wait for.
  if (before?.req.complete && (before.writableEnded || !before.headersSent))
    before.once('close', () => endWith(socket, answer));
  else if (!socket.writable || before?.headersSent) socket.destroy();
  else socket.end(answer());
}

const headersOf = (host: Host, text: string): Record<string, string> => ({
  ...replyHeaders(host.nextUnloggedId()),
  'content-length': String(Buffer.byteLength(text)),
});

/** Returns the headers of a connection's last reply. */
const lastHeaders = (host: Host, text: string): Record<string, string> => ({
  ...headersOf(host, text),
  connection: 'close',
});

/** Returns that reply as bytes, for a socket without a parsed request. */
function rawAnswer(host: Host, failure: Failure): string {
  const text = failureText(host.profile, failure);
  const lines = Object.entries(lastHeaders(host, text)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', text].join('\r\n');
}

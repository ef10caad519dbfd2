import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { Failure } from '../contract/errors.ts';
import type { Host } from '../sandbox/host.ts';
import type { Served } from './app.ts';
import { asFailure, failureText, replyHeaders } from './failures.ts';

/** What Node finds wrong before there is a request, by its code; everything else is 400. */
const WRONG: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are larger than this emulator reads'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are larger than this emulator reads'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

/** How long a connection may be idle. Clients that keep theirs for half a minute meet none that has just been closed. */
const IDLE_MS = 65_000;

const malformed = (status: number, message: string): Failure =>
  new Failure('INVALID_REQUEST_FORMAT', message, { status, why: { rule: 'RFC 9112' } });

/** The HTTP server of an emulator. What is no request gets the error body as well, never an empty answer. */
export function serverFor(host: Host, served: Served): Server {
  const listener = getRequestListener(served.fetch, {
    errorHandler: (error) => {
      const failure =
        error instanceof RequestError ? malformed(400, `this is not a request: ${error.message}`) : asFailure(error);
      if (failure === error || error instanceof RequestError) return answer(host, failure);
      host.broken('the HTTP layer', error);
      return answer(host, failure);
    },
  });
  // Node would refuse a request without Host by itself, with nothing in the answer.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: IDLE_MS }, (incoming, outgoing) => {
    const broken = (error: unknown) => {
      host.broken('the HTTP layer', error);
      outgoing.destroy();
    };
    if (!served.direct(incoming, outgoing, broken)) listener(incoming, outgoing);
  });
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & Answering) => {
    served.settle();
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // What comes behind it is no request either.
    if (socket.destroyed || ending.has(socket)) return;
    ending.add(socket);
    const [status, message] = WRONG[error.code ?? ''] ?? [400, `this is not HTTP: ${error.message}`];
    endWith(socket, () => rawAnswer(host, malformed(status, message)));
  });
  // Node would answer these two with nothing in it, and with nothing at all.
  server.on('checkExpectation', ({ headers }, outgoing) => {
    served.settle();
    const failure = malformed(417, `this emulator does not know how to meet Expect: ${headers.expect}`);
    const text = failureText(host.profile, failure);
    outgoing.writeHead(failure.status, headersOf(host, text)).end(text);
  });
  server.on('connect', (_, socket: Duplex & Answering) => {
    served.settle();
    // It is no longer the server's: a client that breaks it off, or leaves it half open, is ours to mind.
    socket.on('error', () => socket.destroy());
    socket.on('finish', () => socket.destroy());
    endWith(socket, () => rawAnswer(host, malformed(400, 'this emulator is no proxy: it does not answer CONNECT')));
  });
  return server;
}

/** The answer under way on a socket, as Node keeps it. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/** End a connection with an answer to what is no request, once the requests before it have theirs. */
function endWith(socket: Duplex & Answering, answer: () => string): void {
  const before = socket._httpMessage;
  // Of a request that is itself broken off there is none to wait for.
  if (before?.req.complete && (before.writableEnded || !before.headersSent))
    before.once('close', () => endWith(socket, answer));
  else if (!socket.writable || before?.headersSent) socket.destroy();
  else socket.end(answer());
}

const answer = (host: Host, failure: Failure): Response =>
  new Response(failureText(host.profile, failure), {
    status: failure.status,
    headers: replyHeaders(host.nextUnloggedId()),
  });

/** Of an answer that is the last of its connection. */
const headersOf = (host: Host, text: string): Record<string, string> => ({
  ...replyHeaders(host.nextUnloggedId()),
  'content-length': String(Buffer.byteLength(text)),
  connection: 'close',
});

/** The same as bytes, for a socket that no request came from. */
function rawAnswer(host: Host, failure: Failure): string {
  const text = failureText(host.profile, failure);
  const lines = Object.entries(headersOf(host, text)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', text].join('\r\n');
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The parts of a request that the steps read, whatever its transport. */
export interface HttpRequest {
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The sandbox for which this process calls itself; a refusal without credentials is logged there. */
  readonly sandbox?: Sandbox | undefined;
  /** Node's message; undefined if the request did not arrive over a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** Returns a header by its name in lower case; one that arrived more than once is joined by commas. */
  header(name: string): string | undefined;
  /** Returns every header: name, value, name, value. */
  headers(): readonly string[];
  /** Returns every byte of the body; rejects if the connection ends before. */
  bytes(): Promise<Uint8Array>;
  /** The one reader of the body. It is never cancelled: that would end the connection before the reply. */
  readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Calls `leave` once its client closes the connection. Returns the function that removes the listener. */
  onLeave(leave: () => void): () => void;
}

/** The calls that wait on each connection: one listener for all, because a client may send many in succession. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `leave` once a connection is closed. Returns the function that removes the listener. */
export function onClose(socket: Socket, leave: () => void): () => void {
  let all = waiting.get(socket);
  if (all === undefined) {
    const own = new Set<() => void>();
    waiting.set(socket, own);
    socket.once('close', () => {
      for (const each of own) each();
    });
    all = own;
  }
  if (socket.destroyed) leave();
  else all.add(leave);
  return () => all.delete(leave);
}

/** Returns path and query of a request, as they were sent. */
export const targetOf = ({ url }: HttpRequest): string => url.slice(url.indexOf('/', 8));

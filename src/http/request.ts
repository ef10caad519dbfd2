import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The parts of a request that the steps read, whatever brought it. */
export interface HttpRequest {
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The message as Node has it; none where nothing arrived over a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** Returns a header by its name in lower case; one that arrived more than once is joined by commas. */
  header(name: string): string | undefined;
  /** Returns every header: name, value, name, value. */
  headers(): readonly string[];
  /** Returns every byte of the body; rejects when the connection ends before. */
  bytes(): Promise<Uint8Array>;
  /** The one reader of the body. Nobody cancels it: that would end the connection before the answer. */
  readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Calls `leave` once its client closes the connection. Returns how to stop. */
  onLeave(leave: () => void): () => void;
}

/** The calls that wait on each connection: one listener for all, because a client may send many one after another. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `leave` once a connection is closed. Returns how to stop. */
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

import type { IncomingMessage } from 'node:http';

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
}

/** Returns path and query of a request, as they were sent. */
export const targetOf = ({ url }: HttpRequest): string => url.slice(url.indexOf('/', 8));

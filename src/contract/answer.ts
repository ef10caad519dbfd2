/** The response to a request, on whatever channel it is sent. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
  /** The moment at which a fault closes the connection: before the first byte, or after half of the body. */
  readonly breaks?: 'before' | 'halfway';
}

/** What a request ends with, whatever carries it to the client. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
  /** Where a fault closes the connection: before the first byte, or after half of the body. */
  readonly breaks?: 'before' | 'halfway';
}

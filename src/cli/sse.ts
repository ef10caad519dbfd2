/** One server-sent event. */
export interface ServerEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind of event has data of its own
  data: any;
}

/**
 * Returns the events in a stream of server-sent events, with their data as JSON, without comments and incomplete ones.
 */
export async function* eventsIn(stream: AsyncIterable<Buffer | string>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of stream) {
    rest += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { realInterval } from '../../engine/timers.ts';
import type { StreamEvent } from '../event-stream.ts';
import type { Sandbox } from '../sandbox.ts';
import { command } from './command.ts';
import { requestLine } from './log.ts';

/** Real milliseconds between two keep-alive messages, shorter than the timeouts of proxies. */
const ALIVE_MS = 15_000;
/** The most messages that may wait for a slow reader; later ones are counted and left out. */
const MOST_WAITING = 1000;

/** Returns the data that an event carries to its listeners. */
function dataOf({ world }: Sandbox, news: StreamEvent): unknown {
  if (news.event === 'request') return requestLine(news.entry);
  if (news.event === 'fact') return { id: news.id, type: news.type, subject: news.subject };
  if (news.event === 'clock') return world.clock.state();
  if (news.event !== 'delivery') return {};
  const delivery = world.rows(DELIVERIES).get(news.id);
  return { id: news.id, type: delivery?.type, state: delivery?.state, attempts: delivery?.attempts.length };
}

/** Returns a sandbox's feed as server-sent events. */
function stream(sandbox: Sandbox): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let missed = 0;
        let number = 0;
        const send = (text: string): void => controller.enqueue(encoder.encode(text));
        const isFull = (): boolean => (controller.desiredSize ?? 0) <= 0;
        const unlisten = sandbox.stream.listen((news) => {
          if (news.event === 'gone') {
            stop();
            controller.close();
            return;
          }
          if (isFull()) {
            missed += 1;
            return;
          }
          if (missed > 0) send(`event: missed\ndata: {"count":${missed}}\n\n`);
          missed = 0;
          number += 1;
          send(`id: ${number}\nevent: ${news.event}\ndata: ${JSON.stringify(dataOf(sandbox, news))}\n\n`);
        });
        const rest = realInterval(() => isFull() || send(': alive\n\n'), ALIVE_MS);
        stop = () => {
          rest();
          unlisten();
        };
        send(`retry: 1000\nevent: clock\ndata: ${JSON.stringify(sandbox.world.clock.state())}\n\n`);
      },
      cancel: () => stop(),
    },
    new CountQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
}

export const events = {
  stream: command(
    'Requests, facts, deliveries, clock, faults and resets as they happen, as server-sent events',
    ({ sandbox }) => stream(sandbox),
  ),
};

import * as z from 'zod';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import type { Client } from '../client.ts';
import { fitted, pageThatFits } from '../fit.ts';
import { needed, paged, type ToolAnswer, things, tool } from '../tool.ts';

type Delivery = AnswerOf<typeof commands.webhooks.read>;

/** Returns an event in one line: its subject, and each response of its receiver. */
const lineOf = ({ id, type, timestamp, subject, state, attempts, unsentReason }: Delivery) => ({
  id,
  type,
  at: timestamp,
  subject,
  state,
  tries: attempts.map(({ status, error }) => status ?? error ?? 'no answer'),
  ...(unsentReason === undefined ? {} : { unsent: unsentReason }),
});

/** Returns an event with the body that its receiver gets. */
const wholeOf = (delivery: Delivery) => ({ ...lineOf(delivery), payload: fitted(delivery.payload, 6000).value });

const NEXT: Readonly<Record<string, string>> = {
  DELIVERED: 'the receiver accepted it',
  PENDING:
    'it will be tried again: clock {act: "advance"} brings the next attempt, webhooks {act: "redeliver"} makes one now',
  WAITING: 'an earlier event of the same resource has to be delivered first',
  ABANDONED: 'no attempt is left: webhooks {act: "redeliver"} sends it once more',
  UNSENT: 'it was not sent: webhooks {act: "set_endpoint"} sets a receiver on this machine',
};

const answer = (delivery: Delivery) => ({ event: wholeOf(delivery), next: NEXT[delivery.state] });

/** Returns the newest event of a type with the number of all: an older one would prove nothing (G3). */
async function newestOf(client: Client, type: string): Promise<ToolAnswer | undefined> {
  const { data, totalCount } = await client.ask(commands.webhooks.list, { type, limit: 1 });
  const [newest] = data;
  if (!newest) return undefined;
  const { now } = await client.ask(commands.clock.read, {});
  const seconds = Math.round((Date.parse(now) - Date.parse(newest.timestamp)) / 1000);
  return {
    ...answer(newest),
    matches: totalCount,
    age: `${seconds} virtual seconds`,
    next: `it is the newest of ${totalCount}, emitted ${seconds} virtual seconds ago; subject: "<id>" asks for one about that resource, after: "${newest.id}" waits for the next`,
  };
}

const ACTS = ['list', 'read', 'wait', 'redeliver', 'trigger', 'set_endpoint'] as const;

export const webhooks = tool(
  'webhooks',
  {
    title: 'Webhooks',
    answers: () => ({ ...things('events', 'event'), totalCount: z.int() }),
    about:
      'Events that the service sends to the platform: list them, read one with its body and every attempt, wait for one (the right way to know that something asynchronous is done; needs no receiver), redeliver one, trigger one (makes the calls that lead to it, and lists them), or set the endpoint that receives them, signed.',
  },
  () => ({
    act: z.enum(ACTS).default('list').describe('What to do'),
    type: z.string().max(100).optional().describe('list, wait, trigger: such as CUSTOMER.KYC_APPROVED'),
    subject: z.string().max(200).optional().describe('wait: about the resource with this id'),
    after: z.string().max(200).optional().describe('wait: emitted after the event with this id'),
    within: z.string().max(50).optional().describe('wait: skip virtual time to it, at most this much, such as P30D'),
    seconds: z.number().min(0).max(60).default(5).describe('wait: real seconds before it gives up'),
    id: z.string().max(200).optional().describe('read, redeliver: id of the event'),
    url: z.string().max(2000).nullable().optional().describe('set_endpoint: the URL, or null for none'),
    set: z.record(z.string(), z.unknown()).optional().describe('trigger: members of the main call, by path'),
    ...paged(),
  }),
  async (client, { act, type, subject, after, within, seconds, id, url, set, limit, cursor }) => {
    if (act === 'list') {
      const ask = (most: number) => client.ask(commands.webhooks.list, { type, limit: most, cursor });
      const { page, rows } = await pageThatFits(ask, limit, lineOf);
      return {
        events: rows,
        totalCount: page.totalCount,
        ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}),
        next: 'webhooks {act: "read", id} shows the body and what the receiver said',
      };
    }
    if (act === 'trigger') {
      const event = needed(type, 'type, such as OUTGOING_PAYMENT.COMPLETED', act);
      const done = await client.ask(commands.operations.trigger, { event, set });
      return { ...(fitted(done).value as object), next: 'why {request} explains each of these calls' };
    }
    if (act === 'set_endpoint') {
      const endpoint = await client.ask(commands.webhooks.setEndpoint, {
        url: needed(url, 'url, or null for none', act),
      });
      return { endpoint, next: 'a new endpoint gets a TEST event: webhooks {act: "wait", type: "TEST"}' };
    }
    const { wait, read, redeliver } = commands.webhooks;
    if (act === 'wait') {
      const wanted = { type: needed(type, 'type, such as CUSTOMER.KYC_APPROVED', act), subject, after, within };
      if (subject === undefined && after === undefined) {
        const newest = await newestOf(client, wanted.type);
        if (newest) return newest;
      }
      return answer(await client.ask(wait, { ...wanted, timeoutMs: Math.round(seconds * 1000) }));
    }
    const of = { id: needed(id, 'id', act) };
    return answer(await (act === 'read' ? client.ask(read, of) : client.ask(redeliver, of)));
  },
);

import * as z from 'zod';
import { OPERATIONS } from '../../areas.ts';
import { SYNONYMS } from '../../calls/synonyms.ts';
import { termsOf } from '../../calls/terms.ts';
import { WHY } from '../../calls/topics/catalogue.ts';
import { answersWholly, findTopics, type Topic } from '../../calls/topics/find.ts';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { ignoredText } from '../../sandbox/ignored.ts';
import { Refused } from '../client.ts';
import { fitted } from '../fit.ts';
import { outline, type Schema, schemaAt, stepsFrom } from '../outline.ts';
import { JsonObject, type ToolAnswer, texts, things, tool } from '../tool.ts';

/** The most controls, pages and codes that are named beside the operations. */
const ALSO = 3;

/** The most characters of the outline of a body. */
const BODY = 3500;

type Listed = AnswerOf<typeof commands.operations.find>['data'][number];

export const findOperation = tool(
  'find_operation',
  {
    title: 'Find an operation',
    answers: () => ({ ...things('operations', 'areas', 'also'), total: z.int() }),
    about:
      'Find operations of the payments API by what they do ("create a quote", "refund", "kyc") or by area; with neither, a list of the areas. Returns id, method, path and summary, the best match first.',
    reads: true,
  },
  () => ({
    query: z.string().max(200).optional().describe('What it should do, in plain words'),
    area: z.string().max(100).optional().describe('Only this area, such as Cards'),
    limit: z.int().min(1).max(50).default(10).describe('How many to return'),
    skip: z.int().min(0).default(0).describe('How many to skip'),
  }),
  async (client, { query, area, limit, skip }) => {
    const { data: found, also = [] } = await client.ask(commands.operations.find, { q: query, area });
    if (query === undefined && area === undefined) return areasOf(found);
    const shown = found.slice(skip, skip + limit);
    const more = found.length - skip - shown.length;
    const best = also.length > 0 && skip === 0 ? betterThan(found[0], query ?? '') : undefined;
    const operations = shown.map(({ id, method, path, summary }) => ({ id, method, path, summary }));
    const beside =
      also.length > 0 && skip === 0
        ? {
            also: also.slice(0, ALSO).map(({ name, about, tool: by, ways }) => ({
              name,
              about,
              ...(by === undefined ? {} : { tool: by }),
              ways,
            })),
          }
        : {};
    return {
      ...(best === undefined
        ? { operations, total: found.length, ...beside }
        : { ...beside, operations, total: found.length }),
      ...(found.length === 0 ? { areas: areasOf((await client.ask(commands.operations.find, {})).data)['areas'] } : {}),
      next:
        shown.length === 0 && best === undefined
          ? 'no operation matches: try other words, or pass one of these areas as area'
          : `${best === undefined ? '' : `${doneBy(best)}; `}describe_operation shows what one takes${more > 0 ? `; skip: ${skip + limit} shows the next` : ''}`,
    };
  },
);

/**
 * Returns the topic that matches some words better than the best operation: it has all of them, and the operation does
 * not.
 */
function betterThan(operation: Listed | undefined, words: string): Topic | undefined {
  const [topic] = findTopics(words);
  if (topic === undefined || (topic.name === WHY && /^why\b/i.test(words))) return topic;
  if (!answersWholly(topic, words)) return undefined;
  const terms = new Set(operation && termsOf(`${operation.id} ${operation.summary} ${SYNONYMS[operation.id] ?? ''}`));
  return termsOf(words).every((term) => terms.has(term)) ? undefined : topic;
}

/** Returns the way to the subject of a topic. */
const doneBy = ({ tool: by, docs }: Topic): string =>
  by === undefined ? `read_docs {page: "${docs.replace(/\.md.*$/, '')}"} says more` : `the tool ${by} does this`;

function areasOf(data: readonly Listed[]): ToolAnswer {
  const areas = new Map<string, number>();
  for (const { area } of data) areas.set(area, (areas.get(area) ?? 0) + 1);
  return { areas: Object.fromEntries(areas), total: data.length, next: 'call again with area or query' };
}

export const describeOperation = tool(
  'describe_operation',
  {
    title: 'Describe an operation',
    answers: () => ({
      ...texts('id', 'method', 'path', 'needs'),
      ...things('parameters', 'body', 'replies', 'example'),
    }),
    about:
      'Parameters, body and replies of one operation, with an example that is valid now and uses ids of this sandbox. Members marked ? are optional. Long schemas are shortened: path returns one part.',
    reads: true,
  },
  () => ({
    id: z.string().max(200).describe('Operation id, such as createQuote'),
    path: z
      .string()
      .max(300)
      .optional()
      .describe('Only this part of its schemas: body.<member>..., or replies.<status>.<member>...'),
  }),
  async (client, { id, path }) => {
    const described = await client.ask(commands.operations.describe, { id });
    if (path !== undefined) return partOf(described, path);
    const body = fitted(outline((described.body ?? {}) as Schema), BODY);
    const { parameters, replies, example: whole, body: _, ...head } = described;
    const { needs, ...example } = whole;
    return {
      ...head,
      parameters: parameters.map(({ name, in: where, required, schema }) => ({
        name,
        in: where,
        required: required === true,
        what: outline(schema as Schema),
      })),
      ...(described.body === undefined ? {} : { body: body.value }),
      replies: Object.fromEntries(replies.map(({ status, codes }) => [status, codes?.join(', ') ?? 'done'])),
      example,
      ...(needs === undefined ? {} : { needs }),
      next: `${needs === undefined ? '' : `first ${needs}, which makes what the sandbox lacks for it; then describe_operation again, for an example with its ids; then `}call_operation {id: "${id}", ...example}; path: "replies.${replies[0]?.status}" shows what comes back${
        body.short || JSON.stringify(body.value).includes('one of: ')
          ? '; path: "body.<member>" shows what is shortened'
          : ''
      }`,
    };
  },
);

type Described = AnswerOf<typeof commands.operations.describe>;

/** Returns one part of an operation's schemas. Throws a sentence that names the possible beginnings of a path. */
function partOf({ body, replies }: Described, path: string): ToolAnswer {
  const roots: Schema = {
    properties: {
      ...(body === undefined ? {} : { body: body as Schema }),
      replies: {
        properties: Object.fromEntries(
          replies.flatMap((one) => ('body' in one ? [[one.status, one.body as Schema]] : [])),
        ),
      },
    },
  };
  const steps = path.split('.');
  const schema = schemaAt(roots, steps);
  if (!schema) {
    const known = steps.findIndex((_, i) => !schemaAt(roots, steps.slice(0, i + 1)));
    const from = schemaAt(roots, steps.slice(0, known)) ?? roots;
    throw new Error(
      `there is no ${steps.slice(0, known + 1).join('.')}; there is ${stepsFrom(from).slice(0, 60).join(', ')}`,
    );
  }
  const { value, short } = fitted(outline(schema, 8));
  return { path, schema: value, ...(short ? { next: `path: "${path}.<member>" shows what is shortened` } : {}) };
}

const Value = () => z.union([z.string(), z.number(), z.boolean()]);

export const callOperation = tool(
  'call_operation',
  {
    title: 'Call an operation',
    answers: () => ({ status: z.int(), ...texts('requestId', 'idempotencyKey'), ...things('body', 'ignored') }),
    destroys: true,
    about:
      "Call an operation of the payments API as the platform's backend does, with the sandbox's own credentials. Returns status, body and requestId; a refusal is a normal answer, and `why` explains it.",
  },
  () => ({
    id: z.string().max(200).describe('Operation id, such as createQuote'),
    params: z.record(z.string(), z.string()).optional().describe('Path parameters, by name'),
    query: z
      .record(z.string(), z.union([Value(), z.array(Value())]))
      .optional()
      .describe('Query parameters, by name'),
    headers: z.record(z.string(), z.string()).optional().describe('Additional headers'),
    idempotencyKey: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('The same for every attempt at one payment; default: a new one'),
    body: JsonObject().optional().describe('Its JSON body'),
  }),
  async (client, sent) => {
    const { id, params, query, idempotencyKey: key, body: json } = sent;
    const headers = key === undefined ? sent.headers : { ...sent.headers, 'Idempotency-Key': key };
    const called = await client
      .ask(commands.operations.call, { id, params, query, headers, keyed: true, body: json })
      .catch((error: unknown) => {
        throw unmade(error, id);
      });
    const { requestId, status, body, idempotencyKey } = called;
    const { ignored, why, caused } = await client.ask(commands.requests.read, { id: requestId });
    return {
      ...{ requestId, status, body, idempotencyKey },
      ...(ignored.length > 0 ? { ignored: ignored.map(ignoredText) } : {}),
      next: nextAfter(called, why.outcome, caused),
    };
  },
);

/** Returns a refusal by the emulator with a note that no call was made: its status and code look like an API reply. */
function unmade(error: unknown, id: string): unknown {
  if (!(error instanceof Refused) || error.status === undefined) return error;
  const next = OPERATIONS.some((one) => one.id === id)
    ? `describe_operation {id: "${id}"} shows what it takes, with an example that is valid now`
    : 'find_operation finds one by words';
  return new Error(`the call was not made: ${error.sentence}; next: ${next}`);
}

type Called = AnswerOf<typeof commands.operations.call>;
type Logged = AnswerOf<typeof commands.requests.read>;

const BY_ITSELF =
  'it goes on by itself: clock {act: "advance", by: "1h"} moves time, webhooks {act: "wait"} waits for its event';

/** The next step for a resource, by its status or state. */
const MOVES_ON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PENDING_AUTHORIZATION:
      'its customer has to authenticate: play {as: "authenticator", act: "authorize", quote} answers the challenge; sent_codes has a code, authorizeQuote takes it',
    PENDING_APPROVAL: 'it waits for approval: approveAgentAction or rejectAgentAction decides it',
    PROCESSING: BY_ITSELF,
  }),
);

/** Returns what to do next, by the outcome of the call and the status of the resource that it made (G8). */
function nextAfter({ requestId, status, body }: Called, outcome: string, caused: Logged['caused']): string {
  if (status >= 400) return `refused: why {request: "${requestId}"} names the rule and what would have been right`;
  const made = typeof body === 'object' && body !== null ? body : {};
  if (Reflect.get(made, 'payloadToSign') !== undefined)
    return 'its owner has to sign: play {as: "wallet", act: "log_in"}, then act "pay" with quote, or act "call" with call {id, params, body} for any other operation, makes the call signed';
  if (outcome === 'waits for a signature or an approval')
    return `it waits for a signature, a code or an approval: why {request: "${requestId}"} says for what`;
  const stands = Reflect.get(made, 'status') ?? Reflect.get(made, 'state');
  const isQuote = String(Reflect.get(made, 'id')).startsWith('Quote:');
  if (isQuote && stands === 'PENDING') return 'executeQuote pays it; it expires at its expiresAt';
  const isPayment = String(Reflect.get(made, 'id')).startsWith('Transaction:');
  const onward = isPayment && stands === 'PENDING' ? BY_ITSELF : MOVES_ON.get(String(stands));
  if (onward !== undefined) return onward;
  if (caused.webhooks.length + caused.jobs.length === 0) return 'it is done: it caused no webhook and no job';
  return `why {request: "${requestId}"} shows the webhooks and jobs that it caused; webhooks {act: "wait"} waits for one`;
}

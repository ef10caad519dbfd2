import { getQueryParams } from 'hono/utils/url';
import type * as z from 'zod';
import type { Answer } from '../contract/answer.ts';
import { type Failure, failFields } from '../contract/errors.ts';
import { issueText } from '../contract/issue-text.ts';
import { Content, type Control, type ControlAsk } from '../control/index.ts';
import { parseAs } from '../engine/parse-as.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { instead, nearest } from '../scenario/nearest.ts';
import { JSON_LIMIT, readUtf8, utf8Text } from './body.ts';
import { CHALLENGE, type Session } from './control-lock.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { parseJson } from './parse.ts';

// The steps of a call of the control API (`/_emulator/...`), in `steps.ts`.

/** A call of the control API in progress; no part of it is in the request log. */
export interface ControlCall extends Exchange {
  readonly door: Control;
  readonly params: Readonly<Record<string, string>>;
  bytes: Uint8Array;
  context: ControlAsk | undefined;
  value: unknown;
  /** The login of the person whose page sent the call, if a control token is set. */
  session: Session | undefined;
}

/** The most unknown members for which a near name is searched. */
const MOST_KEYS = 20;

type ControlStep = Step<ControlCall>;

export const admit: ControlStep = ({ app, door, request }) => {
  app.gate.control(request, door.changes);
};

/** Requires the control token, except for `/health`, which orchestrators call without one. */
export const unlock: ControlStep = (call) => {
  if (call.door.path !== '/health') call.session = call.app.lock.check(call.request);
};

/** Reads the body; that of a GET is left alone. */
export const readBody: ControlStep = async (call) => {
  const { door, request } = call;
  if (door.body) call.bytes = await readUtf8(request, door.limit);
};

/** Returns the value of a body; an empty one is an empty object. */
async function jsonIn(bytes: Uint8Array, { long }: Control): Promise<unknown> {
  if (bytes.length === 0) return {};
  if (!long || bytes.length <= JSON_LIMIT) return parseJson(utf8Text(bytes));
  return (await import('./parse-long.ts')).parseLong(bytes);
}

/** Returns the message about unknown members of a body, with the near name, or otherwise the known names. */
function unknownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst as { def?: { shape?: object } } | undefined)?.def ?? {};
  const known = Object.keys(shape);
  const near = issue.keys.slice(0, MOST_KEYS).map((key) => nearest(key, known));
  if (known.length === 0) return `${issueText(issue)}; it takes no body`;
  return `${issueText(issue)}${instead(
    near.find((one) => one !== undefined),
    known,
    'docs/control-api.md',
  )}`;
}

/** Returns the named sandbox; a call that may change it opens one that does not exist yet. */
const sandboxOf = ({ door, app: { host } }: ControlCall, named: string | undefined): Sandbox | Promise<Sandbox> =>
  named === undefined ? host.default : door.method === 'GET' ? host.named(named) : host.openNamed(named);

/** Returns the parameters of a query. 400 INVALID_INPUT for one that is given twice. */
function queryOf(url: string): Record<string, string> {
  const all = Object.entries(getQueryParams(url) as Record<string, string[]>);
  const twice = all.filter(([, values]) => values.length > 1);
  if (twice.length > 0) failFields(twice.map(([field]) => ({ field, message: 'must be given once' })));
  return Object.fromEntries(all.map(([name, [value = '']]) => [name, value]));
}

export const parse: ControlStep = async (call) => {
  const { door, request, params, bytes } = call;
  const { host } = call.app;
  const { sandbox: named, ...query } = queryOf(request.url);
  const origin = host.rootOf(request.url);
  const parsed = {
    query: parseAs(door.query(), query) as Record<string, unknown>,
    body: door.body ? parseAs(door.body(), await jsonIn(bytes, door), unknownKeys) : undefined,
  };
  call.context = {
    host,
    // Last: a call with invalid input opens nothing.
    sandbox: await sandboxOf(call, named),
    params,
    ...parsed,
    origin,
    openApi: async () => (await import('./built-openapi.ts')).openApiText(host.profile, [`${origin}${host.basePath}`]),
  };
};

/** Runs the due jobs before a control acts, as before a call of the API. */
export const catchUp: ControlStep = ({ context }) => (context as ControlAsk).sandbox.world.scheduler.catchUp();

export const write: ControlStep = async (call) => {
  const { door } = call;
  const context = call.context as ControlAsk;
  call.value = await door.run(context);
  if (door.method !== 'GET') context.sandbox.written = true;
};

/** Sends the JSON of a 200, or content of another type; 204 without a value. */
export const send: ControlStep = ({ value, requestId, session }) => {
  const headers = replyHeaders(requestId);
  if (value === undefined) return replyOf(204, null, headers);
  if (value instanceof Content) return replyOf(200, endingWith(session, value.body), { ...headers, ...value.headers });
  return replyOf(200, JSON.stringify(value), headers);
};

/** Returns a body that ends with the login of the person whose page opened it. */
const endingWith = (session: Session | undefined, body: Content['body']): Content['body'] =>
  session === undefined || typeof body === 'string'
    ? body
    : body.pipeThrough(
        new TransformStream({
          // A regular end, not an abort: a browser shows an error for that.
          start: (controller) =>
            session.ended.signal.addEventListener('abort', () => controller.terminate(), { once: true }),
        }),
      );

export function refuse(call: ControlCall, error: unknown): Answer | Promise<Answer> {
  const { door, app } = call;
  const failure = asFailure(error);
  if (failure !== error) app.host.broken(`${door.method} /_emulator${door.path}`, error);
  return refuseUnlogged(call, failure);
}

/** Returns a refusal of the control API, which no log keeps. A 401 says how to authenticate. */
export function refuseUnlogged({ request, app: { host }, requestId }: Exchange, failure: Failure) {
  const headers = failureHeaders(failure, replyHeaders(requestId));
  if (failure.status === 401) Object.assign(headers, CHALLENGE, { 'cache-control': 'no-store' });
  return refusalOf(request, failure.status, failureText(host.profile, failure), headers);
}

import { getQueryParam } from 'hono/utils/url';
import type { Answer } from '../contract/answer.ts';
import { Content, type Control, type ControlAsk } from '../control/index.ts';
import { parseAs } from '../engine/parse-as.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { JSON_LIMIT, readIgnored, readUtf8, utf8Text } from './body.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { parseJson } from './parse.ts';

// The steps of a call of the control API (`/_emulator/...`), in `steps.ts`.

/** A call of the control API on its way through; nothing of it is in the request log. */
export interface ControlCall extends Exchange {
  readonly door: Control;
  readonly params: Readonly<Record<string, string>>;
  bytes: Uint8Array;
  context: ControlAsk | undefined;
  value: unknown;
}

type ControlStep = Step<ControlCall>;

export const admit: ControlStep = ({ app, request }) => {
  app.gate.control(request);
};

/** A body that nobody wants is ignored, whatever it is. */
export const readBody: ControlStep = async (call) => {
  const { door, request } = call;
  if (door.body) call.bytes = await readUtf8(request, door.limit);
  else if (door.method !== 'GET') await readIgnored(request);
};

/** Returns the value of a body; one that is empty is an empty object. */
async function jsonIn(bytes: Uint8Array, { long }: Control): Promise<unknown> {
  if (bytes.length === 0) return {};
  if (!long || bytes.length <= JSON_LIMIT) return parseJson(utf8Text(bytes));
  return (await import('./parse-long.ts')).parseLong(bytes);
}

/** Returns the sandbox that is named; one that nobody has used yet is opened by what may change it. */
const sandboxOf = ({ door, app: { host } }: ControlCall, named: string | undefined): Sandbox | Promise<Sandbox> =>
  named === undefined ? host.default : door.method === 'GET' ? host.named(named) : host.openNamed(named);

export const parse: ControlStep = async (call) => {
  const { door, request, params, bytes } = call;
  const { host } = call.app;
  const { sandbox: named, ...query } = getQueryParam(request.url) as Record<string, string>;
  const { origin } = new URL(request.url);
  const parsed = {
    query: door.query ? parseAs(door.query(), query) : query,
    body: door.body ? parseAs(door.body(), await jsonIn(bytes, door)) : undefined,
  };
  call.context = {
    host,
    // Last: a call that is refused for what it sends opens nothing.
    sandbox: await sandboxOf(call, named),
    params,
    ...parsed,
    origin,
    openApi: async () => (await import('./built-openapi.ts')).openApiText(host.profile, [`${origin}${host.basePath}`]),
  };
};

export const write: ControlStep = async (call) => {
  const { door } = call;
  const context = call.context as ControlAsk;
  call.value = await door.run(context);
  if (door.method !== 'GET') context.sandbox.written = true;
};

/** Sends the JSON of a 200, or content of another type; nothing is 204. */
export const send: ControlStep = ({ value, requestId }) => {
  const headers = replyHeaders(requestId);
  if (value === undefined) return replyOf(204, null, headers);
  if (value instanceof Content) return replyOf(200, value.body, { ...headers, ...value.headers });
  return replyOf(200, JSON.stringify(value), headers);
};

export function refuse(
  { request, app: { host }, door, requestId }: ControlCall,
  error: unknown,
): Answer | Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) host.broken(`${door.method} /_emulator${door.path}`, error);
  const headers = failureHeaders(failure, replyHeaders(requestId));
  return refusalOf(request, failure.status, failureText(host.profile, failure), headers);
}

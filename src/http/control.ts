import type { Control, ControlAsk } from '../control/index.ts';
import { parseAs } from '../engine/parse-as.ts';
import { readIgnored, readText } from './body.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { parseJson } from './parse.ts';

// The steps of a call of the control API (`/_emulator/...`), in `steps.ts`.

/** A call of the control API on its way through; nothing of it is in the request log. */
export interface ControlCall extends Exchange {
  readonly door: Control;
  readonly params: Readonly<Record<string, string>>;
  text: string;
  context: ControlAsk | undefined;
  value: unknown;
}

type ControlStep = Step<ControlCall>;

export const admit: ControlStep = ({ app, c }) => {
  app.gate.control(c);
};

/** A body that nobody wants is ignored, whatever it is. */
export const readBody: ControlStep = async (call) => {
  const { door, c } = call;
  if (door.method !== 'GET') call.text = await (door.body ? readText(c, door.limit) : readIgnored(c));
};

export const parse: ControlStep = (call) => {
  const { door, c, params, text } = call;
  const { host } = call.app;
  const { sandbox: named, ...query } = c.req.query();
  const { origin } = new URL(c.req.url);
  const sandbox = named === undefined ? host.default : host.named(named);
  call.context = {
    host,
    sandbox,
    params,
    query: door.query ? parseAs(door.query(), query) : query,
    body: door.body ? parseAs(door.body(), text === '' ? {} : parseJson(text, undefined, door.values)) : undefined,
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

/** What a door returns is the JSON of a 200, nothing is 204, a response is itself. */
export const send: ControlStep = ({ c, value, requestId }) => {
  const headers = replyHeaders(requestId);
  if (!(value instanceof Response))
    return replyOf(c, value === undefined ? 204 : 200, value === undefined ? '' : JSON.stringify(value), headers);
  for (const name of ['x-sandbox-emulator', 'x-request-id']) value.headers.set(name, headers[name] as string);
  // Only the head of it is wanted: a stream that nobody reads would never be left.
  return c.req.method === 'HEAD' && value.body ? value.body.cancel().then(() => value) : value;
};

export function refuse({ c, app: { host }, door, requestId }: ControlCall, error: unknown) {
  const failure = asFailure(error);
  if (failure !== error) host.broken(`${door.method} /_emulator${door.path}`, error);
  const headers = failureHeaders(failure, replyHeaders(requestId));
  return refusalOf(c, failure.status, failureText(host.profile, failure), headers);
}

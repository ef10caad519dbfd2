import { getQueryParam } from 'hono/utils/url';
import type { Answer } from '../contract/answer.ts';
import { Failure } from '../contract/errors.ts';
import { readText } from './body.ts';
import { refuseUnlogged } from './control.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, replyHeaders } from './failures.ts';
import type { FetchRequest } from './fetch.ts';
import { parseJson } from './parse.ts';

// The steps of a call of `/_emulator/mcp`, in `steps.ts`. Only the API calls of its tools are in the request log.

/** A message of a coding agent in progress. */
export interface Message extends Exchange {
  readonly request: FetchRequest;
  text: string;
}

/** Refuses all but POST: there is no stream to open, and no session to end. */
export const locate: Step<Message> = ({ request }) => {
  if (request.method === 'POST') return;
  throw new Failure('METHOD_NOT_ALLOWED', '/_emulator/mcp answers POST only: each message stands for itself', {
    details: { allow: ['POST'] },
  });
};

export const admit: Step<Message> = ({ app, request }) => {
  app.gate.control(request, true);
};

export const unlock: Step<Message> = ({ app, request }) => {
  app.lock.check(request);
};

export const readBody: Step<Message> = async (message) => {
  message.text = await readText(message.request);
};

export const send: Step<Message> = async ({ request, app: { host }, text, requestId }) => {
  const { answer, within } = await import('../mcp/index.ts');
  const named = getQueryParam(request.url, 'sandbox') as string | undefined;
  const message = parseJson(text);
  if (named !== undefined) await host.openNamed(named);
  const answered = await answer(within(host.fetch, host.rootOf(request.url)), named, request.raw, message, host);
  const { 'content-type': _, ...headers } = replyHeaders(requestId);
  const isStream = answered.headers.get('content-type')?.startsWith('text/event-stream');
  return {
    status: answered.status,
    headers: { ...Object.fromEntries(answered.headers), ...headers },
    body: isStream ? answered.body : answered.body && (await answered.text()),
  };
};

export function refuse(message: Message, error: unknown): Answer | Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) message.app.host.broken('/_emulator/mcp', error);
  return refuseUnlogged(message, failure);
}

import { Failure } from '../contract/errors.ts';
import { readText } from './body.ts';
import type { Answer } from './direct.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders } from './failures.ts';
import { parseJson } from './parse.ts';

// The steps of a call of `/_emulator/mcp`, in `steps.ts`. Nothing of it is in the request log, but what its tools call is.

/** A message of a coding agent on its way through. */
export interface Message extends Exchange {
  text: string;
}

/** Messages come with POST: there is no stream to open, and no session to end. */
export const locate: Step<Message> = ({ c }) => {
  if (c.req.method === 'POST') return;
  throw new Failure('METHOD_NOT_ALLOWED', '/_emulator/mcp answers POST only: each message stands for itself', {
    details: { allow: ['POST'] },
  });
};

export const admit: Step<Message> = ({ app, c }) => {
  app.gate.control(c);
};

export const readBody: Step<Message> = async (message) => {
  message.text = await readText(message.c);
};

export const send: Step<Message> = async ({ c, app: { host }, text, requestId }) => {
  const { answer, within } = await import('../mcp/index.ts');
  const named = c.req.query('sandbox');
  if (named !== undefined) host.named(named);
  const { origin } = new URL(c.req.url);
  const answered = await answer(within(host.fetch, origin), named, c.req.raw, parseJson(text, undefined));
  for (const name of ['x-sandbox-emulator', 'x-request-id'])
    answered.headers.set(name, replyHeaders(requestId)[name] as string);
  return answered;
};

export function refuse({ c, app: { host }, requestId }: Message, error: unknown): Answer | Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) host.broken('/_emulator/mcp', error);
  const headers = failureHeaders(failure, replyHeaders(requestId));
  return refusalOf(c, failure.status, failureText(host.profile, failure), headers);
}

import type { Answer } from '../contract/answer.ts';
import { Failure, NO_RETRY } from '../contract/errors.ts';
import { type Profile, renderRefusal } from '../contract/profile.ts';
import { VERSION } from '../version.ts';
import { isUnread, readRest } from './body.ts';
import type { HttpRequest } from './request.ts';

type Headers = Record<string, string>;

/** Headers that every reply carries. */
export const replyHeaders = (requestId: string): Headers => ({
  'content-type': 'application/json',
  'x-sandbox-emulator': VERSION,
  'x-request-id': requestId,
});

/** Returns a reply with its headers; a 204 has no body, so no type. */
export function replyOf(status: number, body: Answer['body'], headers: Headers): Answer {
  if (status !== 204) return { status, headers, body };
  const { 'content-type': _, ...rest } = headers;
  return { status, headers: rest, body: null };
}

/**
 * Returns a refusal with its headers. The rest of the body is read first: closing a connection with bytes in flight
 * breaks the client's next call. If there are too many, the reply announces the close.
 */
export function refusalOf(
  request: HttpRequest,
  status: number,
  text: string,
  headers: Headers,
): Answer | Promise<Answer> {
  const answer = replyOf(status, text, headers);
  if (!isUnread(request)) return answer;
  return readRest(request).then((read) =>
    read ? answer : { ...answer, headers: { ...headers, connection: 'close' } },
  );
}

/** The error body of a refusal (spec 7). */
export const failureText = (profile: Profile, failure: Failure): string =>
  renderRefusal(profile, {
    status: failure.status,
    code: failure.code,
    message: failure.message,
    details: failure.details,
    // Clients look for it in different places, so it is in both.
    reason: failure.details?.['reason'],
  });

/** Returns the headers of a refusal: when to retry, and whether a retry can help. */
export function failureHeaders(failure: Failure, headers: Headers): Headers {
  if (failure.retryAfter !== undefined) headers['retry-after'] = String(failure.retryAfter);
  if (failure.code === 'METHOD_NOT_ALLOWED')
    headers['allow'] = String(failure.details?.['allow']).replaceAll(',', ', ');
  if (NO_RETRY.has(failure.code) && !failure.passes) headers['x-should-retry'] = 'false';
  return headers;
}

/**
 * Returns anything thrown as a refusal; an unexpected error is a bug of the emulator, and the client learns no more
 * than that.
 */
export const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('INTERNAL_ERROR', 'the emulator broke while answering; its log says how');

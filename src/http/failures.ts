import { Failure } from '../kernel/errors.ts';
import { type Profile, render } from '../kernel/profile.ts';
import { VERSION } from '../version.ts';

/** Headers that every reply carries. */
export const replyHeaders = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-sandbox-emulator': VERSION,
  'x-request-id': requestId,
});

/** The error body of a refusal (spec 7). */
export const failureText = (profile: Profile, failure: Failure): string =>
  render(profile, {
    status: failure.status,
    code: failure.code,
    message: failure.message,
    details: failure.details,
    // Clients differ in where they look for it, so it stands in both places.
    reason: failure.details?.['reason'],
  });

/** Headers of a refusal: when to come back, and that a conflict will not go away by trying again. */
export function failureHeaders(failure: Failure, headers: Record<string, string>): Record<string, string> {
  if (failure.retryAfter !== undefined) headers['retry-after'] = String(failure.retryAfter);
  if (failure.code === 'METHOD_NOT_ALLOWED')
    headers['allow'] = String(failure.details?.['allow']).replaceAll(',', ', ');
  if (failure.status === 409) headers['x-should-retry'] = 'false';
  return headers;
}

/** Whatever was thrown, as a refusal; what is not one is ours to mend, and the client learns no more than that. */
export const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('INTERNAL_ERROR', 'the emulator broke while answering; its log says how');

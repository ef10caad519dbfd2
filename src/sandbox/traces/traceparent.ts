import type { Entry } from '../request-log.ts';

/** The form of version 00; a later version may append more (W3C Trace Context, 4.3). */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** A span that a header names. */
export interface SentTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Returns the `traceparent` that a request was sent with, if it has exactly one. */
function sentHeader(headers: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== 'traceparent') continue;
    if (found !== undefined) return undefined;
    found = headers[i + 1]?.trim();
  }
  return found;
}

/** Returns the span that a request names as its parent; undefined if the header does not follow the standard. */
export function sentTrace(headers: readonly string[]): SentTrace | undefined {
  const [, traceId, spanId, flags] = FORM.exec(sentHeader(headers) ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

const hex = (flags: number): string => flags.toString(16).padStart(2, '0');

/** Returns a span as the header writes it. */
export const traceparentOf = ({ traceId, spanId, traceFlags }: SentTrace): string =>
  `00-${traceId}-${spanId}-${hex(traceFlags)}`;

/** Returns the `traceparent` to show for a request: that of its own span, otherwise the one that it was sent with. */
export function shownTraceparent({ traceparent, headers }: Entry): string | undefined {
  if (traceparent !== undefined) return traceparent;
  const sent = sentTrace(headers);
  return sent && traceparentOf(sent);
}

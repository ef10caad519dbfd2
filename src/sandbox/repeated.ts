import { decode } from '../contract/decode.ts';
import type { Why } from '../contract/errors.ts';
import { jsonIn } from '../contract/json.ts';
import { type Entry, type RequestLog, remembered } from './request-log.ts';

/** A call whose `Idempotency-Key` has got its reply before. */
interface Repeating {
  readonly operation: string;
  /** Below the base path. */
  readonly path: string;
  readonly key: string;
  /** The header of an agent, because each has its own keys; undefined for the platform, whose tokens share them. */
  readonly agent: string | undefined;
}

/**
 * Returns the code and the reason of a repeated reply: those of the call that got it first, as far as the log still has
 * that one. Otherwise the reply itself has the code.
 */
export function repeated(
  log: RequestLog,
  call: Repeating,
  status: number,
  reply: string,
): { code: string | undefined; why: Why } {
  const first = firstIn(log, call, remembered(reply));
  if (first) return { code: first.code, why: { ...first.why, repeats: first.id } };
  const body = status >= 400 ? (jsonIn(reply) as { code?: string } | undefined) : undefined;
  return { code: body?.code, why: { repeats: 'an earlier request' } };
}

function firstIn(log: RequestLog, { operation, path, key, agent }: Repeating, reply: string): Entry | undefined {
  for (const entry of log.newest()) {
    const isAlike = entry.operation === operation && entry.reply === reply && decode(entry.path).endsWith(decode(path));
    if (!isAlike || entry.why?.repeats !== undefined || headerOf(entry, 'idempotency-key') !== key) continue;
    if (agent === undefined || headerOf(entry, 'authorization') === agent) return entry;
  }
  return undefined;
}

function headerOf({ headers }: Entry, wanted: string): string | undefined {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}

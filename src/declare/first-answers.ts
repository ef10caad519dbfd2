import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Instant } from '../contract/shapes.ts';
import { secret } from '../engine/secrets.ts';
import { lazyRow, type RowOf, table } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

const FirstAnswerRow = lazyRow(() =>
  z.strictObject({
    id: z.string().min(1),
    fingerprint: z.string(),
    status: z.int().min(200).max(499),
    text: secret(z.string()),
    /** Virtual time, in milliseconds. */
    at: Instant(),
  }),
);

/** The first reply to a request, kept for retries (spec 4.2); `id` combines method, path and key. */
export type FirstAnswer = RowOf<typeof FirstAnswerRow>;

export const FIRST_ANSWERS = table('idempotency', { row: FirstAnswerRow });

/** Returns a hash of a request body that does not depend on the order of its members. */
export const fingerprintOf = (body: string): string => createHash('sha256').update(canonical(body)).digest('base64');

/** Returns JSON text with sorted members and no white space; an empty body counts as `{}`. */
function canonical(text: string): string {
  try {
    return JSON.stringify(sorted(text === '' ? {} : JSON.parse(text)));
  } catch {
    return text;
  }
}

/** The deepest nesting that counts: no operation reads anything below it. */
const DEEPEST = 64;

function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member, depth + 1)]));
}

/** A run of link or token characters that is too long to be a word of a language. */
const LONG_WORD = /[\w-]{32,}/g;

/** Replaces words in every stored reply, so that a fork replays its own links and tokens. */
export function reword(world: World, words: ReadonlyMap<string, string>): void {
  if (words.size === 0) return;
  const answers = world.rows(FIRST_ANSWERS);
  for (const answer of [...answers.rows()]) {
    const text = answer.text.replaceAll(LONG_WORD, (word) => words.get(word) ?? word);
    if (text !== answer.text) answers.put({ ...answer, text });
  }
}

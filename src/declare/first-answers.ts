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
    /** Virtual milliseconds. */
    at: Instant(),
  }),
);

/** A first answer, kept for its repeats (spec 4.2); `id` names the request: method, path and key. */
export type FirstAnswer = RowOf<typeof FirstAnswerRow>;

export const FIRST_ANSWERS = table('idempotency', { row: FirstAnswerRow });

/** Returns what tells the body of a request from another one, whatever the order of its members. */
export const fingerprintOf = (body: string): string => createHash('sha256').update(canonical(body)).digest('base64');

/** JSON text with its members in one order and without white space; no body is an empty one. */
function canonical(text: string): string {
  try {
    return JSON.stringify(sorted(text === '' ? {} : JSON.parse(text)));
  } catch {
    return text;
  }
}

/** No operation reads anything that lies deeper. */
const DEEPEST = 64;

function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member, depth + 1)]));
}

/** The characters of a link or a token, long enough not to be a word of a language. */
const LONG_WORD = /[\w-]{32,}/g;

/** Put new words for old ones in every kept answer: a fork repeats what it would have said itself. */
export function reword(world: World, words: ReadonlyMap<string, string>): void {
  if (words.size === 0) return;
  const answers = world.rows(FIRST_ANSWERS);
  for (const answer of [...answers.rows()]) {
    const text = answer.text.replaceAll(LONG_WORD, (word) => words.get(word) ?? word);
    if (text !== answer.text) answers.put({ ...answer, text });
  }
}

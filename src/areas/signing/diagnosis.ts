import { createHash } from 'node:crypto';
import type { Why } from '../../contract/errors.ts';
import { verifyDer } from '../../crypto/index.ts';

/** The checks of a signed retry, in order (spec 5 rules 3 to 5). */
export const STEPS = [
  'the header holds a stamp',
  'the body says what the first call said',
  'the signature verifies over payloadToSign',
  'the key may sign for this wallet',
] as const;

/** Returns the checks that passed, and the one that failed. */
export const stepsTo = (failed: number, note?: string): NonNullable<Why['steps']> =>
  STEPS.slice(0, failed + 1).map((step, i) => ({
    step,
    ok: i < failed,
    ...(i === failed && note !== undefined ? { note } : {}),
  }));

/** Returns the names of the members in which two canonical bodies differ; their values may be secret. */
export function differing(first: string, now: string): string {
  const [a, b] = [first, now].map((text) => JSON.parse(text)) as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  return names.filter((name) => JSON.stringify(a?.[name]) !== JSON.stringify(b?.[name])).join(', ');
}

/** Texts that clients sign by mistake, with a description of each. */
const MISTAKES: readonly (readonly [name: string, of: (payload: string, body: string) => string | Uint8Array])[] = [
  ['the SHA-256 digest of payloadToSign: it was hashed twice', (p) => createHash('sha256').update(p).digest()],
  ['the hexadecimal SHA-256 of payloadToSign', (p) => createHash('sha256').update(p).digest('hex')],
  ['payloadToSign as a JSON string, quotes and all', (p) => JSON.stringify(p)],
  ['payloadToSign with a line feed at its end', (p) => `${p}\n`],
  ['payloadToSign parsed and written anew', (p) => rewritten(p)],
  ['the request body instead of payloadToSign', (_, body) => body],
  ['the base64 of payloadToSign', (p) => Buffer.from(p).toString('base64')],
];

/** Returns what an invalid signature was made over instead, if it is a common mistake. */
export function signedInstead(publicKey: string, signature: string, payload: string, body: string): string {
  const found = MISTAKES.find(([, of]) => verifyDer(publicKey, Buffer.from(of(payload, body)), signature));
  return found
    ? `it verifies over ${found[0]}`
    : 'it verifies over nothing that is known here: another text, or another key';
}

function rewritten(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), undefined, 2);
  } catch {
    return payload;
  }
}

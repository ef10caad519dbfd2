import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PROFILES } from '../contract/profile.ts';
import { verifyWebhook } from '../testkit/webhooks.ts';
import type { Remote } from './remote.ts';
import { fileTrouble } from './text.ts';

/** Returns whether the emulator signed a delivery; `undefined` while its key is unknown. */
export type Verify = (body: Uint8Array, signature: string | undefined) => Promise<boolean | undefined>;

const HEADERS = Object.values(PROFILES).map((profile) => profile.webhookSignatureHeader.toLowerCase());

/** Returns the signature of a request, under the header name of any profile. */
export const signatureOf = (headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined =>
  HEADERS.flatMap((name) => headers[name]).find((value) => value !== undefined);

/** Verifies with the key in a file. Rejects with a sentence if it has no public key. */
export async function keyOfFile(file: string): Promise<Verify> {
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`cannot read the key ${file}: ${fileTrouble(error)}`);
  });
  try {
    createPublicKey(pem);
  } catch {
    throw new Error(`${file} holds no public key in PEM; sandbox-emulator keys prints one`);
  }
  return async (body, signature) => signature !== undefined && verifyWebhook(pem, signature, body);
}

/** Milliseconds within which an emulator has to return its key. */
const PATIENCE_MS = 2000;

/**
 * Verifies with the key that an emulator publishes. It reads the key again when a signature does not match, because the
 * emulator may have restarted with another seed.
 */
export function keyOfEmulator(emulator: Remote): Verify {
  let pem: string | undefined;
  let asking: Promise<string | undefined> | undefined;
  const ask = () => {
    asking ??= publishedBy(emulator).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return async (body, signature) => {
    if (signature === undefined) return false;
    if (pem !== undefined && verifyWebhook(pem, signature, body)) return true;
    const now = await ask();
    if (now === undefined) return pem === undefined ? undefined : false;
    pem = now;
    return verifyWebhook(pem, signature, body);
  };
}

async function publishedBy(emulator: Remote): Promise<string | undefined> {
  const key = await emulator
    .ask<{ pem?: unknown }>('GET', '/webhooks/key', undefined, AbortSignal.timeout(PATIENCE_MS))
    .catch(() => undefined);
  return typeof key?.pem === 'string' ? key.pem : undefined;
}

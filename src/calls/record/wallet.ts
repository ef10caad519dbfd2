import { jsonIn } from '../../contract/json.ts';
import { keyPairFrom, LEGACY_ASSERTION, LEGACY_STAMP, seal } from '../../crypto/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { inSlices } from './slices.ts';
import type { Template } from './template.ts';

/** A one-time code that is sealed anew: the variable for it, and the variable of the bundle to which it is sealed. */
export interface Sealed {
  readonly variable: string;
  readonly to: string;
}

/** The bundle to which a one-time code was sealed, and the call whose reply has it. */
export interface Target {
  readonly challenge: Entry;
  readonly bundle: string;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns the sealed one-time code that a call sent. */
export function bundleIn({ body }: Entry): string | undefined {
  if (!body.includes('"encryptedOtpBundle"')) return undefined;
  const bundle = member(jsonIn(body), 'encryptedOtpBundle');
  return typeof bundle === 'string' ? bundle : undefined;
}

/**
 * Returns the bundle to which each sealed one-time code of a log was sealed: the newest earlier challenge of its
 * credential.
 */
export async function targetsOf(all: readonly Entry[]): Promise<ReadonlyMap<Entry, Target>> {
  const found = new Map<Entry, Target>();
  const latest = new Map<string, Target>();
  await inSlices(all, (entry) => {
    if (bundleIn(entry) !== undefined) {
      const [, credential = ''] = /\/credentials\/([^/]+)\/verify$/.exec(decodeURIComponent(entry.path)) ?? [];
      const target = latest.get(credential);
      if (target) found.set(entry, target);
      return;
    }
    if (entry.status >= 300 || !entry.reply.includes('"otpEncryptionTargetBundle"')) return;
    const reply = jsonIn(entry.reply);
    const [id, bundle] = [member(reply, 'id'), member(reply, 'otpEncryptionTargetBundle')];
    if (typeof id === 'string' && typeof bundle === 'string') latest.set(id, { challenge: entry, bundle });
  });
  return found;
}

/** Returns the headers of a signed retry, with a value that the sandbox accepts in place of any signature. */
export function legacyHeaders({ headers }: Entry, signature: string): (readonly [name: string, value: Template])[] {
  const wanted = signature.toLowerCase();
  return headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === wanted) ? [[wanted, [LEGACY_STAMP]]] : [];
}

/**
 * Returns a body with its passkey assertion replaced by one that the sandbox always accepts; a refused one stays as it
 * was sent.
 */
export function againLegacy({ status }: Entry, value: unknown): { value: unknown; isAnother: boolean } {
  const assertion = member(value, 'assertion');
  const isAnother = status < 300 && typeof member(assertion, 'signature') === 'string';
  if (!isAnother) return { value, isAnother };
  return {
    value: { ...(value as object), assertion: { ...(assertion as object), signature: LEGACY_ASSERTION } },
    isAnother,
  };
}

/** The one-time code that the sandbox always uses. */
export const SANDBOX_CODE = '000000';

/** Seals the sandbox's code to a target, for a key that is thrown away; undefined if the target is none. */
export async function sealedCode(target: string): Promise<string | undefined> {
  const data = member(jsonIn(target), 'data');
  const to = member(jsonIn(Buffer.from(String(data), 'hex').toString('utf8')), 'targetPublic');
  if (typeof to !== 'string') return undefined;
  const { uncompressed } = keyPairFrom(new Uint8Array(32).fill(7));
  const message = Buffer.from(JSON.stringify({ otp_code: SANDBOX_CODE, public_key: uncompressed }));
  const { enc, ciphertext } = await seal(to, message);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return JSON.stringify({ encappedPublic: hex(enc), ciphertext: hex(ciphertext) });
}

import { createECDH, createHash, createPrivateKey, type ECDH, type KeyObject, sign as signBytes } from 'node:crypto';
import type { World } from '../../engine/world.ts';

interface Key {
  privateKey: KeyObject;
  pem: string;
  jwk: { kty: string; crv: string; x: string; y: string };
  der: string;
}

const keys = new WeakMap<World, Key>();

/**
 * Returns the key pair that signs a sandbox's webhooks. It is derived, so a receiver's configuration outlives a
 * restart. Made at first use.
 */
export function webhookKey(world: World): Key {
  const known = keys.get(world);
  if (known) return known;
  const ecdh = ecdhOf(world.keySeed);
  const point = ecdh.getPublicKey();
  const jwk = jwkOf(point);
  const privateKey = privateKeyOf(ecdh);
  // A SubjectPublicKeyInfo of P-256 is this fixed prefix and the point.
  const der = Buffer.concat([
    Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'),
    point,
  ]).toString('base64');
  const pem = `-----BEGIN PUBLIC KEY-----\n${(der.match(/.{1,64}/g) as string[]).join('\n')}\n-----END PUBLIC KEY-----\n`;
  const key = { privateKey, pem, jwk, der };
  keys.set(world, key);
  return key;
}

/** Returns a key pair derived from a text, always the same for the same text. */
function ecdhOf(seed: string): ECDH {
  const ecdh = createECDH('prime256v1');
  // The odds that a digest is not a valid scalar are 2^-32; the next one is used then.
  for (let i = 0; ; i += 1) {
    try {
      ecdh.setPrivateKey(createHash('sha256').update(`sandbox-emulator webhook key ${i} ${seed}`).digest());
      return ecdh;
    } catch {}
  }
}

const jwkOf = (point: Buffer) => ({
  kty: 'EC',
  crv: 'P-256',
  x: point.subarray(1, 33).toString('base64url'),
  y: point.subarray(33).toString('base64url'),
});

function privateKeyOf(ecdh: ECDH): KeyObject {
  const scalar = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32);
  const jwk = { ...jwkOf(ecdh.getPublicKey()), d: scalar.toString('base64url') };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/**
 * Returns the value of the signature header (spec 5 rule 11): ECDSA P-256 over SHA-256 of the exact body, DER, base64,
 * in a JSON object `{v, s}`.
 */
export const sign = (world: World, body: string): string => signWith(webhookKey(world).privateKey, body);

/** Returns a well-formed signature by a key that belongs to no platform, which a receiver must refuse. */
export const signWrongly = (body: string): string => signWith(privateKeyOf(ecdhOf('not the published key')), body);

const signWith = (key: KeyObject, body: string): string =>
  JSON.stringify({ v: '1', s: signBytes('sha256', Buffer.from(body), key).toString('base64') });

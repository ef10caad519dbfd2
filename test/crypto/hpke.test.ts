import { createCipheriv, createECDH, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFrom, open, seal } from '../../src/crypto/index.ts';
import { walletClient } from './clients.ts';
import { client, ephemeral, OTP_CIPHERTEXT, OTP_CIPHERTEXT_COMPRESSED, target } from './vectors.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const code = (publicKey: string) => utf8(JSON.stringify({ otp_code: '000000', public_key: publicKey }));
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });

/** RFC 9180 base mode once more, from the primitives of Node alone. */
function sealedByNode(recipientPublic: Buffer, plaintext: Uint8Array, ephemeralScalar: string) {
  const hmac = (key: Uint8Array, ...parts: (string | Uint8Array)[]) => {
    const mac = createHmac('sha256', key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  const KEM = Buffer.from('KEM\x00\x10', 'latin1');
  const HPKE = Buffer.from('HPKE\x00\x10\x00\x01\x00\x02', 'latin1');
  const extract = (suite: Buffer, salt: Uint8Array, label: string, ikm: Uint8Array) =>
    hmac(salt, 'HPKE-v1', suite, label, ikm);
  const expand = (suite: Buffer, prk: Uint8Array, label: string, info: Uint8Array, length: number) =>
    hmac(prk, Buffer.from([0, length]), 'HPKE-v1', suite, label, info, Buffer.from([1])).subarray(0, length);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(ephemeralScalar, 'hex');
  const enc = ecdh.getPublicKey();
  const none = Buffer.alloc(0);
  const eaePrk = extract(KEM, none, 'eae_prk', ecdh.computeSecret(recipientPublic));
  const shared = expand(KEM, eaePrk, 'shared_secret', Buffer.concat([enc, recipientPublic]), 32);
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(HPKE, none, 'psk_id_hash', none),
    extract(HPKE, none, 'info_hash', utf8('turnkey_hpke')),
  ]);
  const secret = extract(HPKE, shared, 'secret', none);
  const cipher = createCipheriv(
    'aes-256-gcm',
    expand(HPKE, secret, 'key', context, 32),
    expand(HPKE, secret, 'base_nonce', context, 12),
  );
  cipher.setAAD(Buffer.concat([enc, recipientPublic]));
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}

describe('sealing (spec 5 rule 7)', () => {
  test.each([
    [client.uncompressed, OTP_CIPHERTEXT],
    [client.compressed, OTP_CIPHERTEXT_COMPRESSED],
  ])('with a fixed one-time key gives the published bytes', async (publicKey, ciphertext) => {
    const sealed = await seal(target.uncompressed, code(publicKey), ephemeral);
    expect(hex(sealed.enc)).toBe(ephemeral.uncompressed);
    expect(hex(sealed.ciphertext)).toBe(ciphertext);
    expect(await open(target, sealed.enc, sealed.ciphertext)).toEqual(new Uint8Array(code(publicKey)));
  });

  test('is byte for byte what Node makes from its primitives, for any keys and message', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, seeds, fc.uint8Array({ maxLength: 200 }), async (a, b, message) => {
        const [recipient, oneTime] = [keyPairFrom(a), keyPairFrom(b)];
        const sealed = await seal(recipient.compressed, message, oneTime);
        const expected = sealedByNode(Buffer.from(recipient.uncompressed, 'hex'), message, oneTime.scalar);
        expect(hex(sealed.enc)).toBe(hex(expected.enc));
        expect(hex(sealed.ciphertext)).toBe(hex(expected.ciphertext));
        expect(hex((await open(recipient, sealed.enc, sealed.ciphertext)) ?? new Uint8Array([1]))).toBe(hex(message));
      }),
      { numRuns: 60 },
    );
  });

  test('a real client opens what we sealed, and we what it sealed', async () => {
    for (let i = 0; i < 20; i += 1) {
      const recipient = keyPairFrom(Buffer.alloc(32, i + 1));
      const { enc, ciphertext } = await seal(recipient.uncompressed, utf8('hello'));
      const opened = walletClient.hpkeDecrypt({
        ciphertextBuf: ciphertext,
        encappedKeyBuf: enc,
        receiverPriv: recipient.scalar,
      });
      expect(Buffer.from(opened).toString()).toBe('hello');
      const theirs = JSON.parse(
        walletClient.formatHpkeBuf(
          walletClient.hpkeEncrypt({
            plainTextBuf: utf8('hi'),
            targetKeyBuf: Buffer.from(recipient.uncompressed, 'hex'),
          }),
        ),
      );
      const ours = await open(
        recipient,
        Buffer.from(theirs.encappedPublic, 'hex'),
        Buffer.from(theirs.ciphertext, 'hex'),
      );
      expect(Buffer.from(ours ?? []).toString()).toBe('hi');
    }
  });
});

describe('opening', () => {
  test('any bit flipped in the one-time key or the ciphertext is refused', async () => {
    const enc = Buffer.from(ephemeral.uncompressed, 'hex');
    const ciphertext = Buffer.from(OTP_CIPHERTEXT_COMPRESSED, 'hex');
    await fc.assert(
      fc.asyncProperty(fc.nat(enc.length + ciphertext.length - 1), fc.nat(7), async (at, bit) => {
        const all = Buffer.concat([enc, ciphertext]);
        all[at] = (all[at] ?? 0) ^ (1 << bit);
        expect(await open(target, all.subarray(0, enc.length), all.subarray(enc.length))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('with another key, from no ciphertext or from a truncated one gives nothing', async () => {
    const enc = Buffer.from(ephemeral.uncompressed, 'hex');
    const ciphertext = Buffer.from(OTP_CIPHERTEXT, 'hex');
    expect(await open(client, enc, ciphertext)).toBeUndefined();
    expect(await open(target, enc, new Uint8Array())).toBeUndefined();
    expect(await open(target, enc, ciphertext.subarray(0, 15))).toBeUndefined();
    expect(await open(target, enc, ciphertext.subarray(1))).toBeUndefined();
    expect(await open(target, new Uint8Array(), ciphertext)).toBeUndefined();
  });
});

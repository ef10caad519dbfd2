import { createPublicKey, createSign, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFrom, loadSigner, normalise, uncompressed, verifyDer } from '../../src/crypto/index.ts';
import { signedByNode } from './rfc6979-node.ts';
import {
  client,
  PAYLOAD,
  PAYLOAD_SIGNATURE,
  PAYLOAD_SIGNATURE_HIGH_S,
  PAYLOAD_SIGNATURE_RAW,
  session,
} from './vectors.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const messages = fc.uint8Array({ maxLength: 300 });

/** Every byte of the hexadecimal text changed once, by every single bit. */
const flips = (hex: string) =>
  [...Buffer.from(hex, 'hex').keys()].flatMap((at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
      const copy = Buffer.from(hex, 'hex');
      copy[at] = (copy[at] ?? 0) ^ (1 << bit);
      return copy.toString('hex');
    }),
  );

describe('P-256 keys', () => {
  test('the published P-256 scalars give the published points', () => {
    expect(client).toEqual({
      scalar: 'f570a41442adb9d0045e87a6b86ab88cded20b5362ca6a9516532b08605f76a4',
      compressed: '0371f453c671ab983cebe8a1a3c0c0d835a869d7fbac77d799f80d77c58e9eff07',
      uncompressed:
        '0471f453c671ab983cebe8a1a3c0c0d835a869d7fbac77d799f80d77c58e9eff078164e72c6ca876914c1d7113e949a8de2db5fb076f7072282be76b81c82ce55f',
    });
  });

  test('a P-256 scalar keeps its leading zero bytes', () => {
    const seed = new Uint8Array(32);
    seed[31] = 7;
    expect(keyPairFrom(seed).scalar).toBe(`${'0'.repeat(63)}7`);
  });

  test('a P-256 key comes from any 32 bytes, always the same one, even from bytes out of range; 31 bytes throw', () => {
    for (const seed of [new Uint8Array(32), new Uint8Array(32).fill(255)]) {
      expect(normalise(keyPairFrom(seed).compressed)).toBeDefined();
      expect(keyPairFrom(seed)).toEqual(keyPairFrom(seed));
    }
    expect(() => keyPairFrom(new Uint8Array(31))).toThrow(RangeError);
  });

  test('a P-256 key is the same in both forms and in either case', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const pair = keyPairFrom(seed);
        for (const form of [pair.compressed, pair.uncompressed])
          for (const text of [form, form.toUpperCase()]) {
            expect(normalise(text)).toBe(pair.compressed);
            expect(uncompressed(text)).toBe(pair.uncompressed);
          }
      }),
      { numRuns: 50 },
    );
  });

  test('a text that is not a point on the curve is refused as a P-256 key', () => {
    const offCurve = `${client.uncompressed.slice(0, -1)}0`;
    const noSuchX = `02${'f'.repeat(64)}`;
    const hybrid = `07${client.uncompressed.slice(2)}`;
    for (const text of [
      '',
      '00',
      'zz',
      offCurve,
      noSuchX,
      hybrid,
      `${client.compressed}00`,
      `04${client.compressed.slice(2)}`,
    ])
      expect(normalise(text), text).toBeUndefined();
    expect(() => uncompressed(offCurve)).toThrow(RangeError);
  });
});

const signer = await loadSigner();

describe('P-256 signatures', () => {
  test('P-256 signing is deterministic and gives the published signature', () => {
    expect(signer.der(session, bytes(PAYLOAD))).toBe(PAYLOAD_SIGNATURE);
    expect(Buffer.from(signer.raw(session, bytes(PAYLOAD))).toString('hex')).toBe(PAYLOAD_SIGNATURE_RAW);
  });

  test('every P-256 signature is the one that a second implementation of RFC 6979 makes (K6), and Node verifies it', () => {
    fc.assert(
      fc.property(seeds, messages, (seed, message) => {
        const pair = keyPairFrom(seed);
        const mine = signer.raw(pair, message);
        expect(Buffer.from(mine)).toEqual(signedByNode(pair, message));
        const point = Buffer.from(pair.uncompressed, 'hex');
        const key = createPublicKey({
          format: 'jwk',
          key: {
            kty: 'EC',
            crv: 'P-256',
            x: point.subarray(1, 33).toString('base64url'),
            y: point.subarray(33).toString('base64url'),
          },
        });
        expect(verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, mine)).toBe(true);
        expect(verify('sha256', message, key, Buffer.from(signer.der(pair, message), 'hex'))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('a P-256 signature verifies with a low and a high S, under both forms of the key', () => {
    for (const key of [session.compressed, session.uncompressed])
      for (const signature of [PAYLOAD_SIGNATURE, PAYLOAD_SIGNATURE_HIGH_S, PAYLOAD_SIGNATURE.toUpperCase()])
        expect(verifyDer(key, bytes(PAYLOAD), signature)).toBe(true);
  });

  test('a P-256 signature made by Node verifies', () => {
    for (let i = 0; i < 20; i += 1) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const der = createSign('SHA256').update(PAYLOAD).sign(privateKey, 'hex');
      const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('hex');
      expect(verifyDer(spki.slice(-130), bytes(PAYLOAD), der)).toBe(true);
    }
  });

  test('a P-256 signature does not verify with an appended newline, under another key, in raw form or in loose DER', () => {
    expect(verifyDer(session.compressed, bytes(`${PAYLOAD}\n`), PAYLOAD_SIGNATURE)).toBe(false);
    expect(verifyDer(client.compressed, bytes(PAYLOAD), PAYLOAD_SIGNATURE)).toBe(false);
    expect(verifyDer('02', bytes(PAYLOAD), PAYLOAD_SIGNATURE)).toBe(false);
    const padded = `3045022100${PAYLOAD_SIGNATURE.slice(8, 72)}${PAYLOAD_SIGNATURE.slice(72)}`;
    for (const loose of [PAYLOAD_SIGNATURE_RAW, `${PAYLOAD_SIGNATURE}00`, padded, '', '30', '3000', '30060201000201ff'])
      expect(verifyDer(session.compressed, bytes(PAYLOAD), loose), loose).toBe(false);
  });

  test('a P-256 signature does not verify with any bit flipped in signature or message', () => {
    for (const flipped of flips(PAYLOAD_SIGNATURE))
      expect(verifyDer(session.compressed, bytes(PAYLOAD), flipped), flipped).toBe(false);
    for (const flipped of flips(bytes(PAYLOAD).toString('hex')))
      expect(verifyDer(session.compressed, Buffer.from(flipped, 'hex'), PAYLOAD_SIGNATURE)).toBe(false);
  });
});

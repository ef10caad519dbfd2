import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFrom, open, seal } from '../../src/crypto/index.ts';
import { effort } from '../kit/effort.ts';
import { walletClient } from './clients.ts';
import { openedByNode, sealedByNode } from './hpke-node.ts';
import { client, ephemeral, OTP_CIPHERTEXT, OTP_CIPHERTEXT_COMPRESSED, target } from './vectors.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const code = (publicKey: string) => utf8(JSON.stringify({ otp_code: '000000', public_key: publicKey }));
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('HPKE sealing (spec 5 rule 7)', () => {
  test.each([
    [client.uncompressed, OTP_CIPHERTEXT],
    [client.compressed, OTP_CIPHERTEXT_COMPRESSED],
  ])('HPKE sealing with a fixed one-time key gives the published bytes', async (publicKey, ciphertext) => {
    const sealed = await seal(target.uncompressed, code(publicKey), ephemeral);
    expect(hex(sealed.enc)).toBe(ephemeral.uncompressed);
    expect(hex(sealed.ciphertext)).toBe(ciphertext);
    expect(await open(target, sealed.enc, sealed.ciphertext)).toEqual(new Uint8Array(code(publicKey)));
  });

  test('HPKE sealing gives byte for byte what the functions of Node give, for any keys and message', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, seeds, fc.uint8Array({ maxLength: 200 }), async (a, b, message) => {
        const [recipient, oneTime] = [keyPairFrom(a), keyPairFrom(b)];
        const sealed = await seal(recipient.compressed, message, oneTime);
        const expected = sealedByNode(recipient, message, oneTime);
        expect(hex(sealed.enc)).toBe(hex(expected.enc));
        expect(hex(sealed.ciphertext)).toBe(hex(expected.ciphertext));
        expect(hex((await open(recipient, sealed.enc, sealed.ciphertext)) ?? new Uint8Array([1]))).toBe(hex(message));
      }),
      { numRuns: 60 },
    );
  });

  test('a real client opens what we sealed with HPKE, and we open what it sealed', async () => {
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

describe('HPKE opening', () => {
  test('HPKE opening agrees with the functions of Node on a text that is whole, cut, longer, changed, in another form or for another key', async () => {
    const point = (bytes: Uint8Array, form: 'compressed' | 'hybrid') => {
      const ecdh = createECDH('prime256v1');
      ecdh.setPrivateKey(bytes);
      return ecdh.getPublicKey(null, form);
    };
    const changes = fc.oneof(
      fc.constant(['none', 0] as const),
      fc.tuple(fc.constantFrom('cut', 'longer', 'enc', 'ciphertext', 'enc cut'), fc.nat(100)),
      fc.constantFrom(
        ['compressed', 0] as const,
        ['hybrid', 0] as const,
        ['another', 0] as const,
        ['zero', 0] as const,
      ),
    );
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(seeds, seeds, changes, async (a, b, [change, at]) => {
        const [recipient, oneTime] = [keyPairFrom(a), keyPairFrom(b)];
        const sealed = await seal(recipient.uncompressed, Buffer.alloc(at, 7), oneTime);
        let [enc, ciphertext] = [Buffer.from(sealed.enc), Buffer.from(sealed.ciphertext)];
        if (change === 'cut') ciphertext = ciphertext.subarray(0, at);
        if (change === 'longer') ciphertext = Buffer.concat([ciphertext, Buffer.alloc(1 + at)]);
        if (change === 'enc') enc[at % enc.length] = (enc[at % enc.length] as number) ^ 1;
        if (change === 'ciphertext')
          ciphertext[at % ciphertext.length] = (ciphertext[at % ciphertext.length] as number) ^ 1;
        if (change === 'enc cut') enc = enc.subarray(0, at % enc.length);
        if (change === 'compressed' || change === 'hybrid') enc = point(Buffer.from(oneTime.scalar, 'hex'), change);
        if (change === 'another') enc = Buffer.from(recipient.uncompressed, 'hex');
        if (change === 'zero') enc = Buffer.alloc(65, 0);
        const ours = await open(recipient, enc, ciphertext);
        const theirs = openedByNode(recipient, enc, ciphertext);
        expect(ours && hex(ours)).toBe(theirs && hex(theirs));
        seen.add(`${change} ${ours !== undefined}`);
      }),
      { numRuns: effort(200, 5000) },
    );
    expect(seen).toContain('none true');
    expect(seen).toContain('enc false');
  });

  test('HPKE opening refuses any flipped bit in the one-time key or the ciphertext', async () => {
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

  test('HPKE opening returns nothing for another key, no one-time key, no ciphertext or a truncated one', async () => {
    const enc = Buffer.from(ephemeral.uncompressed, 'hex');
    const ciphertext = Buffer.from(OTP_CIPHERTEXT, 'hex');
    expect(await open(client, enc, ciphertext)).toBeUndefined();
    expect(await open(target, enc, new Uint8Array())).toBeUndefined();
    expect(await open(target, enc, ciphertext.subarray(0, 15))).toBeUndefined();
    expect(await open(target, enc, ciphertext.subarray(1))).toBeUndefined();
    expect(await open(target, new Uint8Array(), ciphertext)).toBeUndefined();
  });
});

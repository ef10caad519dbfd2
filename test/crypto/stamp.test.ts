import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeyPair, LEGACY_STAMP, loadSigner, parseStamp, verifyDer } from '../../src/crypto/index.ts';
import { ApiKeyStamper } from './clients.ts';
import {
  client,
  PAYLOAD,
  PAYLOAD_SIGNATURE,
  PAYLOAD_SIGNATURE_HIGH_S,
  PAYLOAD_SIGNATURE_RAW,
  STAMP,
  session,
  TOKEN,
  TOKEN_STAMP,
} from './vectors.ts';

const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
const fields = { publicKey: session.compressed, scheme, signature: PAYLOAD_SIGNATURE };
const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const holds = (stamp: string, payload: string) => {
  const parsed = parseStamp(stamp);
  return parsed.ok && verifyDer(parsed.value.publicKey, Buffer.from(payload), parsed.value.signature);
};
const reason = (stamp: string) => {
  const parsed = parseStamp(stamp);
  return parsed.ok ? 'accepted' : parsed.reason;
};

describe('stamps that are accepted (spec 5 rule 3)', () => {
  test('the published stamps are accepted', () => {
    expect(parseStamp(STAMP)).toEqual({
      ok: true,
      value: { publicKey: session.compressed, signature: PAYLOAD_SIGNATURE },
    });
    expect(holds(STAMP, PAYLOAD)).toBe(true);
    expect(holds(TOKEN_STAMP, TOKEN)).toBe(true);
  });

  test('a stamp is accepted in any field order, with padding, in standard base64, in upper case, with an uncompressed key or a high S', () => {
    const accepted = [
      header({ signature: PAYLOAD_SIGNATURE, scheme, publicKey: session.compressed }),
      `${header(fields)}==`,
      Buffer.from(JSON.stringify({ ...fields, note: '?>?>' })).toString('base64'),
      header({ ...fields, publicKey: session.compressed.toUpperCase(), signature: PAYLOAD_SIGNATURE.toUpperCase() }),
      header({ ...fields, publicKey: session.uncompressed }),
      header({ ...fields, signature: PAYLOAD_SIGNATURE_HIGH_S }),
    ];
    for (const stamp of accepted) expect(holds(stamp, PAYLOAD), stamp).toBe(true);
  });

  test.each(['node', 'browser', 'purejs'] as const)(
    'a stamp from the %s runtime of a real client is accepted',
    async (runtime) => {
      const make = (pair: KeyPair) =>
        new ApiKeyStamper({
          apiPublicKey: pair.compressed,
          apiPrivateKey: pair.scalar,
          runtimeOverride: runtime,
        }).stamp(PAYLOAD);
      for (let i = 0; i < 10; i += 1) {
        const { stampHeaderValue } = await make(session);
        expect(holds(stampHeaderValue, PAYLOAD)).toBe(true);
        expect(holds(stampHeaderValue, `${PAYLOAD} `)).toBe(false);
        if (runtime === 'purejs') expect(stampHeaderValue).toBe(STAMP);
      }
    },
  );

  test('a stamp with an uncompressed key is accepted from the one runtime of a real client that sends it', async () => {
    const stamper = new ApiKeyStamper({
      apiPublicKey: session.uncompressed,
      apiPrivateKey: session.scalar,
      runtimeOverride: 'node',
    });
    expect(holds((await stamper.stamp(PAYLOAD)).stampHeaderValue, PAYLOAD)).toBe(true);
  });
});

describe('stamps that are refused, and why', () => {
  test.each<readonly [string, string]>([
    ['', 'wallet signature is not a base64url JSON object'],
    ['%%%', 'wallet signature is not base64url'],
    [`${STAMP}!`, 'wallet signature is not base64url'],
    [LEGACY_STAMP, 'wallet signature is not base64url'],
    [Buffer.from(PAYLOAD_SIGNATURE, 'hex').toString('base64'), 'wallet signature is not a base64url JSON object'],
    [header([fields]), 'wallet signature is not a base64url JSON object'],
    [header(null), 'wallet signature is not a base64url JSON object'],
    [header({ ...fields, scheme: 'SIGNATURE_SCHEME_OTHER' }), `wallet signature scheme is not ${scheme}`],
    [header({ ...fields, scheme: undefined }), `wallet signature scheme is not ${scheme}`],
    [header({ ...fields, publicKey: 7 }), 'wallet signature publicKey is not a point on P-256'],
    [header({ ...fields, publicKey: `02${'f'.repeat(64)}` }), 'wallet signature publicKey is not a point on P-256'],
    ...[PAYLOAD_SIGNATURE_RAW, undefined, 'abc', `${PAYLOAD_SIGNATURE}00`, '', STAMP].map(
      (signature) =>
        [
          header({ ...fields, signature }),
          'wallet signature field signature is not a DER signature in hexadecimal',
        ] as const,
    ),
  ])('a stamp is refused with its reason: %.40s', (stamp, expected) => {
    expect(reason(stamp)).toBe(expected);
  });

  test('a stamp in the raw form that a real client can make is refused', async () => {
    const stamper = new ApiKeyStamper({ apiPublicKey: session.compressed, apiPrivateKey: session.scalar });
    const raw = await stamper.sign(PAYLOAD, 'raw');
    expect(parseStamp(header({ ...fields, signature: raw })).ok).toBe(false);
  });

  test('a stamp with any bit flipped is refused, or names the very same key and signature', () => {
    const bytes = Buffer.from(STAMP, 'base64url');
    for (const at of bytes.keys())
      for (let bit = 0; bit < 8; bit += 1) {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ (1 << bit);
        const parsed = parseStamp(copy.toString('base64url'));
        const same = copy.toString('latin1').toLowerCase() === bytes.toString('latin1').toLowerCase();
        if (parsed.ok && same)
          expect(parsed.value).toEqual({ publicKey: session.compressed, signature: PAYLOAD_SIGNATURE });
        else expect(holds(copy.toString('base64url'), PAYLOAD), `${at}.${bit}`).toBe(false);
      }
  });

  test('a stamp with any character of its header replaced is refused', () => {
    const places = fc.nat(STAMP.length - 1);
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    fc.assert(
      fc.property(places, letters, (at, letter) => {
        fc.pre(STAMP[at] !== letter);
        const stamp = STAMP.slice(0, at) + letter + STAMP.slice(at + 1);
        const decoded = Buffer.from(stamp, 'base64url').toString('latin1').toLowerCase();
        fc.pre(decoded !== Buffer.from(STAMP, 'base64url').toString('latin1').toLowerCase() || !parseStamp(stamp).ok);
        expect(holds(stamp, PAYLOAD)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('a stamp with the same signature under another key is refused', async () => {
    expect(holds(header({ ...fields, publicKey: client.compressed }), PAYLOAD)).toBe(false);
    expect(
      holds(header({ ...fields, signature: (await loadSigner()).der(client, Buffer.from(PAYLOAD)) }), PAYLOAD),
    ).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { totp } from '../../src/crypto/totp.ts';
import { totpCode } from '../../src/testkit/index.ts';

const seconds = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
const CODES = {
  sha1: ['94287082', '07081804', '14050471', '89005924', '69279037', '65353130'],
  sha256: ['46119246', '68084774', '67062674', '91819424', '90698825', '77737706'],
  sha512: ['90693936', '25091201', '99943326', '93441116', '38618901', '47863826'],
} as const;
const LENGTHS = { sha1: 20, sha256: 32, sha512: 64 } as const;

test.each(['sha1', 'sha256', 'sha512'] as const)(
  'one-time codes are those of RFC 6238, appendix B, with %s',
  (algorithm) => {
    const secret = Buffer.from('1234567890'.repeat(7).slice(0, LENGTHS[algorithm]));
    const codes = seconds.map((at) => totpCode(secret, { at: at * 1000, digits: 8, algorithm }));
    expect(codes).toEqual(CODES[algorithm]);
  },
);

test('a TOTP secret can be base32 in either case and padded, or the address of a QR code', () => {
  const code = totpCode(Buffer.from('12345678901234567890'), { at: new Date(59_000) });
  const base32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const secret of [base32, `${base32.toLowerCase()}===`, `otpauth://totp/x?secret=${base32}&issuer=y`])
    expect(totpCode(secret, { at: 59_000 })).toBe(code);
  expect(totpCode(base32, { at: 29_000, steps: 1 })).toBe(code);
  expect(totpCode(base32, { at: '1970-01-01T00:00:59Z' })).toBe(code);
  expect(() => totpCode('no!')).toThrow('! is not a letter of base32');
});

test('the service accepts a one-time code one step before or after its time, and no other', async () => {
  const { stepOf, shown } = await totp();
  const hex = Buffer.from('12345678901234567890').toString('hex');
  const { base32, uri } = shown(hex, 'pay.example', '$nora@pay.example');
  const found = [-2, -1, 0, 1, 2].map((steps) => stepOf(hex, totpCode(base32, { at: 3_000_000, steps }), 3_000_000));
  expect(found).toEqual([undefined, 99, 100, 101, undefined]);
  expect(totpCode(uri, { at: 3_000_000 })).toBe(totpCode(base32, { at: 3_000_000 }));
  for (const odd of ['', 'abcdef', '12345', '1234567']) expect(stepOf(hex, odd, 3_000_000)).toBeUndefined();
});

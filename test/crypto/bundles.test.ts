import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import {
  exportBundle,
  keyPairFrom,
  loadSigner,
  mnemonicFrom,
  open,
  openOtp,
  otpToken,
  parseOtpBundle,
  seal,
  sessionBundle,
  targetBundle,
  verifyDer,
} from '../../src/crypto/index.ts';
import { walletClient } from './clients.ts';
import {
  client,
  EXPORT_CIPHERTEXT,
  EXPORT_SIGNATURE,
  ephemeral,
  MNEMONIC,
  OTP_CAPTURED,
  OTP_CIPHERTEXT,
  OTP_CIPHERTEXT_COMPRESSED,
  OTP_WRONG_CODE,
  organizationId,
  PUBLISHED_SESSION,
  quorum,
  SESSION_BUNDLE,
  session,
  TARGET_SIGNATURE,
  TOKEN,
  target,
  userId,
} from './vectors.ts';

const fromHex = (hex: string) => Buffer.from(hex, 'hex');
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const signer = await loadSigner();
const bundle = targetBundle(signer, quorum, { targetPublic: target.uncompressed, organizationId, userId });

/** Opens the text of a client's bundle as the service does. */
async function received(text: string, key = target) {
  const parsed = parseOtpBundle(text);
  return parsed.ok ? openOtp(key, parsed.value) : parsed;
}
const reason = async (text: string) => {
  const outcome = await received(text);
  return outcome.ok ? 'accepted' : outcome.reason;
};
const otp = (ciphertext: string) => JSON.stringify({ encappedPublic: ephemeral.uncompressed, ciphertext });
const sealedText = async (plaintext: string) => {
  const { enc, ciphertext } = await seal(target.uncompressed, Buffer.from(plaintext));
  return JSON.stringify({
    encappedPublic: Buffer.from(enc).toString('hex'),
    ciphertext: Buffer.from(ciphertext).toString('hex'),
  });
};

describe('the OTP target bundle (spec 2.4)', () => {
  test('the OTP target bundle has the published text: four fields, signed over the bytes of the data', () => {
    const data = Buffer.from(JSON.stringify({ targetPublic: target.uncompressed, organizationId, userId }));
    expect(bundle).toBe(
      JSON.stringify({
        version: 'v1.0.0',
        data: data.toString('hex'),
        dataSignature: TARGET_SIGNATURE,
        enclaveQuorumPublic: quorum.uncompressed,
      }),
    );
    expect(verifyDer(quorum.uncompressed, data, TARGET_SIGNATURE)).toBe(true);
  });

  test('a real client seals a code to the OTP target bundle with our quorum key, and refuses the bundle with any other', async () => {
    const sealed = await walletClient.encryptOtpCodeToBundle('000000', bundle, client.compressed, quorum.uncompressed);
    expect(await received(sealed)).toEqual({ ok: true, value: { code: '000000', publicKey: client.compressed } });
    await expect(walletClient.encryptOtpCodeToBundle('000000', bundle, client.compressed)).rejects.toThrow();
  });
});

describe('the encrypted OTP bundle (spec 5 rule 7)', () => {
  test.each([
    ['with the uncompressed key', otp(OTP_CIPHERTEXT), '000000'],
    ['with the compressed key', otp(OTP_CIPHERTEXT_COMPRESSED), '000000'],
    ['with the wrong code', OTP_WRONG_CODE, '999999'],
    ['from a real client', OTP_CAPTURED, '000000'],
  ])('an encrypted OTP bundle opens to its code and public key: %s', async (_, text, code) => {
    expect(await received(text)).toEqual({ ok: true, value: { code, publicKey: client.compressed } });
  });

  test('an encrypted OTP bundle opens whatever its field order, spacing and case', async () => {
    const text = JSON.stringify(
      { ciphertext: OTP_CIPHERTEXT.toUpperCase(), encappedPublic: ephemeral.uncompressed.toUpperCase() },
      null,
      2,
    );
    expect((await received(text)).ok).toBe(true);
  });

  test.each([
    ['', 'OTP bundle is not a JSON object'],
    ['000000', 'OTP bundle is not a JSON object'],
    ['[]', 'OTP bundle is not a JSON object'],
    ['{"encappedPublic":', 'OTP bundle is not a JSON object'],
    ['{}', 'OTP bundle has no encappedPublic of 130 hexadecimal digits'],
    [otp(OTP_CIPHERTEXT).replace('046f', '6f'), 'OTP bundle has no encappedPublic of 130 hexadecimal digits'],
    [otp('xyz'), 'OTP bundle has no hexadecimal ciphertext'],
    [otp(''), 'OTP bundle has no hexadecimal ciphertext'],
    [otp('abc'), 'OTP bundle has no hexadecimal ciphertext'],
  ])('an encrypted OTP bundle is refused as malformed: %s', (text, expected) => {
    expect(parseOtpBundle(text)).toEqual({ ok: false, reason: expected });
  });

  test('an OTP bundle that is sealed to another key, or comes with another one-time key, cannot be decrypted', async () => {
    expect(await received(otp(OTP_CIPHERTEXT), client)).toEqual({
      ok: false,
      reason: 'OTP bundle could not be decrypted',
    });
    const foreign = JSON.stringify({ encappedPublic: client.uncompressed, ciphertext: OTP_CIPHERTEXT });
    expect(await reason(foreign)).toBe('OTP bundle could not be decrypted');
    const offCurve = JSON.stringify({ encappedPublic: `04${'0'.repeat(128)}`, ciphertext: OTP_CIPHERTEXT });
    expect(await reason(offCurve)).toBe('OTP bundle could not be decrypted');
    expect(await reason(otp('00'))).toBe('OTP bundle could not be decrypted');
  });

  test('an OTP bundle is refused unless it holds a code and a public key on P-256', async () => {
    for (const inside of ['', 'null', '000000', '{"otp_code":0,"public_key":"02"}', '{"otp_code":"000000"}'])
      expect(await reason(await sealedText(inside)), inside).toBe('OTP bundle holds no otp_code and public_key');
    const noKey = JSON.stringify({ otp_code: '000000', public_key: `04${'0'.repeat(128)}` });
    expect(await reason(await sealedText(noKey))).toBe('OTP bundle holds a public_key that is not a point on P-256');
  });
});

describe('the session signing key (spec 2.5)', () => {
  test('the session signing key is sealed to the published text', async () => {
    expect(await sessionBundle(session, client.uncompressed, ephemeral)).toBe(SESSION_BUNDLE);
    expect(walletClient.decryptCredentialBundle(SESSION_BUNDLE, client.scalar)).toBe(session.scalar);
  });

  test('a sealed session signing key opens in a real client, with any number of leading zero bytes', async () => {
    for (let i = 0; i < 10; i += 1) {
      const key = keyPairFrom(Buffer.concat([Buffer.alloc(i), Buffer.alloc(32 - i, i + 1)]));
      const text = await sessionBundle(key, client.compressed, ephemeral);
      expect(walletClient.decryptCredentialBundle(text, client.scalar)).toBe(key.scalar);
      expect(() => walletClient.decryptCredentialBundle(text, session.scalar)).toThrow();
    }
  });

  test('an independently published session bundle opens in the emulator', async () => {
    const bytes = base58check.decode(PUBLISHED_SESSION.bundle);
    expect(bytes).toHaveLength(81);
    const recipient = keyPairFrom(fromHex(PUBLISHED_SESSION.recipient));
    const { ECDH } = await import('node:crypto');
    const enc = ECDH.convertKey(bytes.subarray(0, 33), 'prime256v1', undefined, undefined, 'uncompressed');
    const opened = await open(recipient, Buffer.from(enc), bytes.subarray(33));
    expect(Buffer.from(opened ?? []).toString('hex')).toBe(PUBLISHED_SESSION.scalar);
  });
});

describe('the wallet export (spec 4.7)', () => {
  const data = Buffer.from(
    JSON.stringify({ encappedPublic: ephemeral.uncompressed, ciphertext: EXPORT_CIPHERTEXT, organizationId }),
  ).toString('hex');

  test('the wallet export has the published text, unsigned as in the sandbox', async () => {
    const text = await exportBundle(MNEMONIC, client.uncompressed, organizationId, ephemeral);
    expect(text).toBe(JSON.stringify({ version: 'v1.0.0', data, dataSignature: '', enclaveQuorumPublic: '' }));
    const fields = JSON.parse(Buffer.from(JSON.parse(text).data, 'hex').toString());
    const opened = walletClient.hpkeDecrypt({
      ciphertextBuf: fromHex(fields.ciphertext),
      encappedKeyBuf: fromHex(fields.encappedPublic),
      receiverPriv: client.scalar,
    });
    expect(Buffer.from(opened).toString()).toBe(MNEMONIC);
  });

  test('a real client opens a signed wallet export in one call, and only for the right organization', async () => {
    const text = await exportBundle(MNEMONIC, client.uncompressed, organizationId, ephemeral, { by: quorum, signer });
    expect(JSON.parse(text)).toMatchObject({ data, dataSignature: EXPORT_SIGNATURE });
    const opened = (organization: string) =>
      walletClient.decryptExportBundle({
        exportBundle: text,
        embeddedKey: client.scalar,
        organizationId: organization,
        returnMnemonic: true,
        dangerouslyOverrideSignerPublicKey: quorum.uncompressed,
      });
    expect(await opened(organizationId)).toBe(MNEMONIC);
    await expect(opened(userId)).rejects.toThrow();
  });

  test('the mnemonic of a wallet is BIP-39: 16 zero bytes give the published words, any 16 bytes give twelve, 15 bytes throw', async () => {
    expect(await mnemonicFrom(new Uint8Array(16))).toBe(MNEMONIC);
    expect(await mnemonicFrom(new Uint8Array(16).fill(0xff))).toBe(`${'zoo '.repeat(11)}wrong`);
    await expect(mnemonicFrom(new Uint8Array(15))).rejects.toThrow();
  });
});

describe('the OTP verification token (spec 4.5)', () => {
  const claims = {
    id: '00000000-0000-4000-8000-00000000dddd',
    verificationType: 'OTP_TYPE_EMAIL',
    contact: 'zoe@example.org',
    organizationId,
    publicKey: client.compressed,
    expMs: 4_102_444_800_000,
  } as const;

  test('the OTP verification token is the published text', () => {
    expect(otpToken(signer, quorum, claims)).toBe(TOKEN);
  });

  test('a real client reads the OTP verification token, and refuses one that another key signed', async () => {
    const read = await walletClient.verifyOtpVerificationToken(
      otpToken(signer, quorum, { ...claims, verificationType: 'OTP_TYPE_SMS', contact: '+15555550100' }),
      quorum.uncompressed,
    );
    expect(JSON.stringify(read)).toContain('+15555550100');
    await expect(
      walletClient.verifyOtpVerificationToken(otpToken(signer, client, claims), quorum.uncompressed),
    ).rejects.toThrow();
  });
});

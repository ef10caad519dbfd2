import { parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../kit/sandbox.ts';
import { Authenticator, claims, clientKey, nonceOf, stampOf, walletKit } from '../../kit/wallet.ts';

/**
 * Whatever byte is changed on the way, the call is refused. That nothing changes by it is checked at every refused call
 * by the kit itself; that the untouched call still succeeds in the end is checked here.
 */
const RUNS = { numRuns: 30 };

/** Text with one character replaced by another of the same alphabet. */
const other = (text: string, at: number, by: number, alphabet: string): string => {
  const i = at % text.length;
  const here = alphabet.indexOf(text[i] as string);
  // A character outside the alphabet (a dot) becomes one of it.
  const next = alphabet[(Math.max(here, 0) + 1 + (by % (alphabet.length - 1))) % alphabet.length];
  return text.slice(0, i) + next + text.slice(i + 1);
};
const HEX = '0123456789abcdef';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const at = fc.nat(100_000);
const by = fc.nat(1000);

const spelled = (stamp: string) => Buffer.from(stamp, 'base64url').toString('latin1').toLowerCase();

const refusedBy = (answer: Answer, what: string, status = 401) =>
  expect(answer.status, `${what}: ${answer.text}`).toBe(status);

/** How a changed part of a ceremony is refused: 400 where it cannot be read any more, else 401. */
const statusOfPart = (name: string, text: string): number => {
  try {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.toString('base64url') !== text) throw new Error('bits that no encoder leaves');
    if (name === 'clientDataJson') JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (name === 'authenticatorData') parseAuthenticatorData(Uint8Array.from(bytes));
    return 401;
  } catch {
    return name === 'credentialId' ? 401 : 400;
  }
};

/** How a changed token is refused: 400 where it is not a token of a known issuer any more, else 401. */
const statusOf = (changed: string, issuer: string): number => {
  try {
    const [header, payload] = changed
      .split('.', 2)
      .map((part) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'))));
    return Object(header) === header && payload.iss === issuer ? 401 : 400;
  } catch {
    return 400;
  }
};

describe('a changed character', () => {
  test('a sealed one-time code with any character changed is refused, and the right one is still accepted', async () => {
    const it = await walletKit();
    const key = clientKey();
    const good = await it.sealedCode(key);
    const path = `/auth/credentials/${it.emailOtp}/verify`;
    const bundle = JSON.parse(good.encryptedOtpBundle);
    const field = fc.constantFrom('encappedPublic', 'ciphertext');
    await fc.assert(
      fc.asyncProperty(field, at, by, async (name, i, j) => {
        const changed = JSON.stringify({ ...bundle, [name]: other(bundle[name], i, j, HEX) });
        refusedBy(await it.post(path, { ...good, encryptedOtpBundle: changed }), changed);
      }),
      RUNS,
    );
    expect((await it.sign(key, 'POST', path, good)).status).toBe(200);
  });

  test('a stamp with any character changed, or with any field of it changed, is refused, and the right one is still accepted', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const body = { privateEnabled: true };
    const first = await it.patch(path, body);
    const stamp = await stampOf(key, first.body.payloadToSign);
    const retry = (value: string) =>
      it.patch(path, body, {
        headers: { 'request-id': first.body.requestId, 'service-wallet-signature': value },
      });
    await fc.assert(
      fc.asyncProperty(at, by, async (i, j) => {
        const changed = other(stamp, i, j, BASE64URL);
        // Hex may be upper case: a bit that makes a digit so changes nothing that is said.
        fc.pre(spelled(changed) !== spelled(stamp));
        refusedBy(await retry(changed), changed);
      }),
      RUNS,
    );
    const said = JSON.parse(Buffer.from(stamp, 'base64url').toString());
    const field = fc.constantFrom('publicKey', 'signature');
    await fc.assert(
      fc.asyncProperty(field, at, by, async (name, i, j) => {
        const changed = { ...said, [name]: other(said[name], i, j, HEX) };
        refusedBy(await retry(Buffer.from(JSON.stringify(changed)).toString('base64url')), JSON.stringify(changed));
      }),
      RUNS,
    );
    expect((await retry(stamp)).status).toBe(200);
  });

  test('a signature over a payload with any byte changed is refused, and the right one is still accepted', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/auth/sessions/${(await it.login()).session.id}`;
    const first = await it.del(path);
    const payload: string = first.body.payloadToSign;
    const retry = (value: string) =>
      it.del(path, { headers: { 'request-id': first.body.requestId, 'service-wallet-signature': value } });
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), async (i, mask) => {
        const bytes = Buffer.from(payload, 'latin1');
        bytes[i % bytes.length] = (bytes[i % bytes.length] as number) ^ mask;
        const answer = await retry(await stampOf(key, bytes.toString('latin1')));
        expect(answer.body.code).toBe('WALLET_SIGNATURE_INVALID');
      }),
      RUNS,
    );
    expect((await retry(await stampOf(key, payload))).status).toBe(204);
  });

  test('a passkey assertion with any character changed is refused, and the right one is still accepted', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const { id } = await it.addPasskey(key, authenticator);
    const { path, body, headers } = await it.asserted(id, authenticator, clientKey());
    const field = fc.constantFrom('credentialId', 'clientDataJson', 'authenticatorData', 'signature');
    await fc.assert(
      fc.asyncProperty(field, at, by, async (name, i, j) => {
        const assertion = { ...body.assertion, [name]: other(body.assertion[name as 'signature'], i, j, BASE64URL) };
        const status = statusOfPart(name, assertion[name as 'signature']);
        const answer = await it.post(path, { type: 'PASSKEY', assertion }, { headers });
        refusedBy(answer, `${name} ${assertion.signature}`, status);
      }),
      { numRuns: 60 },
    );
    expect((await it.post(path, body, { headers })).status).toBe(200);
  });

  test('a passkey attestation or challenge with any character changed is refused, and the right one is still accepted', async () => {
    const it = await walletKit();
    await it.login();
    const body = { type: 'PASSKEY', accountId: it.accountId, nickname: 'Phone', ...new Authenticator().create() };
    const field = fc.constantFrom('credentialId', 'clientDataJson', 'challenge');
    await fc.assert(
      fc.asyncProperty(field, at, by, async (name, i, j) => {
        const changed =
          name === 'challenge'
            ? { ...body, challenge: other(body.challenge, i, j, BASE64URL) }
            : {
                ...body,
                attestation: {
                  ...body.attestation,
                  [name]: other(body.attestation[name as 'credentialId'], i, j, BASE64URL),
                },
              };
        const answer = await it.post('/auth/credentials', changed);
        // The client data of a registration is not signed: only what is compared must hold.
        const said = Buffer.from(changed.attestation.clientDataJson, 'base64url').toString();
        if (name === 'clientDataJson' && answer.status === 202) expect(said).toContain(body.challenge);
        else refusedBy(answer, said, statusOfPart(name, changed.attestation[name as 'credentialId'] ?? ''));
      }),
      RUNS,
    );
    expect((await it.post('/auth/credentials', body)).status).toBe(202);
  });

  test('an OIDC token with any character changed is refused where signatures are verified, and the right one is still accepted', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const oidcJwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] };
    const it = await walletKit({ scenario: ['wallet', { platform: { verifyOidcSignatures: true, oidcJwks } }] });
    const { key } = await it.login();
    const mint = (more: object) =>
      new SignJWT({ ...claims(it.now()), ...more }).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
    const body = { type: 'OAUTH', accountId: it.accountId, oidcToken: await mint({}) };
    const { id } = (await it.sign(key, 'POST', '/auth/credentials', body)).body;
    const clientPublicKey = clientKey().uncompressed;
    const good = await mint({ nonce: nonceOf(clientPublicKey) });
    const path = `/auth/credentials/${id}/verify`;
    const signature = good.lastIndexOf('.') + 1;
    const verify = (oidcToken: string) => it.post(path, { type: 'OAUTH', oidcToken, clientPublicKey });
    await fc.assert(
      fc.asyncProperty(at, by, async (i, j) => {
        const changed = other(good, i, j, BASE64URL);
        refusedBy(await verify(changed), changed, statusOf(changed, String(claims(it.now())['iss'])));
      }),
      RUNS,
    );
    await fc.assert(
      fc.asyncProperty(at, by, async (i, j) => {
        const changed = good.slice(0, signature) + other(good.slice(signature), i, j, BASE64URL);
        refusedBy(await verify(changed), changed);
      }),
      RUNS,
    );
    // Four bits of the last character stand for nothing, so there are texts that say the same bytes.
    for (const last of BASE64URL) {
      const changed = good.slice(0, -1) + last;
      if (changed !== good) refusedBy(await verify(changed), changed);
    }
    expect((await verify(good)).status).toBe(200);
  });
});

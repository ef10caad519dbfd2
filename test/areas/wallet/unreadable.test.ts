import { describe, expect, test } from 'vitest';
import type { Answer } from '../../kit/sandbox.ts';
import { Authenticator, clientKey, walletKit } from '../../kit/wallet.ts';

const text = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');
const seen = ({ status, body }: Answer) => [status, body.code, body.details?.errors?.[0]?.field];

/** Base64url that stands for no JSON object. */
const NO_OBJECT = [text('nope'), text('[]'), text('"x"'), text(new Uint8Array([255])), 'A'];

describe('unreadable parts of a passkey (K4, spec 5.1 rule 5)', () => {
  test.each([
    ...NO_OBJECT.map((sent): [string, string] => ['clientDataJson', sent]),
    ['attestationObject', text('no CBOR')],
    ['attestationObject', text(new Uint8Array([0xa0]))],
    ['attestationObject', text(new Uint8Array([0x63, 0x66]))],
    ['attestationObject', 'AAAA'],
  ])('a passkey registration whose %s is "%s" is refused with 400 and names the field', async (member, sent) => {
    const it = await walletKit();
    const made = new Authenticator().create();
    const attestation = { ...made.attestation, [member]: sent };
    const body = { type: 'PASSKEY', accountId: it.accountId, nickname: 'Phone', ...made, attestation };
    expect(seen(await it.post('/auth/credentials', body))).toEqual([400, 'INVALID_INPUT', `attestation.${member}`]);
    // What is not JSON is told before what is wrong with the rest of it.
    const other = { ...body, challenge: 'another' };
    expect(seen(await it.post('/auth/credentials', other))).toEqual([400, 'INVALID_INPUT', `attestation.${member}`]);
  });

  test.each([
    ...NO_OBJECT.map((sent): [string, string] => ['clientDataJson', sent]),
    ['authenticatorData', text('short')],
    ['authenticatorData', text(new Uint8Array(36))],
    ['signature', 'not base64url!'],
    ['signature', 'A'],
    // Says that it holds a key, and ends before it.
    ['authenticatorData', text(new Uint8Array(37).fill(0x41, 32, 33))],
  ])(
    'a passkey login whose %s is "%s" is refused with 400 before the Request-Id is checked, and leaves its challenge open',
    async (member, sent) => {
      const it = await walletKit();
      const { key } = await it.login();
      const authenticator = new Authenticator();
      const { id } = await it.addPasskey(key, authenticator);
      const { path, body, headers } = await it.asserted(id, authenticator, clientKey());
      const changed = { ...body, assertion: { ...body.assertion, [member]: sent } };
      for (const more of [headers, {}, { 'request-id': 'Request:none' }])
        expect(seen(await it.post(path, changed, { headers: more }))).toEqual([
          400,
          'INVALID_INPUT',
          `assertion.${member}`,
        ]);
      // It counted for nothing: the challenge is still there.
      expect((await it.post(path, body, { headers })).status).toBe(200);
    },
  );

  test('the literal passkey signature skips the checks of every part', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const { id } = await it.addPasskey(key, authenticator);
    const { path, body, headers } = await it.asserted(id, authenticator, clientKey());
    const assertion = { ...body.assertion, clientDataJson: text('nope'), signature: 'sandbox-valid-passkey-signature' };
    expect((await it.post(path, { ...body, assertion }, { headers })).status).toBe(200);
  });
});

describe('readable parts of a passkey that are wrong (K4, spec 5.1 rule 5)', () => {
  test.each([
    ['its challenge', { challenge: 'x', type: 'webauthn.create', origin: 'https://app.example.org' }],
    ['its type', { type: 'webauthn.get' }],
    ['its origin', { origin: 'https://evil.example' }],
    ['every member, because it is empty,', undefined],
  ])('a passkey registration whose client data is wrong in %s is refused with 401', async (_, change) => {
    const it = await walletKit();
    const made = new Authenticator().create();
    const said = JSON.parse(Buffer.from(made.attestation.clientDataJson, 'base64url').toString());
    const clientDataJson = text(JSON.stringify(change === undefined ? {} : { ...said, ...change }));
    const attestation = { ...made.attestation, clientDataJson };
    const body = { type: 'PASSKEY', accountId: it.accountId, nickname: 'Phone', ...made, attestation };
    expect(seen(await it.post('/auth/credentials', body)).slice(0, 2)).toEqual([401, 'UNAUTHORIZED']);
  });
});

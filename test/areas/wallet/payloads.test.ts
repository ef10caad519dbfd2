import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Authenticator, claims, clientKey, token, type WalletKit, walletKit } from '../../kit/wallet.ts';

/** Zoe's wallet with one credential of each type. */
async function ready() {
  const it = await walletKit();
  const { key, session } = await it.login();
  const passkey = (await it.addPasskey(key, new Authenticator())).id as string;
  const oauth = (await it.addOauth(key)).id as string;
  const sms = (await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId })).body;
  const payload = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await it.call(method, path, body);
    expect(answer.status, answer.text).toBe(202);
    return answer.body.payloadToSign;
  };
  // The ids are opaque; what matters is that they are the same ones everywhere.
  const probe = JSON.parse(await payload('DELETE', `/auth/sessions/${session.id}`));
  const exported = JSON.parse(
    await payload('POST', `/internal-accounts/${it.accountId}/export`, { clientPublicKey: clientKey().uncompressed }),
  );
  const ids = {
    organization: probe.organizationId as string,
    user: probe.parameters.userId as string,
    wallet: exported.parameters.walletId as string,
  };
  return { it, session: session.id as string, passkey, oauth, sms: sms.id as string, payload, ids };
}

/** The bytes that the backend would show: written out by hand, so that key order and spacing are checked too. */
const text = (organization: string, parameters: string, type: string) =>
  `{"organizationId":"${organization}","parameters":${parameters},"timestampMs":"1767603600000","type":"${type}"}`;

type Ready = Awaited<ReturnType<typeof ready>>;
const key = clientKey();

/** Section 5 of the reference, row by row: the call, the parameters as text, the activity type. */
const ROWS: [string, (r: Ready) => [string, string, unknown?], (r: Ready) => string, string][] = [
  [
    'change the email',
    ({ it }) => ['PATCH', `/customers/${it.customerId}`, { email: 'new@example.org' }],
    ({ ids }) => `{"userEmail":"new@example.org","userId":"${ids.user}"}`,
    'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  ],
  [
    'change the phone',
    ({ it }) => ['PATCH', `/customers/${it.customerId}`, { phoneNumber: '+12065550199' }],
    ({ ids }) => `{"userId":"${ids.user}","userPhoneNumber":"+12065550199"}`,
    'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  ],
  [
    'revoke the email, with an empty address,',
    ({ it }) => ['DELETE', `/auth/credentials/${it.emailOtp}`],
    ({ ids }) => `{"userEmail":"","userId":"${ids.user}"}`,
    'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  ],
  [
    'revoke the phone, with an empty number,',
    ({ sms }) => ['DELETE', `/auth/credentials/${sms}`],
    ({ ids }) => `{"userId":"${ids.user}","userPhoneNumber":""}`,
    'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  ],
  [
    'revoke a passkey',
    ({ passkey }) => ['DELETE', `/auth/credentials/${passkey}`],
    ({ ids, passkey }) => `{"authenticatorIds":["${passkey}"],"userId":"${ids.user}"}`,
    'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  ],
  [
    'revoke an identity',
    ({ oauth }) => ['DELETE', `/auth/credentials/${oauth}`],
    ({ ids, oauth }) => `{"providerIds":["${oauth}"],"userId":"${ids.user}"}`,
    'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS',
  ],
  [
    'revoke a session',
    ({ session }) => ['DELETE', `/auth/sessions/${session}`],
    ({ ids, session }) => `{"apiKeyIds":["${session}"],"userId":"${ids.user}"}`,
    'ACTIVITY_TYPE_DELETE_API_KEYS',
  ],
  [
    'refresh a session with an uncompressed key',
    ({ session }) => ['POST', `/auth/sessions/${session}/refresh`, { clientPublicKey: key.uncompressed }],
    () => `{"targetPublicKey":"${key.uncompressed}"}`,
    'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  ],
  [
    'refresh a session with a compressed key in mixed case',
    ({ session }) => [
      'POST',
      `/auth/sessions/${session}/refresh`,
      { clientPublicKey: `0${key.compressed.slice(1).toUpperCase()}` },
    ],
    () => `{"targetPublicKey":"0${key.compressed.slice(1).toUpperCase()}"}`,
    'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  ],
  [
    'export the wallet',
    ({ it }) => ['POST', `/internal-accounts/${it.accountId}/export`, { clientPublicKey: key.uncompressed }],
    ({ ids }) => `{"targetPublicKey":"${key.uncompressed}","walletId":"${ids.wallet}"}`,
    'ACTIVITY_TYPE_EXPORT_WALLET',
  ],
  [
    'change the privacy, with a hash of the change,',
    ({ it }) => ['PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true }],
    ({ ids }) =>
      `{"encoding":"PAYLOAD_ENCODING_HEXADECIMAL","hashFunction":"HASH_FUNCTION_NO_OP","payload":"${createHash('sha256')
        .update('{"privateEnabled":true}')
        .digest('hex')}","signWith":"sp1${ids.wallet.replaceAll('-', '')}"}`,
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  ],
];

test.each(ROWS)(
  'a first call to %s shows payloadToSign as documented, byte for byte (reference 5)',
  async (_name, call, parameters, type) => {
    const r = await ready();
    const [method, path, body] = call(r);
    expect(await r.payload(method, path, body)).toBe(text(r.ids.organization, parameters(r), type));
  },
);

test('payloadToSign of a quote from a wallet is the only one with unsorted members (S20, reference 5)', async () => {
  const { it, ids } = await ready();
  const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: it.accountId },
    destination: { destinationType: 'ACCOUNT', accountId: usd.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  });
  const { payloadToSign } = quote.paymentInstructions[0].accountOrWalletInfo;
  const { unsignedTransaction } = JSON.parse(payloadToSign).parameters;
  expect(unsignedTransaction).toMatch(/^[0-9a-f]{64}$/);
  expect(payloadToSign).toBe(
    `{"type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2","timestampMs":"1767603600000","organizationId":"${ids.organization}","parameters":{"signWith":"sp1${ids.wallet.replaceAll('-', '')}","unsignedTransaction":"${unsignedTransaction}","type":"TRANSACTION_TYPE_SPARK"},"generateAppProofs":true}`,
  );
});

const add = async (it: WalletKit, body: object): Promise<string> =>
  (await it.post('/auth/credentials', { accountId: it.accountId, ...body })).body.payloadToSign;

test.each([
  ['https://accounts.google.com', 'Google'],
  ['accounts.google.com', 'Google'],
  ['https://appleid.apple.com', 'Apple'],
])(
  'payloadToSign for a new identity of %s holds the token as sent and the name of its provider',
  async (iss, providerName) => {
    const { it, ids } = await ready();
    const oidcToken = token(claims(it.now(), { iss, sub: 'another' }));
    expect(await add(it, { type: 'OAUTH', oidcToken })).toBe(
      text(
        ids.organization,
        `{"oauthProviders":[{"oidcToken":"${oidcToken}","providerName":"${providerName}"}],"userId":"${ids.user}"}`,
        'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS',
      ),
    );
  },
);

test('payloadToSign for a new passkey holds the attestation as sent, with quotes and non-ASCII letters as plain JSON', async () => {
  const { it, ids } = await ready();
  const { challenge, attestation } = new Authenticator().create();
  for (const transports of [['internal', 'hybrid'], undefined])
    expect(
      await add(it, {
        type: 'PASSKEY',
        nickname: " Zoë's ключ ",
        challenge,
        attestation: { ...attestation, transports },
      }),
    ).toBe(
      text(
        ids.organization,
        `{"authenticators":[{"attestation":{"attestationObject":"${attestation.attestationObject}","clientDataJson":"${attestation.clientDataJson}","credentialId":"${attestation.credentialId}"},"authenticatorName":"Zoë's ключ","challenge":"${challenge}","transports":${transports ? '["internal","hybrid"]' : '[]'}}],"userId":"${ids.user}"}`,
        'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
      ),
    );
});

test('payloadToSign for a new phone, or for an email again, holds the contact of the customer', async () => {
  const it = await walletKit();
  const { key: session } = await it.login();
  const sms = JSON.parse(await add(it, { type: 'SMS_OTP' }));
  const { organizationId, parameters } = sms;
  expect(await add(it, { type: 'SMS_OTP' })).toBe(
    text(
      organizationId,
      `{"userId":"${parameters.userId}","userPhoneNumber":"+12065550147"}`,
      'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    ),
  );
  const oauth = await it.addOauth(session);
  const { key: other } = await it.oauthLogin(oauth.id);
  await it.sign(other, 'DELETE', `/auth/credentials/${it.emailOtp}`);
  expect(await add(it, { type: 'EMAIL_OTP' })).toBe(
    text(
      organizationId,
      `{"userEmail":"zoe@example.com","userId":"${parameters.userId}"}`,
      'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    ),
  );
});

test('payloadToSign names an organization, user and wallet that stay the same for a wallet and differ for another', async () => {
  const it = await walletKit();
  const path = (accountId: string) => `/internal-accounts/${accountId}/export`;
  const payload = async (accountId: string) =>
    JSON.parse((await it.post(path(accountId), { clientPublicKey: key.uncompressed })).body.payloadToSign);
  const one = await payload(it.accountId);
  await it.advance('P1D');
  const later = await payload(it.accountId);
  expect(later).toEqual({ ...one, timestampMs: String(it.now()) });
  const { body } = await it.post('/customers', { customerType: 'INDIVIDUAL' });
  const page = await it.get('/customers/internal-accounts', { customerId: body.id, type: 'EMBEDDED_WALLET' });
  const other = await payload(page.body.data[0].id);
  expect(other.organizationId).not.toBe(one.organizationId);
  expect(other.parameters.walletId).not.toBe(one.parameters.walletId);
});

import { expect, test } from 'vitest';
import { Authenticator, claims, clientKey, nonceOf, proof, refused, token, walletKit } from '../../kit/wallet.ts';

async function quoted() {
  const it = await walletKit();
  const { key } = await it.login();
  const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: it.accountId },
    destination: { destinationType: 'ACCOUNT', accountId: usd.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  });
  return { it, key, path: `/quotes/${quote.id}/execute` };
}

const NOTHING = [undefined, {}] as const;

test.each(NOTHING.flatMap((first) => NOTHING.map((second) => ({ first, second }))))(
  'a quote whose first execution has the body $first is executed by a signed retry with the body $second (S22)',
  async ({ first, second }) => {
    const { it, key, path } = await quoted();
    const challenge = await it.post(path, first);
    expect(challenge.status).toBe(202);
    expect((await it.post(path, second, { headers: await proof(key, challenge) })).status).toBe(200);
  },
);

test.each(NOTHING.flatMap((first) => NOTHING.map((second) => ({ first, second }))))(
  'a session whose first revocation has the body $first is revoked by a signed retry with the body $second (S22)',
  async ({ first, second }) => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const path = `/auth/sessions/${session.id}`;
    const challenge = await it.call('DELETE', path, first);
    expect((await it.call('DELETE', path, second, { headers: await proof(key, challenge) })).status).toBe(204);
  },
);

test('a login by token ignores the headers that a login by code left over (S22, reference 3.5)', async () => {
  const it = await walletKit();
  const { key } = await it.login();
  const oauth = await it.addOauth(key);
  const client = clientKey();
  const left = await it.post(`/auth/credentials/${it.emailOtp}/verify`, await it.sealedCode(client));
  const headers = await proof(client, left);
  for (const some of [headers, { 'request-id': headers['request-id'] as string }]) {
    const other = clientKey();
    const oidcToken = token(claims(it.now(), { nonce: nonceOf(other.uncompressed) }));
    const body = { type: 'OAUTH', oidcToken, clientPublicKey: other.uncompressed };
    const answer = await it.post(`/auth/credentials/${oauth.id}/verify`, body, { headers: some });
    expect(answer.status, answer.text).toBe(200);
  }
});

test('an update that needs no signature ignores the headers of a pending one, which then succeeds once (S22)', async () => {
  const it = await walletKit();
  const { key } = await it.login();
  const path = `/customers/${it.customerId}`;
  const email = { email: 'new@example.org' };
  const headers = await proof(key, await it.patch(path, email));
  expect((await it.patch(path, { nationality: 'SE' }, { headers })).status).toBe(200);
  expect((await it.patch(path, email, { headers })).status).toBe(200);
  expect(refused(await it.patch(path, email, { headers }))[2]).toBe('Request-Id was used before');
});

test('a code is sent whether clientPublicKey is null or missing; a passkey challenge with null is refused with 400 (S22)', async () => {
  const it = await walletKit();
  const path = `/auth/credentials/${it.emailOtp}/challenge`;
  for (const body of [{ clientPublicKey: null }, {}, undefined]) expect((await it.post(path, body)).status).toBe(200);
  const { key } = await it.login();
  const passkey = await it.addPasskey(key, new Authenticator());
  const answer = await it.post(`/auth/credentials/${passkey.id}/challenge`, { clientPublicKey: null });
  expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
});

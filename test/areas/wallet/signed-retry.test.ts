import { describe, expect, test } from 'vitest';
import { clientKey, proof, stampOf, walletKit } from '../../kit/wallet.ts';

const refused = (answer: { status: number; body: { code: string; reason?: string } }) => [
  answer.status,
  answer.body.code,
  answer.body.reason,
];

/** Every operation that is signed for, on Zoe's wallet, and how its retry is answered: the same rules hold for all. */
const OPERATIONS: [
  string,
  number,
  (it: Awaited<ReturnType<typeof walletKit>>, session: string) => [string, string, unknown?],
][] = [
  ['add a credential', 201, (it) => ['POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId }]],
  [
    'refresh a session',
    201,
    (_it, session) => ['POST', `/auth/sessions/${session}/refresh`, { clientPublicKey: clientKey().compressed }],
  ],
  ['revoke a session', 204, (_it, session) => ['DELETE', `/auth/sessions/${session}`]],
  [
    'export the wallet',
    200,
    (it) => ['POST', `/internal-accounts/${it.accountId}/export`, { clientPublicKey: clientKey().uncompressed }],
  ],
  ['change the privacy', 200, (it) => ['PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true }]],
  ['change the email', 200, (it) => ['PATCH', `/customers/${it.customerId}`, { email: 'new@example.com' }]],
];

describe.each(OPERATIONS)('signed retry: %s (spec 5 rules 3-5)', (_name, done, callOf) => {
  async function ready() {
    const it = await walletKit();
    const { key, session } = await it.login();
    const [method, path, body] = callOf(it, session.id);
    const before = it.sandbox.world.snapshot().tables;
    const first = await it.call(method, path, body);
    expect(first.status).toBe(202);
    const retry = (headers: Record<string, string>, sent: unknown = body) => it.call(method, path, sent, { headers });
    return { it, key, session, before, first, retry, method, path, body };
  }

  test('the first call of a signed operation is answered with 202, payload, request id and expiry, and changes nothing but its challenge', async () => {
    const { it, before, first } = await ready();
    expect(first.body.requestId).toMatch(/^Request:/);
    expect(first.body.expiresAt).toBe('2026-01-05T09:05:00.000Z');
    expect(JSON.parse(first.body.payloadToSign)).toMatchObject({
      organizationId: expect.any(String),
      timestampMs: '1767603600000',
    });
    const others = (tables: typeof before) => tables.filter(({ name }) => name !== 'challenges');
    expect(others(it.sandbox.world.snapshot().tables)).toEqual(others(before));
  });

  test('a signed retry succeeds once, and a second with the same request id is refused with 401', async () => {
    const { key, first, retry } = await ready();
    const headers = await proof(key, first);
    expect((await retry(headers)).status).toBe(done);
    expect(refused(await retry(headers))).toEqual([401, 'UNAUTHORIZED', 'Request-Id was used before']);
  });

  test('of two equal signed retries that are sent together, exactly one succeeds', async () => {
    const { it, key, first, method, path, body } = await ready();
    const headers = await proof(key, first);
    const send = () => it.overlapping(method, path, body, { headers });
    const statuses = (await Promise.all([send(), send()])).map((response) => response.status).sort();
    expect(statuses[0]).toBe(done);
    expect(statuses[1]).toBe(401);
  });

  test('a signed retry with only one of the two headers is refused with 401, which names the missing one', async () => {
    const { key, first, retry } = await ready();
    const { 'request-id': id, 'service-wallet-signature': signature } = await proof(key, first);
    expect(refused(await retry({ 'request-id': id as string }))).toEqual([
      401,
      'WALLET_SIGNATURE_MISSING',
      'Service-Wallet-Signature is missing',
    ]);
    const alone = await retry({ 'service-wallet-signature': signature as string });
    expect(refused(alone)).toEqual([401, 'REQUEST_ID_MISSING', 'Request-Id is missing']);
  });

  test('a signed retry with a malformed stamp is refused with 401 WALLET_SIGNATURE_MALFORMED', async () => {
    const { key, first, retry } = await ready();
    const stamp = JSON.parse(Buffer.from(await stampOf(key, first.body.payloadToSign), 'base64url').toString());
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const bad of [
      'not base64url!',
      Buffer.from('no json').toString('base64url'),
      encode({ ...stamp, scheme: 'SIGNATURE_SCHEME_OTHER' }),
      encode({ ...stamp, publicKey: `02${'ff'.repeat(32)}` }),
      encode({ ...stamp, signature: 'zz' }),
      encode({ publicKey: stamp.publicKey, scheme: stamp.scheme }),
    ]) {
      const answer = await retry({ 'request-id': first.body.requestId, 'service-wallet-signature': bad });
      expect([answer.status, answer.body.code]).toEqual([401, 'WALLET_SIGNATURE_MALFORMED']);
      expect(answer.body.reason).toBeTruthy();
    }
  });

  test('a signature over another text than the exact payload is refused with 401 and leaves the request id usable', async () => {
    const { key, first, retry } = await ready();
    const wrong = await stampOf(key, `${first.body.payloadToSign}\n`);
    expect(refused(await retry({ 'request-id': first.body.requestId, 'service-wallet-signature': wrong }))).toEqual([
      401,
      'WALLET_SIGNATURE_INVALID',
      'the signature does not verify over payloadToSign',
    ]);
    expect((await retry(await proof(key, first))).status).toBe(done);
  });

  test('a signed retry by a key without a session of the wallet is refused with 401', async () => {
    const { first, retry } = await ready();
    expect(refused(await retry(await proof(clientKey(), first)))).toEqual([
      401,
      'WALLET_SIGNATURE_INVALID',
      'the key is not that of a session of this wallet',
    ]);
  });

  test('a signed retry by a session of another wallet is refused with WALLET_SIGNATURE_INVALID', async () => {
    const { it, first, retry } = await ready();
    const other = await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'other@example.com' });
    const account = (
      await it.get('/customers/internal-accounts', { customerId: other.body.id, type: 'EMBEDDED_WALLET' })
    ).body.data[0];
    const [credential] = (await it.get('/auth/credentials', { accountId: account.id })).body.data;
    const { key } = await it.login(clientKey(), credential.id);
    expect(refused(await retry(await proof(key, first)))[1]).toBe('WALLET_SIGNATURE_INVALID');
  });

  test('a signed retry after the five minutes of its request id is refused with 401 (spec 8)', async () => {
    const { it, key, first, retry } = await ready();
    await it.control('POST', '/clock', { advance: 'PT4M59S' });
    const headers = await proof(key, first);
    await it.control('POST', '/clock', { advance: 'PT1S' });
    expect(refused(await retry(headers))).toEqual([401, 'UNAUTHORIZED', 'Request-Id has expired']);
  });

  test('a signed retry with an unknown request id is refused with 401', async () => {
    const { key, first, retry } = await ready();
    const headers = { ...(await proof(key, first)), 'request-id': 'Request:00000000-0000-7000-8000-000000000000' };
    const answer = await retry(headers);
    // An update that would need no signature ignores a proof of nothing; none of these calls is one.
    expect(refused(answer)).toEqual([401, 'UNAUTHORIZED', 'Request-Id is unknown']);
  });

  test('a signed retry with the request id of another operation is refused with 401', async () => {
    const { it, key, retry, path } = await ready();
    const other = await it.post('/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
    const exportPath = `/internal-accounts/${it.accountId}/export`;
    const elsewhere = await it.call('POST', exportPath, { clientPublicKey: clientKey().uncompressed });
    const foreign = [
      ['/auth/credentials', other],
      [exportPath, elsewhere],
    ] as const;
    for (const [, challenge] of foreign.filter(([itsPath]) => itsPath !== path))
      expect(refused(await retry(await proof(key, challenge)))).toEqual([
        401,
        'UNAUTHORIZED',
        'Request-Id belongs to another request',
      ]);
  });

  test('a signed retry by an expired session is refused with 401, and another session may still sign', async () => {
    const { it, method, path, body, key } = await ready();
    await it.control('POST', '/clock', { advance: 'PT14M' });
    const { key: fresh, session } = await it.login();
    await it.control('POST', '/clock', { advance: 'PT2M' });
    const again = path.includes('/auth/sessions/') ? path.replace(/Session:[0-9a-f-]+/, session.id) : path;
    const first = await it.call(method, again, body);
    expect(first.status).toBe(202);
    const answer = await it.call(method, again, body, { headers: await proof(key, first) });
    expect(refused(answer)).toEqual([401, 'WALLET_SIGNATURE_INVALID', 'the session of this key has expired']);
    expect((await it.call(method, again, body, { headers: await proof(fresh, first) })).status).toBe(done);
  });

  test('the literal sandbox signature is accepted once, with a request id that is still checked (spec 5.1 rule 4)', async () => {
    const { it, first, retry } = await ready();
    const headers = { 'service-wallet-signature': 'sandbox-valid-signature', 'request-id': first.body.requestId };
    expect((await retry(headers)).status).toBe(done);
    expect((await retry(headers)).body.reason).toBe('Request-Id was used before');
    const [, entry] = (await it.control('GET', '/requests')).body.data;
    expect(entry.magic[0]).toContain('sandbox-valid-signature');
  });
});

describe('signed retry: the body (spec 7, WALLET_SIGNATURE_BODY_MISMATCH)', () => {
  test('a signed retry with another body than the first call is refused with 401 and does not use up the request id', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const first = await it.patch(path, { privateEnabled: true });
    const headers = await proof(key, first);
    expect(refused(await it.patch(path, { privateEnabled: false }, { headers }))).toEqual([
      401,
      'WALLET_SIGNATURE_BODY_MISMATCH',
      'the body differs from that of the first call',
    ]);
    expect((await it.patch(path, { privateEnabled: true }, { headers })).body.privateEnabled).toBe(true);
  });

  test('a signed retry may differ from the first call in spacing and key order', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const first = await it.post('/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
    const raw = `{ "accountId": ${JSON.stringify(it.accountId)},\n "type": "SMS_OTP" }`;
    const headers = { ...(await proof(key, first)), 'content-type': 'application/json' };
    expect((await it.post('/auth/credentials', undefined, { raw, headers })).status).toBe(201);
  });
});

import { createPublicKey, ECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../kit/sandbox.ts';
import { proof, refused, stampOf } from '../../kit/wallet.ts';
import { keyKit } from './material.ts';

describe('POST /auth/delegated-keys, three legs', () => {
  test('the first call for a delegated key is 202 with a payload that makes a signer with a new public key, and lists no key (reference 5)', async () => {
    const { leg, keys, card } = await keyKit();
    const { status, body } = await leg();
    expect([status, Object.keys(body).sort()]).toEqual([202, ['expiresAt', 'payloadToSign', 'requestId']]);
    expect(body.expiresAt).toBe('2026-01-05T09:05:00.000Z');
    const { type, timestampMs, organizationId, parameters } = JSON.parse(body.payloadToSign);
    expect([type, timestampMs, organizationId]).toEqual([
      'ACTIVITY_TYPE_CREATE_USERS_V3',
      '1767603600000',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(parameters.users).toEqual([
      {
        apiKeys: [
          {
            apiKeyName: expect.stringMatching(/^CardFundingSource:/),
            curveType: 'API_KEY_CURVE_P256',
            publicKey: expect.stringMatching(/^0[23][0-9a-f]{64}$/),
          },
        ],
        authenticators: [],
        oauthProviders: [],
        userName: card.id,
        userTags: [],
      },
    ]);
    expect(await keys()).toEqual([]);
  });

  test('the second call for a delegated key is 202 with a payload that names the key, which is PENDING now (reference 5)', async () => {
    const { leg, keys } = await keyKit();
    const first = await leg();
    const { status, body } = await leg(first);
    expect(status).toBe(202);
    expect(body.requestId).not.toBe(first.body.requestId);
    const [pending, ...others] = await keys();
    expect([pending.status, others]).toEqual(['PENDING', []]);
    const { type, parameters } = JSON.parse(body.payloadToSign);
    expect(type).toBe('ACTIVITY_TYPE_CREATE_POLICIES');
    expect(parameters.policies).toEqual(
      ['signs', 'ends'].map((name) => ({
        condition: expect.stringContaining('activity.type'),
        consensus: expect.stringMatching(/^approvers\.any\(user, user\.id == '[0-9a-f-]{36}'\)$/),
        effect: 'EFFECT_ALLOW',
        notes: pending.id,
        policyName: `${pending.id} ${name}`,
      })),
    );
  });

  test('the third call for a delegated key is 201 with the key that was signed for, ACTIVE (reference 5)', async () => {
    const { leg, card, accountId, get, advance } = await keyKit();
    const first = await leg();
    await advance('PT1M');
    const second = await leg(first);
    await advance('PT1M');
    const { status, body } = await leg(second);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^DelegatedKey:/),
      cardId: card.id,
      fundingSourceId: JSON.parse(first.body.payloadToSign).parameters.users[0].apiKeys[0].apiKeyName,
      accountId,
      publicKey: JSON.parse(first.body.payloadToSign).parameters.users[0].apiKeys[0].publicKey,
      nickname: 'Card payments',
      status: 'ACTIVE',
      createdAt: '2026-01-05T09:01:00.000Z',
      updatedAt: '2026-01-05T09:02:00.000Z',
    });
    expect((await get(`/auth/delegated-keys/${body.id}`)).body).toEqual(body);
  });

  test('the public key of a delegated key is a point of P-256 by node:crypto, and another one each time', async () => {
    const it = await keyKit();
    const made = [(await it.delegate()).body.publicKey, (await it.delegate((await it.issue()).id)).body.publicKey];
    for (const publicKey of made) {
      const point = ECDH.convertKey(publicKey, 'prime256v1', 'hex', 'base64url', 'uncompressed') as string;
      const bytes = Buffer.from(point, 'base64url');
      const coordinate = (from: number) => bytes.subarray(from, from + 32).toString('base64url');
      const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
      expect(createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    }
    expect(made[0]).not.toBe(made[1]);
  });

  test('a delegated key is the same for the same seed, and another one for another seed', async () => {
    const keyOf = async (seed: number) => (await (await keyKit({ seed })).delegate()).body.publicKey;
    const [one, again, other] = [await keyOf(1), await keyOf(1), await keyOf(2)];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('a delegated key in profile grid is signed in the header of that profile (reference 0.1)', async () => {
    const { delegate } = await keyKit({ profile: 'grid' });
    expect((await delegate()).status).toBe(201);
  });

  test('an abandoned flow leaves its delegated key PENDING, which blocks no other (reference 5)', async () => {
    const { leg, delegate, keys, spend } = await keyKit();
    await leg(await leg());
    expect(await spend(100)).toBe(false);
    expect((await delegate()).status).toBe(201);
    expect((await keys()).map(({ status }) => status)).toEqual(['ACTIVE', 'PENDING']);
  });

  test('a second challenge of a delegated key that is signed too late is refused with 401, and the key stays PENDING', async () => {
    const { leg, advance, keys } = await keyKit();
    const second = await leg(await leg());
    await advance('PT5M');
    expect(refused(await leg(second))).toEqual([401, 'UNAUTHORIZED', 'Request-Id has expired']);
    expect((await keys()).map(({ status }) => status)).toEqual(['PENDING']);
  });

  test('each challenge of a delegated key counts once, and the first cannot be signed where the second is due', async () => {
    const { leg, keys } = await keyKit();
    const first = await leg();
    const second = await leg(first);
    expect(refused(await leg(first))).toEqual([401, 'UNAUTHORIZED', 'Request-Id was used before']);
    expect((await leg(second)).status).toBe(201);
    expect(await keys()).toHaveLength(1);
  });

  test('another session of the wallet cannot sign the second challenge of a delegated key (wallet-auth 4)', async () => {
    const { leg, login } = await keyKit();
    const other = (await login()).key;
    const second = await leg(await leg());
    expect(refused(await leg(second, other))).toEqual([
      401,
      'WALLET_SIGNATURE_INVALID',
      'another key signed for the first challenge',
    ]);
    expect((await leg(second)).status).toBe(201);
  });

  test('a session that was revoked in between cannot sign the second challenge of a delegated key', async () => {
    const { leg, sign, key, session } = await keyKit();
    const second = await leg(await leg());
    expect((await sign(key, 'DELETE', `/auth/sessions/${session.id}`)).status).toBe(204);
    expect(refused(await leg(second))).toEqual([
      401,
      'WALLET_SIGNATURE_INVALID',
      'the session of this key was revoked',
    ]);
  });

  test('the sandbox literal signs both challenges of a delegated key', async () => {
    const { leg, post, sent } = await keyKit();
    const literal = (challenge: { body: { requestId: string } }) => ({
      headers: { 'service-wallet-signature': 'sandbox-valid-signature', 'request-id': challenge.body.requestId },
    });
    const second = await post('/auth/delegated-keys', sent, literal(await leg()));
    expect((await post('/auth/delegated-keys', sent, literal(second))).body.status).toBe('ACTIVE');
  });

  test('another body on either retry for a delegated key is refused with 401 (reference 5)', async () => {
    const { leg, key } = await keyKit();
    const first = await leg();
    const differs = [401, 'WALLET_SIGNATURE_BODY_MISMATCH', 'the body differs from that of the first call'];
    expect(refused(await leg(first, key, { nickname: 'Other' }))).toEqual(differs);
    const second = await leg(first);
    expect(refused(await leg(second, key, { nickname: 'Other' }))).toEqual(differs);
  });

  test('a retry for a delegated key is refused with 401 for a missing header, a malformed stamp or a signature over something else', async () => {
    const { leg, post, sent, key } = await keyKit();
    const first = await leg();
    const { 'service-wallet-signature': signature, 'request-id': requestId } = await proof(key, first);
    const retry = async (headers: Record<string, string>) =>
      refused(await post('/auth/delegated-keys', sent, { headers })).slice(0, 2);
    expect(await retry({ 'request-id': requestId as string })).toEqual([401, 'WALLET_SIGNATURE_MISSING']);
    expect(await retry({ 'service-wallet-signature': signature as string })).toEqual([401, 'REQUEST_ID_MISSING']);
    const both = (text: string) => ({ 'service-wallet-signature': text, 'request-id': requestId as string });
    expect(await retry(both('none'))).toEqual([401, 'WALLET_SIGNATURE_MALFORMED']);
    expect(await retry(both(await stampOf(key, 'else')))).toEqual([401, 'WALLET_SIGNATURE_INVALID']);
  });

  test('a delegated key is refused with 409 on each leg where its funding source has an ACTIVE key (reference 5)', async () => {
    const { leg, delegate } = await keyKit();
    const [first, other] = [await leg(), await leg()];
    const second = await leg(other);
    const { id } = (await delegate()).body;
    for (const refusedLeg of [await leg(), await leg(first), await leg(second)]) {
      expect(refusal(refusedLeg)).toMatchObject({ status: 409, code: 'CONFLICT' });
      expect(refusedLeg.body.details.delegatedKeyId).toBe(id);
    }
  });

  test('two cards of one wallet each have a delegated key of their own', async () => {
    const { delegate, issue, keys } = await keyKit();
    await delegate();
    expect((await delegate((await issue()).id)).status).toBe(201);
    expect((await keys()).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test("a delegated key is refused with 404 for an unknown card or account, and for a source that is no wallet or not the card's (reference 5)", async () => {
    const { leg, key, get, customerId, card, patch, issue, accountId } = await keyKit();
    const gone = { status: 404, code: 'REFERENCE_NOT_FOUND' };
    const { data } = (await get('/customers/internal-accounts', { customerId, currency: 'USD' })).body;
    const usd = data[0].id;
    const dollars = await issue([usd]);
    for (const more of [
      { cardId: 'Card:none' },
      { internalAccountId: 'InternalAccount:none' },
      { internalAccountId: usd },
      { cardId: dollars.id },
      { cardId: dollars.id, internalAccountId: usd },
    ])
      expect(refusal(await leg(undefined, key, more)), JSON.stringify(more)).toMatchObject(gone);
    expect((await patch(`/cards/${card.id}`, { fundingSources: [accountId] })).status).toBe(200);
    expect((await leg()).status).toBe(202);
  });

  test('a delegated key is refused with 404 once its card is CLOSED, between two legs as well (reference 3.4)', async () => {
    const { leg, patch, card } = await keyKit();
    const second = await leg(await leg());
    expect((await patch(`/cards/${card.id}`, { state: 'CLOSED' })).status).toBe(200);
    for (const late of [await leg(second), await leg()])
      expect([refusal(late), late.body.message]).toEqual([
        expect.objectContaining({ status: 404, code: 'REFERENCE_NOT_FOUND' }),
        expect.stringContaining('is CLOSED'),
      ]);
  });

  test.each(['cardId', 'internalAccountId', 'nickname'])(
    'a delegated key without %s is refused with 400 (reference 5)',
    async (member) => {
      const { post, sent } = await keyKit();
      expect(refusal(await post('/auth/delegated-keys', { ...sent, [member]: undefined }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: [member],
      });
    },
  );

  test.each(['', 'x'.repeat(257)])(
    'a delegated key with the nickname %j is refused with 400 (reference 5)',
    async (nickname) => {
      const { leg, key } = await keyKit();
      expect(refusal(await leg(undefined, key, { nickname }))).toMatchObject({ status: 400, fields: ['nickname'] });
    },
  );

  test('a delegated key emits no event when it is made or revoked (reference 15)', async () => {
    const { delegate, del, events } = await keyKit();
    const before = events().length;
    const { id } = (await delegate()).body;
    await del(`/auth/delegated-keys/${id}`);
    expect(events()).toHaveLength(before);
  });
});

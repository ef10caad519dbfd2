import { describe, expect, test } from 'vitest';
import { ACCOUNTS, type InternalAccount } from '../../../src/areas/accounts/index.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { walletKit } from '../../kit/wallet.ts';
import { keyKit } from './material.ts';

describe('a card that an embedded wallet pays for', () => {
  test("a wallet's card is declined before its key is ACTIVE, approved while it is, and declined once it is REVOKED (reference 5)", async () => {
    const { leg, spend, del } = await keyKit();
    const seen = [await spend(1000)];
    const first = await leg();
    seen.push(await spend(1000));
    const second = await leg(first);
    seen.push(await spend(1000));
    const { id } = (await leg(second)).body;
    seen.push(await spend(1000));
    expect((await del(`/auth/delegated-keys/${id}`)).status).toBe(204);
    seen.push(await spend(1000));
    expect(seen).toEqual([false, false, false, true, false]);
  });

  test("a wallet's card spends by its own key only, not by that of another card of the wallet", async () => {
    const { delegate, issue, spend } = await keyKit();
    const other = await issue();
    await delegate(other.id);
    expect([await spend(1000), await spend(1000, other.id)]).toEqual([false, true]);
  });

  test("a wallet's card spends without any session of the owner", async () => {
    const { delegate, sign, key, session, spend, keys } = await keyKit();
    await delegate();
    expect((await sign(key, 'DELETE', `/auth/sessions/${session.id}`)).status).toBe(204);
    expect(await spend(1000)).toBe(true);
    expect((await keys())[0].status).toBe('ACTIVE');
  });

  test("a wallet's card gets a new key after the old one was revoked (reference 5)", async () => {
    const { delegate, del, spend, keys } = await keyKit();
    await del(`/auth/delegated-keys/${(await delegate()).body.id}`);
    expect((await delegate()).status).toBe(201);
    expect(await spend(1000)).toBe(true);
    expect((await keys()).map(({ status }) => status)).toEqual(['ACTIVE', 'REVOKED']);
  });
});

describe('DELETE /auth/delegated-keys/{id}', () => {
  test('a delegated key is revoked with 204 without a signature; a REVOKED or a PENDING one is refused with 400 (reference 5)', async () => {
    const { leg, delegate, del, get, keys } = await keyKit();
    await leg(await leg());
    const [pending] = await keys();
    const { id } = (await delegate()).body;
    expect((await del(`/auth/delegated-keys/${id}`)).status).toBe(204);
    expect((await get(`/auth/delegated-keys/${id}`)).body.status).toBe('REVOKED');
    for (const one of [id, pending.id])
      expect(refusal(await del(`/auth/delegated-keys/${one}`))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('the deletion and the read of an unknown delegated key are refused with 404 (reference 2.4)', async () => {
    const { del, get } = await kit();
    const gone = { status: 404, code: 'REFERENCE_NOT_FOUND' };
    expect(refusal(await del('/auth/delegated-keys/none'))).toMatchObject(gone);
    expect(refusal(await get('/auth/delegated-keys/none'))).toMatchObject(gone);
  });
});

describe('GET /auth/delegated-keys', () => {
  test('delegated keys are listed by account, by funding source and by both, in every status, newest first (reference 5)', async () => {
    const { delegate, issue, get, del, leg, accountId } = await keyKit();
    await leg(await leg());
    const one = (await delegate()).body;
    await del(`/auth/delegated-keys/${one.id}`);
    const other = (await delegate((await issue()).id)).body;
    const list = async (query: Record<string, string>) => {
      const { status, body } = await get('/auth/delegated-keys', query);
      expect([status, Object.keys(body)]).toEqual([200, ['data']]);
      return body.data.map((key: { status: string }) => key.status);
    };
    const { fundingSourceId } = one;
    expect(await list({ accountId })).toEqual(['ACTIVE', 'REVOKED', 'PENDING']);
    expect(await list({ fundingSourceId })).toEqual(['REVOKED', 'PENDING']);
    expect(await list({ accountId, fundingSourceId: other.fundingSourceId })).toEqual(['ACTIVE']);
    expect(await list({ accountId: 'InternalAccount:none', fundingSourceId })).toEqual([]);
    expect(await list({ accountId: 'InternalAccount:none' })).toEqual([]);
  });

  test('a list of delegated keys without an account or a funding source is refused with 400 (reference 5)', async () => {
    const { get } = await kit();
    expect(refusal(await get('/auth/delegated-keys'))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

describe('delegated keys when something else changes', () => {
  test('the deletion of a customer revokes an ACTIVE delegated key and leaves a PENDING one (reference 5)', async () => {
    const { delegate, issue, leg, key, del, customerId, keys } = await keyKit();
    await delegate();
    const { id: cardId } = await issue();
    await leg(await leg(undefined, key, { cardId }), key, { cardId });
    expect((await del(`/customers/${customerId}`)).status).toBe(200);
    expect((await keys()).map(({ status }) => status)).toEqual(['PENDING', 'REVOKED']);
  });

  test('a delegated key stays in use when its card is given the same wallet again; an account in another currency is refused (reference 5)', async () => {
    const { delegate, get, patch, card, customerId, accountId, spend, keys, issue } = await keyKit();
    const { data } = (await get('/customers/internal-accounts', { customerId })).body;
    const usd = data.find((one: { type: string }) => one.type === 'INTERNAL_FIAT').id;
    const { id } = (await delegate()).body;
    // A card is in one currency, so nothing but the wallet can pay for this one.
    expect((await patch(`/cards/${card.id}`, { fundingSources: [usd] })).status).toBe(400);
    expect((await patch(`/cards/${card.id}`, { fundingSources: [accountId] })).status).toBe(200);
    expect([await spend(1000), (await keys())[0].id]).toEqual([true, id]);
    expect((await issue([usd])).currency).toBe('USD');
  });

  test('a delegated key stays ACTIVE while another account pays for its card, and signs again once the wallet pays again (reference 5)', async () => {
    const { delegate, patch, card, accountId, spend, keys, sandbox } = await keyKit();
    await delegate();
    const rows = sandbox.world.rows(ACCOUNTS);
    const other = {
      ...(rows.get(accountId) as InternalAccount),
      id: 'InternalAccount:00000000-0000-7000-8000-000000000001',
    };
    rows.insert(other);
    await patch(`/cards/${card.id}`, { fundingSources: [other.id] });
    expect([await spend(1000), (await keys())[0].status]).toEqual([false, 'ACTIVE']);
    await patch(`/cards/${card.id}`, { fundingSources: [accountId] });
    expect([await spend(1000), (await keys())[0].status]).toEqual([true, 'ACTIVE']);
  });

  test('a closed card is declined, and its delegated key stays ACTIVE until it is revoked', async () => {
    const { delegate, patch, card, spend, keys, del } = await keyKit();
    const { id } = (await delegate()).body;
    await patch(`/cards/${card.id}`, { state: 'CLOSED' });
    expect([await spend(1000), (await keys())[0].status]).toEqual([false, 'ACTIVE']);
    expect((await del(`/auth/delegated-keys/${id}`)).status).toBe(204);
  });

  test('a state that is restored keeps a delegated key in use, and no state holds a private key', async () => {
    const { delegate, control, spend, keys } = await keyKit();
    await delegate();
    const { body: state } = await control('GET', '/state');
    const table = state.tables.find(({ name }: { name: string }) => name === 'delegated-keys');
    expect(Object.keys(table.rows[0]).sort()).toEqual(
      [
        'accountId',
        'cardId',
        'createdAt',
        'fundingSourceId',
        'id',
        'nickname',
        'publicKey',
        'status',
        'updatedAt',
      ].sort(),
    );
    expect((await control('PUT', '/state', state)).status).toBe(200);
    expect([await spend(1000), (await keys())[0].status]).toEqual([true, 'ACTIVE']);
  });
});

test('the test kit delegates a key in one call, by its own cryptography', async () => {
  const { WalletClient } = await import('../../../src/testkit/index.ts');
  const { accountId, card, host, sandbox, call, spend } = await keyKit();
  const [login] = sandbox.credentials;
  const wallet = new WalletClient({
    baseUrl: `http://test${host.basePath}`,
    authorization: `Basic ${btoa(`${login?.tokenId}:${login?.secret}`)}`,
    accountId,
    fetch: async (url, { method, headers, body }) => {
      const path = url.slice(`http://test${host.basePath}`.length);
      const { status, text } = await call(method, path, undefined, { headers, ...(body ? { raw: body } : {}) });
      return { status, text: async () => text };
    },
  });
  await wallet.loginWithOtp();
  const key = await wallet.delegateKey(card.id, { nickname: 'Everyday' });
  expect(key).toMatchObject({ cardId: card.id, nickname: 'Everyday', status: 'ACTIVE' });
  expect(await spend(1000)).toBe(true);
});

test('an account without a card has no delegated keys', async () => {
  const { get, accountId } = await walletKit();
  expect((await get('/auth/delegated-keys', { accountId })).body).toEqual({ data: [] });
});

import { describe, expect, test } from 'vitest';
import { proof, refused, walletKit } from '../../kit/wallet.ts';

describe('PATCH /internal-accounts/{id} (spec 4.7, reference 3.10)', () => {
  test('a signed change of privacy shows the account with its new value; wallets start public, and only they have the field', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const accounts = (await it.get('/customers/internal-accounts')).body.data;
    expect(accounts.map((a: { type: string; privateEnabled?: boolean }) => [a.type, a.privateEnabled]).sort()).toEqual([
      ['EMBEDDED_WALLET', false],
      ['INTERNAL_FIAT', undefined],
    ]);
    await it.advance('PT3S');
    for (const privateEnabled of [true, true, false]) {
      const answer = await it.sign(key, 'PATCH', path, { privateEnabled });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        id: it.accountId,
        customerId: it.customerId,
        type: 'EMBEDDED_WALLET',
        privateEnabled,
        balance: { amount: 250_000_000, currency: { code: 'USDB' } },
        updatedAt: '2026-01-05T09:00:03.000Z',
      });
      const [shown] = (await it.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' })).body.data;
      expect(shown).toEqual(answer.body);
    }
  });

  test('the first call of a change of privacy is answered with 202 without a type, and changes nothing', async () => {
    const it = await walletKit();
    const first = await it.patch(`/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect([first.status, Object.keys(first.body).sort()]).toEqual([202, ['expiresAt', 'payloadToSign', 'requestId']]);
    const [shown] = (await it.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' })).body.data;
    expect(shown.privateEnabled).toBe(false);
  });

  test('a change of privacy is refused with 400 without a boolean value, and for an account that is not a wallet', async () => {
    const it = await walletKit();
    const [usd] = (await it.get('/customers/internal-accounts', { type: 'INTERNAL_FIAT' })).body.data;
    for (const body of [{}, { privateEnabled: 'true' }, { privateEnabled: null }, { other: 1 }, undefined])
      expect((await it.patch(`/internal-accounts/${it.accountId}`, body)).status).toBe(400);
    expect((await it.patch(`/internal-accounts/${usd.id}`, { privateEnabled: true })).body.code).toBe('INVALID_INPUT');
  });

  test('a change of privacy is refused with 404 for an unknown account', async () => {
    const it = await walletKit();
    const unknown = 'InternalAccount:00000000-0000-7000-8000-000000000000';
    const answer = await it.patch(`/internal-accounts/${unknown}`, { privateEnabled: true });
    expect([answer.status, answer.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
  });

  test('a change of privacy with the other value on the retry is refused with WALLET_SIGNATURE_BODY_MISMATCH', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const headers = await proof(key, await it.patch(path, { privateEnabled: true }));
    expect(refused(await it.patch(path, { privateEnabled: false }, { headers }))[1]).toBe(
      'WALLET_SIGNATURE_BODY_MISMATCH',
    );
  });
});

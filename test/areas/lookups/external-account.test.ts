import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const made = async () => {
  const the = await kit();
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' };
  const accountInfo = { accountType: 'MXN_ACCOUNT', clabeNumber: '123456789012345678', beneficiary };
  const { body } = await the.post('/platform/external-accounts', { currency: 'MXN', accountInfo });
  return { ...the, id: body.id as string };
};

describe('GET /receiver/external-account/{accountId}', () => {
  test('a lookup of an external account is 200 with its one currency, by its id as it is or percent-encoded', async () => {
    const { get, id } = await made();
    const { status, body } = await get(`/receiver/external-account/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      supportedCurrencies: [
        {
          currency: { code: 'MXN', name: 'Mexican Peso', symbol: '$', decimals: 2 },
          estimatedExchangeRate: 17.9,
          min: 1,
          max: 1_781_050_000_000,
        },
      ],
      lookupId: expect.stringMatching(/^Lookup:/),
      accountId: id,
    });
    expect((await get(`/receiver/external-account/${encodeURIComponent(id)}`)).body).toEqual(body);
  });

  test('a lookup of an external account is refused with 400 INVALID_UMA_ADDRESS for a malformed sender', async () => {
    const { get, id } = await made();
    expect(refusal(await get(`/receiver/external-account/${id}`, { senderUmaAddress: 'x' }))).toMatchObject({
      status: 400,
      code: 'INVALID_UMA_ADDRESS',
    });
  });

  test('a lookup of an external account is refused with 400 INVALID_INPUT for a customer id of more than 200 characters', async () => {
    const { get, id } = await made();
    const answer = await get(`/receiver/external-account/${id}`, { customerId: 'x'.repeat(201) });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['customerId'] });
  });

  test('a lookup of an external account is refused with 401 without credentials', async () => {
    const { call, id } = await made();
    expect((await call('GET', `/receiver/external-account/${id}`, undefined, { as: null })).status).toBe(401);
  });

  test('a lookup of an external account is refused with 404 when it is unknown or deleted, and for an unknown sender', async () => {
    const { get, del, id } = await made();
    const asked = await get(`/receiver/external-account/${id}`, { customerId: 'Customer:none' });
    expect(refusal(asked)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    await del(`/platform/external-accounts/${id}`);
    for (const each of [id, 'ExternalAccount:none'])
      expect(refusal(await get(`/receiver/external-account/${each}`))).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
      });
  });
});

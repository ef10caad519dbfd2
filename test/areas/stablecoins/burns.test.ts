import { describe, expect, test } from 'vitest';
import { refusal } from '../../kit/sandbox.ts';
import { coinKitWithCoin } from './material.ts';

const AT_PROVIDER = { source: { type: 'PROVIDER_INTERNAL_BALANCE' } };
const paid = (externalAccountId: string, rail = 'ACH_CREDIT') => ({
  destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail },
});

describe('POST /stablecoins/{stablecoinId}/burns', () => {
  test('a burn of tokens from outside is answered with 201, the address to send them to and the estimated payout (reference 11.2)', async () => {
    const { acme, linked, burn, bank, get } = await coinKitWithCoin();
    const { id: accountId } = bank('USD');
    const { status, body } = await burn(acme, { amount: '1230000', description: 'Redeem', ...paid(accountId) });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^StablecoinOperation:/),
      stablecoinId: acme.id,
      stablecoinProviderAccountId: linked.id,
      operationType: 'BURN',
      status: 'PENDING_FUNDING',
      amount: '1230000',
      provider: 'STABLECOIN_PROVIDER_1',
      providerEnvironment: 'SANDBOX',
      source: { type: 'EXTERNAL_ACCOUNT' },
      destination: { accountId, rail: 'ACH_CREDIT' },
      fundingInstructions: {
        rail: 'SPARK',
        network: 'SPARK',
        address: expect.stringMatching(/^spark1[0-9a-z]{60}$/),
        valueType: 'ACME',
      },
      estimatedDelivery: { rail: 'ACH_CREDIT', amount: '123', currency: 'USD', timing: '1-3 business days' },
      expiresAt: '2026-01-12T09:00:00.000Z',
      providerStatus: 'awaiting_funds',
      description: 'Redeem',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await get(`/stablecoin-operations/${body.id}`)).body).toEqual(body);
  });

  test('a burn completes once its tokens arrive, and expires when they do not (reference 11.3)', async () => {
    const { acme, burn, decide, operation, settle, advance } = await coinKitWithCoin();
    const [come, missing] = [(await burn(acme)).body.id, (await burn(acme)).body.id];
    await decide(`/stablecoin-operations/${come}/funds`);
    await settle();
    await advance('P7D');
    expect((await operation(come)).status).toBe('COMPLETED');
    expect((await operation(missing)).status).toBe('EXPIRED');
  });

  test('a burn of tokens that the provider holds completes without funding (reference 11.3)', async () => {
    const { acme, burn, operation, settle } = await coinKitWithCoin();
    const { body } = await burn(acme, AT_PROVIDER);
    expect([body.status, body.fundingInstructions, body.expiresAt]).toEqual(['PENDING_PROVIDER', undefined, undefined]);
    await settle();
    expect((await operation(body.id)).status).toBe('COMPLETED');
  });

  test.each([
    ['WIRE', 'Same business day'],
    ['ACH_CREDIT', '1-3 business days'],
    ['SAME_DAY_ACH_CREDIT', 'Same business day'],
    ['RTP_CREDIT', 'Within minutes'],
  ])('a burn that is paid out by %s shows the estimate "%s" (reference 11.2)', async (rail, timing) => {
    const { acme, burn, bank } = await coinKitWithCoin();
    const { body } = await burn(acme, { amount: `1${'0'.repeat(40)}`, ...paid(bank('USD').id, rail) });
    expect(body.estimatedDelivery).toEqual({ rail, amount: `1${'0'.repeat(36)}`, currency: 'USD', timing });
  });

  test.each([
    ['002', 'PT0S'],
    ['003', 'PT0S'],
    ['004', 'PT0S'],
    ['005', 'PT30S'],
  ])('a burn that is paid to a bank account ending in %s fails after %s', async (end, wait) => {
    const { acme, burn, bank, operation, advance } = await coinKitWithCoin();
    const { id } = (await burn(acme, { ...AT_PROVIDER, ...paid(bank('USD', end).id) })).body;
    await advance('PT0S');
    expect((await operation(id)).status).toBe(wait === 'PT0S' ? 'FAILED' : 'PROCESSING');
    await advance(wait);
    expect(await operation(id)).toMatchObject({ status: 'FAILED', failureReason: 'PROVIDER_TRANSFER_FAILED' });
  });

  test.each([
    ['an amount that is not whole cents', { amount: '12345' }, 'amount'],
    ['an unknown rail', paid('x', 'PIGEON'), 'destination.rail'],
    ['a reserved source', { source: { type: 'SERVICE_INTERNAL_ACCOUNT', accountId: 'x' } }, 'source.type'],
  ])('a burn with %s is refused with 400 (reference 11.1, 11.2)', async (_, more, field) => {
    const { acme, burn } = await coinKitWithCoin();
    expect(refusal(await burn(acme, more))).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [field] });
  });

  test('a burn is refused with 400 when it pays to a wallet, in another currency, or to an account whose owner is not verified', async () => {
    const { acme, burn, bank, wallet } = await coinKitWithCoin();
    for (const { id } of [wallet(), bank('EUR')])
      expect(refusal(await burn(acme, paid(id)))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['destination.externalAccountId'],
      });
    const unproven = bank('USD', '999', { status: 'PENDING_OWNERSHIP_VERIFICATION' });
    expect(refusal(await burn(acme, paid(unproven.id)))).toMatchObject({
      status: 400,
      code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    });
  });

  test('a burn is refused with 404 for an unknown stablecoin or account, and for an account of a deleted customer (reference 2.4)', async () => {
    const { acme, burn, bank, del, customer } = await coinKitWithCoin();
    expect(refusal(await burn({ id: 'none' }))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(refusal(await burn(acme, paid('none')))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const { id } = bank('USD');
    await del(`/customers/${customer.id}`);
    expect(refusal(await burn(acme, paid(id)))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('a burn is refused with 409 before its stablecoin is PROVISIONED, and with 503 for a stablecoin that ends in 005 (reference 11)', async () => {
    const early = await coinKitWithCoin('ACME-001');
    expect(refusal(await early.burn(early.acme))).toMatchObject({ status: 409, code: 'CONFLICT' });
    const away = await coinKitWithCoin('ACME-005');
    expect(refusal(await away.burn(away.acme))).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  test.each(['INVALID', 'REVOKED'])(
    'a burn is refused with 400 once the provider account is %s, and an earlier burn still completes',
    async (status) => {
      const { acme, linked, burn, decide, operation, settle } = await coinKitWithCoin();
      const { id } = (await burn(acme)).body;
      await decide(`/stablecoin-provider-accounts/${linked.id}/status`, { status });
      expect(refusal(await burn(acme))).toMatchObject({ status: 400, code: `STABLECOIN_PROVIDER_ACCOUNT_${status}` });
      await decide(`/stablecoin-operations/${id}/funds`);
      await settle();
      expect((await operation(id)).status).toBe('COMPLETED');
    },
  );

  test('a retried burn gets the first reply; another body under its key is refused with 409, and a burn without a key with 400 (reference 2.3)', async () => {
    const { acme, keyed, bank, post } = await coinKitWithCoin();
    const sent = { amount: '10000', source: { type: 'EXTERNAL_ACCOUNT' }, ...paid(bank('USD').id) };
    const path = `/stablecoins/${acme.id}/burns`;
    const first = await keyed(path, sent, 'once');
    expect((await keyed(path, sent, 'once')).text).toBe(first.text);
    expect(refusal(await keyed(path, { ...sent, amount: '20000' }, 'once'))).toMatchObject({ status: 409 });
    expect(refusal(await post(path, sent))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

import { describe, expect, test } from 'vitest';
import { checkLookup, lookupIdOf, lookupUma } from '../../../src/areas/lookups/index.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const at = (address: string) => `/receiver/uma/${encodeURIComponent(address)}`;
const usd = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 };

describe('GET /receiver/uma/{receiverUmaAddress}, 200', () => {
  test('a lookup of a UMA address shows what can be sent, estimated from the dollar', async () => {
    const { get } = await kit();
    const { status, body } = await get(at('$success.usd@sandbox.uma.money'));
    expect(status).toBe(200);
    expect(body).toEqual({
      supportedCurrencies: [{ currency: usd, estimatedExchangeRate: 1, min: 1, max: 100_000_000_000 }],
      requiredPayerDataFields: [
        { name: 'FULL_NAME', mandatory: false },
        { name: 'BIRTH_DATE', mandatory: false },
      ],
      lookupId: expect.stringMatching(/^Lookup:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      receiverUmaAddress: '$success.usd@sandbox.uma.money',
    });
  });

  test.each([
    ['$success.usd', 'USD', 1, 'success'],
    ['$success.eur', 'EUR', 0.92, 'success'],
    ['$success.mxn', 'MXN', 17.9, 'success'],
    ['$pending.long.usd', 'USD', 1, 'pending'],
    ['$fail.compliance.usd', 'USD', 1, 'compliance'],
  ])('the sandbox address %s is a receiver of %s', async (name, code, rate, outcome) => {
    const { get, sandbox } = await kit();
    for (const domain of ['sandbox.uma.money', 'sandbox.any.uma.money']) {
      const { body } = await get(at(`${name}@${domain}`));
      expect(body.supportedCurrencies).toMatchObject([{ currency: { code }, estimatedExchangeRate: rate }]);
      expect(lookupUma(sandbox.world, `${name}@${domain}`).outcome).toBe(outcome);
    }
  });

  test('a lookup takes a UMA address raw or percent-encoded, in any case of letters', async () => {
    const { get } = await kit();
    const { body } = await get(at('$success.eur@sandbox.uma.money'));
    for (const path of [
      '/receiver/uma/$Success.EUR@sandbox.uma.money',
      '/receiver/uma/%24success.eur%40sandbox.uma.money',
    ])
      expect((await get(path)).body.lookupId).toBe(body.lookupId);
  });

  test("a lookup finds a customer of this platform at the customer's own UMA address", async () => {
    const { get, post } = await kit();
    const { body: customer } = await post('/customers', { customerType: 'INDIVIDUAL', umaAddress: '$ada@pay.example' });
    const { body } = await get(at('$ada@pay.example'));
    expect(body.supportedCurrencies.map((p: { currency: { code: string } }) => p.currency.code)).toEqual(
      customer.currencies,
    );
  });

  test('the estimate of a lookup starts from the first currency of the sender, named by id or by address', async () => {
    const { get, post } = await kit();
    const sent = { customerType: 'INDIVIDUAL', umaAddress: '$bo@pay.example', currencies: ['USDC'] };
    const { body: customer } = await post('/customers', sent);
    const rate = async (query: Record<string, string>) =>
      (await get(at('$success.eur@sandbox.uma.money'), query)).body.supportedCurrencies[0].estimatedExchangeRate;
    expect(await rate({ customerId: customer.id })).toBe(0.92);
    expect(await rate({ senderUmaAddress: '$bo@pay.example' })).toBe(0.92);
    expect(await rate({ senderUmaAddress: '$stranger@elsewhere.example' })).toBe(0.92);
  });

  test('a lookup changes nothing, and has an id that is the same every time and fits its receiver only', async () => {
    const { get, sandbox } = await kit();
    const before = JSON.stringify(sandbox.world.snapshot());
    const { lookupId } = (await get(at('$success.usd@sandbox.uma.money'))).body;
    expect((await get(at('$success.usd@sandbox.uma.money'))).body.lookupId).toBe(lookupId);
    expect(JSON.stringify(sandbox.world.snapshot())).toBe(before);
    expect(lookupId).toBe(lookupIdOf('$success.usd@sandbox.uma.money'));
    checkLookup(lookupId, '$SUCCESS.usd@sandbox.uma.money');
    expect(() => checkLookup(lookupId, '$success.eur@sandbox.uma.money')).toThrow(
      expect.objectContaining({ code: 'LOOKUP_REQUEST_NOT_FOUND' }) as Error,
    );
  });
});

describe('GET /receiver/uma/{receiverUmaAddress}, refused', () => {
  test.each([
    'ada@pay.example',
    '$ada',
    '$a da@pay.example',
    '$@pay.example',
    `$${'a'.repeat(64)}@pay.example`,
    '$ada@',
  ])('a lookup is refused with 400 INVALID_UMA_ADDRESS at the address %s (spec 2.8)', async (address) => {
    const { get } = await kit();
    expect(refusal(await get(at(address)))).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
  });

  test('a lookup of a UMA address is refused with 400 INVALID_UMA_ADDRESS for a malformed sender', async () => {
    const { get } = await kit();
    const answer = await get(at('$success.usd@sandbox.uma.money'), { senderUmaAddress: 'me' });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
  });

  test('a lookup of a UMA address is refused with 400 INVALID_INPUT for a customer id of more than 200 characters', async () => {
    const { get } = await kit();
    const answer = await get(at('$success.usd@sandbox.uma.money'), { customerId: 'x'.repeat(201) });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['customerId'] });
  });

  test('a lookup of a UMA address is refused with 401 without credentials', async () => {
    const { call } = await kit();
    expect((await call('GET', at('$success.usd@sandbox.uma.money'), undefined, { as: null })).status).toBe(401);
  });

  test.each([
    '$non.existent.usd@sandbox.uma.money',
    '$success.usd@elsewhere.example',
    '$nobody@pay.example',
    '$constructor@sandbox.uma.money',
  ])('a lookup is refused with 404 UMA_NOT_FOUND at the address %s (spec 7)', async (address) => {
    const { get } = await kit();
    expect(refusal(await get(at(address)))).toMatchObject({ status: 404, code: 'UMA_NOT_FOUND' });
  });

  test('a lookup is refused with 404 at the address of a deleted customer, and for an unknown sender', async () => {
    const { get, post, del } = await kit();
    const { body } = await post('/customers', { customerType: 'INDIVIDUAL', umaAddress: '$cy@pay.example' });
    await del(`/customers/${body.id}`);
    expect(refusal(await get(at('$cy@pay.example')))).toMatchObject({ status: 404, code: 'UMA_NOT_FOUND' });
    const answer = await get(at('$success.usd@sandbox.uma.money'), { customerId: 'Customer:none' });
    expect(refusal(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });
});

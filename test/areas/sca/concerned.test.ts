import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { BANK, CODE, EMIL, euKit, JOAN, NORA } from './eu.ts';

const IP = { endUserIpAddress: '203.0.113.42' };
const CALLS: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/sca/factors'],
  ['POST', '/sca/factors', { type: 'TOTP' }],
  ['POST', '/sca/factors/confirm', { type: 'TOTP', secret: 'x', code: CODE }],
  ['DELETE', '/sca/factors/x'],
  ['POST', '/sca/login/start', { factor: 'SMS_OTP' }],
  ['POST', '/sca/login/complete', { factor: 'SMS_OTP', challengeId: 'x', code: CODE, ...IP }],
  ['POST', '/sca/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' }],
  ['POST', '/sca/factors/reset', { factor: 'SMS_OTP' }],
  ['GET', '/sca/factors/reset/x'],
  ['POST', '/sca/factors/reset/x/complete', {}],
];
const TRUST: readonly [path: string, body?: object][] = [
  ['trust'],
  ['trust/confirm', { challengeId: 'x', code: CODE }],
  ['untrust'],
  ['untrust/confirm', { challengeId: 'x', code: CODE }],
];

describe.each(CALLS)('the customers of %s %s', (method, path, body) => {
  test(`${method} ${path} is refused with 409 CONFLICT for a customer of another region`, async () => {
    const it = await euKit();
    const answer = await it.call(method, path, body, { query: { customerId: JOAN } });
    expect(refusal(answer)).toEqual({ status: 409, code: 'CONFLICT', fields: [] });
  });

  test(`${method} ${path} is refused with 404 for an unknown customer, and with 400 without a customer`, async () => {
    const it = await euKit();
    const unknown = await it.call(method, path, body, { query: { customerId: 'Customer:none' } });
    expect(refusal(unknown)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    const none = await it.call(method, path, body);
    expect(refusal(none)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['customerId'] });
  });
});

describe.each(TRUST)('the accounts of POST /customers/external-accounts/{id}/%s', (path, body) => {
  test(`/customers/external-accounts/{id}/${path} is refused with 409 for another region, 404 for an unknown or deleted account or owner`, async () => {
    const it = await euKit();
    const call = (id: string) => it.post(`/customers/external-accounts/${id}/${path}`, body);
    expect(refusal(await call(BANK.joan))).toEqual({ status: 409, code: 'CONFLICT', fields: [] });
    expect(refusal(await call('none'))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    await it.del(`/customers/external-accounts/${BANK.emil}`);
    expect(refusal(await call(BANK.emil))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    await it.del(`/customers/${NORA}`);
    expect(refusal(await call(BANK.nora))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });
});

describe('the customers who have to authenticate', () => {
  test('no customer has to authenticate without platform.sca, wherever they live: their payments require no challenge', async () => {
    const it = await kit();
    const { body } = await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', region: 'SE' });
    const answer = await it.call('GET', '/sca/factors', undefined, { query: { customerId: body.id } });
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
    await it.settle();
    const [own] = (await it.get('/customers/internal-accounts', { customerId: body.id, currency: 'USD' })).body.data;
    await it.post(`/sandbox/internal-accounts/${own.id}/fund`, { amount: 1000 });
    const [usdc] = (await it.get('/customers/internal-accounts', { customerId: body.id, currency: 'USDC' })).body.data;
    const quote = (source: object) =>
      it.post('/quotes', {
        source,
        destination: { destinationType: 'ACCOUNT', accountId: usdc.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1000,
      });
    const pushed = await quote({ sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: body.id });
    expect([pushed.status, pushed.body.status]).toEqual([201, 'PENDING']);
    const held = await quote({ sourceType: 'ACCOUNT', accountId: own.id });
    const paid = await it.post(`/quotes/${held.body.id}/execute`);
    expect([paid.status, paid.body.status]).toEqual([200, 'PROCESSING']);
  });

  test('a customer without a region has to authenticate by the country of the address', async () => {
    const it = await euKit();
    const address = { line1: 'Ring 1', postalCode: '1010' };
    const made = async (country: string) => {
      const sent = { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', address: { ...address, country } };
      return (await it.post('/customers', sent)).body.id;
    };
    expect((await it.sca('GET', '/factors', undefined, await made('AT'))).status).toBe(200);
    expect((await it.sca('GET', '/factors', undefined, await made('CH'))).status).toBe(409);
  });

  test('a scenario can name other regions whose customers have to authenticate', async () => {
    const it = await euKit({ platform: { sca: { regions: ['US'] } } });
    const statuses = [];
    for (const id of [NORA, EMIL, JOAN]) statuses.push((await it.sca('GET', '/factors', undefined, id)).status);
    expect(statuses).toEqual([409, 409, 200]);
  });

  test('a payment of a customer of another region executes at once, with or without scaFactor, and shows no challenge', async () => {
    const it = await euKit();
    const { body } = await it.quote(JOAN, BANK.joan, { scaFactor: 'PASSKEY' });
    const answer = await it.post(`/quotes/${body.id}/execute`, { scaFactor: 'TOTP' });
    expect([answer.status, answer.body.status]).toEqual([200, 'PROCESSING']);
    expect(Object.keys(answer.body)).not.toContain('scaChallenge');
    for (const call of ['authorize', 'authorize/resend'])
      expect(refusal(await it.post(`/quotes/${body.id}/${call}`, { code: CODE }))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
  });
});

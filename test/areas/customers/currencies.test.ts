import { describe, expect, test } from 'vitest';
import { addCurrencies } from '../../../src/areas/customers/rules.ts';
import { PLATFORM, platformOf } from '../../../src/areas/platform/rules.ts';
import { moneyKit } from '../../kit/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from './material.ts';

const nobody = { customerType: 'INDIVIDUAL' };
const named = { fullName: 'Ada Keller', birthDate: '1990-01-02' };

describe('currencies of a customer who names none (S5)', () => {
  test.each(['spec', 'grid'] as const)(
    'the scenario default requires nothing of customers for any currency, profile %s',
    async (profile) => {
      const it = await kit({ profile });
      for (const currency of (await it.get('/config')).body.supportedCurrencies)
        expect(currency).not.toHaveProperty('providerRequiredCustomerFields');
      expect((await it.post('/customers', nobody)).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
    },
  );

  test('a customer who names no currencies has those whose required fields are all there, and gains one when a change supplies them', async () => {
    const it = await kit({ scenario: asking });
    const { body } = await it.post('/customers', nobody);
    expect(body.currencies).toEqual(['USDC', 'USDB']);
    const accounts = (await it.get('/customers/internal-accounts', { customerId: body.id })).body.data;
    expect(accounts, 'accounts are opened in every configured currency all the same').toHaveLength(3);
    const path = `/customers/${body.id}`;
    expect((await it.patch(path, { fullName: 'Ada Keller' })).body.currencies).toEqual(['USDC', 'USDB']);
    expect((await it.patch(path, { birthDate: '1990-01-02' })).body.currencies).toEqual(['USDC', 'USDB', 'USD']);
    expect((await it.get('/customers', { currency: 'USD' })).body.totalCount).toBe(1);
    expect((await it.post('/customers', { ...nobody, ...named })).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
  });

  test('a list of currencies that a customer named stays as it was named', async () => {
    const it = await kit({ scenario: asking });
    const { id } = (await it.post('/customers', { ...nobody, currencies: ['USDC'] })).body;
    expect((await it.patch(`/customers/${id}`, named)).body.currencies).toEqual(['USDC']);
  });

  test('a payment in another currency of a customer is refused with 400 until a change supplies what the currency requires', async () => {
    const it = await moneyKit({ scenario: asking });
    const { id } = (await it.post('/customers', nobody)).body;
    const usd = await it.account('USD', id);
    const bank = it.bank('USD', '501', { customerId: id });
    const missing = { status: 400, code: 'MISSING_MANDATORY_USER_INFO', fields: ['fullName', 'birthDate'] };
    const own = { accountId: usd.id };
    const asked = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100 };
    const calls: [path: string, body: object, done: number][] = [
      [`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 1000 }, 200],
      ['/transfer-in', { source: { accountId: bank.id }, destination: own, amount: 100 }, 201],
      ['/transfer-out', { source: own, destination: { accountId: bank.id }, amount: 100 }, 201],
      [
        '/quotes',
        {
          source: { sourceType: 'ACCOUNT', ...own },
          destination: { destinationType: 'ACCOUNT', accountId: bank.id },
          ...asked,
        },
        201,
      ],
    ];
    for (const [path, body] of calls) expect(refusal(await it.post(path, body)), path).toEqual(missing);
    const usdc = await it.account('USDC', id);
    expect((await it.post(`/sandbox/internal-accounts/${usdc.id}/fund`, { amount: 1000 })).status).toBe(200);
    await it.patch(`/customers/${id}`, named);
    for (const [path, body, done] of calls) expect((await it.post(path, body)).status, path).toBe(done);
  });
});

describe('the domain of a UMA address', () => {
  test("a UMA address of another domain is refused, naming the platform's domain and both ways to set it (C7)", async () => {
    const it = await kit();
    const { body } = await it.post('/customers', { ...nobody, umaAddress: '$ada@ada.example' });
    expect(body).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
    for (const part of ['pay.example', 'PATCH /config', 'platform.umaDomain']) expect(body.message).toContain(part);
    const [request] = (await it.control('GET', '/requests')).body.data;
    const { why } = (await it.control('GET', `/requests/${request.id}`)).body;
    expect(JSON.stringify(why)).toContain('platform.umaDomain');
    expect(JSON.stringify(why)).toContain('PATCH /config');
    await it.patch('/config', { umaDomain: 'ada.example' });
    expect((await it.post('/customers', { ...nobody, umaAddress: '$ada@ada.example' })).status).toBe(201);
  });
});

describe('a currency that the platform adds', () => {
  const add = async (it: Awaited<ReturnType<typeof kit>>, ...codes: string[]) => {
    const { supportedCurrencies } = (await it.get('/config')).body;
    const more = codes.map((currencyCode) => ({ currencyCode }));
    expect((await it.patch('/config', { supportedCurrencies: [...supportedCurrencies, ...more] })).status).toBe(200);
  };

  test.each(['spec', 'grid'] as const)(
    'a currency that the platform adds is used by a customer who named none, and by one created later, profile %s',
    async (profile) => {
      const it = await moneyKit({ profile });
      const create = async (more: object = {}) => {
        const { body } = await it.post('/customers', { ...nobody, ...named, ...more });
        await it.settle();
        return body;
      };
      const old = await create({ umaAddress: '$old@pay.example' });
      const listed = await create({ currencies: ['USD'] });
      const gone = await create();
      await it.del(`/customers/${gone.id}`);
      await it.advance('PT1H');
      await add(it, 'NGN', 'BRL');
      const later = await create();
      const read = async (id: string) => (await it.get(`/customers/${id}`)).body;
      expect((await read(old.id)).currencies).toEqual([...old.currencies, 'NGN', 'BRL']);
      expect((await read(old.id)).currencies).toEqual(later.currencies);
      expect((await read(old.id)).updatedAt).toBe('2026-01-05T10:00:00.000Z');
      expect([(await read(listed.id)).currencies, (await read(listed.id)).updatedAt]).toEqual([
        ['USD'],
        listed.updatedAt,
      ]);
      expect((await read(gone.id)).currencies).toEqual(gone.currencies);
      const found = (await it.get('/customers', { currency: 'NGN' })).body.data.map(({ id }: { id: string }) => id);
      expect(found).toEqual([later.id, old.id, it.customer.id]);

      // As a receiver: by the lookup, and by a quote that is paid.
      const receiver = (await it.get('/receiver/uma/$old@pay.example', { customerId: it.customer.id })).body;
      const offered = receiver.supportedCurrencies.map((one: { currency: { code: string } }) => one.currency.code);
      expect(offered).toContain('NGN');
      const source = { sourceType: 'ACCOUNT', accountId: (await it.funded('USD', 50_000)).id };
      const destination = { destinationType: 'UMA_ADDRESS', umaAddress: '$old@pay.example', currency: 'NGN' };
      const { body: quote, text } = await it.quote(source, destination, { lookupId: receiver.lookupId });
      expect(quote.receivingCurrency?.code, text).toBe('NGN');
      expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
      await it.settle();
      expect(await it.balance((await it.account('NGN', old.id)).id)).toBe(quote.totalReceivingAmount);
    },
  );

  test('an added currency is not used by a customer who lacks a field that its provider requires, until a change supplies it', async () => {
    const it = await kit();
    const bare = (await it.post('/customers', nobody)).body;
    const known = (await it.post('/customers', { ...nobody, ...named })).body;
    const { world } = it.sandbox;
    const before = platformOf(world);
    const eur = { ...before.currencies[0], currencyCode: 'EUR', providerRequiredCustomerFields: ['FULL_NAME'] };
    const after = { ...before, currencies: [...before.currencies, eur] } as typeof before;
    world.transact(() => {
      world.rows(PLATFORM).put(after);
      addCurrencies(world, before, after);
    });
    const listOf = async (id: string) => (await it.get(`/customers/${id}`)).body.currencies;
    expect([await listOf(bare.id), await listOf(known.id)]).toEqual([bare.currencies, [...known.currencies, 'EUR']]);
    const query = { customerId: bare.id, currency: 'EUR' };
    expect((await it.get('/customers/internal-accounts', query)).body.totalCount).toBe(1);
    await it.patch(`/customers/${bare.id}`, { fullName: 'Bo Lind' });
    expect(await listOf(bare.id)).toEqual([...bare.currencies, 'EUR']);
  });

  test('an added currency is used at once by a customer who has yet to accept the terms, and gets an account with the consent', async () => {
    const it = await kit({ scenario: { platform: { requireEndUserTerms: true } } });
    const { id, currencies } = (await it.post('/customers', nobody)).body;
    await add(it, 'EUR');
    expect((await it.get(`/customers/${id}`)).body.currencies).toEqual([...currencies, 'EUR']);
    const accounts = async () => (await it.get('/customers/internal-accounts', { customerId: id })).body.totalCount;
    expect(await accounts()).toBe(0);
    const endUserTermsConsent = {
      termsVersion: 'V1',
      acceptedAt: '2026-01-05T08:59:00Z',
      ipAddress: '192.0.2.1',
      acceptanceMethod: 'CHECKBOX',
    };
    expect((await it.patch(`/customers/${id}`, { endUserTermsConsent })).status).toBe(200);
    expect(await accounts()).toBe(currencies.length + 1);
  });
});

describe('a replaced list of currencies', () => {
  test('the request log says what a replaced list of currencies means for later customers (C11)', async () => {
    const it = await kit();
    const { status, body } = await it.patch('/config', {
      supportedCurrencies: [{ currencyCode: 'USD' }, { currencyCode: 'EUR' }],
    });
    expect([status, body.supportedCurrencies.length]).toEqual([200, 2]);
    const [request] = (await it.control('GET', '/requests')).body.data;
    const said = (await it.control('GET', `/requests/${request.id}`)).text;
    expect(said).toContain('no account in USDC, USDB, hence no embedded wallet');
    expect(said).toContain('every customer is given an account in EUR; one who named no currencies');
  });
});

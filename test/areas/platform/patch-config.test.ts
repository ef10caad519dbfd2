import { describe, expect, test } from 'vitest';
import { receiver, signedBy } from '../../kit/receiver.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from '../customers/material.ts';

describe('PATCH /config, 200', () => {
  test('PATCH /config keeps what is not sent, and moves updatedAt on', async () => {
    const { get, patch, advance } = await kit();
    const before = (await get('/config')).body;
    await advance('PT1M');
    const after = await patch('/config', { umaDomain: 'NEW.example' });
    expect(after.status).toBe(200);
    expect(after.body).toEqual({
      ...before,
      umaDomain: 'new.example',
      proxyUmaSubdomain: 'new',
      updatedAt: '2026-01-05T09:01:00.000Z',
    });
    expect((await get('/config')).body).toEqual(after.body);
  });

  test('a new webhook endpoint receives one signed TEST event; setting the same endpoint again sends none', async () => {
    const { patch, settle, control, advance } = await kit();
    const hooks = await receiver();
    hooks.react = () => 500;
    expect((await patch('/config', { webhookEndpoint: hooks.url })).body.webhookEndpoint).toBe(hooks.url);
    await settle();
    await patch('/config', { webhookEndpoint: hooks.url });
    await settle();
    await advance('P8D');
    expect(hooks.types()).toEqual(['TEST']);
    expect(hooks.received[0]?.event.data).toEqual({});
    const { pem } = (await control('GET', '/webhooks/key')).body;
    expect(hooks.received.every((delivery) => signedBy(pem, delivery))).toBe(true);
  });

  test('a new currency opens the missing accounts of the platform and of every customer (spec 2.1 rule 2)', async () => {
    const { get, patch, post, del } = await kit();
    const kept = (await post('/customers', { customerType: 'BUSINESS' })).body;
    const gone = (await post('/customers', { customerType: 'BUSINESS' })).body;
    await del(`/customers/${gone.id}`);
    const { supportedCurrencies } = (await get('/config')).body;
    await patch('/config', { supportedCurrencies: [...supportedCurrencies, { currencyCode: 'EUR' }] });
    const euros = async (query: Record<string, string>) =>
      (await get('/customers/internal-accounts', query)).body.totalCount;
    expect(await euros({ customerId: kept.id, currency: 'EUR' })).toBe(1);
    expect(await euros({ customerId: gone.id, currency: 'EUR' })).toBe(0);
    expect((await get('/platform/internal-accounts', { currency: 'EUR' })).body.data).toHaveLength(1);
    expect(await euros({ customerId: kept.id })).toBe(4);
  });

  test('PATCH /config replaces the currencies, and cannot change what the provider requires', async () => {
    const { patch } = await kit({ scenario: asking });
    const { body } = await patch('/config', {
      supportedCurrencies: [
        { currencyCode: 'USD', minAmount: 5, maxAmount: 10, providerRequiredCustomerFields: [] },
        { currencyCode: 'GBP', providerRequiredCustomerFields: ['TAX_ID'], enabledTransactionTypes: ['INCOMING'] },
      ],
    });
    expect(body.supportedCurrencies).toMatchObject([
      { currencyCode: 'USD', minAmount: 5, maxAmount: 10, providerRequiredCustomerFields: ['FULL_NAME', 'BIRTH_DATE'] },
      { currencyCode: 'GBP', minAmount: 1, enabledTransactionTypes: ['INCOMING'] },
    ]);
    expect(body.supportedCurrencies).toHaveLength(2);
    expect(body.supportedCurrencies[1]).not.toHaveProperty('providerRequiredCustomerFields');
  });

  test('one bound of a currency moves the default of the other, so that some amount always fits', async () => {
    const { patch } = await kit();
    const boundsAfter = async (bounds: object) => {
      const { body } = await patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', ...bounds }] });
      const [{ minAmount, maxAmount }] = body.supportedCurrencies;
      return [minAmount, maxAmount];
    };
    expect(await boundsAfter({})).toEqual([1, 100_000_000_000]);
    expect(await boundsAfter({ minAmount: 200_000_000_000 })).toEqual([200_000_000_000, 200_000_000_000]);
    expect(await boundsAfter({ maxAmount: 0 })).toEqual([0, 0]);
  });

  test('PATCH /config merges wallet and card settings member by member', async () => {
    const { patch, get } = await kit();
    await patch('/config', {
      embeddedWalletConfig: { appName: 'Shop', otpLength: 8 },
      cardTokenization2faConfig: { displayName: 'Shop', email: { subject: 'Code', fromName: 'Shop' } },
    });
    await patch('/config', {
      embeddedWalletConfig: { otpLength: 6, alphanumeric: true },
      cardTokenization2faConfig: { email: { subject: 'Your code' }, sms: { bodyText: 'Code' } },
    });
    expect((await get('/config')).body).toMatchObject({
      embeddedWalletConfig: { appName: 'Shop', otpLength: 6, alphanumeric: true },
      cardTokenization2faConfig: {
        displayName: 'Shop',
        email: { subject: 'Your code', fromName: 'Shop' },
        sms: { bodyText: 'Code' },
      },
    });
  });

  test('PATCH /config merges fees by type and currency, and a fee of zero removes the entry', async () => {
    const { patch } = await kit();
    const fee = (variableFeeBps: number, amount: number) => ({
      feeConfigs: [
        {
          feeType: 'CROSS_CURRENCY_TRANSACTION',
          sourceCurrency: 'USD',
          variableFeeBps,
          fixedFee: { amount, currency: 'USD' },
        },
      ],
    });
    expect((await patch('/config', fee(50, 10))).body.feeConfigs).toEqual(fee(50, 10).feeConfigs);
    expect((await patch('/config', fee(70, 0))).body.feeConfigs).toEqual(fee(70, 0).feeConfigs);
    expect((await patch('/config', { feeConfigs: [] })).body.feeConfigs).toEqual(fee(70, 0).feeConfigs);
    expect((await patch('/config', fee(0, 0))).body.feeConfigs).toEqual([]);
  });

  test('PATCH /config ignores members that only the operator sets, and unknown ones', async () => {
    const { patch, get } = await kit();
    const before = (await get('/config')).body;
    const sent = { isRegulatedFinancialInstitution: true, id: 'x', proxyUmaSubdomain: 'x', createdAt: 'x', more: 1 };
    expect((await patch('/config', sent)).body).toEqual(before);
  });
});

describe('PATCH /config, 400', () => {
  test.each([
    ['an invalid domain', { umaDomain: 'not a domain' }, ['umaDomain']],
    ['an endpoint that is not a URL', { webhookEndpoint: 'here' }, ['webhookEndpoint']],
    ['an endpoint that is not http', { webhookEndpoint: 'ftp://127.0.0.1/' }, ['webhookEndpoint']],
    ['no currency at all', { supportedCurrencies: [] }, ['supportedCurrencies']],
    [
      'a currency the service does not know',
      { supportedCurrencies: [{ currencyCode: 'XYZ' }] },
      ['supportedCurrencies.0.currencyCode'],
    ],
    [
      'a lower-case currency',
      { supportedCurrencies: [{ currencyCode: 'usd' }] },
      ['supportedCurrencies.0.currencyCode'],
    ],
    [
      'a currency listed twice',
      { supportedCurrencies: [{ currencyCode: 'USD' }, { currencyCode: 'USD' }] },
      ['supportedCurrencies.1.currencyCode'],
    ],
    [
      'a minimum above the maximum',
      { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 2, maxAmount: 1 }] },
      ['supportedCurrencies.0.minAmount'],
    ],
    [
      'a negative amount',
      { supportedCurrencies: [{ currencyCode: 'USD', minAmount: -1 }] },
      ['supportedCurrencies.0.minAmount'],
    ],
    [
      'no transaction type',
      { supportedCurrencies: [{ currencyCode: 'USD', enabledTransactionTypes: [] }] },
      ['supportedCurrencies.0.enabledTransactionTypes'],
    ],
    [
      'wallet settings out of bounds',
      { embeddedWalletConfig: { otpLength: 3, expirationSeconds: 86_401 } },
      ['embeddedWalletConfig.otpLength', 'embeddedWalletConfig.expirationSeconds'],
    ],
    [
      'a logo that is not https',
      { cardTokenization2faConfig: { logoUrl: 'http://x.example/l.png' } },
      ['cardTokenization2faConfig.logoUrl'],
    ],
    ...['our logo.png', 'größe.png', 'a{b}.png', '%zz.png', 'a#b#c.png'].map((file): [string, object, string[]] => [
      `a logo at ${file}, which is not a URI`,
      {
        embeddedWalletConfig: { logoUrl: `https://x.example/${file}` },
        cardTokenization2faConfig: { logoUrl: `https://x.example/${file}` },
      },
      ['embeddedWalletConfig.logoUrl', 'cardTokenization2faConfig.logoUrl'],
    ]),
    [
      'a fee above 100 %',
      {
        feeConfigs: [
          {
            feeType: 'CROSS_CURRENCY_TRANSACTION',
            sourceCurrency: 'USD',
            variableFeeBps: 10_001,
            fixedFee: { amount: 0, currency: 'USD' },
          },
        ],
      },
      ['feeConfigs.0.variableFeeBps'],
    ],
    [
      'two minima above the maximum, a repeated currency, a bad domain and a bad currency at once (reference 3.4)',
      {
        umaDomain: '!',
        supportedCurrencies: [
          5,
          { currencyCode: 'USD', minAmount: 10, maxAmount: 5, enabledTransactionTypes: [] },
          { currencyCode: 'EUR', minAmount: -1, maxAmount: 0 },
          { currencyCode: 'USD', minAmount: 2, maxAmount: 1 },
        ],
      },
      [
        'umaDomain',
        'supportedCurrencies.0',
        'supportedCurrencies.1.enabledTransactionTypes',
        'supportedCurrencies.2.minAmount',
        'supportedCurrencies.1.minAmount',
        'supportedCurrencies.3.currencyCode',
        'supportedCurrencies.3.minAmount',
      ],
    ],
    [
      'a minimum above the maximum and a repeated currency at once',
      { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 2, maxAmount: 1 }, { currencyCode: 'USD' }] },
      ['supportedCurrencies.0.minAmount', 'supportedCurrencies.1.currencyCode'],
    ],
  ])('PATCH /config is refused with 400 for %s', async (_, sent, fields) => {
    const { patch } = await kit();
    expect(refusal(await patch('/config', sent))).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test('PATCH /config stores and shows a webhook endpoint on another machine (C4)', async () => {
    const { patch, get } = await kit();
    const webhookEndpoint = 'https://hooks.example.com/in';
    const { status, body } = await patch('/config', { webhookEndpoint });
    expect([status, body.webhookEndpoint]).toEqual([200, webhookEndpoint]);
    expect((await get('/config')).body.webhookEndpoint).toBe(webhookEndpoint);
  });

  test('PATCH /config takes a webhook endpoint on another machine with --allow-remote-webhooks', async () => {
    const { patch } = await kit({ allowRemoteWebhooks: true });
    // The name can never be resolved (RFC 2606), so nothing leaves this machine here either.
    const { status, body } = await patch('/config', { webhookEndpoint: 'http://hooks.invalid/' });
    expect([status, body.webhookEndpoint]).toEqual([200, 'http://hooks.invalid/']);
    expect(refusal(await patch('/config', { webhookEndpoint: 'http://[::1' })).status).toBe(400);
  });

  test('PATCH /config is refused with 400 for a body that is not a JSON object', async () => {
    const { call } = await kit();
    for (const [raw, code] of [
      ['{', 'INVALID_REQUEST_FORMAT'],
      ['', 'INVALID_REQUEST_FORMAT'],
      ['[]', 'INVALID_INPUT'],
      ['null', 'INVALID_INPUT'],
      ['"x"', 'INVALID_INPUT'],
    ] as const)
      expect(
        refusal(await call('PATCH', '/config', undefined, { raw, headers: { 'content-type': 'application/json' } })),
      ).toMatchObject({ status: 400, code });
  });
});

describe('PATCH /config, 401, 403, 501', () => {
  test('PATCH /config is refused with 401 without credentials', async () => {
    const { patch } = await kit();
    expect(refusal(await patch('/config', {}, { as: null })).status).toBe(401);
  });

  test('PATCH /config is refused with 403 for a token without MANAGE', async () => {
    const { patch } = await kit({
      scenario: { credentials: [{ id: 'mover', secret: 's', permissions: ['VIEW', 'TRANSACT'] }] },
    });
    expect(refusal(await patch('/config', {}))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  test('PATCH /config is refused with 501 for a fee in another currency than USD', async () => {
    const { patch } = await kit();
    const fee = (sourceCurrency: string, currency: string) => ({
      feeConfigs: [
        { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency, variableFeeBps: 1, fixedFee: { amount: 1, currency } },
      ],
    });
    expect(refusal(await patch('/config', fee('EUR', 'EUR')))).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
    expect(refusal(await patch('/config', fee('USD', 'EUR')))).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
  });
});

describe('PATCH /config with another umaDomain', () => {
  test('a change of umaDomain leaves customers the address that they show, and each is found there (spec 2.8, S6)', async () => {
    const { get, post, patch } = await kit();
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' };
    const { body: bo } = await post('/customers', { ...sent, umaAddress: '$bo@pay.example' });
    expect((await patch('/config', { umaDomain: 'new.example' })).status).toBe(200);
    expect((await get(`/customers/${bo.id}`)).body.umaAddress).toBe('$bo@pay.example');
    const at = async (address: string) => (await get(`/receiver/uma/${address}`)).status;
    expect([await at('$bo@pay.example'), await at('$bo@new.example')]).toEqual([200, 404]);
    const same = await patch(`/customers/${bo.id}`, { umaAddress: '$bo@pay.example' });
    expect([same.status, same.body.umaAddress]).toEqual([200, '$bo@pay.example']);
    const moved = await patch(`/customers/${bo.id}`, { umaAddress: '$bo@new.example' });
    expect([moved.status, moved.body.umaAddress]).toEqual([200, '$bo@new.example']);
    expect([await at('$bo@pay.example'), await at('$bo@new.example')]).toEqual([404, 200]);
    expect(refusal(await patch(`/customers/${bo.id}`, { umaAddress: '$bo@pay.example' })).code).toBe(
      'INVALID_UMA_ADDRESS',
    );
    const late = (await post('/customers', { ...sent, umaAddress: '$cy@new.example' })).body;
    expect(await at(late.umaAddress)).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from '../customers/material.ts';

const scenario = (platform: object, credentials?: object[]) => ({ platform, ...(credentials ? { credentials } : {}) });

describe('GET /config, 200', () => {
  test('each supported currency lists what its provider requires of customers (spec 2.1 rule 1, 4.4)', async () => {
    const { get } = await kit({ scenario: asking });
    const { status, body } = await get('/config');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^PlatformConfig:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      umaDomain: 'pay.example',
      proxyUmaSubdomain: 'pay',
      supportedCurrencies: [
        {
          currencyCode: 'USD',
          minAmount: 1,
          maxAmount: 100_000_000_000,
          requiredCounterpartyFields: [],
          providerRequiredCustomerFields: ['FULL_NAME', 'BIRTH_DATE'],
          enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
        },
        ...['USDC', 'USDB'].map((currencyCode) => ({
          currencyCode,
          minAmount: 1,
          maxAmount: 100_000_000_000,
          requiredCounterpartyFields: [],
          enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
        })),
      ],
      isRegulatedFinancialInstitution: false,
      feeConfigs: [],
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
  });

  test('a regulated platform says so', async () => {
    const { get } = await kit({ scenario: 'regulated' });
    expect((await get('/config')).body).toMatchObject({
      isRegulatedFinancialInstitution: true,
      umaDomain: 'bank.example',
    });
  });

  test('what the scenario says of a currency is shown', async () => {
    const { get } = await kit({
      scenario: scenario({
        currencies: [
          {
            code: 'BRL',
            minAmount: 50,
            maxAmount: 900,
            enabledTransactionTypes: ['OUTGOING'],
            providerRequiredCounterpartyCustomerFields: ['TAX_ID'],
          },
        ],
      }),
    });
    expect((await get('/config')).body.supportedCurrencies).toEqual([
      {
        currencyCode: 'BRL',
        minAmount: 50,
        maxAmount: 900,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['OUTGOING'],
        providerRequiredCounterpartyCustomerFields: ['TAX_ID'],
      },
    ]);
  });

  test('a token with VIEW alone may read it', async () => {
    const { get } = await kit({ scenario: scenario({}, [{ id: 'viewer', secret: 's', permissions: ['VIEW'] }]) });
    expect((await get('/config')).status).toBe(200);
  });
});

describe('GET /config, 401', () => {
  test('no credentials, or a wrong secret, are refused (spec 5 rule 1)', async () => {
    const { call } = await kit();
    for (const as of [null, 'test:wrong', 'test:'])
      expect(refusal(await call('GET', '/config', undefined, { as }))).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
  });
});

describe('GET /config, 403', () => {
  test('a token without VIEW is refused', async () => {
    const { get } = await kit({ scenario: scenario({}, [{ id: 'mover', secret: 's', permissions: ['TRANSACT'] }]) });
    expect(refusal(await get('/config'))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from '../customers/material.ts';

const scenario = (platform: object, credentials?: object[]) => ({ platform, ...(credentials ? { credentials } : {}) });

describe('GET /config, 200', () => {
  test('GET /config returns 200 and lists for each currency what its provider requires of customers (spec 2.1 rule 1, 4.4)', async () => {
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

  test('GET /config shows that a platform is regulated', async () => {
    const { get } = await kit({ scenario: 'regulated' });
    expect((await get('/config')).body).toMatchObject({
      isRegulatedFinancialInstitution: true,
      umaDomain: 'bank.example',
    });
  });

  test('GET /config shows what the scenario says of a currency', async () => {
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

  test('GET /config is open to a token with VIEW alone', async () => {
    const { get } = await kit({ scenario: scenario({}, [{ id: 'viewer', secret: 's', permissions: ['VIEW'] }]) });
    expect((await get('/config')).status).toBe(200);
  });
});

describe('GET /config, 401', () => {
  test('GET /config is refused with 401 without credentials and with a wrong secret (spec 5 rule 1)', async () => {
    const { call } = await kit();
    for (const as of [null, 'test:wrong', 'test:'])
      expect(refusal(await call('GET', '/config', undefined, { as }))).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
  });
});

describe('GET /config, 403', () => {
  test('GET /config is refused with 403 for a token without VIEW', async () => {
    const { get } = await kit({ scenario: scenario({}, [{ id: 'mover', secret: 's', permissions: ['TRANSACT'] }]) });
    expect(refusal(await get('/config'))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

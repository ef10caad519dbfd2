import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CUSTOMERS, customerOf } from '../../../src/areas/customers/index.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { northPier, owner } from '../onboarding/material.ts';

/** What a client reads it may send back: only what differs from what is stored is checked (S6). */

const SCENARIOS = readdirSync(new URL('../../../scenarios', import.meta.url)).map((name) =>
  name.replace(/\.yaml$/, ''),
);
const address = { line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' };
const KINDS = [
  { customerType: 'INDIVIDUAL', email: 'i@example.com', phoneNumber: '+12065550100' },
  {
    customerType: 'INDIVIDUAL',
    email: 'j@example.com',
    phoneNumber: '+12065550101',
    fullName: 'Ada Keller 001',
    birthDate: '1990-01-02',
    address,
    idType: 'ITIN',
    identifier: '912-34-5678',
    umaAddress: '$ADA',
  },
  { ...northPier(), email: 'k@example.com', phoneNumber: '+12065550102' },
  { ...northPier('HRB 002'), email: 'l@example.com', phoneNumber: '+12065550103', region: 'US' },
];

async function populate(it: Kit): Promise<void> {
  const { umaDomain } = (await it.get('/config')).body;
  for (const { umaAddress, ...kind } of KINDS as { umaAddress?: string }[]) {
    const sent = umaAddress ? { ...kind, umaAddress: `${umaAddress}@${umaDomain}` } : kind;
    const made = await it.overlapping('POST', '/customers', sent);
    expect(made.status, made.text).toBe(201);
    if (made.body.customerType === 'BUSINESS')
      expect((await it.overlapping('POST', '/beneficial-owners', owner(made.body.id))).status).toBe(201);
  }
}

describe.each(['spec', 'grid'] as const)('profile %s', (profile) => {
  test.each(SCENARIOS)(
    'in scenario %s a PATCH with the GET body changes no customer, no owner and not the configuration (S6)',
    async (name) => {
      const scenario = [name, { generate: { customers: 20, transactions: 0 } }];
      const it = await kit({ profile, scenario: scenario as never });
      await it.control('DELETE', '/faults');
      await populate(it);
      await it.advance('PT1M');
      for (const list of ['/customers?limit=100&isIncludingDeleted=false']) {
        const { data } = (await it.get(list)).body;
        expect(data.length).toBeGreaterThan(KINDS.length);
        for (const customer of data) {
          const answer = await it.overlapping('PATCH', `/customers/${customer.id}`, customer);
          expect([answer.status, answer.body], answer.text).toEqual([200, customer]);
          for (const one of customer.beneficialOwners ?? []) {
            const owned = await it.overlapping('PATCH', `/beneficial-owners/${one.id}`, one);
            expect([owned.status, owned.body], owned.text).toEqual([200, one]);
          }
        }
      }
      const config = (await it.get('/config')).body;
      const answer = await it.patch('/config', config);
      expect([answer.status, answer.body], answer.text).toEqual([200, config]);
    },
  );
});

describe('stored values that a PATCH repeats', () => {
  test('a PATCH of a customer may repeat a currency that the platform dropped, and an address of a former domain (S6)', async () => {
    const it = await kit();
    const { body: customer } = await it.post('/customers', { ...KINDS[0], currencies: ['USDC', 'USD'] });
    const { body: sent } = await it.patch('/config', {
      umaDomain: 'new.example',
      supportedCurrencies: [{ currencyCode: 'USD' }],
    });
    expect(sent.umaDomain).toBe('new.example');
    const { umaAddress, currencies } = customer;
    for (const change of [{ umaAddress }, { currencies }, { umaAddress: umaAddress.toUpperCase(), currencies }])
      expect((await it.patch(`/customers/${customer.id}`, change)).body).toEqual(customer);
    expect((await it.patch(`/customers/${customer.id}`, { currencies: ['USDC', 'EUR'] })).body.code).toBe(
      'INVALID_CURRENCY',
    );
    expect((await it.patch(`/customers/${customer.id}`, { currencies: ['USDC'] })).status).toBe(200);
  });

  test('a PATCH of a customer may repeat a consent to terms that are no longer offered, and no new one to them (S6)', async () => {
    const it = await kit();
    const accepted = { acceptedAt: '2026-01-05T08:59:00Z', ipAddress: '203.0.113.7', termsVersion: 'V1' };
    const endUserTermsConsent = { ...accepted, acceptanceMethod: 'CHECKBOX' };
    const { id } = (await it.post('/customers', { ...KINDS[0], endUserTermsConsent })).body;
    const row = customerOf(it.sandbox.world, id);
    const kept = row.endUserTermsConsent as NonNullable<typeof row.endUserTermsConsent>;
    it.sandbox.world.rows(CUSTOMERS).put({ ...row, endUserTermsConsent: { ...kept, termsVersion: 'V0' } });
    const { body } = await it.get(`/customers/${id}`);
    expect((await it.patch(`/customers/${id}`, { endUserTermsConsent: body.endUserTermsConsent })).body).toEqual(body);
    const anew = { ...body.endUserTermsConsent, ipAddress: '203.0.113.8' };
    const code = 'END_USER_TERMS_VERSION_NOT_FOUND';
    expect(refusal(await it.patch(`/customers/${id}`, { endUserTermsConsent: anew })).code).toBe(code);
  });

  test('a PATCH of the configuration may repeat its fees and its webhook endpoint, and emits no second TEST event (S6)', async () => {
    const fee = {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 25,
      fixedFee: { amount: 50, currency: 'USD' },
    };
    const it = await kit();
    const { body } = await it.patch('/config', { feeConfigs: [fee], webhookEndpoint: 'http://127.0.0.1:9/hook' });
    expect((await it.patch('/config', { feeConfigs: [fee], webhookEndpoint: body.webhookEndpoint })).body).toEqual(
      body,
    );
    const told = it.events('TEST').length;
    expect((await it.patch('/config', body)).body).toEqual(body);
    expect(it.events('TEST')).toHaveLength(told);
  });
});

describe('null in the other PATCH operations (S18)', () => {
  test('null clears each optional member of a beneficial owner, and is refused with 400 for every other (S18)', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', northPier())).body;
    const person = { middleName: 'Ana', email: 'm@example.com', phoneNumber: '+12065550100', countryOfIssuance: 'US' };
    const made = (await it.post('/beneficial-owners', owner(id, person))).body;
    const gone = Object.fromEntries(Object.keys(person).map((name) => [name, null]));
    const { body } = await it.patch(`/beneficial-owners/${made.id}`, { personalInfo: gone });
    for (const name of Object.keys(person)) expect(body.personalInfo).not.toHaveProperty(name);
    for (const name of ['firstName', 'lastName', 'birthDate', 'nationality', 'address', 'idType', 'identifier'])
      expect(
        refusal(await it.patch(`/beneficial-owners/${made.id}`, { personalInfo: { [name]: null } })),
        name,
      ).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: [`personalInfo.${name}`],
      });
  });

  test('null clears each optional member of the configuration, and is refused for every other (S18)', async () => {
    const it = await kit();
    const before = (await it.get('/config')).body;
    await it.patch('/config', {
      webhookEndpoint: 'http://127.0.0.1:9/hook',
      embeddedWalletConfig: { appName: 'A', otpLength: 8 },
      cardTokenization2faConfig: { displayName: 'A', sms: { bodyText: 'x', templateSid: 'y' } },
    });
    const { body } = await it.patch('/config', {
      embeddedWalletConfig: { appName: null },
      cardTokenization2faConfig: { sms: { templateSid: null } },
    });
    expect(body.embeddedWalletConfig).toEqual({ otpLength: 8 });
    expect(body.cardTokenization2faConfig).toEqual({ displayName: 'A', sms: { bodyText: 'x' } });
    const cleared = { webhookEndpoint: null, embeddedWalletConfig: null, cardTokenization2faConfig: null };
    expect((await it.patch('/config', cleared)).body).toEqual(before);
    for (const name of ['umaDomain', 'supportedCurrencies', 'feeConfigs'])
      expect(refusal(await it.patch('/config', { [name]: null })).fields, name).toEqual([name]);
  });
});

import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from './material.ts';

const address = { line1: '8 Elm Ct', line2: 'Flat 2', city: 'Tacoma', postalCode: '98402', country: 'US' };
const consent = {
  acceptedAt: '2026-01-05T08:59:00Z',
  ipAddress: '203.0.113.7',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
};
const ada = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  nationality: 'US',
  phoneNumber: '+12065550100',
  address,
  idType: 'SSN',
  identifier: '123-45-6789',
  pepStatus: 'NONE',
  endUserTermsConsent: consent,
  currencies: ['USD'],
};
const acme = {
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'Acme LLC',
    country: 'US',
    taxId: '81-5550199',
    incorporatedOn: '2019-04-30',
    naicsCode: '42',
  },
  currencies: ['USDC'],
};

describe('null in PATCH /customers/{customerId}', () => {
  test('null in a PATCH of a customer clears an optional member that nothing requires (S18)', async () => {
    const it = await kit({ scenario: asking });
    const { body: made } = await it.post('/customers', ada);
    for (const name of ['nationality', 'phoneNumber', 'address', 'idType', 'pepStatus', 'endUserTermsConsent']) {
      const { status, body } = await it.patch(`/customers/${made.id}`, { [name]: null });
      expect(status, name).toBe(200);
      expect(body, name).not.toHaveProperty(name);
    }
    expect((await it.patch(`/customers/${made.id}`, { identifier: null })).status).toBe(200);
    const rest = (await it.get(`/customers/${made.id}`)).body;
    expect(rest).toMatchObject({ fullName: 'Ada Keller', birthDate: '1990-01-02', currencies: ['USD'] });
    const whole = { ...address, line2: null };
    expect((await it.patch(`/customers/${made.id}`, { address: whole })).body.address).not.toHaveProperty('line2');
  });

  test('null clears members of businessInfo one by one, and all of businessInfo at once (S18)', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', acme)).body;
    const { body } = await it.patch(`/customers/${id}`, { businessInfo: { naicsCode: null, taxId: null } });
    expect(body.businessInfo).toEqual({ legalName: 'Acme LLC', country: 'US', incorporatedOn: '2019-04-30' });
    expect((await it.patch(`/customers/${id}`, { businessInfo: null })).body).not.toHaveProperty('businessInfo');
  });

  test('null for the currencies of a customer derives them again from what is known (S18, S5)', async () => {
    const it = await kit({ scenario: asking });
    const { id } = (await it.post('/customers', ada)).body;
    expect((await it.patch(`/customers/${id}`, { currencies: null })).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
  });

  test('null for what a currency of the customer requires is refused with 400, each field named (S18, spec 2.1 rule 1)', async () => {
    const it = await kit({ scenario: asking });
    const { id } = (await it.post('/customers', ada)).body;
    expect(refusal(await it.patch(`/customers/${id}`, { fullName: null, birthDate: null }))).toEqual({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      fields: ['fullName', 'birthDate'],
    });
  });

  test('null is refused with 400 for a required contact, an email tied to a wallet, required terms, and in grid a tax id or legal name (S18)', async () => {
    const refused = async (scenario: object, sent: object, change: object, profile: 'spec' | 'grid' = 'spec') => {
      const it = await kit({ scenario, profile });
      const { id } = (await it.post('/customers', sent)).body;
      return refusal(await it.patch(`/customers/${id}`, change));
    };
    const contact = { platform: { contactVerification: ['phone'] } };
    const bad = (...fields: string[]) => ({ status: 400, code: 'INVALID_INPUT', fields });
    expect(await refused(contact, ada, { phoneNumber: null })).toEqual(bad('phoneNumber'));
    expect(await refused({}, { ...ada, email: 'ada@example.com' }, { email: null })).toEqual(bad('email'));
    const terms = { platform: { requireEndUserTerms: true } };
    expect(await refused(terms, ada, { endUserTermsConsent: null })).toEqual(bad('endUserTermsConsent'));
    for (const name of ['taxId', 'legalName'])
      expect(await refused({}, acme, { businessInfo: { [name]: null } }, 'grid')).toEqual(bad(`businessInfo.${name}`));
  });
});

describe('null on creation', () => {
  test('null for a member of a new customer is refused with 400 naming the member (S18)', async () => {
    const it = await kit();
    for (const name of [
      'email',
      'phoneNumber',
      'umaAddress',
      'currencies',
      'region',
      'fullName',
      'address',
      'birthDate',
    ]) {
      const answer = await it.post('/customers', { customerType: 'INDIVIDUAL', [name]: null });
      expect(refusal(answer), name).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [name] });
    }
  });
});

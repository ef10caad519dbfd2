import { describe, expect, test } from 'vitest';
import { customerOf } from '../../../src/areas/customers/index.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { asking } from './material.ts';

const address = { line1: '8 Elm Ct', city: 'Tacoma', postalCode: '98402', country: 'US' };
const ada = {
  customerType: 'INDIVIDUAL',
  platformCustomerId: 'u-1',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  email: 'ada@example.com',
  umaAddress: '$ada@pay.example',
  address,
  idType: 'SSN',
  identifier: '123-45-6789',
};
const acme = {
  customerType: 'BUSINESS',
  businessInfo: { legalName: 'Acme LLC', country: 'US', taxId: '81-5550199' },
};

async function made(it: Kit, sent: object = ada) {
  const customer = (await it.post('/customers', sent)).body;
  await it.advance('PT1M');
  return { customer, path: `/customers/${customer.id}` };
}

describe('PATCH /customers/{customerId}, 200', () => {
  test('a change of a customer keeps what is not sent, moves updatedAt, and emits no event', async () => {
    // Without a wallet, for a wallet's email is changed by a signed retry.
    const it = await kit({ scenario: { platform: { currencies: [{ code: 'USD' }] } } });
    const { customer, path } = await made(it);
    const told = it.events().length;
    const { status, body } = await it.patch(path, { email: 'new@example.com', nationality: 'DE' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...customer,
      email: 'new@example.com',
      nationality: 'DE',
      updatedAt: '2026-01-05T09:01:00.000Z',
    });
    expect((await it.get(path)).body).toEqual(body);
    expect(it.events()).toHaveLength(told);
  });

  test('a change of a customer replaces the address whole, and merges businessInfo member by member', async () => {
    const it = await kit();
    const { path } = await made(it);
    const other = { line1: '1 Oak St', postalCode: '1000', country: 'DE' };
    expect((await it.patch(path, { address: other })).body.address).toEqual(other);
    const business = await made(it, acme);
    expect(
      (await it.patch(business.path, { businessInfo: { taxId: '81-5550100', entityType: 'LLC' } })).body.businessInfo,
    ).toEqual({
      legalName: 'Acme LLC',
      country: 'US',
      taxId: '81-5550100',
      entityType: 'LLC',
    });
  });

  test('a change of a customer replaces the currencies, and the lists by currency follow (spec 4.1)', async () => {
    const it = await kit();
    const { customer, path } = await made(it);
    expect(customer.currencies).toEqual(['USD', 'USDC', 'USDB']);
    expect((await it.patch(path, { currencies: ['USDC'] })).body.currencies).toEqual(['USDC']);
    expect((await it.get('/customers', { currency: 'USD' })).body.totalCount).toBe(0);
    expect((await it.get('/customers', { currency: 'USDC' })).body.totalCount).toBe(1);
  });

  test('the UMA address of a customer may change, also to itself in another case, and frees the old one (spec 2.8)', async () => {
    const it = await kit();
    const { path } = await made(it);
    expect((await it.patch(path, { umaAddress: '$ADA@pay.example' })).body.umaAddress).toBe('$ada@pay.example');
    expect((await it.patch(path, { umaAddress: '$Keller@pay.example' })).body.umaAddress).toBe('$keller@pay.example');
    expect((await it.post('/customers', { customerType: 'BUSINESS', umaAddress: '$ada@pay.example' })).status).toBe(
      201,
    );
    expect((await it.get('/customers', { umaAddress: '$keller@pay.example' })).body.totalCount).toBe(1);
  });

  test('a change of a customer ignores decided and unknown members, and writes nothing when nothing changes', async () => {
    const it = await kit();
    const { customer, path } = await made(it);
    const sent = { customerType: 'INDIVIDUAL', kycStatus: 'REJECTED', isDeleted: true, id: 'x', more: 1 };
    expect((await it.patch(path, sent)).body).toEqual(customer);
  });

  test('the identifier of a customer is kept, and shown neither in the reply nor in the log', async () => {
    const it = await kit();
    const { path } = await made(it);
    const answer = await it.patch(path, { identifier: '987-65-4321' });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('4321');
    expect((await it.control('GET', '/requests')).text).not.toContain('4321');
    expect(customerOf(it.sandbox.world, path.slice('/customers/'.length)).identifier).toBe('987-65-4321');
  });

  test('a magic name that a customer is given later decides nothing', async () => {
    const it = await kit();
    const { path } = await made(it);
    expect((await it.patch(path, { fullName: 'Ada Keller 002' })).body.kycStatus).toBe('APPROVED');
  });

  test('a verified email of a customer is PENDING again once it changes', async () => {
    const it = await kit({
      scenario: { platform: { contactVerification: ['email', 'phone'], currencies: [{ code: 'USD' }] } },
    });
    const { path } = await made(it, { ...ada, phoneNumber: '+12065550147' });
    await it.post(`${path}/verify-email`);
    await it.post(`${path}/verify-email/confirm`, { code: '123456' });
    expect((await it.get(path)).body.contactVerification).toEqual({ email: 'VERIFIED', phone: 'PENDING' });
    expect((await it.patch(path, { email: 'b@example.com' })).body.contactVerification).toEqual({
      email: 'PENDING',
      phone: 'PENDING',
    });
  });
});

describe('PATCH /customers/{customerId}, 400', () => {
  test.each([
    [{ region: 'SE', email: 'x' }, ['email', 'region']],
    [{ customerType: 'BUSINESS', email: 'x' }, ['customerType', 'email']],
    [{ customerType: 'BUSINESS', birthDate: '2030-01-01' }, ['birthDate', 'customerType']],
    [
      { address: { line1: '' }, purposeOfAccount: 'OTHER' },
      ['address.country', 'address.line1', 'address.postalCode', 'purposeOfAccountOtherDescription'],
    ],
    [{ email: 'x', umaAddress: 'not one' }, ['email']],
  ])(
    'a change of a customer is refused for faults of shape, of rules and of fixed members in one reply: %j (reference 3.4)',
    async (sent, fields) => {
      const it = await kit();
      const { customer, path } = await made(it);
      const answer = refusal(await it.patch(path, sent));
      expect({ ...answer, fields: [...answer.fields].sort() }).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
      expect((await it.get(path)).body).toEqual(customer);
    },
  );

  test('a bad change of an unknown customer is refused with 400 for its shape, before 404', async () => {
    const it = await kit();
    const answer = await it.patch('/customers/Customer:00000000-0000-4000-8000-000000000000', {
      region: 'SE',
      email: 'x',
    });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['email'] });
  });

  test.each([
    [{ birthDate: '1990-02-31', email: 'x' }, ['email', 'birthDate']],
    [{ customerType: 'BUSINESS' }, ['customerType']],
    [{ customerType: 'x' }, ['customerType']],
    [{ fullName: '<>' }, ['fullName']],
    [{ customerType: null }, ['customerType']],
    [{ umaAddress: null }, ['umaAddress']],
    [{ email: null }, ['email']],
    [{ address: { line1: 'x' } }, ['address.postalCode', 'address.country']],
    [{ idType: 'ITIN' }, ['identifier']],
    [{ currencies: [] }, ['currencies']],
  ])('a change of a customer with %j is refused with 400 INVALID_INPUT', async (sent, fields) => {
    const it = await kit();
    const { path } = await made(it);
    expect(refusal(await it.patch(path, sent))).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test('a change of fixed members of a customer, or of members of the other type, is refused with 400 when they differ (S7)', async () => {
    const it = await kit();
    const { customer, path } = await made(it, { ...ada, region: 'US' });
    const same = { platformCustomerId: customer.platformCustomerId, region: 'US' };
    expect((await it.patch(path, same)).body).toEqual(customer);
    for (const sent of [
      { platformCustomerId: 'u-2' },
      { platformCustomerId: null },
      { region: 'DE' },
      { region: null },
      { businessInfo: { legalName: 'x' } },
    ])
      expect(refusal(await it.patch(path, { ...same, ...sent })), JSON.stringify(sent)).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: Object.keys(sent),
      });
    expect((await it.patch(path, { businessInfo: null })).body).toEqual(customer);
    const business = await made(it, acme);
    expect(refusal(await it.patch(business.path, { region: 'US', fullName: 'Ada' })).fields).toEqual([
      'region',
      'fullName',
    ]);
  });

  test('a change of businessInfo is checked against the whole merged business', async () => {
    const it = await kit();
    const { path } = await made(it, { ...acme, businessInfo: { taxId: 'DE123' } });
    expect(refusal(await it.patch(path, { businessInfo: { country: 'US' } }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['businessInfo.taxId'],
    });
    expect((await it.patch(path, { businessInfo: { country: 'DE' } })).status).toBe(200);
  });

  test('a new currency of a customer needs its required fields, sent now or before (spec 2.1 rule 1)', async () => {
    const it = await kit({ scenario: asking });
    const { path } = await made(it, { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', currencies: ['USDC'] });
    expect(refusal(await it.patch(path, { currencies: ['USD'] }))).toEqual({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      fields: ['birthDate'],
    });
    expect((await it.patch(path, { currencies: ['USD'], birthDate: '1990-01-02' })).status).toBe(200);
  });

  test('a change of a customer is refused with 400 for a currency that the platform lacks, a bad UMA address and unknown terms', async () => {
    const it = await kit();
    const { path } = await made(it);
    const refused = async (change: object) => {
      const { status, code } = refusal(await it.patch(path, change));
      return `${status} ${code}`;
    };
    expect(await refused({ currencies: ['EUR'] })).toBe('400 INVALID_CURRENCY');
    expect(await refused({ umaAddress: '$ada@other.example' })).toBe('400 INVALID_UMA_ADDRESS');
    const endUserTermsConsent = {
      acceptedAt: '2026-01-05T08:59:00Z',
      ipAddress: '::1',
      termsVersion: 'V99',
      acceptanceMethod: 'CLICK_TO_ACCEPT',
    };
    expect(await refused({ endUserTermsConsent })).toBe('400 END_USER_TERMS_VERSION_NOT_FOUND');
    expect((await it.patch(path, { endUserTermsConsent: { ...endUserTermsConsent, termsVersion: 'V1' } })).status).toBe(
      200,
    );
  });

  test('a change of a customer without a body, or in one that is not JSON or not sent as JSON, is refused with 400 INVALID_REQUEST_FORMAT', async () => {
    const it = await kit();
    const { path } = await made(it);
    const as = (type: string, raw: string) => ({ raw, headers: { 'content-type': type } });
    const bad = as('application/json', 'email: b@example.com');
    for (const sent of [{}, bad, as('text/plain', '{"email":"b@example.com"}')])
      expect(refusal(await it.call('PATCH', path, undefined, sent)), JSON.stringify(sent)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST_FORMAT',
      });
  });
});

describe('PATCH /customers/{customerId}, 401, 403, 404, 409', () => {
  test('a change of a customer is refused with 401 without credentials, and with 403 without MANAGE', async () => {
    const it = await kit({ scenario: { credentials: [{ id: 'v', secret: 's', permissions: ['VIEW'] }] } });
    expect((await it.patch('/customers/x', {}, { as: null })).status).toBe(401);
    expect((await it.patch('/customers/x', {})).status).toBe(403);
  });

  test('a change of an unknown or a deleted customer is refused with 404 USER_NOT_FOUND', async () => {
    const it = await kit();
    expect(refusal(await it.patch('/customers/x', {}))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    const { path } = await made(it);
    await it.del(path);
    expect(refusal(await it.patch(path, { email: 'b@example.com' }))).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
  });

  test('a change to the UMA address of another customer is refused with 409 UMA_ADDRESS_EXISTS (spec 2.8)', async () => {
    const it = await kit();
    const { path } = await made(it);
    await it.post('/customers', { customerType: 'BUSINESS', umaAddress: '$acme@pay.example' });
    expect(refusal(await it.patch(path, { umaAddress: '$Acme@pay.example' }))).toMatchObject({
      status: 409,
      code: 'UMA_ADDRESS_EXISTS',
    });
  });
});

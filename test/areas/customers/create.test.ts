import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from './material.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02' };
const acme = { customerType: 'BUSINESS', businessInfo: { legalName: 'Acme LLC' } };
const platform = (more: object) => ({ scenario: { platform: more } });

describe('POST /customers, 201', () => {
  test('customerType is the only field required of every customer (spec 2.1)', async () => {
    const { post } = await kit();
    expect((await post('/customers', { customerType: 'INDIVIDUAL' })).status).toBe(201);
    expect((await post('/customers', { customerType: 'BUSINESS' })).status).toBe(201);
  });

  test('a new customer gets an internal account for each configured currency (spec 2.1 rule 2)', async () => {
    const { post, get } = await kit();
    const { body: customer } = await post('/customers', ada);
    const { body: page } = await get('/customers/internal-accounts', { customerId: customer.id });
    expect(page.data.map((a: { balance: { currency: { code: string } } }) => a.balance.currency.code).sort()).toEqual([
      'USD',
      'USDB',
      'USDC',
    ]);
  });

  test('a new customer under the policy "at once" is APPROVED in the reply, and one event follows (spec 5.1 rule 6, 6)', async () => {
    const { post, events } = await kit();
    const { body } = await post('/customers', ada);
    expect(body.kycStatus).toBe('APPROVED');
    expect(events()).toMatchObject([{ type: 'CUSTOMER.KYC_APPROVED', data: body }]);
  });

  test('a new customer is returned whole as sent, with what the service adds (spec 2.1)', async () => {
    const { post, get } = await kit();
    const sent = {
      ...ada,
      platformCustomerId: 'u-7',
      region: 'US',
      currencies: ['USD', 'USDC', 'USD'],
      email: 'ada@example.com',
      phoneNumber: '+12065550147',
      umaAddress: '$Ada.K@PAY.example',
      nationality: 'DE',
      address: { line1: '8 Elm Ct', line2: 'B', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
      idType: 'SSN',
      identifier: '123-45-6789',
      countryOfIssuance: 'US',
      sourceOfFundsCategories: ['OTHER'],
      sourceOfFundsOtherDescription: 'a lottery',
      purposeOfAccount: 'P2P_TRANSFERS',
      pepStatus: 'NONE',
      endUserTermsConsent: {
        acceptedAt: '2026-01-05T08:59:00.000Z',
        ipAddress: '127.0.0.1',
        termsVersion: 'V1',
        acceptanceMethod: 'CHECKBOX',
      },
    };
    const { body } = await post('/customers', sent);
    const { identifier, ...shown } = sent;
    expect(body).toEqual({
      ...shown,
      id: expect.stringMatching(/^Customer:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      currencies: ['USD', 'USDC'],
      umaAddress: '$ada.k@pay.example',
      kycStatus: 'APPROVED',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
      isDeleted: false,
    });
    expect((await get(`/customers/${body.id}`)).body).toEqual(body);
  });

  test('a business shows its status under both names, and its events are KYB events (spec 6)', async () => {
    const { post, events } = await kit();
    const sent = {
      ...acme,
      businessInfo: {
        legalName: 'Acme LLC',
        registrationNumber: 'R-1',
        taxId: '81-5550199',
        country: 'US',
        incorporatedOn: '2019-04-30',
      },
      address: { line1: '40 Dock Rd', postalCode: '98101', country: 'US' },
    };
    const { body } = await post('/customers', sent);
    expect(body).toMatchObject({ ...sent, kycStatus: 'APPROVED', kybStatus: 'APPROVED', beneficialOwners: [] });
    expect(events()).toMatchObject([{ type: 'CUSTOMER.KYB_APPROVED', data: body }]);
  });

  test('platformCustomerId and umaAddress of a customer are generated when left out, different each time (spec 2.1)', async () => {
    const { post } = await kit();
    const made = await Promise.all([1, 2, 3].map(async () => (await post('/customers', ada)).body));
    expect(new Set(made.map((c) => c.platformCustomerId)).size).toBe(3);
    expect(new Set(made.map((c) => c.umaAddress)).size).toBe(3);
    for (const customer of made) expect(customer.umaAddress).toMatch(/^\$[a-z0-9\-_.+]{1,63}@pay\.example$/);
  });

  test('a customer without currencies gets those of the platform, and nothing is required for them', async () => {
    const { post } = await kit();
    expect((await post('/customers', { customerType: 'INDIVIDUAL' })).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
  });

  test('unknown members of a new customer, members of the other type and bank information are ignored', async () => {
    const { post } = await kit();
    const { status, body } = await post('/customers', {
      ...ada,
      businessInfo: { legalName: 'x' },
      bankAccountInfo: { iban: 'x' },
      kycStatus: 'REJECTED',
      id: 'mine',
      isDeleted: true,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ kycStatus: 'APPROVED', isDeleted: false });
    expect(body).not.toHaveProperty('businessInfo');
    expect(body.id).not.toBe('mine');
  });

  test.each(['Ann Lee 001', "Siobhán O'Neill-Smith Jr.", 'José María', '王小明', 'Łukasz Żółć', 'D’Artagnan'])(
    'an individual may have the name %s',
    async (fullName) => {
      const { post } = await kit();
      expect((await post('/customers', { ...ada, fullName })).status).toBe(201);
    },
  );

  test('a leap day is accepted as a birth date', async () => {
    const { post } = await kit();
    expect((await post('/customers', { ...ada, birthDate: '2000-02-29' })).status).toBe(201);
  });
});

describe('POST /customers, when the decision falls (spec 3.1, 5.1 rule 6)', () => {
  test('a customer of a regulated platform is APPROVED at creation, and no event is sent', async () => {
    const { post, events, advance } = await kit({ scenario: 'regulated' });
    for (const sent of [ada, acme, { ...ada, fullName: 'Ann Lee 002' }])
      expect((await post('/customers', sent)).body.kycStatus).toBe('APPROVED');
    expect(await advance('P1D')).toEqual([]);
    expect(events()).toEqual([]);
  });

  test('a customer under a delayed decision is PENDING at first, APPROVED at its moment, and has one event then', async () => {
    const { post, get, events, advance } = await kit({ scenario: 'unregulated' });
    const { body } = await post('/customers', ada);
    expect(body.kycStatus).toBe('PENDING');
    expect(events()).toEqual([]);
    await advance('PT1.999S');
    expect((await get(`/customers/${body.id}`)).body.kycStatus).toBe('PENDING');
    expect(await advance('PT1S')).toMatchObject([{ kind: 'customer.decide', at: '2026-01-05T09:00:02.000Z' }]);
    const decided = { ...body, kycStatus: 'APPROVED', updatedAt: '2026-01-05T09:00:02.000Z' };
    expect((await get(`/customers/${body.id}`)).body).toEqual(decided);
    expect(events()).toMatchObject([
      { type: 'CUSTOMER.KYC_APPROVED', timestamp: '2026-01-05T09:00:02.000Z', data: decided },
    ]);
  });

  test('a customer under the policy "hold" stays PENDING until the job is run', async () => {
    const { post, get, events, advance, control } = await kit({
      scenario: { policies: { 'customer.decide': 'hold' } },
    });
    const { body } = await post('/customers', acme);
    await advance('P365D');
    expect((await get(`/customers/${body.id}`)).body.kycStatus).toBe('PENDING');
    const [job] = (await control('GET', '/jobs')).body.data;
    expect(job).toMatchObject({ kind: 'customer.decide', dueAt: null });
    await control('POST', `/jobs/${job.id}/run`);
    expect((await get(`/customers/${body.id}`)).body.kybStatus).toBe('APPROVED');
    expect(events('CUSTOMER.KYB_APPROVED')).toHaveLength(1);
  });

  test('a customer who is deleted before the decision is not decided', async () => {
    const { post, get, del, events, advance } = await kit({ scenario: 'unregulated' });
    const { body } = await post('/customers', ada);
    await del(`/customers/${body.id}`);
    await advance('PT5S');
    expect((await get(`/customers/${body.id}`)).body).toMatchObject({ isDeleted: true, kycStatus: 'PENDING' });
    expect(events()).toEqual([]);
  });

  test.each([
    ['Ann Lee 001', 'PENDING', []],
    ['Ann Lee 002', 'REJECTED', ['CUSTOMER.KYC_REJECTED']],
    ['Ann Lee 003', 'PENDING', []],
    ['Ann Lee 004', 'APPROVED', ['CUSTOMER.KYC_APPROVED']],
    ['001', 'PENDING', []],
  ])('an individual named %s is %s', async (fullName, kycStatus, types) => {
    const { post, events, control } = await kit();
    expect((await post('/customers', { ...ada, fullName })).body.kycStatus).toBe(kycStatus);
    expect(events().map((event) => event.type)).toEqual(types);
    const [line] = (await control('GET', '/requests')).body.data;
    expect(line.magic).toEqual(kycStatus === 'APPROVED' ? [] : [expect.stringContaining(fullName.slice(-3))]);
  });

  test.each([
    ['R-001', 'PENDING'],
    ['R-002', 'PENDING'],
    ['R-003', 'PENDING'],
    ['R-004', 'APPROVED'],
  ])('a business with registration number %s is %s', async (registrationNumber, kybStatus) => {
    const { post } = await kit();
    expect(
      (await post('/customers', { customerType: 'BUSINESS', businessInfo: { registrationNumber } })).body,
    ).toMatchObject({
      kybStatus,
      kycStatus: kybStatus,
    });
  });

  test('a policy that delays the approval of a customer delays a rejection, too', async () => {
    const { post, get, advance } = await kit({ scenario: 'unregulated' });
    const { body } = await post('/customers', { ...ada, fullName: 'Ann Lee 002' });
    expect(body.kycStatus).toBe('PENDING');
    await advance('PT2S');
    expect((await get(`/customers/${body.id}`)).body.kycStatus).toBe('REJECTED');
  });

  test('contactVerification of a new customer lists only the channels that the provider requires (spec 2.1)', async () => {
    const contact = { email: 'ada@example.com', phoneNumber: '+12065550147' };
    for (const channels of [['email'], ['phone'], ['email', 'phone']]) {
      const { post } = await kit(platform({ contactVerification: channels }));
      expect((await post('/customers', { ...ada, ...contact })).body.contactVerification).toEqual(
        Object.fromEntries(channels.map((channel) => [channel, 'PENDING'])),
      );
    }
    const { post } = await kit();
    expect((await post('/customers', { ...ada, ...contact })).body).not.toHaveProperty('contactVerification');
  });
});

describe('POST /customers, 400', () => {
  test('every bad field of a new customer is reported at once (spec 2.1 rule 4)', async () => {
    const { post } = await kit();
    const answer = await post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'A<b>',
      birthDate: '1990-02-31',
      email: 'no',
      nationality: 'XX',
    });
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['email', 'fullName', 'birthDate', 'nationality'],
    });
  });

  test.each<['spec' | 'grid', object, string[]]>([
    [
      'spec',
      {
        customerType: 'INDIVIDUAL',
        email: 'x',
        birthDate: '2030-01-01',
        purposeOfAccount: 'OTHER',
        idType: 'SSN',
        identifier: '1',
      },
      ['email', 'purposeOfAccountOtherDescription', 'birthDate', 'identifier'],
    ],
    [
      'grid',
      { customerType: 'BUSINESS', email: 'x', businessInfo: { legalName: 'x', country: 'XX' } },
      ['email', 'businessInfo.country', 'businessInfo.taxId', 'businessInfo.incorporatedOn'],
    ],
    [
      'spec',
      { customerType: 'INDIVIDUAL', region: 'SE', birthDate: '2030-01-01' },
      ['birthDate', 'email', 'phoneNumber'],
    ],
    ['spec', { customerType: 'INDIVIDUAL', region: 'SE', email: 'x' }, ['email', 'phoneNumber']],
    ['spec', { customerType: 'PERSON', email: 'x', purposeOfAccount: 'OTHER' }, ['customerType', 'email']],
  ])(
    'a new customer in profile %s is refused for faults of shape and of rules in one reply: %j (reference 3.4)',
    async (profile, sent, fields) => {
      const { post } = await kit({
        profile,
        ...platform({ contactVerification: { SE: ['email', 'phone'], default: [] } }),
      });
      const answer = refusal(await post('/customers', sent));
      expect({ ...answer, fields: [...answer.fields].sort() }).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: fields.sort(),
      });
    },
  );

  test('a refusal shows a pattern that has no name without a format', async () => {
    const { post } = await kit();
    const { body } = await post('/customers', { customerType: 'INDIVIDUAL', currencies: ['usd'] });
    expect(body.details.errors).toMatchObject([{ field: 'currencies.0', constraint: { pattern: '^[A-Z0-9]{2,10}$' } }]);
    expect(body.details.errors[0].constraint).not.toHaveProperty('format');
  });

  test.each([
    [{}, ['customerType']],
    [{ customerType: 'PERSON' }, ['customerType']],
    [{ customerType: 'individual' }, ['customerType']],
    [{ birthDate: '1990-1-2' }, ['birthDate']],
    [{ birthDate: '2001-02-29' }, ['birthDate']],
    [{ birthDate: '1990-13-01' }, ['birthDate']],
    [{ birthDate: '1990-01-02T00:00:00Z' }, ['birthDate']],
    [{ birthDate: 19900102 }, ['birthDate']],
    [{ fullName: '' }, ['fullName']],
    [{ fullName: 'Ada  Keller' }, ['fullName']],
    [{ fullName: ' Ada' }, ['fullName']],
    [{ fullName: 'Ada@Keller' }, ['fullName']],
    [{ fullName: 'Ada\nKeller' }, ['fullName']],
    [{ fullName: 'x'.repeat(201) }, ['fullName']],
    [{ nationality: 'us' }, ['nationality']],
    [{ region: 'EU' }, ['region']],
    [{ region: 'USA' }, ['region']],
    [{ phoneNumber: '2065550147' }, ['phoneNumber']],
    [{ phoneNumber: '+02065550147' }, ['phoneNumber']],
    [{ currencies: [] }, ['currencies']],
    [{ currencies: ['usd'] }, ['currencies.0']],
    [{ platformCustomerId: '' }, ['platformCustomerId']],
    [{ address: { line1: 'x', postalCode: '1' } }, ['address.country']],
    [{ address: {} }, ['address.line1', 'address.postalCode', 'address.country']],
    [{ address: 'Elm Street 8' }, ['address']],
    [{ idType: 'EIN' }, ['idType']],
    [{ idType: 'SSN', identifier: '12' }, ['identifier']],
    [{ idType: 'ITIN', identifier: '123-45-6789' }, ['identifier']],
    [{ idType: 'SSN', countryOfIssuance: 'DE' }, ['countryOfIssuance']],
    [{ sourceOfFundsCategories: ['OTHER'] }, ['sourceOfFundsOtherDescription']],
    [{ sourceOfWealthCategories: ['GIFT', 'OTHER'] }, ['sourceOfWealthOtherDescription']],
    [{ purposeOfAccount: 'OTHER' }, ['purposeOfAccountOtherDescription']],
    [{ pepStatus: 'YES' }, ['pepStatus']],
  ])('an individual with %j is refused with 400 INVALID_INPUT', async (more, fields) => {
    const { post } = await kit();
    const sent = fields[0] === 'customerType' ? more : { customerType: 'INDIVIDUAL', ...more };
    expect(refusal(await post('/customers', sent))).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test.each([
    [{ legalName: '' }, ['businessInfo.legalName']],
    [{ incorporatedOn: 'yesterday' }, ['businessInfo.incorporatedOn']],
    [{ country: 'XX' }, ['businessInfo.country']],
    [{ country: 'US', taxId: '12345' }, ['businessInfo.taxId']],
    [{ naicsCode: '1' }, ['businessInfo.naicsCode']],
    [{ entityType: 'SHOP' }, ['businessInfo.entityType']],
  ])('a business with %j is refused with 400 INVALID_INPUT', async (businessInfo, fields) => {
    const { post } = await kit();
    expect(refusal(await post('/customers', { customerType: 'BUSINESS', businessInfo }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields,
    });
  });

  test('a refusal of a customer shows for each bad field what would be right', async () => {
    const { post } = await kit();
    const { body } = await post('/customers', {
      customerType: 'INDIVIDUAL',
      phoneNumber: 'x',
      pepStatus: 'x',
      region: 'x',
    });
    expect(body.details.errors).toMatchObject([
      { field: 'region', constraint: { format: 'iso3166-1-alpha-2' } },
      { field: 'phoneNumber', constraint: { format: 'e.164', pattern: '^\\+[1-9][0-9]{1,14}$' } },
      { field: 'pepStatus', constraint: { enum: ['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'] } },
    ]);
  });

  test.each([
    [
      'an individual in USD without a name and a birth date',
      { customerType: 'INDIVIDUAL', currencies: ['USD'] },
      ['fullName', 'birthDate'],
    ],
    [
      'an individual in USD with a name and no birth date',
      { ...ada, birthDate: undefined, currencies: ['USDC', 'USD'] },
      ['birthDate'],
    ],
    [
      'a business in USD without a legal name and a date of incorporation',
      { customerType: 'BUSINESS', currencies: ['USD'] },
      ['businessInfo.legalName', 'businessInfo.incorporatedOn'],
    ],
  ])('%s is refused with 400 MISSING_MANDATORY_USER_INFO (spec 2.1 rule 1)', async (_, sent, fields) => {
    const { post } = await kit({ scenario: asking });
    expect(refusal(await post('/customers', sent))).toEqual({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      fields,
    });
  });

  test.each([
    ['NATIONALITY', ['nationality'], ['businessInfo.country']],
    ['PHONE_NUMBER', ['phoneNumber'], ['phoneNumber']],
    ['EMAIL', ['email'], ['email']],
    ['POSTAL_ADDRESS', ['address'], ['address']],
    ['COUNTRY_OF_RESIDENCE', ['region'], ['region']],
    ['TAX_ID', ['identifier'], ['businessInfo.taxId']],
    ['ID_TYPE', ['idType'], []],
    ['REGISTRATION_NUMBER', [], ['businessInfo.registrationNumber']],
    ['BUSINESS_TYPE', [], ['businessInfo.businessType']],
    ['USER_TYPE', [], []],
    ['PURPOSE_OF_PAYMENT', [], []],
  ])(
    'a customer in a currency that requires %s is refused only without the member that holds it',
    async (name, ofIndividuals, ofBusinesses) => {
      const { post } = await kit(platform({ currencies: [{ code: 'BRL', providerRequiredCustomerFields: [name] }] }));
      for (const [customerType, fields] of [
        ['INDIVIDUAL', ofIndividuals],
        ['BUSINESS', ofBusinesses],
      ] as const) {
        const answer = await post('/customers', { customerType, currencies: ['BRL'] });
        if (fields.length === 0) expect(answer.status).toBe(201);
        else expect(refusal(answer)).toEqual({ status: 400, code: 'MISSING_MANDATORY_USER_INFO', fields });
      }
    },
  );

  test('a customer in a currency that the platform lacks is refused with 400 INVALID_CURRENCY, whether or not the service knows it', async () => {
    const { post } = await kit();
    for (const code of ['EUR', 'ZZZ'])
      expect(refusal(await post('/customers', { ...ada, currencies: ['USDC', code] }))).toEqual({
        status: 400,
        code: 'INVALID_CURRENCY',
        fields: ['currencies.1'],
      });
  });

  test.each([
    'ada@pay.example',
    '$ada',
    '$@pay.example',
    '$ada@other.example',
    '$ada@',
    '$ad a@pay.example',
    '$ada!@pay.example',
    '$äda@pay.example',
    '$\u212Aelvin@pay.example',
    '$ada@pay.example@pay.example',
    `$${'a'.repeat(64)}@pay.example`,
    '',
  ])('a customer with the UMA address %j is refused with 400 INVALID_UMA_ADDRESS (spec 2.8)', async (umaAddress) => {
    const { post } = await kit();
    expect(refusal(await post('/customers', { ...ada, umaAddress }))).toEqual({
      status: 400,
      code: 'INVALID_UMA_ADDRESS',
      fields: ['umaAddress'],
    });
  });

  test('a UMA address may have a username of 64 characters, its $ included, and every allowed character (spec 2.8)', async () => {
    const { post } = await kit();
    for (const user of [`$${'a'.repeat(63)}`, '$a-z_0.9+x', '$0'])
      expect((await post('/customers', { ...ada, umaAddress: `${user}@pay.example` })).body.umaAddress).toBe(
        `${user}@pay.example`,
      );
  });

  test('a consent to terms of an unknown version is refused with 400 END_USER_TERMS_VERSION_NOT_FOUND', async () => {
    const { post } = await kit();
    const endUserTermsConsent = {
      acceptedAt: '2026-01-05T08:59:00.000Z',
      ipAddress: '127.0.0.1',
      termsVersion: 'V99',
      acceptanceMethod: 'CHECKBOX',
    };
    expect(refusal(await post('/customers', { ...ada, endUserTermsConsent }))).toMatchObject({
      status: 400,
      code: 'END_USER_TERMS_VERSION_NOT_FOUND',
    });
  });

  test('a new customer without a contact that the provider verifies is refused with 400 INVALID_INPUT', async () => {
    const { post } = await kit(platform({ contactVerification: ['email', 'phone'] }));
    expect(refusal(await post('/customers', ada))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['email', 'phoneNumber'],
    });
  });

  test('a new customer in a body that is empty or not JSON is refused with 400 INVALID_REQUEST_FORMAT', async () => {
    const { call } = await kit();
    const json = { 'content-type': 'application/json' };
    for (const raw of ['{', '', '{"customerType":"INDIVIDUAL"', "{'customerType':1}"])
      expect(refusal(await call('POST', '/customers', undefined, { raw, headers: json }))).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST_FORMAT',
      });
    const form = await call('POST', '/customers', undefined, {
      raw: 'customerType=INDIVIDUAL',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(refusal(form)).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT' });
  });
});

describe('POST /customers, 401 and 403', () => {
  test('a new customer is refused with 401 without credentials', async () => {
    const { post } = await kit();
    expect(refusal(await post('/customers', ada, { as: null }))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('a new customer is refused with 403 without MANAGE', async () => {
    const { post } = await kit({
      scenario: { credentials: [{ id: 'v', secret: 's', permissions: ['VIEW', 'TRANSACT'] }] },
    });
    expect(refusal(await post('/customers', ada))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

describe('POST /customers, 409', () => {
  test('a platformCustomerId of an active customer is refused with 409 CONFLICT, and is free once that customer is deleted (spec 2.1 rule 3)', async () => {
    const { post, del } = await kit();
    const first = await post('/customers', { ...ada, platformCustomerId: 'u-1' });
    expect(refusal(await post('/customers', { ...ada, platformCustomerId: 'u-1' }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    await del(`/customers/${first.body.id}`);
    expect((await post('/customers', { ...ada, platformCustomerId: 'u-1' })).status).toBe(201);
  });

  test('customers with different UMA addresses may share a platformCustomerId (spec 2.1 rule 3)', async () => {
    const { post } = await kit();
    const shared = { ...ada, platformCustomerId: 'family' };
    expect((await post('/customers', { ...shared, umaAddress: '$ada@pay.example' })).status).toBe(201);
    expect((await post('/customers', { ...shared, umaAddress: '$ben@pay.example' })).status).toBe(201);
    expect(refusal(await post('/customers', shared))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(refusal(await post('/customers', { ...shared, umaAddress: '$ADA@pay.example' })).status).toBe(409);
  });

  test('a UMA address of an active customer is refused with 409 UMA_ADDRESS_EXISTS in any case of its letters (spec 2.8)', async () => {
    const { post, del } = await kit();
    const first = await post('/customers', { ...ada, umaAddress: '$ada@pay.example' });
    expect(refusal(await post('/customers', { ...ada, umaAddress: '$AdA@pay.example' }))).toMatchObject({
      status: 409,
      code: 'UMA_ADDRESS_EXISTS',
    });
    await del(`/customers/${first.body.id}`);
    expect((await post('/customers', { ...ada, umaAddress: '$ada@pay.example' })).status).toBe(201);
  });

  test('a conflict of customers says in x-should-retry that a retry will not help', async () => {
    const { post } = await kit();
    await post('/customers', { ...ada, platformCustomerId: 'u-1' });
    const answer = await post('/customers', { ...ada, platformCustomerId: 'u-1' });
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });

  test('bad input of a new customer is refused before a collision is looked for', async () => {
    const { post } = await kit();
    await post('/customers', { ...ada, platformCustomerId: 'u-1', umaAddress: '$ada@pay.example' });
    const again = { ...ada, platformCustomerId: 'u-1', umaAddress: '$ada@pay.example' };
    expect(refusal(await post('/customers', { ...again, birthDate: 'x' })).code).toBe('INVALID_INPUT');
    expect(refusal(await post('/customers', { ...again, currencies: ['EUR'] })).code).toBe('INVALID_CURRENCY');
  });
});

describe('POST /customers in profile grid', () => {
  test('in profile grid a business without its facts is refused; one with a magic number, and an individual with suffix 003, are UNVERIFIED', async () => {
    const { post } = await kit({ profile: 'grid' });
    expect(refusal(await post('/customers', { customerType: 'BUSINESS' })).fields).toEqual([
      'businessInfo.legalName',
      'businessInfo.country',
      'businessInfo.taxId',
      'businessInfo.incorporatedOn',
    ]);
    expect((await post('/customers', { ...ada, fullName: 'Ann Lee 003' })).body.kycStatus).toBe('UNVERIFIED');
    const facts = { legalName: 'Acme LLC', country: 'US', taxId: '81-5550199', incorporatedOn: '2019-04-30' };
    for (const registrationNumber of ['R-001', 'R-002', 'R-003']) {
      const { body } = await post('/customers', { ...acme, businessInfo: { ...facts, registrationNumber } });
      expect([registrationNumber, body.kybStatus]).toEqual([registrationNumber, 'UNVERIFIED']);
    }
  });
});

import { describe, expect, test } from 'vitest';
import { VERIFICATION } from '../../../src/areas/onboarding/verifications/machine.ts';
import { transition } from '../../../src/engine/machine.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { form, individual, northPier, owner, PDF } from './material.ts';

const settle = (world: Kit) => world.control('POST', '/clock', { advance: 'PT0S' });
const types = (world: Kit) => world.events().map((event) => event.type);
const submit = async (world: Kit, customerId: string) => (await world.post('/verifications', { customerId })).body;
const upload = async (world: Kit, documentHolder: string, documentType: string, more: object = {}, name = 'scan.pdf') =>
  (
    await world.post('/documents', undefined, {
      raw: form({ documentHolder, documentType, country: 'US', ...more }, { name, bytes: PDF }),
    })
  ).body.id as string;
const numbers = { documentNumber: 'X1234567', issuingAuthority: 'State' };
/** Its gaps, each as `type`, `type field` or `type accepted types`; only those of one resource when it is named. */
const gaps = (verification: { errors: Gap[] }, of?: string) =>
  verification.errors
    .filter((error) => of === undefined || error.resourceId === of)
    .map(({ type, field, acceptedDocumentTypes: accepted }) =>
      [type, field ?? accepted?.join()].filter(Boolean).join(' '),
    );
interface Gap {
  resourceId: string;
  type: string;
  field?: string;
  acceptedDocumentTypes?: string[];
  reason: string;
}

/** An individual of this name with everything a review wants. */
async function complete(world: Kit, fullName = 'Omar Diaz'): Promise<string> {
  const { body } = await world.post('/customers', { ...individual, fullName });
  await upload(world, body.id, 'PASSPORT', numbers);
  return body.id;
}
/** A business of this registration number with everything a review wants. */
async function completeBusiness(world: Kit, registrationNumber = 'HRB 555', lastName = 'Novak'): Promise<string> {
  const { body } = await world.post('/customers', northPier(registrationNumber));
  for (const type of ['CERTIFICATE_OF_INCORPORATION', 'DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER', 'UTILITY_BILL'])
    await upload(world, body.id, type);
  await world.post('/beneficial-owners', owner(body.id, { lastName }));
  return body.id;
}

describe('POST /verifications, nothing missing', () => {
  test('a complete submission is answered with 200 IN_PROGRESS without errors, and the customer is PENDING (spec 3.1, 3.3)', async () => {
    const world = await kit({ scenario: [{ policies: { 'verification.decide': 'hold' } }] });
    const id = await complete(world);
    const told = world.events().length;
    const answer = await world.post('/verifications', { customerId: id });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^Verification:/),
      customerId: id,
      verificationStatus: 'IN_PROGRESS',
      errors: [],
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
    const [verification, customer] = world.events().slice(told);
    expect(verification).toMatchObject({ type: 'VERIFICATION.IN_PROGRESS', data: answer.body });
    expect(customer).toMatchObject({ type: 'CUSTOMER.KYC_PENDING', data: (await world.get(`/customers/${id}`)).body });
  });

  test('the decision of a policy follows the reply at once, in events with the full resources (spec 5.1 rule 6, 6)', async () => {
    const world = await kit();
    const id = await complete(world);
    const told = world.events().length;
    const { id: verification } = await submit(world, id);
    await settle(world);
    expect(types(world).slice(told)).toEqual([
      'VERIFICATION.IN_PROGRESS',
      'CUSTOMER.KYC_PENDING',
      'CUSTOMER.KYC_APPROVED',
    ]);
    expect(world.events().at(-1)?.data).toEqual((await world.get(`/customers/${id}`)).body);
    expect(world.events().at(told)?.data).toEqual((await world.get(`/verifications/${verification}`)).body);
  });

  test('a policy delays the decision on a customer by the virtual clock (spec 3.1)', async () => {
    const world = await kit({ scenario: [{ policies: { 'verification.decide': 'after PT1H' } }] });
    const id = await complete(world);
    await submit(world, id);
    await world.control('POST', '/clock', { advance: 'PT59M' });
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
    await world.control('POST', '/clock', { advance: 'PT1M' });
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('APPROVED');
  });

  test('a submission cancels the automatic decision that the creation of the customer had started (spec 3.1)', async () => {
    const world = await kit({ scenario: ['unregulated', { policies: { 'verification.decide': 'hold' } }] });
    const id = await complete(world);
    await submit(world, id);
    await world.control('POST', '/clock', { advance: 'PT1H' });
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
  });

  test('a customer who was approved or rejected may be submitted again, and is PENDING then (spec 3.1)', async () => {
    const world = await kit();
    const id = await complete(world);
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('APPROVED');
    expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
    await settle(world);
    await submit(world, id);
    await world.control('POST', `/customers/${id}/decision`, { decision: 'REJECTED' });
    world.sandbox.world.scheduler.sleep();
    expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
  });

  test('a decision on a customer ends every open verification of that customer, and no other (spec 3.1)', async () => {
    const world = await kit({
      profile: 'grid',
      scenario: [{ policies: { 'customer.decide': 'hold', 'verification.decide': 'hold' } }],
    });
    const [id, other] = [await complete(world), await complete(world)];
    const mine = [await submit(world, id), await submit(world, id)];
    const theirs = await submit(world, other);
    await world.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
    for (const { id: verification } of mine)
      expect((await world.get(`/verifications/${verification}`)).body.verificationStatus).toBe('APPROVED');
    expect((await world.get(`/verifications/${theirs.id}`)).body.verificationStatus).toBe('IN_PROGRESS');
  });

  test('the scheduled decision of a verification that ended does not decide the next verification (spec 3.1)', async () => {
    const world = await kit({ scenario: [{ policies: { 'verification.decide': 'after PT1H' } }] });
    const id = await complete(world);
    await submit(world, id);
    await world.control('POST', `/customers/${id}/decision`, { decision: 'REJECTED' });
    await world.control('POST', '/clock', { advance: 'PT30M' });
    const second = await submit(world, id);
    await world.control('POST', '/clock', { advance: 'PT30M' });
    expect((await world.get(`/verifications/${second.id}`)).body.verificationStatus).toBe('IN_PROGRESS');
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
  });

  test('a complete submission on a regulated platform is IN_PROGRESS, too (spec 3.1)', async () => {
    const world = await kit({ scenario: 'regulated' });
    expect((await submit(world, await complete(world))).verificationStatus).toBe('IN_PROGRESS');
  });
});

describe('POST /verifications of an individual, something missing (spec 3.3)', () => {
  test('a submission of an incomplete individual is 200 RESOLVE_ERRORS and lists every gap; nothing else changes, one event is emitted', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001' });
    const verification = await submit(world, body.id);
    expect(verification.verificationStatus).toBe('RESOLVE_ERRORS');
    expect(gaps(verification, body.id)).toEqual([
      'MISSING_FIELD birthDate',
      'MISSING_FIELD nationality',
      'MISSING_FIELD idType',
      'MISSING_FIELD identifier',
      'MISSING_FIELD address',
      'MISSING_IDENTITY_DOCUMENT PASSPORT,DRIVERS_LICENSE,NATIONAL_ID',
    ]);
    expect(verification.errors.every((error: Gap) => error.reason.length > 0)).toBe(true);
    expect((await world.get(`/customers/${body.id}`)).body).toEqual(body);
    expect(world.events()).toMatchObject([{ type: 'VERIFICATION.RESOLVE_ERRORS', data: verification }]);
  });

  test.each([
    ['a name of one word', { fullName: 'Omar 001' }, ['INVALID_FIELD fullName']],
    ['no name', { fullName: undefined }, ['MISSING_FIELD fullName']],
    [
      'a US address without city and state',
      { address: { line1: '8 Elm Ct', postalCode: '98402', country: 'US' } },
      ['MISSING_FIELD address.city', 'MISSING_FIELD address.state'],
    ],
  ])('a submission of an individual with %s lists that as an error', async (_, change, expected) => {
    const world = await kit();
    const { body } = await world.post('/customers', { ...individual, ...change });
    await upload(world, body.id, 'PASSPORT', numbers);
    expect(gaps(await submit(world, body.id))).toEqual(expected);
  });

  test.each(['DRIVERS_LICENSE', 'NATIONAL_ID'])('a %s needs both sides', async (type) => {
    const world = await kit();
    const { body } = await world.post('/customers', individual);
    const front = await upload(world, body.id, type, { ...numbers, side: 'FRONT' });
    expect((await submit(world, body.id)).errors).toEqual([
      { resourceId: front, type: 'INCOMPLETE_DOCUMENT', reason: `the ${type} lacks its BACK` },
    ]);
    await upload(world, body.id, type, { side: 'BACK' });
    expect((await submit(world, body.id)).verificationStatus).toBe('IN_PROGRESS');
  });

  test.each(['documentNumber', 'issuingAuthority'])(
    'an identity document without its %s is incomplete',
    async (name) => {
      const world = await kit();
      const { body } = await world.post('/customers', individual);
      await upload(
        world,
        body.id,
        'PASSPORT',
        Object.fromEntries(Object.entries(numbers).filter(([key]) => key !== name)),
      );
      expect((await submit(world, body.id)).errors[0].reason).toBe(`the PASSPORT lacks its ${name}`);
    },
  );

  test('one complete identity document is enough for a submission, whatever other documents lack', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', individual);
    await upload(world, body.id, 'NATIONAL_ID', { side: 'FRONT' });
    await upload(world, body.id, 'PASSPORT', numbers);
    expect((await submit(world, body.id)).verificationStatus).toBe('IN_PROGRESS');
  });

  test('a scenario may require a proof of address, and waive the identity number (spec 2.3)', async () => {
    const verification = { proofOfAddress: true, identifier: false };
    const world = await kit({ scenario: [{ platform: { verification } }] });
    const { idType: _, identifier: __, ...without } = individual;
    const { body } = await world.post('/customers', without);
    await upload(world, body.id, 'PASSPORT', numbers);
    expect(gaps(await submit(world, body.id))).toEqual([
      'MISSING_PROOF_OF_ADDRESS_DOCUMENT PROOF_OF_ADDRESS,UTILITY_BILL,RENT_OR_LEASE_AGREEMENT,ELECTRICITY_BILL,BANK_STATEMENT,TAX_RETURN',
    ]);
    await upload(world, body.id, 'PROOF_OF_ADDRESS');
    expect((await submit(world, body.id)).verificationStatus).toBe('IN_PROGRESS');
  });

  test.each([
    ['invalid', 'INVALID_DOCUMENT PASSPORT'],
    ['expired', 'EXPIRED_DOCUMENT PASSPORT'],
    ['poor-quality', 'POOR_QUALITY_DOCUMENT'],
    ['suspected-fraud', 'SUSPECTED_FRAUD_DOCUMENT'],
    ['wrong-type', 'WRONG_DOCUMENT_TYPE'],
    ['incomplete', 'INCOMPLETE_DOCUMENT'],
    ['unreadable', 'UNREADABLE_DOCUMENT'],
    ['failed', 'DOCUMENT_VERIFICATION_FAILED'],
  ])(
    'a submission reports a file named sandbox-review-%s as %s, until another file replaces it',
    async (name, type) => {
      const world = await kit();
      const { body } = await world.post('/customers', individual);
      const document = await upload(world, body.id, 'PASSPORT', numbers, `sandbox-review-${name}.jpg`);
      expect(gaps(await submit(world, body.id), document)).toEqual([type]);
      const raw = form({ documentType: 'PASSPORT', country: 'US', ...numbers });
      await world.call('PUT', `/documents/${document}`, undefined, { raw });
      expect((await submit(world, body.id)).verificationStatus).toBe('IN_PROGRESS');
    },
  );
});

describe('POST /verifications of a business, something missing (spec 2.3, 3.3)', () => {
  const REST = [
    'MISSING_FIELD customer.address.line1',
    'MISSING_FIELD customer.address.city',
    'MISSING_FIELD customer.address.postalCode',
    'MISSING_FIELD customer.address.country',
    'MISSING_LEGAL_PRESENCE_DOCUMENT CERTIFICATE_OF_INCORPORATION,ARTICLES_OF_INCORPORATION,ARTICLES_OF_ASSOCIATION,STATE_REGISTRY_EXCERPT',
    'MISSING_CONTROL_STRUCTURE_DOCUMENT DIRECTOR_REGISTRY,TRUST_AGREEMENT,STATE_COMPANY_REGISTRY,PARTNERSHIP_CONTROL_AGREEMENT',
    'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT SHAREHOLDER_REGISTER,TRUST_AGREEMENT,PARTNERSHIP_AGREEMENT',
    'MISSING_PROOF_OF_ADDRESS_DOCUMENT PROOF_OF_ADDRESS,UTILITY_BILL,RENT_OR_LEASE_AGREEMENT,ELECTRICITY_BILL,BANK_STATEMENT,TAX_RETURN',
    'MISSING_BENEFICIAL_OWNER',
    'MISSING_CONTROL_PERSON',
  ];

  test('a submission of an incomplete business is 200 RESOLVE_ERRORS and lists data, documents and people at once', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'BUSINESS' });
    expect(gaps(await submit(world, body.id), body.id)).toEqual([
      'MISSING_FIELD customer.businessInfo.legalName',
      'MISSING_FIELD customer.businessInfo.countriesOfOperation',
      'MISSING_FIELD customer.businessInfo.taxId',
      ...REST,
    ]);
  });

  test('profile grid asks a business for trade, purpose, funds and volume as well (Y11)', async () => {
    const world = await kit({ profile: 'grid' });
    const businessInfo = {
      legalName: 'North Pier Ltd',
      country: 'US',
      taxId: '12-3456789',
      incorporatedOn: '2019-05-01',
      registrationNumber: 'HRB 001',
    };
    const { body } = await world.post('/customers', { customerType: 'BUSINESS', businessInfo });
    expect(gaps(await submit(world, body.id), body.id)).toEqual([
      'MISSING_FIELD customer.businessInfo.entityType',
      'MISSING_FIELD customer.businessInfo.countriesOfOperation',
      'MISSING_FIELD customer.businessInfo.businessType',
      'MISSING_FIELD customer.businessInfo.purposeOfAccount',
      'MISSING_FIELD customer.businessInfo.expectedMonthlyTransactionCount',
      'MISSING_FIELD customer.businessInfo.expectedMonthlyTransactionVolume',
      'MISSING_FIELD customer.businessInfo.sourceOfFunds',
      ...REST,
    ]);
  });

  test('a business that gives only what spec 2.3 names is submitted without errors (Y11)', async () => {
    const world = await kit();
    const { address } = northPier();
    const businessInfo = { legalName: 'North Pier Trading LLC', taxId: '81-5550199', countriesOfOperation: ['US'] };
    const { body } = await world.post('/customers', { customerType: 'BUSINESS', address, businessInfo });
    await world.post('/beneficial-owners', owner(body.id));
    for (const type of ['CERTIFICATE_OF_INCORPORATION', 'TRUST_AGREEMENT', 'PROOF_OF_ADDRESS'])
      await upload(world, body.id, type);
    const { verificationStatus, errors } = await submit(world, body.id);
    expect([verificationStatus, errors]).toEqual(['IN_PROGRESS', []]);
  });

  test('one trust agreement proves control and ownership of a business', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', northPier());
    await upload(world, body.id, 'TRUST_AGREEMENT');
    const missing = gaps(await submit(world, body.id)).join();
    expect(missing).not.toMatch(/MISSING_(?:CONTROL|OWNERSHIP)_STRUCTURE/);
  });

  test('a business in profile grid may name sourceOfFundsCategories instead of sourceOfFunds', async () => {
    const world = await kit({ profile: 'grid' });
    const { businessInfo, ...rest } = northPier('HRB 001');
    const { sourceOfFunds: _, ...info } = businessInfo;
    const sent = async (more: object) =>
      (await world.post('/customers', { ...rest, businessInfo: { ...info, ...more } })).body.id as string;
    expect(gaps(await submit(world, await sent({}))).join()).toContain('sourceOfFunds');
    const categories = await sent({ sourceOfFundsCategories: ['LOANS'] });
    expect(gaps(await submit(world, categories)).join()).not.toContain('sourceOfFunds');
  });

  test('a foreign business without a tax number may show a government document instead, a US business may not (spec 2.3)', async () => {
    const world = await kit();
    const { businessInfo, ...rest } = northPier();
    const { taxId: _, ...info } = businessInfo;
    const make = async (country: string) =>
      (await world.post('/customers', { ...rest, businessInfo: { ...info, country } })).body.id as string;
    const [home, foreign] = [await make('US'), await make('DE')];
    for (const id of [home, foreign])
      expect(gaps(await submit(world, id))).toContain('MISSING_FIELD customer.businessInfo.taxId');
    for (const id of [home, foreign]) await upload(world, id, 'BUSINESS_LICENSE');
    expect(gaps(await submit(world, home))).toContain('MISSING_FIELD customer.businessInfo.taxId');
    expect(gaps(await submit(world, foreign))).not.toContain('MISSING_FIELD customer.businessInfo.taxId');
  });

  test.each([
    [['DIRECTOR'], 24, ['MISSING_BENEFICIAL_OWNER']],
    [['DIRECTOR'], 25, []],
    [['UBO'], 10, ['MISSING_CONTROL_PERSON']],
    [['TRUSTEE'], 30, ['MISSING_CONTROL_PERSON']],
    [['UBO', 'COMPANY_OFFICER'], 0, []],
    [['CONTROL_PERSON'], 100, []],
  ])(
    'an owner with roles %j and a share of %d leaves the business with the gaps %j (spec 2.3: 25 percent and one control person)',
    async (roles, share, left) => {
      const world = await kit();
      const { body } = await world.post('/customers', northPier());
      await world.post('/beneficial-owners', { ...owner(body.id), roles, ownershipPercentage: share });
      const missing = gaps(await submit(world, body.id)).filter((gap) => /OWNER$|PERSON$/.test(gap));
      expect(missing).toEqual(left);
    },
  );

  test('an owner who is a US person may not use a NON_US_TAX_ID (spec 2.3)', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', northPier());
    const made = await world.post('/beneficial-owners', owner(body.id, { idType: 'NON_US_TAX_ID' }));
    expect(gaps(await submit(world, body.id), made.body.id)).toEqual(['INVALID_FIELD personalInfo.idType']);
  });

  test('an owner who is not a US person shows a passport and one more government document (spec 2.3)', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', northPier());
    const { id } = (
      await world.post('/beneficial-owners', owner(body.id, { nationality: 'DE', idType: 'NON_US_TAX_ID' }))
    ).body;
    expect(gaps(await submit(world, body.id), id)).toEqual([
      'MISSING_IDENTITY_DOCUMENT PASSPORT',
      'MISSING_IDENTITY_DOCUMENT DRIVERS_LICENSE,NATIONAL_ID',
    ]);
    await upload(world, id, 'PASSPORT');
    expect(gaps(await submit(world, body.id), id)).toEqual(['MISSING_IDENTITY_DOCUMENT DRIVERS_LICENSE,NATIONAL_ID']);
    await upload(world, id, 'NATIONAL_ID');
    expect(gaps(await submit(world, body.id), id)).toEqual([]);
  });

  test('a scenario may require a certificate of good standing from a business', async () => {
    const world = await kit({ scenario: [{ platform: { verification: { goodStanding: true } } }] });
    const id = await completeBusiness(world);
    expect(gaps(await submit(world, id))).toEqual(['MISSING_GOOD_STANDING_DOCUMENT GOOD_STANDING_CERTIFICATE']);
  });

  test('a complete business is IN_PROGRESS, then approved with its owners, and the event shows them (spec 3.1, 6)', async () => {
    const world = await kit();
    const id = await completeBusiness(world);
    expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
    await settle(world);
    const { body } = await world.get(`/customers/${id}`);
    expect([body.kybStatus, body.kycStatus, body.beneficialOwners[0].kycStatus]).toEqual([
      'APPROVED',
      'APPROVED',
      'APPROVED',
    ]);
    expect(world.events().at(-1)).toMatchObject({ type: 'CUSTOMER.KYB_APPROVED', data: body });
  });
});

test('the owners of a business that is submitted again are under review again (spec 3.1)', async () => {
  const world = await kit();
  const id = await completeBusiness(world);
  await submit(world, id);
  await settle(world);
  world.sandbox.world.scheduler.sleep();
  await submit(world, id);
  const { body } = await world.get(`/customers/${id}`);
  expect([body.kybStatus, body.beneficialOwners[0].kycStatus]).toEqual(['PENDING', 'PENDING']);
});

describe('POST /verifications, magic suffixes', () => {
  test('an individual whose name ends in 001 is reviewed by hand, and stays PENDING until the control API decides', async () => {
    const world = await kit();
    const id = await complete(world, 'Omar Diaz 001');
    expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
    await world.control('POST', '/clock', { advance: 'P7D' });
    expect(types(world)).toEqual(['VERIFICATION.IN_PROGRESS', 'CUSTOMER.KYC_PENDING']);
    const decided = await world.control('POST', `/customers/${id}/decision`, { decision: 'REJECTED' });
    expect(decided.body.kycStatus).toBe('REJECTED');
    expect(types(world).slice(2)).toEqual(['CUSTOMER.KYC_REJECTED']);
  });

  test('an individual whose name ends in 002 is rejected again after each complete submission', async () => {
    const world = await kit();
    const id = await complete(world, 'Omar Diaz 002');
    for (const _ of [1, 2]) {
      expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
      await settle(world);
      expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('REJECTED');
    }
    expect(types(world).filter((type) => type === 'CUSTOMER.KYC_REJECTED')).toHaveLength(3);
  });

  test('an individual whose name ends in 003 has a poor picture once nothing is missing', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 003' });
    expect(gaps(await submit(world, body.id))).toContain('MISSING_FIELD birthDate');
    const verification = await submit(world, await complete(world, 'Omar Diaz 003'));
    expect([verification.verificationStatus, ...gaps(verification)]).toEqual([
      'RESOLVE_ERRORS',
      'POOR_QUALITY_DOCUMENT',
    ]);
    expect(verification.errors[0].resourceId).toMatch(/^Document:/);
  });

  test.each(['HRB 001', 'HRB 003'])(
    'a business with the registration number %s is checked and waits for a decision',
    async (registration) => {
      const world = await kit();
      const id = await completeBusiness(world, registration);
      expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
      await world.control('POST', '/clock', { advance: 'P7D' });
      expect((await world.get(`/customers/${id}`)).body.kybStatus).toBe('PENDING');
    },
  );

  test('a complete business whose number ends in 002 is rejected; its owners are decided by their own suffixes', async () => {
    const world = await kit();
    const id = await completeBusiness(world, 'HRB 002');
    for (const lastName of ['Keller 001', 'Berg 002']) await world.post('/beneficial-owners', owner(id, { lastName }));
    expect((await submit(world, id)).verificationStatus).toBe('IN_PROGRESS');
    await settle(world);
    expect(types(world)).toEqual(['VERIFICATION.IN_PROGRESS', 'CUSTOMER.KYB_PENDING', 'CUSTOMER.KYB_REJECTED']);
    const { body: now } = await world.get(`/customers/${id}`);
    expect(now.kybStatus).toBe('REJECTED');
    expect(now.beneficialOwners.map((o: { kycStatus: string }) => o.kycStatus)).toEqual([
      'APPROVED',
      'PENDING',
      'REJECTED',
    ]);
  });

  test.each([
    ...['Omar 001', 'Omar 002', 'Omar 003'].map((fullName) => ({ customerType: 'INDIVIDUAL', fullName })),
    ...['HRB 001', 'HRB 45002', 'HRB 003'].map((number) => ({
      customerType: 'BUSINESS',
      businessInfo: { registrationNumber: number },
    })),
  ])('a submission of %j asks for what is missing before any magic value counts (S4, spec 3.3)', async (sent) => {
    const world = await kit();
    const { body } = await world.post('/customers', sent);
    const told = world.events().length;
    const verification = await submit(world, body.id);
    expect(verification.verificationStatus).toBe('RESOLVE_ERRORS');
    expect(gaps(verification).some((gap) => gap.startsWith('MISSING_'))).toBe(true);
    expect(types(world).slice(told)).toEqual(['VERIFICATION.RESOLVE_ERRORS']);
    const log = await world.control('GET', '/requests?operation=createVerification');
    expect(log.body.data[0].magic ?? []).toEqual([]);
  });

  test('a verification has one of the two statuses of the specification, however its submission is decided (S4)', async () => {
    const world = await kit();
    for (const name of ['Omar Diaz', 'Omar Diaz 001', 'Omar Diaz 002', 'Omar Diaz 003'])
      await submit(world, await complete(world, name));
    for (const number of ['HRB 555', 'HRB 001', 'HRB 002', 'HRB 003'])
      await submit(world, await completeBusiness(world, number));
    await settle(world);
    for (const { id } of (await world.get('/customers')).body.data)
      await world.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
    const { data } = (await world.get('/verifications', { limit: 100 })).body;
    expect(new Set(data.map((v: { verificationStatus: string }) => v.verificationStatus))).toEqual(
      new Set(['IN_PROGRESS', 'RESOLVE_ERRORS']),
    );
    for (const { verificationStatus, errors } of data)
      expect(errors.length > 0).toBe(verificationStatus !== 'IN_PROGRESS');
    const told = new Set(types(world).filter((type) => type.startsWith('VERIFICATION')));
    expect(told).toEqual(new Set(['VERIFICATION.IN_PROGRESS', 'VERIFICATION.RESOLVE_ERRORS']));
    expect((await world.get('/verifications', { verificationStatus: 'IN_PROGRESS' })).body.totalCount).toBe(7);
    expect(refusal(await world.get('/verifications', { verificationStatus: 'APPROVED' })).fields).toEqual([
      'verificationStatus',
    ]);
  });

  test.each([{ nationality: 'BR' }, { nationality: 'DE', countryOfIssuance: 'DE' }])(
    'an individual who is not a US person is submitted with a tax number of another country: %j (S12, spec 2.3)',
    async (more) => {
      const world = await kit();
      const elsewhere = { idType: 'NON_US_TAX_ID', identifier: '811/907/123', ...more };
      const home = { line1: 'Rua 1', city: 'Lisboa', postalCode: '1000-001', country: 'PT' };
      const { body } = await world.post('/customers', { ...individual, ...elsewhere, address: home });
      await upload(world, body.id, 'PASSPORT', numbers);
      expect((await submit(world, body.id)).verificationStatus).toBe('IN_PROGRESS');
    },
  );

  test('the request log names the magic suffix that decided a submission', async () => {
    const world = await kit();
    await submit(world, await complete(world, 'Omar Diaz 001'));
    const { body } = await world.control('GET', '/requests?operation=createVerification');
    expect(body.data[0].magic).toEqual(['fullName ends in 001: manual review']);
  });
});

describe('POST /verifications in profile grid', () => {
  test('in profile grid a name in 001 is reviewed by hand and a business in 002 is rejected in the reply, each with its events', async () => {
    const world = await kit({ profile: 'grid', scenario: [{ policies: { 'customer.decide': 'hold' } }] });
    const id = await complete(world, 'Omar Diaz 001');
    expect((await submit(world, id)).verificationStatus).toBe('PENDING_MANUAL_REVIEW');
    expect(types(world)).toEqual(['VERIFICATION.PENDING_MANUAL_REVIEW', 'CUSTOMER.KYC_PENDING']);
    await world.control('POST', `/customers/${id}/decision`, { decision: 'REJECTED' });
    expect(types(world).slice(2)).toEqual(['VERIFICATION.REJECTED', 'CUSTOMER.KYC_REJECTED']);
    const { body } = await world.get('/verifications', { customerId: id });
    expect(gaps(body.data[0])).toEqual(['APPLICANT_REJECTED']);
    const business = (await world.post('/customers', northPier('HRB 002'))).body;
    expect((await submit(world, business.id)).verificationStatus).toBe('REJECTED');
    expect(types(world).slice(4)).toEqual(['CUSTOMER.KYB_PENDING', 'VERIFICATION.REJECTED', 'CUSTOMER.KYB_REJECTED']);
  });

  test('in profile grid a business without a magic suffix is approved in the reply, whatever is missing', async () => {
    const world = await kit({ profile: 'grid' });
    const { body } = await world.post('/customers', northPier('HRB 555'));
    expect(body.kybStatus).toBe('UNVERIFIED');
    expect((await submit(world, body.id)).verificationStatus).toBe('APPROVED');
    expect((await world.get(`/customers/${body.id}`)).body.kybStatus).toBe('APPROVED');
  });

  test.each(['Omar Diaz', 'Omar Diaz 002'])(
    'in profile grid a submission of the decided customer %s is refused with 400',
    async (fullName) => {
      const world = await kit({ profile: 'grid' });
      const { body } = await world.post('/customers', { ...individual, fullName });
      expect(refusal(await world.post('/verifications', { customerId: body.id }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['customerId'],
      });
    },
  );

  test('in profile grid the control API puts a customer on HOLD and decides later, and HOLD emits no event', async () => {
    const world = await kit({ profile: 'grid' });
    const { body } = await world.post('/customers', { ...individual, fullName: 'Omar Diaz 003' });
    expect(body.kycStatus).toBe('UNVERIFIED');
    const held = await world.control('POST', `/customers/${body.id}/decision`, { decision: 'HOLD' });
    expect(held.body.kycStatus).toBe('HOLD');
    expect(world.events()).toEqual([]);
    await world.control('POST', `/customers/${body.id}/decision`, { decision: 'APPROVED' });
    expect(types(world)).toEqual(['CUSTOMER.KYC_APPROVED']);
  });
});

describe('profile grid, later decisions', () => {
  test('in profile grid a customer whom a policy decides later is UNVERIFIED until then', async () => {
    const world = await kit({ profile: 'grid', scenario: [{ policies: { 'customer.decide': 'after PT1H' } }] });
    const { body } = await world.post('/customers', individual);
    expect(body.kycStatus).toBe('UNVERIFIED');
    await world.control('POST', '/clock', { advance: 'PT1H' });
    expect((await world.get(`/customers/${body.id}`)).body.kycStatus).toBe('APPROVED');
  });

  test('in profile grid no policy decides a customer who is on HOLD', async () => {
    const policies = { 'customer.decide': 'hold', 'verification.decide': 'after PT1H' };
    const world = await kit({ profile: 'grid', scenario: [{ policies }] });
    const id = await complete(world);
    await submit(world, id);
    await world.control('POST', `/customers/${id}/decision`, { decision: 'HOLD' });
    await world.control('POST', '/clock', { advance: 'PT2H' });
    expect((await world.get(`/customers/${id}`)).body.kycStatus).toBe('HOLD');
  });
});

describe('POST /verifications, refused', () => {
  test('a submission without customerId is refused with 400 (spec 4.4)', async () => {
    const { post } = await kit();
    expect(refusal(await post('/verifications', {}))).toMatchObject({ status: 400, fields: ['customerId'] });
  });

  test('a submission of an unknown or a deleted customer is refused with 404 (spec 7)', async () => {
    const world = await kit();
    const id = await complete(world);
    await world.del(`/customers/${id}`);
    for (const customerId of [id, 'Customer:none'])
      expect(refusal(await world.post('/verifications', { customerId }))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
  });
});

describe('GET /verifications', () => {
  test('the list of verifications is newest first, filtered by customer and status (spec 2.7)', async () => {
    const world = await kit();
    const id = await complete(world, 'Omar Diaz 001');
    const { body: bare } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg 001' });
    const [first, second] = [await submit(world, id), await submit(world, bare.id)];
    const ids = async (query: Record<string, string>) =>
      (await world.get('/verifications', query)).body.data.map((v: { id: string }) => v.id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ customerId: id })).toEqual([first.id]);
    expect(await ids({ verificationStatus: 'RESOLVE_ERRORS' })).toEqual([second.id]);
    expect(await ids({ verificationStatus: 'IN_PROGRESS' })).toEqual([first.id]);
  });

  test('the list of verifications is refused with 400 for an unknown status', async () => {
    const { get } = await kit();
    expect(refusal(await get('/verifications', { verificationStatus: 'DONE' })).fields).toEqual(['verificationStatus']);
  });

  test('GET of an unknown verification is refused with 404 (spec 7)', async () => {
    const { get } = await kit();
    expect(refusal(await get('/verifications/Verification:none'))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
  });
});

describe('POST /_emulator/customers/{id}/decision', () => {
  test('the control API decides a PENDING customer who was never submitted (spec 3.1)', async () => {
    const world = await kit({ scenario: [{ policies: { 'customer.decide': 'hold' } }] });
    const { body } = await world.post('/customers', individual);
    expect(body.kycStatus).toBe('PENDING');
    const answer = await world.control('POST', `/customers/${body.id}/decision`, { decision: 'APPROVED' });
    expect([answer.status, answer.body.kycStatus]).toEqual([200, 'APPROVED']);
    expect(types(world)).toEqual(['CUSTOMER.KYC_APPROVED']);
  });

  test('a decision is refused with 404 for an unknown customer, 409 for a decided one, 400 for HOLD in profile spec or an unknown word', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', individual);
    const before = JSON.stringify(world.sandbox.world.snapshot());
    const decide = (id: string, decision: string) => world.control('POST', `/customers/${id}/decision`, { decision });
    expect((await decide('Customer:none', 'APPROVED')).status).toBe(404);
    expect((await decide(body.id, 'REJECTED')).status).toBe(409);
    expect((await decide(body.id, 'HOLD')).status).toBe(400);
    expect((await decide(body.id, 'MAYBE')).status).toBe(400);
    expect(JSON.stringify(world.sandbox.world.snapshot())).toBe(before);
  });
});

test('a verification that is APPROVED, REJECTED or RESOLVE_ERRORS is not decided (spec 3.3)', () => {
  for (const status of ['APPROVED', 'REJECTED', 'RESOLVE_ERRORS'] as const)
    for (const decision of ['approve', 'reject'] as const)
      expect(transition(VERIFICATION, status, decision), `${status}, ${decision}`).toBeUndefined();
});

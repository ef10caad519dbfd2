import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const person = {
  firstName: 'Mara',
  lastName: 'Novak',
  birthDate: '1978-06-15',
  nationality: 'US',
  address: { line1: '1 Pier Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
  idType: 'SSN',
  identifier: '987-65-4320',
};
const owner = (customerId: string) => ({
  customerId,
  roles: ['UBO', 'DIRECTOR'],
  ownershipPercentage: 60,
  personalInfo: person,
});
const business = async ({ post }: Kit) => (await post('/customers', { customerType: 'BUSINESS' })).body.id as string;
const created = async (world: Kit) => (await world.post('/beneficial-owners', owner(await business(world)))).body;

describe('POST /beneficial-owners', () => {
  test('a beneficial owner is created with 201, whole and PENDING, and is shown on the business (spec 2.3, 4.4)', async () => {
    const world = await kit();
    const id = await business(world);
    const answer = await world.post('/beneficial-owners', owner(id));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^BeneficialOwner:/),
      ...owner(id),
      kycStatus: 'PENDING',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await world.get(`/customers/${id}`)).body.beneficialOwners).toEqual([answer.body]);
  });

  test('a new beneficial owner emits no event: owners change nothing about the verification (spec 6)', async () => {
    const world = await kit();
    const id = await business(world);
    const before = world.events().length;
    await world.post('/beneficial-owners', owner(id));
    expect(world.events()).toHaveLength(before);
  });

  test('a beneficial owner starts as UNVERIFIED in profile grid', async () => {
    const world = await kit({ profile: 'grid' });
    const { body } = await world.post('/customers', {
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'North Pier', country: 'US', taxId: '12-3456789', incorporatedOn: '2019-04-30' },
    });
    expect((await world.post('/beneficial-owners', owner(body.id))).body.kycStatus).toBe('UNVERIFIED');
  });

  test('a beneficial owner with an empty person is refused with one 400 that names every missing field (spec 2.3)', async () => {
    const world = await kit();
    const answer = await world.post('/beneficial-owners', { ...owner(await business(world)), personalInfo: {} });
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: Object.keys(person).map((name) => `personalInfo.${name}`),
    });
  });

  test.each([
    ['a share above 100', { ownershipPercentage: 100.5 }, ['ownershipPercentage']],
    ['a share below 0', { ownershipPercentage: -1 }, ['ownershipPercentage']],
    ['no role', { roles: [] }, ['roles']],
    ['an unknown role', { roles: ['CLERK'] }, ['roles.0']],
  ])('a beneficial owner with %s is refused with 400 (spec 2.3)', async (_, change, fields) => {
    const world = await kit();
    const answer = await world.post('/beneficial-owners', { ...owner(await business(world)), ...change });
    expect(refusal(answer).fields).toEqual(fields);
  });

  test('a beneficial owner of an individual is refused with 400 (spec 2.3)', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL' });
    expect(refusal(await world.post('/beneficial-owners', owner(body.id)))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['customerId'],
    });
  });

  test('one 400 names a missing field of an owner, a birth date in the future, and an individual as customer (reference 3.4)', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL' });
    const { nationality: _, ...rest } = person;
    const born = { ...rest, birthDate: '2030-01-01' };
    expect(refusal(await world.post('/beneficial-owners', { ...owner(body.id), personalInfo: born }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['personalInfo.nationality', 'customerId', 'personalInfo.birthDate'],
    });
    const both = { ...owner(body.id), personalInfo: { ...born, nationality: 'US' } };
    expect(refusal(await world.post('/beneficial-owners', both)).fields).toEqual([
      'customerId',
      'personalInfo.birthDate',
    ]);
    const nobody = refusal(await world.post('/beneficial-owners', { ...both, customerId: 'Customer:none', roles: [] }));
    expect(nobody.fields).toEqual(['roles', 'personalInfo.birthDate']);
  });

  test('a beneficial owner of an unknown or a deleted business is refused with 404 (spec 7)', async () => {
    const world = await kit();
    const id = await business(world);
    await world.del(`/customers/${id}`);
    for (const gone of [id, 'Customer:none'])
      expect(refusal(await world.post('/beneficial-owners', owner(gone)))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
  });
});

describe('GET /beneficial-owners', () => {
  test('the list of beneficial owners holds those of one business only, newest first, in pages (spec 2.7)', async () => {
    const world = await kit();
    const id = await business(world);
    await created(world);
    const first = await world.post('/beneficial-owners', owner(id));
    const second = await world.post('/beneficial-owners', owner(id));
    const page = await world.get('/beneficial-owners', { customerId: id, limit: 1 });
    expect(page.body).toEqual({
      data: [second.body],
      hasMore: true,
      nextCursor: expect.any(String),
      totalCount: 2,
    });
    const rest = await world.get('/beneficial-owners', { customerId: id, cursor: page.body.nextCursor });
    expect(rest.body).toEqual({ data: [first.body], hasMore: false, totalCount: 2 });
  });

  test('the list of beneficial owners is 200 and empty for an unknown customer and for a business without owners', async () => {
    const world = await kit();
    for (const customerId of ['Customer:none', await business(world)]) {
      const { status, body } = await world.get('/beneficial-owners', { customerId });
      expect([status, body.data]).toEqual([200, []]);
    }
  });

  test('the list of beneficial owners is refused with 400 without customerId', async () => {
    const { get } = await kit();
    expect(refusal(await get('/beneficial-owners'))).toMatchObject({ status: 400, fields: ['customerId'] });
  });
});

describe('GET /beneficial-owners/{beneficialOwnerId}', () => {
  test('a beneficial owner is returned as it was created', async () => {
    const world = await kit();
    const made = await created(world);
    expect((await world.get(`/beneficial-owners/${made.id}`)).body).toEqual(made);
  });

  test('GET of an unknown beneficial owner is refused with 404 (spec 7)', async () => {
    const { get } = await kit();
    expect(refusal(await get('/beneficial-owners/BeneficialOwner:none'))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
  });
});

describe('PATCH /beneficial-owners/{beneficialOwnerId}', () => {
  test('an update of a beneficial owner replaces the roles, merges the person, and shows on the business', async () => {
    const world = await kit();
    const made = await created(world);
    await world.control('POST', '/clock', { advance: 'PT1H' });
    const answer = await world.patch(`/beneficial-owners/${made.id}`, {
      roles: ['CONTROL_PERSON'],
      personalInfo: { middleName: 'Ida', email: 'mara@example.net' },
    });
    expect(answer.body).toEqual({
      ...made,
      roles: ['CONTROL_PERSON'],
      personalInfo: { ...person, middleName: 'Ida', email: 'mara@example.net' },
      updatedAt: '2026-01-05T10:00:00.000Z',
    });
    expect((await world.get(`/customers/${made.customerId}`)).body.beneficialOwners).toEqual([answer.body]);
  });

  test('an update of a beneficial owner with an impossible birth date is refused with 400', async () => {
    const world = await kit();
    const made = await created(world);
    const answer = await world.patch(`/beneficial-owners/${made.id}`, { personalInfo: { birthDate: '1978-02-30' } });
    expect(refusal(answer)).toMatchObject({ status: 400, fields: ['personalInfo.birthDate'] });
  });

  test('one 400 names bad members of an update of an owner and a birth date in the future (reference 3.4)', async () => {
    const world = await kit();
    const made = await created(world);
    const path = `/beneficial-owners/${made.id}`;
    const sent = { ownershipPercentage: -1, personalInfo: { birthDate: '2030-01-01', email: 'x' } };
    expect(refusal(await world.patch(path, sent))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['ownershipPercentage', 'personalInfo.email', 'personalInfo.birthDate'],
    });
    const nobody = refusal(await world.patch('/beneficial-owners/BeneficialOwner:none', sent));
    expect(nobody.fields).toEqual(['ownershipPercentage', 'personalInfo.email']);
    await world.del(`/customers/${made.customerId}`);
    expect(refusal(await world.patch(path, sent)).fields).toEqual(nobody.fields);
  });

  test('an update is refused with 404 for an unknown owner, and for the owner of a deleted business (spec 7)', async () => {
    const world = await kit();
    const made = await created(world);
    await world.del(`/customers/${made.customerId}`);
    expect(refusal(await world.patch(`/beneficial-owners/${made.id}`, { roles: ['UBO'] })).code).toBe('USER_NOT_FOUND');
    expect(refusal(await world.patch('/beneficial-owners/BeneficialOwner:none', {})).code).toBe('REFERENCE_NOT_FOUND');
  });
});

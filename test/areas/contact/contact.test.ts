import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const rosa = {
  customerType: 'INDIVIDUAL',
  fullName: 'Rosa Keller',
  email: 'rosa@example.net',
  phoneNumber: '+491701234',
};
const start = () => kit({ scenario: 'contact-verification' });
const created = async ({ post }: Kit) => (await post('/customers', rosa)).body.id as string;

describe.each([
  { channel: 'email', to: 'rosa@example.net' },
  { channel: 'phone', to: '+491701234' },
])('POST /customers/{customerId}/verify-$channel', ({ channel, to }) => {
  test('a request to verify a contact returns 204 without a body, and its code is in GET /_emulator/codes (spec 4.3)', async () => {
    const world = await start();
    const id = await created(world);
    const sent = await world.post(`/customers/${id}/verify-${channel}`);
    expect([sent.status, sent.text]).toEqual([204, '']);
    expect((await world.control('GET', '/codes')).body.data).toMatchObject([
      { channel, to, code: '123456', purpose: 'contact verification', subject: id },
    ]);
  });

  test('a second request to verify a contact is 204 and resends, and the newest code is listed first (spec 3.2)', async () => {
    const world = await start();
    const id = await created(world);
    await world.post(`/customers/${id}/verify-${channel}`);
    await world.control('POST', '/clock', { advance: 'PT1M' });
    expect((await world.post(`/customers/${id}/verify-${channel}`)).status).toBe(204);
    const { body } = await world.control('GET', '/codes');
    expect(body.data.map((code: { sentAt: string }) => code.sentAt)).toEqual([
      '2026-01-05T09:01:00.000Z',
      '2026-01-05T09:00:00.000Z',
    ]);
  });

  test('a request to verify a contact of an unknown customer is refused with 404 USER_NOT_FOUND (spec 7)', async () => {
    const { post } = await start();
    expect(refusal(await post(`/customers/Customer:none/verify-${channel}`))).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
  });

  test('a request to verify a channel that the provider does not require is refused with 409 CONFLICT (spec 4.3)', async () => {
    const { post } = await kit();
    const { body } = await post('/customers', rosa);
    expect(body).not.toHaveProperty('contactVerification');
    expect(refusal(await post(`/customers/${body.id}/verify-${channel}`))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
  });

  test('a request to verify a channel that is already verified is refused with 409 (spec 4.3)', async () => {
    const world = await start();
    const id = await created(world);
    await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '123456' });
    expect((await world.post(`/customers/${id}/verify-${channel}`)).status).toBe(409);
  });

  describe('/confirm', () => {
    test('a right code returns 200 with its channel VERIFIED and the other channel as it was (spec 3.2)', async () => {
      const world = await start();
      const id = await created(world);
      await world.post(`/customers/${id}/verify-${channel}`);
      const answer = await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '123456' });
      expect(answer.status).toBe(200);
      expect(answer.body.contactVerification).toEqual({ email: 'PENDING', phone: 'PENDING', [channel]: 'VERIFIED' });
      expect((await world.get(`/customers/${id}`)).body).toEqual(answer.body);
    });

    test('a wrong code for a contact is refused with 400, and does not block the right one (spec 4.3)', async () => {
      const world = await start();
      const id = await created(world);
      expect(refusal(await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '000111' }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['code'],
      });
      expect((await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '123456' })).status).toBe(200);
    });

    test('a confirmation of a contact without a code is refused with 400 INVALID_INPUT, naming the code (spec 4.3)', async () => {
      const world = await start();
      const id = await created(world);
      expect(refusal(await world.post(`/customers/${id}/verify-${channel}/confirm`, {}))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['code'],
      });
    });

    test('a confirmation of a contact of an unknown customer is refused with 404 (spec 7)', async () => {
      const { post } = await start();
      expect((await post(`/customers/Customer:none/verify-${channel}/confirm`, { code: '123456' })).status).toBe(404);
    });

    test('a second confirmation of a contact is refused with 409, whatever the code (spec 4.3)', async () => {
      const world = await start();
      const id = await created(world);
      await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '123456' });
      for (const code of ['123456', '1'])
        expect((await world.post(`/customers/${id}/verify-${channel}/confirm`, { code })).status).toBe(409);
    });
  });
});

describe('contactVerification', () => {
  test('contactVerification lists only the channels that the provider requires (spec 2.1)', async () => {
    const { post } = await kit({ scenario: [{ platform: { contactVerification: ['phone'] } }] });
    const { body } = await post('/customers', rosa);
    expect(body.contactVerification).toEqual({ phone: 'PENDING' });
    expect((await post(`/customers/${body.id}/verify-email`)).status).toBe(409);
  });

  test('a customer without the address of a required channel is refused with 400 at creation (spec 2.1)', async () => {
    const { post } = await start();
    expect(refusal(await post('/customers', { customerType: 'INDIVIDUAL', email: 'rosa@example.net' }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['phoneNumber'],
    });
  });

  test('a contact that changes has to be verified again, and one that is sent unchanged stays VERIFIED (spec 3.2)', async () => {
    const world = await start();
    const id = await created(world);
    for (const channel of ['email', 'phone'])
      await world.post(`/customers/${id}/verify-${channel}/confirm`, { code: '123456' });
    const { body } = await world.patch(`/customers/${id}`, { email: 'new@example.net', phoneNumber: rosa.phoneNumber });
    expect(body.contactVerification).toEqual({ email: 'PENDING', phone: 'VERIFIED' });
  });

  test('a hosted link is refused with 409 and a submission with 400 until every channel is VERIFIED (spec 3.2, 7)', async () => {
    const world = await start();
    const id = await created(world);
    await world.post(`/customers/${id}/verify-email/confirm`, { code: '123456' });
    expect(refusal(await world.post(`/customers/${id}/kyc-link`))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(refusal(await world.post('/verifications', { customerId: id }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['contactVerification.phone'],
    });
    await world.post(`/customers/${id}/verify-phone/confirm`, { code: '123456' });
    expect((await world.post(`/customers/${id}/kyc-link`)).status).toBe(201);
    expect((await world.post('/verifications', { customerId: id })).status).toBe(200);
  });

  test('generated customers have the contacts that the provider verifies', async () => {
    const { get } = await kit({ scenario: ['contact-verification', { generate: { customers: 3 } }] });
    const { body } = await get('/customers');
    expect(body.data.map((c: { contactVerification: object }) => c.contactVerification)).toEqual(
      Array(3).fill({ email: 'PENDING', phone: 'PENDING' }),
    );
  });
});

describe('contact verification by region (S11, spec 2.1)', () => {
  const byRegion = {
    platform: { contactVerification: { DE: ['email', 'phone'], FR: ['email'], default: [] } },
  } as const;
  const home = (country: string) => ({ address: { line1: '1 Main St', postalCode: '1000', country } });

  test.each([
    [{ region: 'DE' }, { email: 'PENDING', phone: 'PENDING' }],
    [{ region: 'FR' }, { email: 'PENDING' }],
    [{ region: 'US' }, undefined],
    [{}, undefined],
    [home('DE'), { email: 'PENDING', phone: 'PENDING' }],
    [{ region: 'FR', ...home('DE') }, { email: 'PENDING' }],
  ])('a customer with %j has to verify %j', async (more, states) => {
    const world = await kit({ scenario: byRegion });
    const { body } = await world.post('/customers', { ...rosa, ...more });
    expect(body.contactVerification).toEqual(states);
    const link = await world.post(`/customers/${body.id}/kyc-link`);
    expect(link.status).toBe(states ? 409 : 201);
    const path = `/customers/${body.id}/verify-phone`;
    expect((await world.post(path)).status).toBe(states && 'phone' in states ? 204 : 409);
  });

  test('a customer without a contact that the region requires is refused, and default is for all other regions', async () => {
    const world = await kit({ scenario: { platform: { contactVerification: { US: [], default: ['phone'] } } } });
    const nobody = { customerType: 'INDIVIDUAL' };
    expect((await world.post('/customers', { ...nobody, region: 'US' })).status).toBe(201);
    for (const more of [{}, { region: 'DE' }])
      expect(refusal(await world.post('/customers', { ...nobody, ...more })).fields).toEqual(['phoneNumber']);
  });

  test('a scenario whose contactVerification has an unknown country, an unknown channel or no list is refused', async () => {
    for (const contactVerification of [{ XX: ['email'] }, { DE: ['fax'] }, { DE: 'email' }, 'email'])
      await expect(kit({ scenario: { platform: { contactVerification } } as never })).rejects.toThrow(
        'contactVerification',
      );
  });

  test('generated customers have the contacts that their region requires', async () => {
    const world = await kit({ scenario: { ...byRegion, generate: { customers: 60 } } });
    const { data } = (await world.get('/customers', { limit: 100 })).body;
    for (const c of data)
      expect(Object.keys(c.contactVerification ?? {}), c.region).toEqual(
        { DE: ['email', 'phone'], FR: ['email'] }[c.region as string] ?? [],
      );
  });
});

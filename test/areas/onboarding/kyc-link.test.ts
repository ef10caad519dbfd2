import { describe, expect, test } from 'vitest';
import { completeLink, KYC_LINKS } from '../../../src/areas/onboarding/index.ts';
import { CONTRACT } from '../../kit/contract.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const created = async ({ post }: Kit, more: object = {}) =>
  (await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001', ...more })).body.id as string;

describe('POST /customers/{customerId}/kyc-link, 201', () => {
  test('a KYC link is created with 201: kycUrl, expiresAt in 24 hours, provider and token (spec 2.2)', async () => {
    const world = await kit();
    const id = await created(world);
    const { status, body } = await world.post(`/customers/${id}/kyc-link`, { redirectUri: 'https://app.example/done' });
    expect(status).toBe(201);
    expect(body).toEqual({
      kycUrl: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:4010\/kyc\/[\w-]{32}\?redirectUri=https%3A%2F%2Fapp\.example%2Fdone$/,
      ),
      expiresAt: '2026-01-06T09:00:00.000Z',
      provider: 'KYC_PROVIDER_1',
      token: expect.stringMatching(/^_act-sbx-jwt-[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  test.each([
    ['no body', undefined],
    ['{}', {}],
  ])('a KYC link is created with %s (spec 2.2: the body is optional)', async (_, body) => {
    const world = await kit();
    expect((await world.post(`/customers/${await created(world)}/kyc-link`, body)).status).toBe(201);
  });

  test('a KYC link takes an http redirectUri for local development (spec 2.2)', async () => {
    const world = await kit();
    const redirectUri = 'http://localhost:3000/done?a=1';
    expect((await world.post(`/customers/${await created(world)}/kyc-link`, { redirectUri })).status).toBe(201);
  });

  test('a new KYC link does not change the customer and emits no event (spec 3.1, 4.2)', async () => {
    const world = await kit();
    const id = await created(world);
    const before = await world.get(`/customers/${id}`);
    await world.post(`/customers/${id}/kyc-link`);
    expect((await world.get(`/customers/${id}`)).text).toBe(before.text);
    expect(world.events()).toEqual([]);
  });

  test('the same Idempotency-Key returns the same KYC link, and another key a fresh one (spec 4.2)', async () => {
    const world = await kit();
    const path = `/customers/${await created(world)}/kyc-link`;
    const ask = (key?: string) => world.post(path, {}, key ? { headers: { 'idempotency-key': key } } : {});
    const first = await ask('k1');
    expect((await ask('k1')).text).toBe(first.text);
    const urls = new Set([first, await ask('k2'), await ask(), await ask()].map(({ body }) => body.kycUrl));
    expect(urls.size).toBe(4);
  });

  test('a KYC link is also created for an approved customer and for a business (spec 4.2)', async () => {
    const world = await kit();
    for (const more of [{ fullName: 'Ada Keller' }, { customerType: 'BUSINESS', fullName: undefined }])
      expect((await world.post(`/customers/${await created(world, more)}/kyc-link`)).status).toBe(201);
  });

  test('two sandboxes of one seed create different KYC links', async () => {
    const world = await kit();
    const urls: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      const made = await world.host.create({ seed: 7 });
      const login = { as: `${made.credentials[0]?.tokenId}:${made.credentials[0]?.secret}` };
      const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL' }, login);
      urls.push((await world.post(`/customers/${body.id}/kyc-link`, undefined, login)).body.kycUrl);
    }
    expect(urls[0]).not.toBe(urls[1]);
  });

  test('a KYC link in profile grid names the provider as the public contract does', async () => {
    const world = await kit({ profile: 'grid' });
    const { body } = await world.post(`/customers/${await created(world)}/kyc-link`);
    expect(CONTRACT.$defs['KycProvider']?.enum).toEqual([body.provider]);
  });
});

describe('POST /customers/{customerId}/kyc-link, refused', () => {
  test.each([
    'ftp://app.example/x',
    'app.example',
    'javascript:alert(1)',
    '',
    'https://a;b.example/',
    'https:app.example',
    `https://app.example/${'完'.repeat(2000)}`,
    7,
  ])('a KYC link with the redirectUri %j is refused with 400 (spec 2.2)', async (redirectUri) => {
    const world = await kit();
    expect(refusal(await world.post(`/customers/${await created(world)}/kyc-link`, { redirectUri }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['redirectUri'],
    });
  });

  test('a KYC link for an unknown or a deleted customer is refused with 404 (spec 7 condition rule 1)', async () => {
    const world = await kit();
    const id = await created(world);
    await world.del(`/customers/${id}`);
    for (const gone of [id, 'Customer:none'])
      expect(refusal(await world.post(`/customers/${gone}/kyc-link`))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
  });

  test('a KYC link is refused with 409 while a contact channel is not VERIFIED (spec 7 condition rule 2)', async () => {
    const world = await kit({ scenario: 'contact-verification' });
    const id = await created(world, { email: 'o@example.net', phoneNumber: '+4917012345' });
    const answer = await world.post(`/customers/${id}/kyc-link`);
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(answer.body.details.unverified).toEqual(['email', 'phone']);
  });
});

test('limits.kycLinkHours sets how long a KYC link is valid', async () => {
  const world = await kit({ scenario: [{ limits: { kycLinkHours: 1 } }] });
  const { body } = await world.post(`/customers/${await created(world)}/kyc-link`);
  expect(body.expiresAt).toBe('2026-01-05T10:00:00.000Z');
});

test('a hosted check that was completed cannot be completed again (spec 2.2: single use)', async () => {
  const kept = await kit();
  await kept.post(`/customers/${await created(kept)}/kyc-link`);
  const { world } = kept.sandbox;
  const link = world.rows(KYC_LINKS).first();
  if (!link) throw new Error('no link');
  const complete = () =>
    world.transact(() => completeLink(world, world.rows(KYC_LINKS).get(link.id) ?? link, {}, 'pending'));
  expect(complete().usedAt).toBe('2026-01-05T09:00:00.000Z');
  expect(complete).toThrow(expect.objectContaining({ code: 'CONFLICT', why: { rule: 'spec 2.2: single use' } }));
});

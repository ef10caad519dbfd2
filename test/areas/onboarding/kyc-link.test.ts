import { describe, expect, test } from 'vitest';
import { completeLink, KYC_LINKS } from '../../../src/areas/onboarding/index.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const created = async ({ post }: Kit, more: object = {}) =>
  (await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001', ...more })).body.id as string;

describe('POST /customers/{customerId}/kyc-link, 201', () => {
  test('kycUrl, expiresAt in 24 hours, provider and token (spec 2.2)', async () => {
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
  ])('%s is enough (spec 2.2: the body is optional)', async (_, body) => {
    const world = await kit();
    expect((await world.post(`/customers/${await created(world)}/kyc-link`, body)).status).toBe(201);
  });

  test('http is allowed for local development (spec 2.2)', async () => {
    const world = await kit();
    const redirectUri = 'http://localhost:3000/done?a=1';
    expect((await world.post(`/customers/${await created(world)}/kyc-link`, { redirectUri })).status).toBe(201);
  });

  test('the customer is not changed and no event is sent (spec 3.1, 4.2)', async () => {
    const world = await kit();
    const id = await created(world);
    const before = await world.get(`/customers/${id}`);
    await world.post(`/customers/${id}/kyc-link`);
    expect((await world.get(`/customers/${id}`)).text).toBe(before.text);
    expect(world.events()).toEqual([]);
  });

  test('the same Idempotency-Key gets the same answer, another a fresh link (spec 4.2)', async () => {
    const world = await kit();
    const path = `/customers/${await created(world)}/kyc-link`;
    const ask = (key?: string) => world.post(path, {}, key ? { headers: { 'idempotency-key': key } } : {});
    const first = await ask('k1');
    expect((await ask('k1')).text).toBe(first.text);
    const urls = new Set([first, await ask('k2'), await ask(), await ask()].map(({ body }) => body.kycUrl));
    expect(urls.size).toBe(4);
  });

  test('an approved customer and a business get one, too (spec 4.2)', async () => {
    const world = await kit();
    for (const more of [{ fullName: 'Ada Keller' }, { customerType: 'BUSINESS', fullName: undefined }])
      expect((await world.post(`/customers/${await created(world, more)}/kyc-link`)).status).toBe(201);
  });

  test('two sandboxes of one seed give out different links', async () => {
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

  test('profile grid names the provider as the public contract does', async () => {
    const world = await kit({ profile: 'grid' });
    const { body } = await world.post(`/customers/${await created(world)}/kyc-link`);
    expect(body.provider).not.toBe('KYC_PROVIDER_1');
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
  ])('400 for the redirectUri %j (spec 2.2)', async (redirectUri) => {
    const world = await kit();
    expect(refusal(await world.post(`/customers/${await created(world)}/kyc-link`, { redirectUri }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['redirectUri'],
    });
  });

  test('404 for nobody, and for a deleted customer (spec 7 condition rule 1)', async () => {
    const world = await kit();
    const id = await created(world);
    await world.del(`/customers/${id}`);
    for (const gone of [id, 'Customer:none'])
      expect(refusal(await world.post(`/customers/${gone}/kyc-link`))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
  });

  test('409 while a contact channel is not VERIFIED (spec 7 condition rule 2)', async () => {
    const world = await kit({ scenario: 'contact-verification' });
    const id = await created(world, { email: 'o@example.net', phoneNumber: '+4917012345' });
    const answer = await world.post(`/customers/${id}/kyc-link`);
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(answer.body.details.unverified).toEqual(['email', 'phone']);
  });
});

test('limits.kycLinkHours says how long a link lives', async () => {
  const world = await kit({ scenario: [{ limits: { kycLinkHours: 1 } }] });
  const { body } = await world.post(`/customers/${await created(world)}/kyc-link`);
  expect(body.expiresAt).toBe('2026-01-05T10:00:00.000Z');
});

test('the check of a hosted link that was completed cannot be completed again (spec 2.2: single use)', async () => {
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

import { describe, expect, test } from 'vitest';
import { customerOf, readyCustomer, requireTerms } from '../../../src/areas/customers/index.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const consent = {
  acceptedAt: '2026-01-05T08:59:00.000Z',
  ipAddress: '203.0.113.7',
  termsVersion: 'V1',
  acceptanceMethod: 'CLICK_TO_ACCEPT',
};
const gated = { scenario: [{ platform: { requireEndUserTerms: true } }] };
const accounts = async ({ get }: Kit, customerId: string) =>
  (await get('/customers/internal-accounts', { customerId })).body.totalCount as number;
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('GET /customers/end-user-terms', () => {
  test('the end-user terms are answered with 200 and the version that a consent may name', async () => {
    const { get, post } = await kit();
    const { status, body } = await get('/customers/end-user-terms');
    expect([status, Object.keys(body)]).toEqual([200, ['version', 'url']]);
    const endUserTermsConsent = { ...consent, termsVersion: body.version };
    const made = await post('/customers', { customerType: 'INDIVIDUAL', endUserTermsConsent });
    expect(made.body.endUserTermsConsent).toEqual(endUserTermsConsent);
  });

  test('GET /customers/end-user-terms does not look for a customer: the literal path comes before the parameter', async () => {
    const { get } = await kit();
    expect((await get('/customers/end-user-terms')).body).not.toHaveProperty('code');
  });
});

describe('the gate of platform.requireEndUserTerms', () => {
  test('accounts open with the customer where no consent to the terms is required, which is the default (spec 2.1 rule 2)', async () => {
    const world = await kit();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL' });
    expect(await accounts(world, body.id)).toBe(3);
    expect(codeOf(() => requireTerms(world.sandbox.world, customerOf(world.sandbox.world, body.id)))).toBeUndefined();
  });

  test('where consent to the terms is required, accounts and money movement wait for it, and it opens both', async () => {
    const world = await kit(gated);
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    const door = () => requireTerms(world.sandbox.world, customerOf(world.sandbox.world, body.id));
    expect([await accounts(world, body.id), codeOf(door)]).toEqual([0, 'END_USER_TERMS_NOT_ACCEPTED']);
    await world.patch(`/customers/${body.id}`, { fullName: 'Ada K Keller' });
    expect(await accounts(world, body.id)).toBe(0);
    await world.patch(`/customers/${body.id}`, { endUserTermsConsent: consent });
    expect([await accounts(world, body.id), codeOf(door)]).toEqual([3, undefined]);
    await world.patch(`/customers/${body.id}`, { endUserTermsConsent: consent });
    expect(await accounts(world, body.id)).toBe(3);
  });

  test('where consent to the terms is required, a customer created with it gets accounts at once', async () => {
    const world = await kit(gated);
    const { body } = await world.post('/customers', { customerType: 'BUSINESS', endUserTermsConsent: consent });
    expect(await accounts(world, body.id)).toBe(3);
  });

  test('where consent to the terms is required, a currency configured later opens accounts only for customers who accepted', async () => {
    const world = await kit(gated);
    const { body: waits } = await world.post('/customers', { customerType: 'INDIVIDUAL' });
    const { body: accepted } = await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      endUserTermsConsent: consent,
    });
    const { body: config } = await world.get('/config');
    await world.patch('/config', { supportedCurrencies: [...config.supportedCurrencies, { currencyCode: 'EUR' }] });
    expect([await accounts(world, waits.id), await accounts(world, accepted.id)]).toEqual([0, 4]);
  });

  test('a regulated platform opens accounts without consent, because it has terms of its own', async () => {
    const world = await kit({ scenario: ['regulated', gated.scenario[0] as object] });
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL' });
    expect(await accounts(world, body.id)).toBe(3);
  });

  test('a consent to a version of the terms that does not exist is refused with 400', async () => {
    const { post } = await kit(gated);
    const endUserTermsConsent = { ...consent, termsVersion: 'V9' };
    expect(refusal(await post('/customers', { customerType: 'INDIVIDUAL', endUserTermsConsent }))).toEqual({
      status: 400,
      code: 'END_USER_TERMS_VERSION_NOT_FOUND',
      fields: ['endUserTermsConsent.termsVersion'],
    });
  });
});

test('only an APPROVED customer may move money (spec 3.1)', async () => {
  const { sandbox, post } = await kit();
  const ready = async (fullName: string) => {
    const { body } = await post('/customers', { customerType: 'INDIVIDUAL', fullName });
    return codeOf(() => readyCustomer(sandbox.world, body.id));
  };
  expect([await ready('Ada Keller'), await ready('Ada Keller 001'), await ready('Ada Keller 002')]).toEqual([
    undefined,
    'USER_NOT_READY',
    'USER_NOT_READY',
  ]);
});

import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { CUSTOMER_INFO_FIELDS } from '../../../src/areas/platform/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { receiver } from '../../kit/receiver.ts';
import { refusal } from '../../kit/sandbox.ts';

const BO = '$bo@pay.example';

/** Ana pays Bo dollars that arrive as euros, of whose senders the platform wants to know these fields. */
async function wanting(fields: Readonly<Record<string, boolean>>, profile: 'spec' | 'grid' = 'spec', url?: string) {
  const requiredCounterpartyFields = Object.entries(fields).map(([name, mandatory]) => ({ name, mandatory }));
  const it = await moneyKit({ profile, ...(url ? { webhookUrl: url } : {}) });
  const eur = { currencyCode: 'EUR', requiredCounterpartyFields };
  await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD' }, eur, { currencyCode: 'GBP' }] });
  const bo = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: BO })).body;
  await it.settle();
  const ana = (await it.funded('USD', 50_000)).id;
  return { it, bo, ana };
}

const quote = (it: MoneyKit, accountId: string, senderCustomerInfo?: object, currency = 'EUR') =>
  it.quote(
    { sourceType: 'ACCOUNT', accountId },
    { destinationType: 'UMA_ADDRESS', umaAddress: BO, currency },
    { lookupId: lookupIdOf(BO), ...(senderCustomerInfo ? { senderCustomerInfo } : {}) },
  );

/** The status of the quote, and what the receiver's row says of the sender. */
async function paid(it: MoneyKit, accountId: string, senderCustomerInfo?: object) {
  const { status, body } = await quote(it, accountId, senderCustomerInfo);
  expect(status).toBe(201);
  expect((await it.post(`/quotes/${body.id}/execute`)).status).toBe(200);
  await it.settle();
  return (await it.get('/transactions', { type: 'INCOMING' })).body.data[0].counterpartyInformation;
}

describe('requiredCounterpartyFields between customers of one platform (reference 9.1, 9.9, 14)', () => {
  test.each(['spec', 'grid'] as const)(
    'a lookup of a customer lists the fields of the currencies that they receive (profile %s, reference 14)',
    async (profile) => {
      const { it } = await wanting({ NATIONALITY: true, BIRTH_DATE: false }, profile);
      const fields = async () => (await it.get(`/receiver/uma/${encodeURIComponent(BO)}`)).body.requiredPayerDataFields;
      const listed = [
        { name: 'FULL_NAME', mandatory: false },
        { name: 'NATIONALITY', mandatory: true },
        { name: 'BIRTH_DATE', mandatory: false },
      ];
      expect(await fields()).toEqual(listed);
      await it.patch('/config', {
        supportedCurrencies: [
          { currencyCode: 'EUR' },
          { currencyCode: 'GBP', requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }] },
        ],
      });
      expect(await fields()).toContainEqual({ name: 'FULL_NAME', mandatory: true });
    },
  );

  test.each(['spec', 'grid'] as const)(
    'a quote without a mandatory field is refused with 400 MISSING_MANDATORY_USER_INFO, and leaves no trace (profile %s, reference 9.9)',
    async (profile) => {
      const { it, ana } = await wanting({ NATIONALITY: true, PHONE_NUMBER: true, BIRTH_DATE: true }, profile);
      const before = JSON.stringify(it.sandbox.world.snapshot());
      for (const sent of [undefined, {}, { NATIONALITY: '', PHONE_NUMBER: null }, { SHOE_SIZE: '44' }])
        expect(refusal(await quote(it, ana, sent))).toEqual({
          status: 400,
          code: 'MISSING_MANDATORY_USER_INFO',
          fields: ['senderCustomerInfo.NATIONALITY', 'senderCustomerInfo.PHONE_NUMBER'],
        });
      expect(JSON.stringify(it.sandbox.world.snapshot())).toBe(before);
      expect((await quote(it, ana, undefined, 'GBP')).status).toBe(201);
    },
  );

  test.each(['spec', 'grid'] as const)(
    "the data of the sender arrives in the receiver's transaction and event (profile %s, reference 14)",
    async (profile) => {
      const hooks = await receiver();
      const { it, ana } = await wanting(
        { NATIONALITY: true, BIRTH_DATE: false, PURPOSE_OF_PAYMENT: false },
        profile,
        hooks.url,
      );
      const told = { FULL_NAME: 'Ana Souza', BIRTH_DATE: '1990-01-02', NATIONALITY: 'US', PURPOSE_OF_PAYMENT: 'GIFT' };
      const sent = { NATIONALITY: 'US', PURPOSE_OF_PAYMENT: 'GIFT', EMAIL: 'ana@example.com', SHOE_SIZE: '44' };
      expect(await paid(it, ana, sent)).toEqual(told);
      const asked = it.events().find(({ type }) => type === 'INCOMING_PAYMENT.PENDING');
      expect(asked?.data).toMatchObject({ counterpartyInformation: told });
    },
  );

  test('the data of the sender comes from the record of the customer, and the quote overrides it (reference 9.1)', async () => {
    const { it, ana } = await wanting({ NATIONALITY: true, EMAIL: true, USER_TYPE: true, REGISTRATION_NUMBER: true });
    await it.patch(`/customers/${it.customer.id}`, { nationality: 'DE' });
    const told = { FULL_NAME: 'Ana Souza', NATIONALITY: 'DE', EMAIL: 'ana@example.com', USER_TYPE: 'INDIVIDUAL' };
    expect(await paid(it, ana)).toEqual(told);
    expect(await paid(it, ana, { NATIONALITY: 'FR' })).toEqual({ ...told, NATIONALITY: 'FR' });
  });

  test('the identifier of a sender counts as given, but is never shown', async () => {
    const { it, ana } = await wanting({ TAX_ID: true });
    expect((await quote(it, ana)).status).toBe(400);
    await it.patch(`/customers/${it.customer.id}`, { identifier: '123-45-6789' });
    expect(await paid(it, ana)).toEqual({ FULL_NAME: 'Ana Souza' });
  });

  test('the tax number of a business arrives under three names, and the request log holds it under none (R7)', async () => {
    const names = CUSTOMER_INFO_FIELDS.map((name) => [name, false] as const);
    const { it } = await wanting(Object.fromEntries(names));
    const businessInfo = { legalName: 'Acme', country: 'US', taxId: '98-7654321', incorporatedOn: '2018-03-14' };
    const { id } = (await it.post('/customers', { customerType: 'BUSINESS', businessInfo })).body;
    await it.settle();
    const arrived = await paid(it, (await it.funded('USD', 50_000, id)).id);
    expect(Object.keys(arrived).filter((name) => arrived[name] === '98-7654321')).toHaveLength(3);
    const { data } = (await it.control('GET', '/requests?limit=100')).body;
    for (const one of data) expect((await it.control('GET', `/requests/${one.id}`)).text).not.toContain('98-7654321');
  });

  test('the platform has no record, so it names every mandatory field when it pays (reference 9.1)', async () => {
    const { it } = await wanting({ FULL_NAME: true });
    const own = (await it.funded('USD', 50_000, 'platform')).id;
    expect(refusal(await quote(it, own)).fields).toEqual(['senderCustomerInfo.FULL_NAME']);
    expect(await paid(it, own, { FULL_NAME: 'Pay Ltd' })).toEqual({ FULL_NAME: 'Pay Ltd' });
  });
});

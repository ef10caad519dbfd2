import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02' };

describe('POST /customers, 201', () => {
  test('customerType is the only field required of every customer (spec 2.1)', async () => {
    const { post } = await kit();
    expect((await post('/customers', { customerType: 'INDIVIDUAL' })).status).toBe(201);
    expect((await post('/customers', { customerType: 'BUSINESS' })).status).toBe(201);
  });

  test('an internal account is opened for each configured currency (spec 2.1 rule 2)', async () => {
    const { post, get } = await kit();
    const { body: customer } = await post('/customers', ada);
    const { body: page } = await get('/customers/internal-accounts', { customerId: customer.id });
    expect(page.data.map((a: { balance: { currency: { code: string } } }) => a.balance.currency.code).sort()).toEqual([
      'USD',
      'USDB',
      'USDC',
    ]);
  });

  test('under the policy "at once" the reply says APPROVED and one event follows (spec 5.1 rule 6, 6)', async () => {
    const { post, events } = await kit();
    const { body } = await post('/customers', ada);
    expect(body.kycStatus).toBe('APPROVED');
    expect(events()).toMatchObject([{ type: 'CUSTOMER.KYC_APPROVED', data: body }]);
  });
});

describe('POST /customers, 400', () => {
  test('every bad field is reported at once (spec 2.1 rule 4)', async () => {
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
});

describe('POST /customers, 409', () => {
  test('a platformCustomerId of an active customer collides (spec 2.1 rule 3)', async () => {
    const { post, del } = await kit();
    const first = await post('/customers', { ...ada, platformCustomerId: 'u-1' });
    expect(refusal(await post('/customers', { ...ada, platformCustomerId: 'u-1' }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    await del(`/customers/${first.body.id}`);
    expect((await post('/customers', { ...ada, platformCustomerId: 'u-1' })).status).toBe(201);
  });
});

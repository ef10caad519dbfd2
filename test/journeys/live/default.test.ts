import { describe, expect, test } from 'vitest';
import { leaveQuoteWaiting, live, NODES, pay, within } from '../../kit/live.ts';
import { sure } from '../../kit/sure.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe.each(NODES)('a start without flags about time, on %s', (node) => {
  test('a payment settles, a customer is decided and their webhooks arrive while a quote waits for minutes (L1, L3)', async () => {
    const { call, told } = await live([], node);
    const does = sure(call);
    const parties = await leaveQuoteWaiting(call);
    const customer = await does('POST', '/customers', ada);
    await told('CUSTOMER.KYC_APPROVED', (data) => data.id === customer.id);
    const payment = await pay(call, parties);
    const paid = await told('OUTGOING_PAYMENT.COMPLETED', (data) => data.id === payment);
    expect(paid.event.data.status).toBe('COMPLETED');
    expect((await does('GET', `/transactions/${payment}`)).status).toBe('COMPLETED');
  });

  test('a decision that the scenario delays by two seconds happens two seconds later while a quote waits for minutes (L1)', async () => {
    const { call, told } = await live(['--scenario', 'unregulated'], node);
    const does = sure(call);
    await leaveQuoteWaiting(call);
    const customer = await does('POST', '/customers', { ...ada, birthDate: '1991-05-04' });
    expect(customer.kycStatus).toBe('PENDING');
    const { event } = await told('CUSTOMER.KYC_APPROVED', (data) => data.id === customer.id);
    expect(Date.parse(event.timestamp) - Date.parse(customer.createdAt)).toBeGreaterThanOrEqual(2000);
  });

  test('a failed webhook of one account does not delay the next webhook of another account (L1)', async () => {
    const { call, hooks, told } = await live([], node);
    const does = sure(call);
    hooks.react = ({ event }) => (event.data.fullName === 'Bea Stern' ? 500 : 200);
    await does('POST', '/customers', { ...ada, fullName: 'Bea Stern' });
    await hooks.until(1);
    const customer = await does('POST', '/customers', ada);
    await told('CUSTOMER.KYC_APPROVED', (data) => data.id === customer.id);
    const retried = await within(
      'the retry',
      () => hooks.received.filter(({ event }) => event.data.fullName === 'Bea Stern')[1],
    );
    expect(retried.event.id).toBe(hooks.received[0]?.event.id);
    expect(hooks.received.indexOf(retried)).toBe(2);
  });
});

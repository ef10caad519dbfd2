import { expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };

test.each(
  [
    { status: 200, verb: '/approve' },
    { status: 403, verb: '/reject' },
  ].flatMap((one) => ['vitest', 'shell'].map((as) => ({ ...one, as }))),
)(
  'a recording of an incoming payment that a receiver answered with $status repeats that answer as $as by a control',
  async ({ status, verb, as }) => {
    const hooks = await receiver();
    hooks.react = ({ event: { type } }) => (type === 'INCOMING_PAYMENT.PENDING' ? status : 200);
    const it = await kit();
    await it.control('PUT', '/webhooks/endpoint', { url: hooks.url });
    const { id } = (await it.post('/customers', ADA)).body;
    const made = await it.post('/sandbox/uma/receive', {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      customerId: id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 1500,
    });
    expect(made.status, made.text).toBe(200);
    await it.advance('PT1H');
    // A redelivery that gets the opposite answer comes too late.
    hooks.react = () => (status === 200 ? 403 : 200);
    const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
    expect((await it.control('POST', `/webhooks/${data[0].id}/redeliver`)).status).toBe(200);
    await it.get(`/transactions/${made.body.id}`);
    const [last] = it.sandbox.requestLog.newest();
    const { text } = await it.control('POST', '/record', { requests: { from: 'req_1', to: last?.id }, as });
    expect(text).not.toMatch(/Left out|cannot be repeated|Not expected/);
    expect(text).toContain(verb);
    expect(text).toContain('/_emulator/webhooks/pause');
  },
);

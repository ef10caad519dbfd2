import { expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const WAIT = '/webhooks/wait?type=CUSTOMER.KYC_APPROVED';

test('GET /webhooks/wait returns an event that was emitted already, the oldest first', async () => {
  const it = await kit();
  const [ada, bo] = [(await it.post('/customers', ADA)).body, (await it.post('/customers', ADA)).body];
  await it.settle();
  const first = (await it.control('GET', WAIT)).body;
  expect([first.subject, first.payload.data.id]).toEqual([ada.id, ada.id]);
  expect((await it.control('GET', `${WAIT}&after=${first.id}`)).body.subject).toBe(bo.id);
  expect((await it.control('GET', `${WAIT}&subject=${bo.id}`)).body.subject).toBe(bo.id);
});

test('GET /webhooks/wait waits for an event that is emitted later', async () => {
  const it = await kit({ scenario: { policies: { 'customer.decide': 'hold' } } });
  const { id } = (await it.post('/customers', ADA)).body;
  const waiting = it.control('GET', `${WAIT}&subject=${id}`);
  await it.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
  expect((await waiting).body.subject).toBe(id);
});

test('GET /webhooks/wait is refused with 404 when its time is over, with a hint about the held clock', async () => {
  const it = await kit();
  const { status, body } = await it.control('GET', `${WAIT}&subject=Customer:x&timeoutMs=0`);
  expect([status, body.message]).toEqual([
    404,
    'no CUSTOMER.KYC_APPROVED about Customer:x was emitted; the clock is held: advance it, and what is due happens',
  ]);
});

test('GET /webhooks/wait after an unknown event is refused with 404', async () => {
  const it = await kit();
  expect((await it.control('GET', `${WAIT}&after=Webhook:x`)).status).toBe(404);
});

test('GET /webhooks/wait ends with 404 when the emulator closes', async () => {
  const it = await kit();
  const waiting = it.control('GET', `${WAIT}&timeoutMs=60000`);
  await it.control('GET', '/health');
  it.host.close();
  expect((await waiting).status).toBe(404);
});

test('GET /webhooks/wait ends with 404 when its sandbox is dropped, and the refusal says so', async () => {
  const it = await kit();
  const { id } = (await it.control('POST', '/sandboxes', {})).body;
  const waiting = it.control('GET', `${WAIT}&timeoutMs=60000&sandbox=${id}`);
  await it.control('GET', '/health');
  await it.control('DELETE', `/sandboxes/${id}`);
  const { status, body } = await waiting;
  expect([status, body.message]).toEqual([404, 'the sandbox was dropped, and no CUSTOMER.KYC_APPROVED was emitted']);
});

test('GET /webhooks/wait for an unknown type is refused with 404 and the nearest type', async () => {
  const it = await kit();
  const { status, body } = await it.control('GET', '/webhooks/wait?type=CUSTOMER.KYC_APROVED&timeoutMs=0');
  expect([status, body.message]).toEqual([
    404,
    'no CUSTOMER.KYC_APROVED was emitted; profile spec has no such event; did you mean CUSTOMER.KYC_APPROVED?',
  ]);
});

import { expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';
import { Authenticator, walletKit } from '../kit/wallet.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;

const record = (it: Kit, requests: unknown) => it.control('POST', '/record', { requests, as: 'shell' });

const HOW =
  '# A token id that nobody has used opens one: LOGIN=run-2:secret sh <this file>. A scenario of your own: POST /_emulator/sandboxes.';

test('a recorded script that runs in any sandbox counts its calls at the end and requests no fresh sandbox', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  const one = (await record(it, [latest(it)])).text;
  expect(one).toMatch(/\necho '1 call, as recorded'\n$/);
  await it.get(`/customers/${id}`);
  const two = (await record(it, { from: 'req_1', to: latest(it) })).text;
  expect(two).toMatch(/\necho '2 calls, all as recorded'\n$/);
  expect(two).not.toContain('fresh sandbox');
});

test('a recorded script that a second run would break says at the top why it wants a fresh sandbox, and how to get one', async () => {
  const it = await kit();
  await it.post('/customers', { ...ADA, platformCustomerId: 'ada' });
  await it.post('/customers', { ...ADA, umaAddress: '$ada@sandbox.example' });
  const { text } = await record(it, { from: 'req_1', to: latest(it) });
  expect(text).toMatch(/^# Run it in a fresh sandbox: in one where it ran before, createCustomer fails: it answers 4/m);
  expect(text).toContain(HOW);
});

test('a recorded script with a passkey says at the top that it wants a fresh sandbox', async () => {
  const it = await walletKit({ scenario: 'wallet' });
  const { key } = await it.login();
  await it.addPasskey(key, new Authenticator());
  const { text } = await record(it, { from: 'req_1', to: latest(it) });
  expect(text).toMatch(/^# Run it in a fresh sandbox: /m);
  expect(text).toContain(HOW);
});

test('a recorded script that looks up an id by its place in a list says that it wants a fresh sandbox', async () => {
  const it = await kit({ scenario: 'payouts' });
  const { data } = (await it.get('/customers')).body;
  await it.get(`/customers/${data[0].id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text).toContain('# Run it in a fresh sandbox: it takes customerId by its place in a list');
});

test('a recording of a request that a reset removed, or of a future one, is refused with the latest request number', async () => {
  const it = await kit();
  await it.get('/config');
  await it.get('/config');
  expect((await record(it, ['req_9'])).body.message).toBe('the log has no request req_9; the latest is req_2');
  await it.control('POST', '/reset');
  const emptied = 'the log has no request req_1; a reset emptied it after req_2, and';
  expect((await record(it, ['req_1'])).body.message).toBe(`${emptied} numbers go on from there`);
  await it.get('/config');
  expect((await record(it, { from: 'req_1', to: 'req_3' })).body.message).toBe(`${emptied} now begins with req_3`);
});

import { expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';
import { Authenticator, walletKit } from '../kit/wallet.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;

const record = (it: Kit, requests: unknown) => it.control('POST', '/record', { requests, as: 'shell' });

const HOW =
  '# A token id that nobody has used opens one: LOGIN=run-2:secret sh <this file>. A scenario of your own: POST /_emulator/sandboxes.';

test('a recorded script that runs in any sandbox says how many calls went as recorded, and asks for no fresh sandbox', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  const one = (await record(it, [latest(it)])).text;
  expect(one).toMatch(/\necho '1 call, as recorded'\n$/);
  await it.get(`/customers/${id}`);
  const two = (await record(it, { from: 'req_1', to: latest(it) })).text;
  expect(two).toMatch(/\necho '2 calls, all as recorded'\n$/);
  expect(two).not.toContain('fresh sandbox');
});

test('a recorded script that a second run would break says on top why it wants a fresh sandbox, and how to give it one', async () => {
  const it = await kit();
  await it.post('/customers', { ...ADA, platformCustomerId: 'ada' });
  await it.post('/customers', { ...ADA, umaAddress: '$ada@sandbox.example' });
  const { text } = await record(it, { from: 'req_1', to: latest(it) });
  expect(text).toMatch(/^# Run it in a fresh sandbox: in one where it ran before, createCustomer fails: it answers 4/m);
  expect(text).toContain(HOW);
});

test('a recorded script of a wallet says on top that the passkey exists in a sandbox where it ran before', async () => {
  const it = await walletKit({ scenario: 'wallet' });
  const { key } = await it.login();
  await it.addPasskey(key, new Authenticator());
  const { text } = await record(it, { from: 'req_1', to: latest(it) });
  expect(text).toMatch(/^# Run it in a fresh sandbox: /m);
  expect(text).toContain(HOW);
});

test('a recorded script that takes an account by its place in a list of all says that it wants a fresh sandbox', async () => {
  const it = await kit({ scenario: 'payouts' });
  const { data } = (await it.get('/customers')).body;
  await it.get(`/customers/${data[0].id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text).toContain('# Run it in a fresh sandbox: it takes customerId by its place in a list');
});

test('a request that a reset took out of the log, or that is yet to come, is refused with the number that the log is at', async () => {
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

import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { effort } from '../kit/effort.ts';
import { kit } from '../kit/sandbox.ts';

const ROWS = effort(1500, 4000);
const MANY = { generate: { customers: ROWS, transactions: ROWS, days: 30 } };
const states = async (it: Awaited<ReturnType<typeof kit>>, id: string) =>
  (await it.control('GET', `/state?sandbox=${id}`)).text;

test('other calls are answered while a sandbox of many rows is created, and health shows its progress (R6)', async () => {
  const it = await kit();
  const app = createApp(it.host);
  let made = false;
  const request = { method: 'POST', body: JSON.stringify({ scenario: MANY, seed: 3 }) };
  const making = Promise.resolve(app.request('http://127.0.0.1:4010/_emulator/sandboxes', request)).then(
    async (answer) => {
      made = true;
      return (await answer.json()) as { id: string };
    },
  );
  const seen: { sandbox: string; done: number; total: number }[] = [];
  while (!made) {
    await new Promise((resolve) => setImmediate(resolve));
    const { filling = [] } = (await it.control('GET', '/health')).body;
    seen.push(...filling);
    if (filling.length > 0) expect((await it.get('/config')).status).toBe(200);
  }
  const { id } = await making;
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.at(-1)).toMatchObject({ sandbox: id, total: 2 * ROWS });
  expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
  expect((await it.control('GET', '/health')).body).not.toHaveProperty('filling');
});

test('a reset and a new sandbox that are filled in slices have the rows of one that is filled at once (R6)', async () => {
  const it = await kit({ scenario: MANY, seed: 5 });
  const first = await states(it, 'test');
  await it.post('/customers', { customerType: 'BUSINESS' });
  expect((await it.control('POST', '/reset')).status).toBe(200);
  expect(await states(it, 'test')).toBe(first);
  const { body } = await it.control('POST', '/sandboxes', { scenario: MANY, seed: 5 });
  const tables = (text: string) => JSON.parse(text).tables.filter((t: { name: string }) => t.name === 'customers');
  expect(tables(await states(it, body.id))).toEqual(tables(first));
});

test('a call of a sandbox that is still being created waits for it, and is judged by its secret', async () => {
  const it = await kit();
  const creating = it.control('POST', '/sandboxes', { id: 'box', secret: 's', scenario: MANY });
  while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const add = (as: string) => it.overlapping('POST', '/customers', { customerType: 'BUSINESS' }, { as });
  const [right, wrong] = await Promise.all([add('box:s'), add('box:other')]);
  expect([right.status, wrong.status, (await creating).status]).toEqual([201, 401, 200]);
  expect([...it.host.sandboxes].map(({ id }) => id)).toEqual(['test', 'box']);
  expect((await it.call('GET', `/customers/${right.body.id}`, undefined, { as: 'box:s' })).status).toBe(200);
});

test('two first calls of a new login wait for one sandbox, and both are answered (R6)', async () => {
  const it = await kit({ scenario: MANY });
  const [a, b] = await Promise.all([
    it.overlapping('GET', '/customers', undefined, { as: 'new:x' }),
    it.overlapping('POST', '/customers', { customerType: 'BUSINESS' }, { as: 'new:x' }),
  ]);
  expect([a.status, b.status]).toEqual([200, 201]);
  expect((await it.overlapping('GET', '/customers', undefined, { as: 'new:x' })).body.totalCount).toBe(ROWS + 1);
  expect(it.host.count).toBe(2);
});

test('a scenario whose mistake shows while it fills leaves no sandbox behind (R6)', async () => {
  const it = await kit();
  const scenario = { ...MANY, transactions: [{ amount: 1, currency: 'USD', customer: 'nobody' }] };
  const answer = await it.control('POST', '/sandboxes', { scenario });
  expect([answer.status, it.host.count, it.host.filling]).toEqual([400, 1, []]);
});

test.each<[string, (it: Awaited<ReturnType<typeof kit>>) => Promise<{ status: number; body: { code?: string } }>]>([
  ['a first call of a new login', (it) => it.overlapping('GET', '/customers', undefined, { as: 'new:x' })],
  ['a reset', (it) => it.control('POST', '/reset')],
  ['a new sandbox', (it) => it.control('POST', '/sandboxes', { scenario: MANY })],
])('%s whose sandbox is still filled when the emulator closes is refused with 409 CONFLICT', async (_, call) => {
  const it = await kit({ scenario: MANY });
  const called = call(it);
  while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  it.host.close();
  const { status, body } = await called;
  expect([status, body.code]).toEqual([409, 'CONFLICT']);
});

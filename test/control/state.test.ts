import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import type { SandboxHandle } from '../../src/public.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit, refusal } from '../kit/sandbox.ts';

async function busy(options: Parameters<typeof kit>[0] = {}): Promise<Kit> {
  const it = await kit({ scenario: 'unregulated', ...options });
  for (const fullName of ['Ada Keller', 'Ben Ito', 'Cy Novak'])
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName });
  const [account] = (await it.get('/customers/internal-accounts')).body.data;
  await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 77 });
  await it.del(`/customers/${account.customerId}`);
  return it;
}
const state = async ({ control }: Kit) => (await control('GET', '/state')).text;

describe('reset', () => {
  test('a reset returns to the scenario: rows, jobs, events, log and ids', async () => {
    const fresh = await kit({ scenario: 'unregulated' });
    const empty = await state(fresh);
    const first = (await fresh.post('/customers', { customerType: 'BUSINESS' })).body;
    const it = await busy();
    await it.advance('P3D');
    expect((await it.control('POST', '/reset')).body.clock.now).toBe('2026-01-05T09:00:00.000Z');
    expect(await state(it)).toBe(empty);
    expect((await it.control('GET', '/requests')).body.data).toEqual([]);
    expect(it.sandbox.world.scheduler.jobs.size).toBe(0);
    expect((await it.post('/customers', { customerType: 'BUSINESS' })).body).toEqual(first);
  });

  test('a reset discards changes of the configuration, also of the webhook endpoint', async () => {
    const hooks = await receiver();
    const it = await kit();
    await it.patch('/config', { umaDomain: 'other.example', webhookEndpoint: hooks.url });
    await it.settle();
    await it.control('POST', '/reset');
    expect((await it.get('/config')).body).toMatchObject({ umaDomain: 'pay.example' });
    expect((await it.control('GET', '/webhooks/endpoint')).body).toEqual({ url: null });
  });
});

describe('state', () => {
  test('a state that is saved and loaded is the same, byte for byte, and so is what follows', async () => {
    const it = await busy();
    const saved = await state(it);
    const future = async () => {
      await it.advance('PT5S');
      await it.post('/customers', { customerType: 'BUSINESS' });
      return state(it);
    };
    const once = await future();
    expect((await it.control('PUT', '/state', JSON.parse(saved))).status).toBe(200);
    expect(await state(it)).toBe(saved);
    expect(await future()).toBe(once);
  });

  test.each(['first-spec', 'first-grid'])(
    'the state %s of the first release is returned after it is loaded, its jobs in the order of their ids, and from then on byte for byte (R14)',
    async (name) => {
      const saved = readFileSync(join(import.meta.dirname, `states/${name}.state`), 'utf8');
      // The first release paid out of every currency by one account of the outside.
      const it = await kit({ profile: name.endsWith('grid') ? 'grid' : 'spec' });
      it.oddBooks();
      expect((await it.control('PUT', '/state', JSON.parse(saved))).status).toBe(200);
      const expected = JSON.parse(saved);
      const jobs = expected.tables.find(({ name }: { name: string }) => name === 'jobs');
      jobs.rows.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
      jobs.next = jobs.rows.length;
      delete jobs.seqs;
      const returned = await state(it);
      expect(JSON.parse(returned)).toEqual(expected);
      expect((await it.control('PUT', '/state', JSON.parse(returned))).status).toBe(200);
      expect(await state(it)).toBe(returned);
    },
  );

  test.each([['/webhooks/pause'], ['/webhooks/pause', '/webhooks/resume']])(
    'a state that is loaded after %s %s is returned byte for byte (R14)',
    async (...calls) => {
      const it = await kit({
        scenario: { policies: { 'webhook.deliver': 'after 1s', 'customer.decide': 'after 2s' } },
      });
      const start = await state(it);
      for (const call of calls) await it.control('POST', call);
      const saved = await state(it);
      if (calls.length > 1) expect(saved).toBe(start);
      expect((await it.control('PUT', '/state', JSON.parse(saved))).status).toBe(200);
      expect(await state(it)).toBe(saved);
    },
  );

  test.each<[string, { seed?: number }, boolean]>([
    ['without a seed no id is given out again', {}, false],
    ['with a seed the same calls give the same ids', { seed: 1 }, true],
  ])('%s after a restore, a reset, a fork and a start from a file (S24)', async (_, { seed }, again) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-ids-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const options = { port: 0, holdClock: true, now: '2026-01-05T09:00:00Z', ...(seed ? { seed } : {}) };
    const emulator = await startEmulator({ ...options, state: join(folder, 'state.json') });
    onTestFinished(() => emulator.close().catch(() => {}));
    const nextId = async (sandbox: SandboxHandle): Promise<string> => {
      const made = await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
      return (await made.json()).id;
    };
    const { sandbox } = emulator;
    const start = await sandbox.snapshot();
    await emulator.save();
    const told = [await nextId(sandbox)];
    await sandbox.restore(start);
    told.push(await nextId(sandbox));
    await sandbox.restore(JSON.parse(JSON.stringify(start)));
    told.push(await nextId(sandbox));
    await sandbox.reset();
    told.push(await nextId(sandbox));
    const other = await startEmulator({ ...options, state: join(folder, 'state.json') });
    onTestFinished(() => other.close().catch(() => {}));
    told.push(await nextId(other.sandbox));
    expect(new Set(told).size).toBe(again ? 1 : told.length);
    await sandbox.restore(start);
    const fork = await sandbox.fork();
    expect((await nextId(fork)) === (await nextId(sandbox))).toBe(again);
  });

  test('a program that changes a snapshot changes no sandbox, and a restore of the changed snapshot is checked', async () => {
    const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, scenario: 'wallet' });
    onTestFinished(() => emulator.close());
    const { sandbox } = emulator;
    // biome-ignore lint/suspicious/noExplicitAny: a test spoils states on purpose
    const rowsOf = (state: any, table: string) => state.tables.find((t: any) => t.name === table).rows;
    const asSaved = async () => JSON.stringify(await sandbox.snapshot());
    const before = await asSaved();

    const richer = await sandbox.snapshot();
    rowsOf(richer, 'balances')[0].available += 5;
    expect(await asSaved()).toBe(before);
    await expect(sandbox.restore(richer)).rejects.toThrow('this is not a state of this emulator');

    const renamed = await sandbox.snapshot();
    rowsOf(renamed, 'customers')[0].platformCustomerId = 'cy-1';
    await sandbox.restore(renamed);
    expect((await (await sandbox.fetch('/customers')).json()).data[0].platformCustomerId).toBe('cy-1');

    const later = await sandbox.snapshot();
    later.clock.now = '2030-01-01T00:00:00.000Z';
    await sandbox.restore(later);
    expect(sandbox.clock.now()).toBe('2030-01-01T00:00:00.000Z');

    const looked = await sandbox.snapshot();
    expect(JSON.parse(JSON.stringify(looked))).toEqual(looked);
    await sandbox.restore(looked);
    expect(JSON.parse(await asSaved()).tables).toEqual(looked['tables']);
  });

  test('another sandbox can load a state and continue from it', async () => {
    const saved = await state(await busy());
    const other = await kit({ seed: 99 });
    await other.control('PUT', '/state', JSON.parse(saved));
    expect(await state(other)).toBe(saved);
    expect((await other.get('/customers', { isIncludingDeleted: true })).body.totalCount).toBe(3);
    await other.advance('PT2S');
    expect((await other.get('/customers')).body.data[0].kycStatus).toBe('APPROVED');
  });

  const ok = {
    format: 1,
    clock: { now: '2026-01-05T09:00:00.000Z', mode: 'held', speed: 1 },
    ids: { seed: '1', drawn: 0, lastMs: 0, tick: 0 },
    settings: { policies: {}, limits: {} },
    tables: [],
  };
  test.each([
    ['nothing', {}],
    ['another format', { ...ok, format: 2 }],
    ['no platform', ok],
    ['no clock', { ...ok, clock: undefined }],
    ['rows without ids', { ...ok, tables: [{ name: 'customers', next: 1, rows: [{}] }] }],
    [
      'rows that no index can read',
      {
        ...ok,
        tables: [
          { name: 'platform', next: 1, rows: [{ id: 'p' }] },
          { name: 'postings', next: 1, rows: [{ id: 'x' }] },
        ],
      },
    ],
    ['a list in its place', []],
  ])('a state with %s is refused with 400, and the sandbox stays as it is', async (_, body) => {
    const it = await busy();
    const before = await state(it);
    expect(refusal(await it.control('PUT', '/state', body))).toMatchObject({ status: 400 });
    expect(await state(it)).toBe(before);
  });
});

describe('snapshots', () => {
  test('a snapshot is kept under its name, listed, restored any number of times, and replaced', async () => {
    const it = await busy();
    const saved = await state(it);
    expect((await it.control('POST', '/snapshots', { name: 'a.1' })).body).toEqual({
      name: 'a.1',
      at: '2026-01-05T09:00:00.000Z',
    });
    for (let i = 0; i < 2; i += 1) {
      await it.advance('P1D');
      await it.post('/customers', { customerType: 'BUSINESS' });
      expect((await it.control('POST', '/snapshots/a.1/restore')).body).toMatchObject({
        clock: { now: '2026-01-05T09:00:00.000Z' },
      });
      expect(await state(it)).toBe(saved);
    }
    await it.advance('P1D');
    await it.control('POST', '/snapshots', { name: 'a.1' });
    expect((await it.control('GET', '/snapshots')).body.data).toEqual([
      { name: 'a.1', at: '2026-01-06T09:00:00.000Z' },
    ]);
  });

  test('a snapshot with an invalid name is refused with 400, and an unknown one with 404', async () => {
    const { control } = await kit();
    for (const name of ['', '.', '..', 'a b', '../x', 7, undefined])
      expect(refusal(await control('POST', '/snapshots', { name })).status).toBe(400);
    expect(refusal(await control('POST', '/snapshots/none/restore')).status).toBe(404);
    expect(refusal(await control('POST', '/snapshots/__proto__/restore')).status).toBe(404);
  });
});

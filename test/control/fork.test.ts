import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { receiver } from '../kit/receiver.ts';
import { kit, refusal } from '../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe('fork: a second sandbox in the very state of the first', () => {
  test('a hosted link of the origin completes only there, and the link of a fork only in the fork (R10)', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'hold' } } });
    const { id } = (await it.post('/customers', { ...ada, birthDate: '1990-01-02', email: 'ada@example.com' })).body;
    const headers = { 'idempotency-key': 'one' };
    const origin = (await it.post(`/customers/${id}/kyc-link`, {}, { headers })).body;
    const { credentials } = (await it.control('POST', '/sandboxes/test/fork')).body;
    const as = `${credentials.id}:${credentials.secret}`;
    const there = (method: string, path: string, body?: object) => it.overlapping(method, path, body, { as, headers });
    const forked = (await there('POST', `/customers/${id}/kyc-link`, {})).body;
    expect(forked.kycUrl).not.toBe(origin.kycUrl);
    expect(forked.token).not.toBe(origin.token);
    const app = createApp(it.host);
    const finish = (url: string) =>
      app.request(url, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) });
    expect((await app.request(forked.kycUrl)).status).toBe(200);
    await finish(forked.kycUrl);
    expect((await app.request(forked.kycUrl)).status).toBe(410);
    expect((await app.request(origin.kycUrl)).status).toBe(200);
    expect((await it.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
    await finish(origin.kycUrl);
    expect((await app.request(origin.kycUrl)).status).toBe(410);
  });

  test('the same calls give the same ids in a fork as in its origin, also in a fork of the past and a fork of a fork (X8)', async () => {
    const it = await kit({ scenario: 'payouts' });
    await it.post('/customers', ada);
    const past = [...it.sandbox.requestLog.newest()][0]?.id;
    const first = (await it.control('POST', '/sandboxes/test/fork')).body;
    const second = (await it.control('POST', `/sandboxes/${first.id}/fork`)).body;
    const before = (await it.control('POST', `/requests/${past}/fork`)).body;
    const story = async (as: string) => {
      const omar = await it.overlapping('POST', '/customers', { ...ada, fullName: 'Omar Diaz' }, { as });
      const { id, umaAddress } = omar.body;
      const made = [omar];
      made.push(await it.overlapping('GET', `/customers/internal-accounts?customerId=${id}`, undefined, { as }));
      made.push(await it.overlapping('POST', '/invitations', { inviterUma: umaAddress }, { as }));
      return made.map(({ text }) => text);
    };
    const loginOf = ({ credentials }: typeof first) => `${credentials.id}:${credentials.secret}`;
    // The past of the second call is where the first was not made: there it is made first, as it was in the origin.
    await it.overlapping('POST', '/customers', ada, { as: loginOf(before) });
    const inOrigin = await story('test:secret');
    for (const fork of [first, second, before]) expect(await story(loginOf(fork))).toEqual(inOrigin);
  });

  test('a fork has the rows, clock and webhook key of its origin and its own credentials, and later changes stay apart', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', ada)).body;
    await it.advance('PT1H');
    await it.control('POST', '/faults', { match: { operation: 'getPlatformConfig' }, then: { status: 503 } });
    const fork = (await it.control('POST', '/sandboxes/test/fork')).body;
    expect(fork).toMatchObject({
      id: 'sandbox-1',
      isDefault: false,
      clock: { now: '2026-01-05T10:00:00.000Z', mode: 'held' },
    });
    expect(fork.webhookPublicKey).toBe((await it.control('GET', '/webhooks/key')).body.pem);
    const as = `${fork.credentials.id}:${fork.credentials.secret}`;
    const there = (path: string) => it.overlapping('GET', path, undefined, { as });
    expect((await there(`/customers/${id}`)).body).toEqual((await it.get(`/customers/${id}`)).body);
    expect((await there('/config')).status).toBe(503);
    await it.overlapping('POST', '/customers', ada, { as });
    expect((await there('/customers')).body.totalCount).toBe(2);
    expect((await it.get('/customers')).body.totalCount).toBe(1);
    await it.del(`/customers/${id}`);
    expect((await there(`/customers/${id}`)).body.isDeleted).toBe(false);
    expect((await it.overlapping('GET', '/customers', undefined, { as: `${fork.credentials.id}:wrong` })).status).toBe(
      401,
    );
    expect((await there('/tokens')).body.data.map((t: { clientId: string }) => t.clientId)).toContain(
      fork.credentials.id,
    );
  });

  test('a fork keeps spent faults as spent, and its faults with a probability fire as in the origin', async () => {
    const it = await kit();
    const draw = async (as?: string) => (await it.overlapping('GET', '/customers', undefined, as ? { as } : {})).status;
    await it.control('POST', '/faults', { match: { operation: 'getPlatformConfig', times: 1 }, then: { status: 503 } });
    await it.control('POST', '/faults', {
      match: { operation: 'listCustomers' },
      probability: 0.5,
      then: { status: 500 },
    });
    expect((await it.get('/config')).status).toBe(503);
    for (let i = 0; i < 7; i += 1) await draw();
    const { credentials } = (await it.control('POST', '/sandboxes/test/fork')).body;
    const as = `${credentials.id}:${credentials.secret}`;
    expect((await it.overlapping('GET', '/config', undefined, { as })).status).toBe(200);
    const [here, there] = [[] as number[], [] as number[]];
    for (let i = 0; i < 20; i += 1) {
      here.push(await draw());
      there.push(await draw(as));
    }
    expect(there).toEqual(here);
    expect(new Set(here)).toEqual(new Set([200, 500]));
  });

  test('a fork of a fork has the rows of both, and after a reset it sends to the endpoint of the first', async () => {
    const hooks = await receiver();
    const it = await kit({ webhookUrl: hooks.url });
    await it.post('/customers', ada);
    const fork = (await it.control('POST', '/sandboxes/test/fork')).body;
    const as = `${fork.credentials.id}:${fork.credentials.secret}`;
    await it.overlapping('POST', '/customers', ada, { as });
    const second = (await it.control('POST', `/sandboxes/${fork.id}/fork`)).body;
    const asSecond = `${second.credentials.id}:${second.credentials.secret}`;
    const there = await it.overlapping('GET', '/customers', undefined, { as: asSecond });
    expect(there.body.totalCount).toBe(2);
    const clients = (await it.overlapping('GET', '/tokens', undefined, { as: asSecond })).body.data;
    expect(clients.map((t: { clientId: string }) => t.clientId)).toEqual([second.id]);
    await it.host.find(second.id)?.begin({ from: 'scenario' });
    expect((await it.control('GET', `/webhooks/endpoint?sandbox=${second.id}`)).body).toEqual({ url: hooks.url });
  });

  test('a delivery that is under way at a fork is sent by both sandboxes with the same id', async () => {
    const hooks = await receiver();
    const it = await kit({ webhookUrl: hooks.url });
    hooks.react = () => 'hang';
    await it.post('/customers', ada);
    await hooks.until(1);
    const fork = (await it.control('POST', '/sandboxes/test/fork')).body;
    await hooks.until(2);
    expect(hooks.received.map((d) => d.raw)).toEqual([hooks.received[0]?.raw, hooks.received[0]?.raw]);
    await hooks.kill();
    await Promise.all([it.settle(), it.host.find(fork.id)?.world.scheduler.settle()]);
  });

  test('a fork of an unknown sandbox is refused with 404', async () => {
    const it = await kit();
    expect(refusal(await it.control('POST', '/sandboxes/nobody/fork')).status).toBe(404);
  });
});

describe('diff: what changed since a snapshot', () => {
  test('the diff of a snapshot names rows that were added, removed and changed, each with its changed members only', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', ada)).body;
    await it.control('POST', '/snapshots', { name: 'before' });
    expect((await it.control('GET', '/snapshots/before/diff')).body).toEqual({
      from: 'snapshot:before',
      to: 'now',
      names: {},
      titles: {},
      clock: { before: '2026-01-05T09:00:00.000Z', after: '2026-01-05T09:00:00.000Z' },
      settings: [],
      tables: [],
    });
    await it.advance('PT1M');
    await it.patch(`/customers/${id}`, { fullName: 'Ada Brandt' });
    const token = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
    const { tables, clock, titles } = (await it.control('GET', '/snapshots/before/diff')).body;
    expect(titles['customers']).toBe('Customers');
    expect(clock.after).toBe('2026-01-05T09:01:00.000Z');
    const of = (name: string) => tables.find((t: { name: string }) => t.name === name);
    expect(of('tokens')).toEqual({ name: 'tokens', added: [token.id], removed: [], changed: [] });
    expect(of('customers').changed).toEqual([
      {
        id,
        fields: expect.arrayContaining([{ path: 'details.fullName', before: 'Ada Keller', after: 'Ada Brandt' }]),
      },
    ]);
    await it.control('POST', '/snapshots', { name: 'after' });
    await it.control('POST', '/snapshots/before/restore');
    const back = (await it.control('GET', '/snapshots/after/diff')).body.tables;
    expect(back.find((t: { name: string }) => t.name === 'tokens')).toMatchObject({ added: [], removed: [token.id] });
    expect((await it.control('GET', '/snapshots/before/diff?to=after')).body.tables).toEqual(tables);
  });

  test('the diff of a snapshot names the first rows and counts the rest', async () => {
    const it = await kit();
    await it.control('POST', '/snapshots', { name: 'none' });
    for (let i = 0; i < 5; i += 1) await it.post('/customers', ada);
    const of = async (query: string) =>
      (await it.control('GET', `/snapshots/none/diff${query}`)).body.tables.find(
        (t: { name: string }) => t.name === 'customers',
      );
    expect(await of('?limit=2')).toEqual({
      name: 'customers',
      added: [expect.any(String), expect.any(String)],
      removed: [],
      changed: [],
      more: { added: 3, removed: 0, changed: 0 },
    });
    expect((await of('')).added).toHaveLength(5);
    expect((await of('')).more).toBeUndefined();
    expect((await of('?limit=0')).more.added).toBe(5);
  });

  test('the diff of a snapshot masks the values of secret members', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', { ...ada, idType: 'SSN', identifier: '078-05-1120' })).body;
    await it.control('POST', '/snapshots', { name: 'before' });
    await it.patch(`/customers/${id}`, { identifier: '219-09-9999', fullName: 'Ada Brandt' });
    const { text } = await it.control('GET', '/snapshots/before/diff');
    expect(text).toContain('Ada Brandt');
    expect(text).toContain('identifier');
    expect(text).not.toMatch(/078-05-1120|219-09-9999/);
  });

  test('the diff of an unknown snapshot is refused with 404, and a snapshot can be deleted once', async () => {
    const it = await kit();
    expect(refusal(await it.control('GET', '/snapshots/none/diff')).status).toBe(404);
    await it.control('POST', '/snapshots', { name: 'x' });
    expect((await it.control('DELETE', '/snapshots/x')).status).toBe(204);
    expect((await it.control('GET', '/snapshots')).body.data).toEqual([]);
    expect(refusal(await it.control('DELETE', '/snapshots/x')).status).toBe(404);
  });
});

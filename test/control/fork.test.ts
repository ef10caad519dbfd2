import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe('fork: a second sandbox in the very state of the first', () => {
  test('it has the same rows, clock and webhook key, credentials of its own, and neither sees what the other does next', async () => {
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

  test('a sandbox that is not there cannot be forked', async () => {
    const it = await kit();
    expect(refusal(await it.control('POST', '/sandboxes/nobody/fork')).status).toBe(404);
  });
});

describe('diff: what changed since a snapshot', () => {
  test('rows that came, went and changed, member by member; what is the same is not named', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', ada)).body;
    await it.control('POST', '/snapshots', { name: 'before' });
    expect((await it.control('GET', '/snapshots/before/diff')).body).toEqual({
      clock: { before: '2026-01-05T09:00:00.000Z', after: '2026-01-05T09:00:00.000Z' },
      settings: [],
      tables: [],
    });
    await it.advance('PT1M');
    await it.patch(`/customers/${id}`, { fullName: 'Ada Brandt' });
    const token = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
    const { tables, clock } = (await it.control('GET', '/snapshots/before/diff')).body;
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

  test('a snapshot that is not there has no diff; one can be forgotten', async () => {
    const it = await kit();
    expect(refusal(await it.control('GET', '/snapshots/none/diff')).status).toBe(404);
    await it.control('POST', '/snapshots', { name: 'x' });
    expect((await it.control('DELETE', '/snapshots/x')).status).toBe(204);
    expect((await it.control('GET', '/snapshots')).body.data).toEqual([]);
    expect(refusal(await it.control('DELETE', '/snapshots/x')).status).toBe(404);
  });
});

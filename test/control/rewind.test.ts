import { expect, test } from 'vitest';
import { TABLES } from '../../src/areas.ts';
import { HistoryBudget, KEPT_CHANGES } from '../../src/engine/history.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { Table } from '../../src/engine/table.ts';
import type { Snapshot, World } from '../../src/engine/world.ts';
import { Writes } from '../../src/engine/writes.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', email: 'ada@example.com' };

/** The id of the newest request. */
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;

/** A state as text, so that what differs is seen member by member. */
const plain = (snapshot: Snapshot): unknown => JSON.parse(JSON.stringify(snapshot));

/** Every index of every table against one that is made anew from the rows. */
function expectSoundIndexes(world: World): void {
  for (const state of world.snapshot().tables) {
    const token = TABLES.get(state.name);
    if (!token) throw new Error(`no table ${state.name}`);
    const fresh = new Table(token);
    fresh.restore(state);
    fresh.open();
    const kept = world.rows(token);
    const ids = [...kept.rows()].map(({ id }) => id);
    // The order of jobs in their table decides nothing: a state has them in the order of their ids.
    if (state.name === JOBS.name) ids.sort();
    expect(ids).toEqual([...fresh.rows()].map(({ id }) => id));
    for (const index of Object.keys(token.indexes))
      for (const row of state.rows)
        for (const key of [token.indexes[index]?.(row as never)].flat())
          if (key !== undefined)
            expect(kept.all(index, key).map(({ id }) => id)).toEqual(fresh.all(index, key).map(({ id }) => id));
  }
}

test.each(['spec', 'grid'] as const)(
  'a rewind to any request of a full life restores rows and indexes from before it, profile %s',
  async (profile) => {
    const it = await fullLife(profile);
    const ids = [...it.sandbox.requestLog.newest()].filter((entry) => entry.before).map(({ id }) => id);
    const before = [...it.sandbox.requestLog.newest()].length;
    for (const id of ids.filter((_, i) => i % 17 === 3)) {
      const entry = it.sandbox.requestLog.get(id);
      const expected = plain(it.sandbox.world.snapshotAt(entry?.before?.moment as never));
      expect((await it.control('POST', `/requests/${id}/rewind`)).status).toBe(200);
      expect(plain(it.sandbox.world.snapshot())).toEqual(expected);
      expectSoundIndexes(it.sandbox.world);
    }
    expect([...it.sandbox.requestLog.newest()]).toHaveLength(before);
  },
);

test('a rewind restores the exact state, and the same calls then get the same replies', async () => {
  const it = await kit({ scenario: 'payouts' });
  const steps = [
    () => it.post('/customers', ADA),
    () => it.advance('PT1M'),
    () => it.post('/customers', { ...ADA, email: 'ada2@example.com' }, { headers: { 'idempotency-key': 'once' } }),
    () => it.post('/customers', { customerType: 'ROBOT' }),
    () => it.advance('P1D'),
    () => it.get('/customers'),
    () => it.post('/customers', { ...ADA, email: 'ada3@example.com' }),
  ];
  const lived: { state: unknown; request: string | undefined; reply: string | undefined }[] = [];
  for (const step of steps) {
    const state = plain(it.sandbox.world.snapshot());
    const answer = await step();
    const called = !Array.isArray(answer);
    lived.push({ state, request: called ? latest(it) : undefined, reply: called ? answer.text : undefined });
  }
  const from = lived.findLastIndex(({ request }) => request !== undefined);
  for (let i = from; i >= 0; i -= 1) {
    const { request, state } = lived[i] as (typeof lived)[number];
    if (request === undefined) continue;
    expect((await it.control('POST', `/requests/${request}/rewind`)).body.id).toBe(request);
    expect(plain(it.sandbox.world.snapshot())).toEqual(state);
  }
  for (const [i, step] of steps.entries()) {
    const answer = await step();
    if (!Array.isArray(answer)) expect(answer.text).toBe(lived[i]?.reply);
  }
});

test('a rewind shows how many row changes it undid, and the log shows which states are still kept', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const first = latest(it);
  await it.post('/customers', { ...ADA, email: 'ada2@example.com' });
  const second = latest(it);
  const changes = it.sandbox.changesSince(it.sandbox.requestLog.get(second) as never);
  const rewound = await it.control('POST', `/requests/${second}/rewind`);
  expect(rewound.body).toEqual({ id: second, changes, clock: it.sandbox.world.clock.state() });
  const log = async () =>
    (await it.control('GET', '/requests')).body.data.map((line: Record<string, unknown>) => [
      line['id'],
      line['rewindable'],
      line['undone'],
    ]);
  expect(await log()).toEqual([
    [second, true, true],
    [first, true, undefined],
  ]);
  await it.control('POST', `/requests/${first}/rewind`);
  expect(await log()).toEqual([
    [second, false, true],
    [first, true, true],
  ]);
  const refused = await it.control('POST', `/requests/${second}/rewind`);
  expect(refused.body.message).toBe(
    `the state before ${second} is no longer kept: a rewind to an earlier request undid it`,
  );
  expect(refused.status).toBe(409);
  expect((await it.get('/customers')).body.totalCount).toBe(0);
});

test('a repeated rewind to one request changes nothing at once, and later undoes what was done since then (Y7)', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const id = latest(it);
  const before = plain(it.sandbox.world.snapshotAt(it.sandbox.requestLog.get(id)?.before?.moment as never));
  const rewind = async () => {
    const { status, body } = await it.control('POST', `/requests/${id}/rewind`);
    expect(plain(it.sandbox.world.snapshot())).toEqual(before);
    return [status, body.changes];
  };
  expect((await rewind())[1]).toBeGreaterThan(0);
  expect(await rewind()).toEqual([200, 0]);
  await it.post('/customers', { ...ADA, email: 'other@example.com' });
  expect((await rewind())[1]).toBeGreaterThan(0);
  expect(await rewind()).toEqual([200, 0]);
});

test('a rewind to a request that an earlier rewind undid is refused with 409, also after further changes', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const first = latest(it);
  await it.post('/customers', { ...ADA, email: 'ada2@example.com' });
  const lost = latest(it);
  await it.control('POST', `/requests/${first}/rewind`);
  for (let i = 0; i < 5; i += 1) await it.post('/customers', { ...ADA, email: `other${i}@example.com` });
  expect((await it.control('POST', `/requests/${lost}/rewind`)).status).toBe(409);
  expect((await it.control('POST', `/requests/${first}/rewind`)).status).toBe(200);
});

test.each([
  ['a restore', async (it: Kit) => it.control('POST', '/snapshots/then/restore')],
  ['another state', async (it: Kit) => it.control('PUT', '/state', (await it.control('GET', '/state')).body)],
])(
  'a rewind to a request before %s is refused with 409, which says that the state is no longer kept',
  async (_, begin) => {
    const it = await kit();
    await it.control('POST', '/snapshots', { name: 'then' });
    await it.post('/customers', ADA);
    const id = latest(it);
    expect((await begin(it)).status).toBe(200);
    const refused = await it.control('POST', `/requests/${id}/rewind`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `the state before ${id} is no longer kept: that state is no longer kept`,
    ]);
  },
);

test('a rewind or a fork of an unknown request is refused with 404', async () => {
  const it = await kit();
  for (const act of ['rewind', 'fork']) {
    const refused = await it.control('POST', `/requests/req_99/${act}`);
    expect([refused.status, refused.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
  }
});

test('a rewind to last undoes the newest call with changes, again and again, and is refused with 404 when none is left (W6)', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const first = latest(it);
  await it.post('/customers', { ...ADA, fullName: 'Omar Diaz' });
  const second = latest(it);
  await it.get('/customers');
  await it.post('/customers', { customerType: 'NOBODY' });
  for (const [id, left] of [
    [second, 1],
    [first, 0],
  ]) {
    const { status, body } = await it.control('POST', '/requests/last/rewind');
    expect([status, body.id]).toEqual([200, id]);
    expect((await it.get('/customers')).body.totalCount).toBe(left);
  }
  const refused = await it.control('POST', '/requests/last/rewind');
  expect([refused.status, refused.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
});

test('a fork from before a request has the state before it, and its origin stays as it is', async () => {
  const it = await kit({ scenario: 'payouts' });
  await it.post('/customers', ADA);
  const id = latest(it);
  const now = plain(it.sandbox.world.snapshot());
  const made = await it.control('POST', `/requests/${id}/fork`);
  expect([made.status, made.body.request]).toEqual([200, id]);
  expect(plain(it.sandbox.world.snapshot())).toEqual(now);
  const theirs = await it.get('/customers', {});
  const forked = await it.call('GET', '/customers', undefined, {
    as: `${made.body.credentials.id}:${made.body.credentials.secret}`,
  });
  expect(forked.body.totalCount).toBe(theirs.body.totalCount - 1);
  expectSoundIndexes(it.host.named(made.body.id).world);
  expect((await it.control('POST', '/requests/last/fork')).body.request).toBe(id);
});

test('a rewind restores the fault that the request had met, and the scheduled jobs', async () => {
  const it = await kit({ scenario: { policies: { 'customer.decide': 'after PT1H' } } });
  await it.control('POST', '/faults', { match: { operation: 'createCustomer', times: 1 }, then: { status: 503 } });
  expect((await it.post('/customers', ADA)).status).toBe(503);
  const faulty = latest(it);
  await it.post('/customers', ADA);
  const jobs = it.sandbox.world.scheduler.jobs.size;
  await it.get('/customers');
  const reading = latest(it);
  await it.advance('PT2H');
  expect(it.sandbox.world.scheduler.jobs.size).toBe(jobs - 1);
  await it.control('POST', `/requests/${reading}/rewind`);
  expect(it.sandbox.world.scheduler.jobs.size).toBe(jobs);
  expect((await it.advance('PT2H')).map(({ kind }) => kind)).toContain('customer.decide');
  await it.control('POST', `/requests/${faulty}/rewind`);
  expect((await it.post('/customers', ADA)).status).toBe(503);
  expect((await it.post('/customers', ADA)).status).toBe(201);
});

test.each([
  ['a wrong secret', '/customers', 401, 'test:wrong'],
  ['an unknown path', '/customer', 404, undefined],
  ['a missing row', '/customers/Customer:1', 404, undefined],
] as const)(
  'a rewind to a call that was refused for %s leaves the faults that there were',
  async (_, path, status, as) => {
    const it = await kit({ scenario: { credentials: [{ id: 'test', secret: 'known' }] } });
    await it.control('POST', '/faults', { match: { operation: 'createQuote' }, then: { status: 503 } });
    const { body: faults } = await it.control('GET', '/faults');
    expect((await it.call('GET', path, undefined, as === undefined ? {} : { as })).status).toBe(status);
    const refused = latest(it);
    await it.control('DELETE', '/faults');
    expect((await it.control('POST', `/requests/${refused}/rewind`)).status).toBe(200);
    expect((await it.control('GET', '/faults')).body).toEqual(faults);
  },
);

test('a rewind that fails changes nothing, and the sandbox can still be rewound', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const before = it.sandbox.requestLog.get(latest(it))?.before as never;
  const now = plain(it.sandbox.world.snapshot());
  const others = Reflect.get(it.sandbox.options, 'others');
  Object.assign(it.sandbox.options, { others: () => fail() });
  const fail = (): never => {
    throw new Error('no others');
  };
  expect(() => it.sandbox.begin({ from: 'past', before })).toThrow('no others');
  Object.assign(it.sandbox.options, { others });
  expect(plain(it.sandbox.world.snapshot())).toEqual(now);
  expectSoundIndexes(it.sandbox.world);
  expect((await it.post('/customers', { ...ADA, email: 'ada2@example.com' })).status).toBe(201);
  expect((await it.control('POST', `/requests/${latest(it)}/rewind`)).status).toBe(200);
  expect(plain(it.sandbox.world.snapshot())).toEqual(now);
});

function changes(count: number): Writes {
  const writes = new Writes();
  for (let i = 0; i < count; i += 1) writes.add({} as never, i, undefined);
  return writes;
}

test('a change of more rows than are kept ends the states before it', () => {
  const budget = new HistoryBudget();
  return kit().then(async (it) => {
    await it.post('/customers', ADA);
    const id = latest(it);
    const history = it.sandbox.world.history;
    history?.add(changes(KEPT_CHANGES + 1));
    expect(history?.size).toBe(0);
    expect(budget.kept).toBe(0);
    expect((await it.control('POST', `/requests/${id}/rewind`)).status).toBe(409);
  });
});

test('a process keeps as many changes as its budget allows, and drops those of the sandbox that was idle longest first', async () => {
  const { History } = await import('../../src/engine/history.ts');
  const budget = new HistoryBudget(100);
  const [idle, busy] = [new History(budget), new History(budget)];
  const rest = { ids: {} as never, clock: {} as never, settings: {} as never };
  idle.add(changes(60));
  const [then, ofIdle] = [busy.moment(rest), idle.moment(rest)];
  busy.add(changes(30));
  expect([idle.since(ofIdle), busy.since(then), budget.kept]).toEqual([0, 30, 90]);
  busy.add(changes(30));
  expect([idle.size, busy.since(then), budget.kept]).toEqual([0, 60, 60]);
  expect(idle.since(ofIdle)).toBe(0);
  idle.add(changes(10));
  busy.close();
  expect([budget.kept, busy.since(then)]).toEqual([10, undefined]);
});

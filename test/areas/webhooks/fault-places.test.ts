import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { receiver } from '../../kit/receiver.ts';
import { kit } from '../../kit/sandbox.ts';

/** A receiver whose answers wait until the test gives them, in an order of its choice. */
async function patient() {
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => request.resume().on('end', () => open.push(response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`, open };
}

/** What becomes of eight events about two accounts, while `pick` chooses which attempt under way is answered next. */
async function outcome(rule: object, status: number, pick: (open: number) => number): Promise<string> {
  const { url, open } = await patient();
  const it = await kit({ webhookUrl: url });
  expect((await it.control('POST', '/faults', rule)).status).toBe(200);
  const { world } = it.sandbox;
  const answerAll = async () => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = [...world.scheduler.jobs.rows()].filter(({ dueAt }) => dueAt !== null && dueAt <= world.clock.now());
      if (due.length === 0) return;
      if (open.length === due.length) open.splice(pick(open.length), 1)[0]?.writeHead(status).end();
    }
  };
  const accounts: { id: string }[] = (await it.get('/platform/internal-accounts')).body.data;
  for (let i = 0; i < 4; i += 1)
    for (const { id } of accounts.slice(0, 2))
      expect((await it.overlapping('POST', `/sandbox/internal-accounts/${id}/fund`, { amount: 100 })).status).toBe(200);
  await answerAll();
  for (const step of [5, 10, 20]) {
    const advance = it.control('POST', '/clock', { advance: `PT${step}S` });
    await answerAll();
    await advance;
  }
  const { data } = (await it.control('GET', '/webhooks')).body;
  const shown = data.map(({ id, attempts }: { id: string; attempts: Record<string, unknown>[] }) => [
    id,
    attempts.map(({ ms: _, ...attempt }) => attempt),
  ]);
  const { body } = await it.control('GET', '/faults');
  return JSON.stringify([shown, body]);
}

test.each([
  ['every third webhook twice', { match: { webhook: '*', every: 3 }, then: { duplicate: true } }, 200],
  [
    'the fifth webhook with a wrong signature',
    { match: { webhook: '*', after: 4, times: 1 }, then: { wrongSignature: true } },
    200,
  ],
  [
    'the third to sixth webhook as refused',
    { match: { webhook: '*', after: 2, times: 4 }, then: { status: 500 } },
    200,
  ],
  [
    'every second webhook of a receiver that fails twice',
    { match: { webhook: '*', every: 2 }, then: { alteredBody: true } },
    500,
  ],
])(
  'a fault that counts (%s) hits the same attempts, in whatever order the receivers answer',
  async (_, rule, status) => {
    const first = await outcome(rule, status, () => 0);
    expect(first).toContain('fault-1: ');
    expect(await outcome(rule, status, (open) => open - 1)).toBe(first);
    let turn = 0;
    expect(await outcome(rule, status, (open) => (turn += 1) % open)).toBe(first);
  },
);

test('a fault does not count an attempt that was under way when it was added, and hits the next one', async () => {
  const { url, open } = await patient();
  const it = await kit({ webhookUrl: url });
  const [one, two]: { id: string }[] = (await it.get('/platform/internal-accounts')).body.data;
  const fund = (id = '') => it.overlapping('POST', `/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
  await fund(one?.id);
  const underWay = async (count: number) => {
    while (open.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  await underWay(1);
  await it.control('POST', '/faults', { match: { webhook: '*', times: 1 }, then: { duplicate: true } });
  await fund(two?.id);
  await underWay(2);
  for (let answered = 0; answered < 3; await new Promise((resolve) => setImmediate(resolve)))
    for (const response of open.splice(0)) {
      response.writeHead(200).end();
      answered += 1;
    }
  await it.settle();
  const { data } = (await it.control('GET', '/webhooks')).body;
  expect(data.map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual([2, 1]);
});

/** Two accounts whose first event was refused while a second one waits; a fault that spoils the third webhook. */
async function waiting(rule: object) {
  const hooks = await receiver();
  hooks.react = () => 503;
  const it = await kit({ webhookUrl: hooks.url });
  await it.control('POST', '/faults', rule);
  const accounts: { id: string }[] = (await it.get('/platform/internal-accounts')).body.data;
  for (let i = 0; i < 2; i += 1)
    for (const { id } of accounts.slice(0, 2)) await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
  await it.settle();
  hooks.react = () => 200;
  const faults = async () =>
    (await it.control('GET', '/webhooks')).body.data.map(({ attempts }: { attempts: { fault?: string }[] }) =>
      attempts.map(({ fault }) => fault?.split(':')[0]),
    );
  return { it, faults };
}

test('a fault that has counted a waiting event hits it after a restore and in a fork, too', async () => {
  const { it } = await waiting({ match: { webhook: '*', after: 2, times: 1 }, then: { wrongSignature: true } });
  await it.control('POST', '/snapshots', { name: 'before' });
  const hit = async (query = '') => {
    await it.control('POST', `/clock${query}`, { advance: 'PT1M' });
    const { data } = (await it.control('GET', `/webhooks${query}`)).body;
    return data.map(({ attempts }: { attempts: { fault?: string }[] }) => attempts.map(({ fault }) => fault));
  };
  const { body: fork } = await it.control('POST', `/sandboxes/${it.sandbox.id}/fork`);
  const first = await hit();
  expect(first.flat()).toContain('fault-1: signed with a wrong key');
  expect(await hit(`?sandbox=${fork.id}`)).toEqual(first);
  await it.control('POST', '/snapshots/before/restore');
  expect(await hit()).toEqual(first);
});

test('a fault that is added while an event waits hits its first attempt, beside one that has counted it', async () => {
  const { it, faults } = await waiting({ match: { webhook: '*', every: 100 }, then: { duplicate: true } });
  await it.control('POST', '/faults', { match: { webhook: '*' }, then: { alteredBody: true } });
  await it.advance('PT1M');
  expect(await faults()).toEqual([['fault-2'], ['fault-2'], [undefined, 'fault-2'], [undefined, 'fault-2']]);
  const { data } = (await it.control('GET', '/faults')).body;
  expect(data.map(({ seen }: { seen: number }) => seen)).toEqual([6, 4]);
});

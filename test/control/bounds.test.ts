import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { Host } from '../../src/sandbox/host.ts';
import { LogBudget } from '../../src/sandbox/log-budget.ts';
import { REMEMBERED_REQUESTS, RequestLog } from '../../src/sandbox/request-log.ts';

/** A process that holds few sandboxes, or few bytes of logs. */
async function small(bounds: { sandboxes?: number; logBytes?: number }, scenario = 'unregulated') {
  const options = { seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true, scenario };
  const host = await Host.start(options, {}, { sandboxes: 10_000, logBytes: 64 * 1024 * 1024, ...bounds });
  onTestFinished(() => host.close());
  const app = createApp(host);
  const call = async (as: string, method: string, path: string, body?: unknown) => {
    const response = await app.request(`http://127.0.0.1:4010${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${as}:x`)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const api = (as: string, method: string, path: string, body?: unknown) =>
    call(as, method, `/2025-10-13${path}`, body);
  return { host, call, api };
}

describe('sandboxes that make room for others', () => {
  test('a sandbox that was written to is not dropped to make room, however often it was read since then (R1)', async () => {
    const { host, api } = await small({ sandboxes: 3 });
    await api('writer', 'POST', '/customers', { customerType: 'BUSINESS' });
    for (let i = 0; i <= REMEMBERED_REQUESTS; i += 1) await api('writer', 'GET', '/config');
    for (let i = 0; i < 5; i += 1) expect((await api(`reader-${i}`, 'GET', '/config')).status).toBe(200);
    expect(host.find('writer')).toBeDefined();
    expect((await api('writer', 'GET', '/customers')).body.totalCount).toBe(1);
    expect(host.count).toBe(3);
  });

  test.each([
    ['a fault', 'POST', '/_emulator/faults', { match: {}, then: { status: 503 } }],
    ['the clock', 'POST', '/_emulator/clock', { advance: 'PT1H' }],
    ['a snapshot', 'POST', '/_emulator/snapshots', { name: 'x' }],
    ['an endpoint', 'PUT', '/_emulator/webhooks/endpoint', { url: 'http://127.0.0.1:9/hooks' }],
  ])(
    'a sandbox that was written to through the control API (%s) is not dropped to make room (R1)',
    async (_, method, path, body) => {
      const { host, api, call } = await small({ sandboxes: 3 });
      await api('writer', 'GET', '/config');
      expect((await call('none', method, `${path}?sandbox=writer`, body)).status).toBe(200);
      for (let i = 0; i < 5; i += 1) await api(`reader-${i}`, 'GET', '/config');
      expect(host.find('writer')).toBeDefined();
    },
  );

  test('a sandbox counts as written to after a call of its hosted page, and not after a refused write (R1)', async () => {
    const { host, api } = await small({ sandboxes: 3 });
    await api('refused', 'POST', '/customers', {});
    const { body } = await api('writer', 'POST', '/customers', { customerType: 'INDIVIDUAL' });
    const { kycUrl } = (await api('writer', 'POST', `/customers/${body.id}/kyc-link`)).body;
    const writer = host.find('writer');
    if (writer) writer.written = false;
    const form = new URLSearchParams({ outcome: 'pending' }).toString();
    const url = `http://127.0.0.1:4010${new URL(kycUrl).pathname}`;
    expect((await createApp(host).request(url, { method: 'POST', body: form })).status).toBe(200);
    expect(writer?.written).toBe(true);
    expect(host.find('refused')?.written).toBe(false);
  });

  test('a sandbox that was created or forked by a control is never dropped; a login is refused with 429 where all are kept (R1)', async () => {
    const { host, api, call } = await small({ sandboxes: 4 });
    const made = (await call('none', 'POST', '/_emulator/sandboxes', {})).body.id;
    await api('reader', 'GET', '/config');
    const forked = (await call('none', 'POST', '/_emulator/sandboxes/reader/fork')).body.id;
    expect((await api('next', 'GET', '/config')).status).toBe(200);
    expect(host.find('reader')).toBeUndefined();
    await api('next', 'POST', '/customers', { customerType: 'BUSINESS' });
    expect((await api('late', 'GET', '/config')).status).toBe(429);
    for (const id of [made, forked, 'next', 'test']) expect(host.find(id), id).toBeDefined();
  });
});

test('a new or forked sandbox is refused with 429 in a full process, and one that nobody wrote to makes room (X10)', async () => {
  const { host, api, call } = await small({ sandboxes: 3 });
  await api('reader', 'GET', '/config');
  const make = () => call('none', 'POST', '/_emulator/sandboxes', {});
  const { id } = (await make()).body;
  expect([(await make()).status, host.count, host.find('reader')]).toEqual([200, 3, undefined]);
  for (const path of ['/_emulator/sandboxes', `/_emulator/sandboxes/${id}/fork`]) {
    const refused = await call('none', 'POST', path, {});
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.message).toContain('holds 3 sandboxes already');
  }
  await expect(Promise.all(Array.from({ length: 5 }, () => host.create()))).rejects.toThrow(
    'holds 3 sandboxes already',
  );
  expect(host.count).toBe(3);
  host.drop(host.named(id));
  expect((await make()).status).toBe(200);
});

test('a sandbox has at most 1,000 faults and 1,000 snapshots, and the pages show 100 at a time (X10)', async () => {
  const { host, call } = await small({});
  const { sandbox } = { sandbox: host.default };
  const fault = { match: { operation: 'createQuote' }, then: { status: 503 } };
  for (let i = 0; i < 1000; i += 1) {
    expect((await call('none', 'POST', '/_emulator/faults', fault)).status).toBe(200);
    expect((await call('none', 'POST', '/_emulator/snapshots', { name: `s${i}` })).status).toBe(200);
  }
  for (const [path, body, said] of [
    ['/_emulator/faults', fault, '1000 faults already'],
    ['/_emulator/snapshots', { name: 'one-more' }, '1000 snapshots already'],
  ] as const) {
    const refused = await call('none', 'POST', path, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain(said);
  }
  expect((await call('none', 'POST', '/_emulator/snapshots', { name: 's7' })).status).toBe(200);
  expect([sandbox.faults.list.length, sandbox.snapshots.size]).toEqual([1000, 1000]);
  const app = createApp(host);
  const page = async (path: string) =>
    (await app.request(`http://127.0.0.1:4010${path}`, { headers: { accept: 'text/html' } })).text();
  for (const [path, row] of [
    ['/inspector/faults', /Take back|Remove/g],
    ['/inspector/scenario', /Delete s\d+/g],
  ] as const) {
    const first = await page(path);
    expect(first).toContain('1 to 100 of 1,000');
    expect(first.match(row)?.length).toBeLessThan(250);
    const last = await page(`${path}?from=900`);
    expect(last).toContain('901 to 1,000 of 1,000');
    expect(last).not.toContain('rel="next"');
  }
  const spoilt = await call('none', 'POST', '/_emulator/sandboxes', { scenario: { faults: Array(1001).fill(fault) } });
  expect(spoilt.status).toBe(400);
});

describe('the request logs of a process', () => {
  const large = 'x'.repeat(20_000);

  test('the request logs of a process share one budget, and the oldest entries of any sandbox are dropped first (R8)', async () => {
    const { host, api } = await small({ logBytes: 1_000_000 });
    for (let i = 0; i < 60; i += 1)
      await api(`p${i % 6}`, 'POST', '/customers', { customerType: 'BUSINESS', pad: large });
    expect(host.logBytes).toBeLessThanOrEqual(1_000_000);
    const kept = [...host.sandboxes].flatMap((sandbox) =>
      [...sandbox.requestLog.newest()].map(({ id }) => Number(id.slice(4))),
    );
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.sort((a, b) => a - b)).toEqual(Array.from({ length: kept.length }, (_, i) => 60 - kept.length + 1 + i));
    await api('p7', 'GET', '/config');
    expect([...(host.find('p7')?.requestLog.newest() ?? [])]).toHaveLength(1);
  });

  test('the request log of a sandbox returns its bytes to the budget when it is dropped or reset (R8)', async () => {
    const { host, api, call } = await small({});
    const before = host.logBytes;
    for (let i = 0; i < 20; i += 1) await api(`p${i % 2}`, 'POST', '/customers', { pad: large });
    expect(host.logBytes).toBeGreaterThan(before);
    await call('none', 'POST', '/_emulator/reset?sandbox=p0');
    await call('none', 'DELETE', '/_emulator/sandboxes/p1');
    expect(host.logBytes).toBe(before);
  });

  test('each request log keeps its newest entries in order through any history (R8)', () => {
    const budget = new LogBudget(200_000);
    const logs = Array.from({ length: 4 }, () => new RequestLog(budget));
    const entry = (id: string, size: number) => ({
      id,
      at: '',
      method: 'GET',
      path: '/',
      query: '',
      headers: [],
      body: 'x'.repeat(size),
      operation: undefined,
      status: 200,
      reply: '',
      ms: 0,
      code: undefined,
      why: undefined,
    });
    const added: { log: number; id: string }[] = [];
    for (let i = 0; i < 5000; i += 1) {
      const log = (i * 7 + (i >> 3)) % 4;
      logs[log]?.add(entry(`${i}`, (i * 37) % 400));
      added.push({ log, id: `${i}` });
      if (i % 1700 === 1699) logs[2]?.clear();
      if (i % 500 !== 0) continue;
      expect(budget.bytes).toBeLessThanOrEqual(200_000);
      for (const [n, one] of logs.entries()) {
        const kept = [...one.newest()].map(({ id }) => id);
        const mine = added
          .filter((each) => each.log === n)
          .map(({ id }) => id)
          .reverse();
        expect(kept).toEqual(mine.slice(0, kept.length));
      }
    }
    for (const one of logs) one.clear();
    expect(budget.bytes).toBe(0);
  });
});

test('npm start replaces its process by the emulator, so that ending npm ends the emulator (R12)', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  // test/cli/scripts.test.ts runs it: the last step of tools/run.mjs has the process to itself.
  expect(scripts.start).toMatch(/^node tools\/run\.mjs [\w./ -]+ then bin\/sandbox-emulator\.js$/);
});

test('the request log keeps headers once when they equal those of the previous request', () => {
  const log = new RequestLog(new LogBudget());
  const headers = () => ['Host', '127.0.0.1', 'Accept', '*/*'];
  const [first, other] = [headers(), ['Host', '127.0.0.1', 'Accept', 'text/html']];
  const kept = [first, headers(), other, headers(), headers().slice(0, 2), []].map((one) => log.sharing(one));
  expect(kept[0]).toBe(first);
  expect(kept[1]).toBe(first);
  expect(kept[2]).toBe(other);
  expect(kept.slice(3)).toEqual([headers(), ['Host', '127.0.0.1'], []]);
  const again = headers();
  expect(log.sharing(again)).toBe(again);
  log.clear();
  const anew = headers();
  expect(log.sharing(anew)).toBe(anew);
});

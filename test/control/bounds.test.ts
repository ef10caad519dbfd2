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

describe('a sandbox that something was written to', () => {
  test('is not dropped to make room, however often it was read since (R1)', async () => {
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
  ])('through the control API (%s) is not dropped either (R1)', async (_, method, path, body) => {
    const { host, api, call } = await small({ sandboxes: 3 });
    await api('writer', 'GET', '/config');
    expect((await call('none', method, `${path}?sandbox=writer`, body)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) await api(`reader-${i}`, 'GET', '/config');
    expect(host.find('writer')).toBeDefined();
  });

  test('on the hosted page of a customer counts as written; a refused write does not (R1)', async () => {
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

  test('or that was made or forked on purpose is never dropped; where all are kept a login is 429 (R1)', async () => {
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

describe('the request logs of a process', () => {
  const large = 'x'.repeat(20_000);

  test('keep within one budget: the oldest entries go, whosever they are (R8)', async () => {
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

  test('give back what a sandbox took that was dropped or reset (R8)', async () => {
    const { host, api, call } = await small({});
    const before = host.logBytes;
    for (let i = 0; i < 20; i += 1) await api(`p${i % 2}`, 'POST', '/customers', { pad: large });
    expect(host.logBytes).toBeGreaterThan(before);
    await call('none', 'POST', '/_emulator/reset?sandbox=p0');
    await call('none', 'DELETE', '/_emulator/sandboxes/p1');
    expect(host.logBytes).toBe(before);
  });

  test('keep every one its newest entries in their order, through any history (R8)', () => {
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

test('npm start hands its process over, so that who stops npm stops the emulator (R12)', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(scripts.start).toMatch(/&& exec node bin\/sandbox-emulator\.js$/);
});

test('requests with the headers of the one before keep them once; others keep their own', () => {
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

import { describe, expect, test } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { DELIVERIES } from '../../src/areas/webhooks/index.ts';
import { createApp } from '../../src/http/app.ts';
import { agentKit, bearer } from '../areas/agents/material.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit, refusal } from '../kit/sandbox.ts';

/** What begins in one life of a sandbox does not end in the next (docs/state.md). */

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const encoder = new TextEncoder();

/** Ways for another life to begin, and what is said of them. */
const ROADS: Readonly<Record<string, (it: Kit) => Promise<unknown>>> = {
  'was reset': (it) => it.control('POST', '/reset'),
  'was started over': (it) => it.host.reload(),
  'was restored': async (it) => it.control('PUT', '/state', (await it.control('GET', '/state')).body),
};
const EVERY = Object.keys(ROADS).flatMap((how) => [true, false].map((holdClock) => [how, { holdClock }] as const));

/** What a call is told whose life has ended. */
const over = (how: string) => ({ status: 409, message: `the sandbox ${how} while this was under way` });
const told = ({ status, body }: { status: number; body: { message?: string } }) => ({ status, message: body.message });

/** Sends a request whose body stays open; `end` sends the rest of it and resolves with the answer. */
function slowly(
  it: Kit,
  path: string,
  type: string,
  [first, rest]: readonly [string, string],
  headers: Record<string, string> = {},
) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(one) {
      controller = one;
      one.enqueue(encoder.encode(first));
    },
  });
  const answer = Promise.resolve(
    createApp(it.host).request(`http://127.0.0.1:4010${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('test:secret')}`, 'content-type': type, ...headers },
      body,
      duplex: 'half',
    } as RequestInit),
  );
  return async () => {
    controller?.enqueue(encoder.encode(rest));
    controller?.close();
    const response = await answer;
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { message: text } };
  };
}

const turns = async (count = 5) => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Lines that calls of the API have in the log since the life began, and customers. */
const traces = (it: Kit) => ({
  lines: [...it.sandbox.requestLog.newest()].length,
  customers: it.sandbox.world.rows(CUSTOMERS).size,
});
const NOTHING = { lines: 0, customers: 0 };

describe.each(EVERY)('calls under way when the sandbox %s, %j', (how, options) => {
  const next = ROADS[how] as (typeof ROADS)[string];

  test('a call whose body is still being read is refused with 409 when its sandbox begins anew, and leaves no trace', async () => {
    const it = await kit(options);
    const json = JSON.stringify(ada);
    const end = slowly(it, `${it.host.basePath}/customers`, 'application/json', [json.slice(0, 10), json.slice(10)]);
    await turns();
    await next(it);
    expect(told(await end())).toEqual(over(how));
    expect(traces(it)).toEqual(NOTHING);
  });

  test('a repeated call whose body is still being read does not get its first reply when its sandbox begins anew', async () => {
    const it = await kit(options);
    const { id } = (await it.post('/customers', ada)).body;
    const path = `/customers/${id}/kyc-link`;
    const key = { 'idempotency-key': 'one' };
    expect((await it.call('POST', path, {}, { headers: key })).status).toBe(201);
    const end = slowly(it, `${it.host.basePath}${path}`, 'application/json', ['{', '}'], key);
    await turns();
    await next(it);
    expect(told(await end())).toEqual(over(how));
  });

  test('an upload that is still being read is refused with 409 when its sandbox begins anew, and leaves no trace', async () => {
    const it = await kit(options);
    const part =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n';
    const rows = 'platformCustomerId,customerType,fullName\r\nu-1,INDIVIDUAL,Ada Keller\r\n';
    const type = 'multipart/form-data; boundary=x';
    const path = `${it.host.basePath}/customers/bulk/csv`;
    const end = slowly(it, path, type, [`${part}${rows}`, 'u-2,INDIVIDUAL,Ben Ito\r\n--x--\r\n']);
    await turns();
    await next(it);
    expect(told(await end())).toEqual(over(how));
    await it.settle();
    expect(traces(it)).toEqual(NOTHING);
    expect(it.sandbox.world.scheduler.jobs.size).toBe(0);
  });

  test('a call that waits for a receiver is refused with 409 when its sandbox begins anew, and leaves no trace', async () => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const it = await kit({ ...options, webhookUrl: hooks.url });
    const waiting = it.overlapping('POST', '/sandbox/webhooks/test');
    await hooks.until(1);
    await next(it);
    await hooks.kill();
    expect(told(await waiting)).toEqual(over(how));
    expect(traces(it)).toEqual(NOTHING);
  });

  test('a call that a fault delays is refused with 409 and not done when its sandbox begins anew', async () => {
    const it = await kit(options);
    await it.control('POST', '/faults', { match: { operation: 'createCustomer' }, then: { delayMs: 600 } });
    const waiting = it.overlapping('POST', '/customers', ada);
    await turns();
    await next(it);
    expect(told(await waiting)).toEqual(over(how));
    expect(traces(it)).toEqual(NOTHING);
    expect(it.sandbox.faults.list).toEqual([]);
  });

  test('a delivery that waits for its receiver is not logged once its sandbox begins anew', async () => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const it = await kit({ ...options, webhookUrl: hooks.url });
    await it.overlapping('POST', '/customers', ada);
    await hooks.until(1);
    const before = it.sandbox.world;
    await next(it);
    hooks.react = () => 200;
    await hooks.kill();
    await hooks.revive();
    await before.scheduler.settle();
    await it.settle();
    const attempts = [...it.sandbox.world.rows(DELIVERIES).rows()].map((d) => d.attempts.map(({ status }) => status));
    // A state that is put in place has the delivery, and tries it by itself; the try of before is not a try of its own.
    expect(attempts.flat().filter((status) => status === undefined).length).toBe(0);
    expect([...before.rows(DELIVERIES).rows()].map((d) => d.attempts)).toEqual([[]]);
  });

  test('an advance, a job run and a redelivery are refused with 409 when their sandbox begins anew, and move nothing', async () => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const it = await kit({ ...options, webhookUrl: hooks.url });
    await it.overlapping('POST', '/customers', ada);
    await hooks.until(1);
    const [delivery] = [...it.sandbox.world.rows(DELIVERIES).rows()];
    const job = [...it.sandbox.world.scheduler.jobs.rows()].find(({ kind }) => kind === 'webhook.deliver');
    const waiting = [
      it.control('POST', `/jobs/${job?.id}/run`),
      it.control('POST', `/webhooks/${delivery?.id}/redeliver`),
      it.control('POST', '/clock', { advance: 'P1D' }),
    ];
    await turns();
    const day = it.sandbox.world.clock.iso().slice(0, 10);
    await next(it);
    await hooks.kill();
    for (const one of waiting) expect(told(await one)).toEqual(over(how));
    expect(it.sandbox.world.clock.iso().slice(0, 10)).toBe(day);
  });
});

test('an advance under way rejects when its sandbox is dropped', async () => {
  const it = await kit();
  const other = await it.host.create({ scenario: { policies: { 'customer.decide': 'after 1s' } } });
  const advance = other.world.scheduler.advanceBy(1000);
  it.host.drop(other);
  await expect(advance).rejects.toMatchObject({ message: 'the sandbox was dropped while this was under way' });
});

test('a hosted page that is sent while its sandbox is restored is refused with 409, and its link stays open', async () => {
  const it = await kit({ scenario: { policies: { 'customer.decide': 'hold' } } });
  const { id } = (await it.post('/customers', { ...ada, birthDate: '1990-01-02', email: 'ada@example.com' })).body;
  const { kycUrl } = (await it.post(`/customers/${id}/kyc-link`, {})).body;
  const form = 'outcome=approve';
  const type = 'application/x-www-form-urlencoded';
  const end = slowly(it, new URL(kycUrl).pathname, type, [form.slice(0, 5), form.slice(5)]);
  await turns();
  await ROADS['was restored']?.(it);
  const lines = [...it.sandbox.requestLog.newest()].length;
  expect((await end()).status).toBe(409);
  expect([(await createApp(it.host).request(kycUrl)).status, lines]).toEqual([200, 2]);
  expect(it.sandbox.world.rows(CUSTOMERS).get(id)?.kycStatus).toBe('PENDING');
});

test('a call that a reset refused with 409 succeeds when it is sent again', async () => {
  const it = await kit();
  const [first, rest] = ['{"customerType":', '"BUSINESS"}'];
  const end = slowly(it, `${it.host.basePath}/customers`, 'application/json', [first, rest]);
  await turns();
  await it.control('POST', '/reset');
  expect(refusal((await end()) as never)).toMatchObject({ status: 409, code: 'CONFLICT' });
  expect((await it.post('/customers', JSON.parse(first + rest))).status).toBe(201);
});

test('a repeated call whose body is still being read is refused with 401 when its token is deleted', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ada)).body;
  const token = (await it.post('/tokens', { name: 'T', permissions: ['VIEW', 'MANAGE'] })).body;
  const [as, path] = [`${token.clientId}:${token.clientSecret}`, `/customers/${id}/kyc-link`];
  const key = { 'idempotency-key': 'one' };
  expect((await it.call('POST', path, {}, { as, headers: key })).status).toBe(201);
  const end = slowly(it, `${it.host.basePath}${path}`, 'application/json', ['{', '}'], {
    authorization: `Basic ${btoa(as)}`,
    ...key,
  });
  await turns();
  expect((await it.call('DELETE', `/tokens/${token.id}`)).status).toBe(204);
  expect((await end()).status).toBe(401);
});

test('a repeated call of an agent whose body is still being read is refused with 401 when the agent is deleted', async () => {
  const it = await agentKit();
  const agent = await it.agent();
  const key = { 'idempotency-key': 'one' };
  const order = {
    source: { accountId: it.usd.id },
    destination: { accountId: it.bankId },
    amount: 1000,
  };
  expect((await agent.post('/transfer-out', order, { headers: key })).status).toBe(201);
  const json = JSON.stringify(order);
  const end = slowly(
    it,
    `${it.host.basePath}/agents/me/transfer-out`,
    'application/json',
    [json.slice(0, 10), json.slice(10)],
    { ...bearer(agent.token), ...key },
  );
  await turns();
  expect((await it.call('DELETE', `/agents/${agent.id}`)).status).toBe(204);
  expect((await end()).status).toBe(401);
});

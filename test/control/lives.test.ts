import { describe, expect, onTestFinished, test } from 'vitest';
import { KYC_LINKS } from '../../src/areas/onboarding/index.ts';
import { webhookKey } from '../../src/areas/webhooks/index.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { startEmulator } from '../../src/index.ts';
import type { StreamEvent } from '../../src/sandbox/event-stream.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { checkedState } from '../../src/sandbox/state-check.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** The matrix of `docs/state.md`: what each way to begin keeps, a test a cell. */

const FLAG = 'http://127.0.0.1:9/flag';
const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const fault = (operation: string) => ({ match: { operation }, then: { status: 503 } });
const settings = { policies: { 'customer.decide': 'after P1D', 'webhook.deliver': 'hold' } };

/** A sandbox in use: what it was when the snapshot `s` was kept, and what came of it since. */
interface Used {
  readonly it: Kit;
  readonly sandbox: Sandbox;
  /** A token, a link and the events of a stream that began before. */
  readonly token: string;
  readonly link: string;
  readonly news: StreamEvent[];
  /** The state when `s` was kept, and now. */
  readonly at: string;
  readonly now: string;
  /** Every id that was told. */
  readonly told: Set<string>;
}

const asOf = ({ credentials: [login] }: Sandbox): string => `${login?.tokenId}:${login?.secret}`;

async function use(it: Kit, sandbox: Sandbox): Promise<Used> {
  const as = asOf(sandbox);
  const at = `?sandbox=${sandbox.id}`;
  const post = async (path: string, body: object) => (await it.overlapping('POST', path, body, { as })).body;
  const state = async () => (await it.control('GET', `/state${at}`)).text;
  await it.control('POST', `/clock${at}`, { mode: 'live', speed: 0.001 });
  const news: StreamEvent[] = [];
  sandbox.stream.listen((one) => news.push(one));
  const { id } = await post('/customers', ada);
  const { clientId, clientSecret } = await post('/tokens', { name: 'ci', permissions: ['VIEW'] });
  const { kycUrl } = await post(`/customers/${id}/kyc-link`, {});
  await it.control('POST', `/clock${at}`, { advance: 'PT1H' });
  await it.control('POST', `/faults${at}`, fault('getInvitation'));
  await it.control('PUT', `/webhooks/endpoint${at}`, { url: 'http://127.0.0.1:9/then' });
  await it.control('POST', `/snapshots${at}`, { name: 's' });
  const kept = await state();
  const second = await post('/customers', ada);
  await it.control('POST', `/clock${at}`, { advance: 'PT1H' });
  await it.control('POST', `/faults${at}`, fault('listTransactions'));
  await it.control('PUT', `/webhooks/endpoint${at}`, { url: 'http://127.0.0.1:9/now' });
  await new Promise((resolve) => setImmediate(resolve));
  news.length = 0;
  const told = new Set<string>([id, second.id]);
  const link = new URL(kycUrl).pathname.slice('/kyc/'.length);
  return { it, sandbox, token: `${clientId}:${clientSecret}`, link, news, at: kept, now: await state(), told };
}

const scenario = (more: object = {}) => ({ ...settings, faults: [fault('lookupUma')], ...more });

/** A sandbox that has begun, and the one that was in use before, in the same process or an earlier one. */
type Begun = Used & { readonly begun: Sandbox };

const ROADS: Readonly<Record<string, (options?: { seed?: undefined }) => Promise<Begun>>> = {
  new: async (options) => {
    const used = await start(options);
    return { ...used, begun: await used.it.host.create() };
  },
  reset: async (options) => {
    const used = await start(options);
    expect((await used.it.control('POST', '/reset')).status).toBe(200);
    return { ...used, begun: used.sandbox };
  },
  reload: async (options) => {
    const file: object = scenario();
    const used = await start(options, file);
    Object.assign(file, { customers: [ada], faults: [fault('getQuoteById')] });
    await used.it.host.reload();
    return { ...used, begun: used.sandbox };
  },
  fork: async (options) => {
    const used = await start(options);
    const { id } = (await used.it.control('POST', '/sandboxes/test/fork')).body;
    return { ...used, begun: used.it.host.find(id) as Sandbox };
  },
  restore: async (options) => {
    const used = await start(options);
    expect((await used.it.control('POST', '/snapshots/s/restore')).status).toBe(200);
    return { ...used, begun: used.sandbox };
  },
  rewind: async (options) => {
    const used = await start(options);
    const made = [...used.sandbox.requestLog.newest()].find(({ operation }) => operation === 'createCustomer');
    expect((await used.it.control('POST', `/requests/${made?.id}/rewind`)).status).toBe(200);
    return { ...used, begun: used.sandbox };
  },
  'state of another sandbox': async (options) => {
    const used = await start(options);
    const other = await use(used.it, await used.it.host.create());
    expect((await used.it.control('PUT', '/state', JSON.parse(other.at))).status).toBe(200);
    const { token, link } = other;
    return { ...used, token, link, told: new Set([...used.told, ...other.told]), begun: used.sandbox };
  },
  'state file': async (options) => {
    const { now, ...used } = await start(options);
    const it = await kit({ ...options, auth: 'known', webhookUrl: FLAG, scenario: scenario() });
    await it.host.continueFrom({ state: checkedState(JSON.parse(now)), sandboxes: [] });
    return { ...used, now, it, begun: it.sandbox };
  },
};

async function start(options = {}, from: object = scenario()): Promise<Used> {
  const it = await kit({ ...options, auth: 'known', webhookUrl: FLAG, scenario: from });
  return use(it, it.sandbox);
}

/** Where something that was handed out before leads, if anywhere. */
const place = ({ sandbox, begun }: Begun, found: Sandbox | undefined): string =>
  found === undefined ? 'nowhere' : found === begun ? 'here' : found === sandbox ? 'the origin' : 'another';

const COLUMNS: Readonly<Record<string, (begun: Begun) => unknown>> = {
  customers: async ({ it, begun }) =>
    (await it.overlapping('GET', '/customers', undefined, { as: asOf(begun) })).body.totalCount,
  clock: ({ begun }) => begun.world.clock.iso().slice(11, 16),
  'mode of the clock': ({ begun }) => begun.world.clock.mode,
  'speed of the clock': ({ begun }) => begun.world.clock.speed,
  'customers still to be decided': ({ begun }) =>
    [...begun.world.rows(JOBS).rows()].filter(({ kind }) => kind === 'customer.decide').length,
  'request log': ({ begun }) => ([...begun.requestLog.newest()].length > 0 ? 'kept' : 'empty'),
  faults: ({ begun }) => begun.faults.list.map(({ rule }) => (rule.match as { operation: string }).operation).join(),
  'named snapshots': ({ begun }) => [...begun.snapshots.keys()].join(),
  'endpoint of webhooks': async ({ it, begun }) =>
    (await it.control('GET', `/webhooks/endpoint?sandbox=${begun.id}`)).body.url.slice('http://127.0.0.1:9/'.length),
  'key of webhooks': ({ begun, sandbox }) =>
    webhookKey(begun.world).pem === webhookKey(sandbox.world).pem ? 'the same' : 'another',
  'tokens in the list': async ({ it, begun, token }) => {
    const { data } = (await it.overlapping('GET', '/tokens', undefined, { as: asOf(begun) })).body;
    const names: string[] = data.map(({ clientId }: { clientId: string }) =>
      clientId === begun.id ? 'own' : token.startsWith(clientId) ? 'made' : clientId,
    );
    return names.sort().join();
  },
  'a token made before logs in': async (begun) => {
    const [id = '', secret = ''] = begun.token.split(':');
    try {
      return place(begun, (await begun.it.host.authenticate(id, secret)).sandbox);
    } catch {
      return 'nowhere';
    }
  },
  'a hosted link made before leads': (begun) => {
    const found = [...begun.it.host.sandboxes].filter(({ world }) => world.rows(KYC_LINKS).find('secret', begun.link));
    expect(found.length, 'a link leads to one place').toBeLessThan(2);
    return place(begun, found[0]);
  },
  'an event stream hears': async ({ it, news, sandbox }) => {
    await it.overlapping('GET', '/config', undefined, { as: asOf(sandbox) });
    await new Promise((resolve) => setImmediate(resolve));
    return news.map(({ event }) => event).join();
  },
};

type Cells = readonly [road: string, ...values: unknown[]];
const NAMES = Object.keys(COLUMNS);
const TABLE: readonly Cells[] = [
  // customers, clock, mode, speed, to be decided, log, faults, snapshots, endpoint, key, tokens, token, link, stream
  [
    'new',
    0,
    '09:00',
    'held',
    1,
    0,
    'empty',
    'lookupUma',
    '',
    'flag',
    'the same',
    'own',
    'the origin',
    'the origin',
    'request',
  ],
  [
    'reset',
    0,
    '09:00',
    'held',
    1,
    0,
    'empty',
    'lookupUma',
    's',
    'flag',
    'the same',
    'own',
    'nowhere',
    'nowhere',
    'reset,request',
  ],
  [
    'reload',
    1,
    '09:00',
    'held',
    1,
    0,
    'empty',
    'getQuoteById',
    's',
    'flag',
    'the same',
    'own',
    'nowhere',
    'nowhere',
    'reset,request',
  ],
  [
    'fork',
    2,
    '11:00',
    'live',
    0.001,
    2,
    'empty',
    'lookupUma,getInvitation,listTransactions',
    '',
    'now',
    'the same',
    'own',
    'the origin',
    'the origin',
    'request',
  ],
  [
    'restore',
    1,
    '10:00',
    'live',
    0.001,
    1,
    'kept',
    'lookupUma,getInvitation',
    's',
    'then',
    'the same',
    'made,own',
    'here',
    'here',
    'reset,request',
  ],
  [
    'rewind',
    1,
    '10:00',
    'live',
    0.001,
    1,
    'kept',
    'lookupUma,getInvitation',
    's',
    'then',
    'the same',
    'made,own',
    'here',
    'here',
    'reset,request',
  ],
  [
    'state of another sandbox',
    1,
    '10:00',
    'live',
    0.001,
    1,
    'kept',
    'lookupUma',
    's',
    'then',
    'the same',
    'own',
    'another',
    'another',
    'reset,request',
  ],
  [
    'state file',
    2,
    '11:00',
    'held',
    0.001,
    2,
    'empty',
    'lookupUma',
    '',
    'flag',
    'the same',
    'made,own',
    'here',
    'here',
    '',
  ],
];
const CELLS = TABLE.flatMap(([road, ...values]) => NAMES.map((name, i) => [road, name, values[i]] as const));

test('the table of this test has a value in every column for every way to begin', () => {
  expect(TABLE.map(([road, ...values]) => [road, values.length])).toEqual(
    Object.keys(ROADS).map((road) => [road, NAMES.length]),
  );
});

test.each(CELLS)('a sandbox begun by "%s" shows for "%s" the value %j', async (road, name, value) => {
  const begun = await (ROADS[road] as (typeof ROADS)[string])();
  expect(await (COLUMNS[name] as (typeof COLUMNS)[string])(begun)).toBe(value);
});

test.each(Object.keys(ROADS))('a sandbox begun by "%s" without a seed draws no earlier id again', async (road) => {
  const { it, begun, told } = await (ROADS[road] as (typeof ROADS)[string])({ seed: undefined });
  const { id } = (await it.overlapping('POST', '/customers', ada, { as: asOf(begun) })).body;
  expect([id.slice(0, 9), told.has(id)]).toEqual(['Customer:', false]);
});

test('a restore brings faults back as spent as they were at the snapshot, and a state from elsewhere those of the scenario', async () => {
  const it = await kit({
    scenario: { faults: [{ match: { operation: 'getPlatformConfig', times: 2 }, then: { status: 503 } }] },
  });
  const status = async () => (await it.get('/config')).status;
  expect(await status()).toBe(503);
  await it.control('POST', '/snapshots', { name: 's' });
  const { body: state } = await it.control('GET', '/state');
  expect([await status(), await status()]).toEqual([503, 200]);
  await it.control('POST', '/snapshots/s/restore');
  expect([await status(), await status()]).toEqual([503, 200]);
  const { id } = (await it.control('POST', '/faults', fault('lookupUma'))).body;
  await it.control('PUT', '/state', state);
  expect([await status(), await status(), await status()]).toEqual([503, 503, 200]);
  // An id that was given out names no other fault afterwards.
  expect([id, (await it.control('POST', '/faults', fault('lookupUma'))).body.id]).toEqual(['fault-2', 'fault-3']);
});

test('a call with a credential that a reload is adding waits for it, and is judged by its secret', async () => {
  const many = { generate: { customers: 1500, transactions: 1500, days: 30 } };
  const file: { credentials?: object[]; generate: object } = { ...many };
  const it = await kit({ scenario: file });
  file.credentials = [
    { id: 'test', secret: 'secret' },
    { id: 'box', secret: 'right' },
  ];
  const list = (as: string) => it.overlapping('GET', '/customers', undefined, { as });
  const early = list('box:wrong');
  const reloading = it.host.reload();
  while (!it.host.filling.some(({ sandbox }) => sandbox === 'test'))
    await new Promise((resolve) => setImmediate(resolve));
  const late = list('box:right');
  await Promise.all([early, reloading]);
  expect((await late).status).toBe(200);
  expect([(await list('box:wrong')).status, (await list('box:right')).status]).toEqual([401, 200]);
  expect([...it.host.sandboxes]).toEqual([it.sandbox]);
});

test('a scenario that is read again with a credential of a sandbox that was created is refused, and nothing changes', async () => {
  const file: { credentials?: object[] } = {};
  const it = await kit({ scenario: file });
  await it.control('POST', '/sandboxes', { id: 'box', secret: 's' });
  await it.post('/customers', ada, { as: 'box:s' });
  file.credentials = [
    { id: 'test', secret: 'secret' },
    { id: 'box', secret: 'other' },
  ];
  await expect(it.host.reload()).rejects.toThrow('credentials: there is a sandbox box that was created');
  const many = { generate: { customers: 1500, transactions: 1500, days: 30 } };
  const creating = it.control('POST', '/sandboxes', { id: 'late', secret: 's', scenario: many });
  while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  file.credentials = [
    { id: 'test', secret: 'secret' },
    { id: 'late', secret: 'other' },
  ];
  await expect(it.host.reload()).rejects.toThrow('credentials: there is a sandbox late that was created');
  expect((await creating).status).toBe(200);
  expect((await it.call('GET', '/customers', undefined, { as: 'late:s' })).status).toBe(200);
  expect((await it.call('GET', '/customers', undefined, { as: 'box:s' })).body.totalCount).toBe(1);
});

test('a reload or a state that is refused leaves rows, faults, log and stream of the sandbox as they are', async () => {
  const file: object = scenario();
  const { it, news, now } = await start({}, file);
  Object.assign(file, { externalAccounts: [{ customer: 'nobody', currency: 'MXN', accountInfo: {} }] });
  await expect(it.host.reload()).rejects.toThrow('externalAccounts.0');
  expect((await it.control('PUT', '/state', { format: 1 })).status).toBe(400);
  expect((await it.control('GET', '/state')).text).toBe(now);
  expect([it.sandbox.faults.list.length, [...it.sandbox.requestLog.newest()].length, news]).toEqual([3, 4, []]);
});

test('a restore during a reset stays, and the reset is refused with 409', async () => {
  const it = await kit({ scenario: { generate: { customers: 3000 } } });
  const { body: state } = await (await kit()).control('GET', '/state');
  const reset = it.control('POST', '/reset');
  await new Promise((resolve) => setImmediate(resolve));
  expect((await it.control('PUT', '/state', state)).status).toBe(200);
  expect(await reset).toMatchObject({
    status: 409,
    body: { message: 'the sandbox was restored while this was under way' },
  });
  expect((await it.get('/customers')).body.totalCount).toBe(0);
});

test('a sandbox that is dropped during its reset stays dropped, and the reset is refused with 409', async () => {
  const it = await kit();
  const many = { generate: { customers: 3000 } };
  const { id } = (await it.control('POST', '/sandboxes', { scenario: many })).body;
  const reset = it.control('POST', `/reset?sandbox=${id}`);
  await new Promise((resolve) => setImmediate(resolve));
  await it.control('DELETE', `/sandboxes/${id}`);
  expect((await reset).status).toBe(409);
  expect([it.host.find(id), it.host.count]).toEqual([undefined, 1]);
});

test('other calls are answered while the default sandbox reloads many rows, and health shows its progress', async () => {
  const file: object = {};
  const it = await kit({ scenario: file });
  Object.assign(file, { generate: { customers: 4000 } });
  let done = false;
  const reloading = it.host.reload().then(() => (done = true));
  const seen: string[] = [];
  while (!done) {
    seen.push(...it.host.filling.map(({ sandbox }) => sandbox));
    expect((await it.get('/config')).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await reloading;
  expect(new Set(seen)).toEqual(new Set(['test']));
  expect((await it.get('/customers')).body.totalCount).toBe(4000);
});

test("a program's sandbox continues after a reset and a restore: clock, waits for events and snapshots", async () => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: '2026-01-05T09:00:00Z' });
  onTestFinished(() => emulator.close());
  const { sandbox } = emulator;
  const make = async () => (await (await sandbox.fetch('/customers', { json: ada })).json()).id;
  const start = await sandbox.snapshot();
  const waiting = sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED');
  await sandbox.reset();
  const first = await make();
  const event = await waiting;
  expect(event.data).toMatchObject({ id: first });
  await sandbox.clock.advance('1h');
  await sandbox.restore(start);
  expect(sandbox.clock.now()).toBe('2026-01-05T09:00:00.000Z');
  // The seed gives the same event its id again; in this life nobody was handed it.
  expect(await make()).toBe(first);
  expect(await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED')).toEqual(event);
  await sandbox.clock.advance('2h');
  await sandbox.webhooks.settle();
  expect(sandbox.clock.now()).toBe('2026-01-05T11:00:00.000Z');
  const after = await sandbox.snapshot();
  await sandbox.restore(after);
  const again = sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { timeoutMs: 20 });
  await expect(again).rejects.toThrow('no CUSTOMER.KYC_APPROVED was emitted within 20 ms');
});

describe('waitFor and the lives of a sandbox', () => {
  const started = async () => {
    const emulator = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => emulator.close());
    const sandbox = await emulator.createSandbox();
    await sandbox.fetch('/customers', { json: ada });
    return { emulator, sandbox };
  };
  type Made = Awaited<ReturnType<typeof started>>['sandbox'];
  const next = async (sandbox: Made) =>
    (await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { timeoutMs: 50 }).catch(() => undefined))?.id;

  test('waitFor finds an event again after each restore of a snapshot from before it was handed out', async () => {
    const { sandbox } = await started();
    const before = await sandbox.snapshot();
    const id = await next(sandbox);
    expect(id).toBeDefined();
    for (let i = 0; i < 2; i++) {
      expect(await next(sandbox)).toBeUndefined();
      await sandbox.restore(before);
      expect(await next(sandbox)).toBe(id);
    }
  });

  test('waitFor does not hand out an event again in a fork, or after a restore of a snapshot from after it was handed out', async () => {
    const { sandbox } = await started();
    const id = await next(sandbox);
    const after = await sandbox.snapshot();
    const fork = await sandbox.fork();
    await sandbox.restore(after);
    for (const one of [sandbox, fork]) {
      expect(await next(one)).toBeUndefined();
      await one.fetch('/customers', { json: ada });
      expect(await next(one)).not.toBe(id);
    }
  });
});

test('two waits for one type of event at the same time get two events, and a misspelt type is named', async () => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, scenario: 'unregulated' });
  onTestFinished(() => emulator.close());
  const { sandbox } = emulator;
  for (let n = 0; n < 3; n += 1) await sandbox.fetch('/customers', { json: ada });
  const next = (within?: string) => sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', within ? { within } : {});
  const both = await Promise.all([next('P1D'), next('P1D')]);
  const third = await next();
  expect(new Set([...both, third].map(({ id }) => id)).size).toBe(3);
  const misspelt = sandbox.webhooks.waitFor('CUSTOMER.KYC_APROVED' as 'CUSTOMER.KYC_APPROVED', { timeoutMs: 1 });
  await expect(misspelt).rejects.toThrow('did you mean CUSTOMER.KYC_APPROVED?');
});

test('an event that a wait did not get delivered is there for the next wait', async () => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, scenario: 'unregulated' });
  onTestFinished(() => emulator.close());
  const { sandbox } = emulator;
  await fetch(`${emulator.url}/_emulator/webhooks/pause`, { method: 'POST' });
  await fetch(`${emulator.url}/_emulator/webhooks/endpoint`, { method: 'PUT', body: '{"url":"http://127.0.0.1:9/"}' });
  await sandbox.fetch('/customers', { json: ada });
  await expect(sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { within: '1h' })).rejects.toThrow('not delivered');
  expect((await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED')).type).toBe('CUSTOMER.KYC_APPROVED');
});

test.each([
  ['left alone', () => {}],
  ['printed', (snapshot: object) => void JSON.stringify(snapshot)],
  ['read', (snapshot: object) => void Reflect.get(snapshot, 'tables')],
])('a snapshot that a program has %s brings its faults back', async (_, use) => {
  const emulator = await startEmulator({ port: 0, seed: 1 });
  onTestFinished(() => emulator.close());
  const { sandbox } = emulator;
  sandbox.faults.add({ match: { operation: 'listCustomers', times: 2 }, then: { status: 503 } });
  const snapshot = await sandbox.snapshot();
  use(snapshot);
  const statuses = async () => {
    const told = [];
    for (let n = 0; n < 3; n += 1) told.push((await sandbox.fetch('/customers')).status);
    return told;
  };
  expect(await statuses()).toEqual([503, 503, 200]);
  await sandbox.restore(snapshot);
  expect(await statuses()).toEqual([503, 503, 200]);
});

test('advanceTo takes ISO 8601 and a Date, and refuses a text that means another moment in each time zone', async () => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: '2026-01-05T09:00:00Z' });
  onTestFinished(() => emulator.close());
  const { clock } = emulator.sandbox;
  for (const text of ['2026/03/04', 'March 2, 2026', '2026-3-5', 'tomorrow'])
    await expect(clock.advanceTo(text), text).rejects.toThrow('to: ');
  await clock.advanceTo('2026-03-01 09:00');
  expect(clock.now()).toBe('2026-03-01T09:00:00.000Z');
  await clock.advanceTo(new Date('2026-03-02T00:00:00Z') as unknown as string);
  expect(clock.now()).toBe('2026-03-02T00:00:00.000Z');
});

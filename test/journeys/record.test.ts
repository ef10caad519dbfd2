import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
// @ts-expect-error it has no types
import { collectionSchema } from '@usebruno/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { client, commandLine } from '../kit/process.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
type Body = any;

/** A project of a user's, with the package and its runner at hand. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'record-'));
  await mkdir(join(project, 'node_modules'));
  await symlink(ROOT, join(project, 'node_modules/sandbox-emulator'));
  await symlink(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const maya = {
    customerType: 'INDIVIDUAL',
    platformCustomerId: 'maya',
    fullName: 'Maya Okafor',
    accounts: { USD: 120_000 },
  };
  await writeFile(join(project, 'maya.json'), JSON.stringify({ customers: [maya] }));
});
afterAll(() => rm(project, { recursive: true }));

/** Vitest's own of five seconds is for machines that do nothing else. */
const NO_DEADLINE = '--testTimeout=100000';

/** A running emulator in which somebody was paid, live, and the first and last of the requests. */
async function paid(profile: 'spec' | 'grid') {
  const emulator = commandLine([
    '--port',
    '0',
    '--json',
    '--scenario',
    join(project, 'maya.json'),
    '--profile',
    profile,
  ]);
  const ready = await emulator.ready();
  const authorization = `Basic ${btoa(`${ready.credentials.id}:${ready.credentials.secret}`)}`;
  await leaveQuoteWaiting(client(ready));
  const ids: string[] = [];
  const api = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${ready.baseUrl}${path}`, { method, headers, ...init });
    ids.push(String(answer.headers.get('x-request-id')));
    return answer.json();
  };
  const maya = (await api('GET', '/customers?platformCustomerId=maya')).data[0];
  const accounts = await api('GET', `/customers/internal-accounts?customerId=${maya.id}&currency=USD`);
  const ada = await api('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: "Ada O'Keller",
    birthDate: '1990-01-02',
  });
  await api('GET', `/customers/${ada.id}`);
  const bank = await api('POST', '/customers/external-accounts', {
    customerId: maya.id,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789501',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
    },
  });
  const quote = await api('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: accounts.data[0].id },
    destination: { destinationType: 'ACCOUNT', accountId: bank.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2500,
  });
  await api('POST', `/quotes/${quote.id ?? quote.quoteId}/execute`);
  await fetch(`${ready.url}/_emulator/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: 'PT10M' }),
  });
  await api('GET', `/transactions/${quote.transactionId}`);
  await api('POST', '/quotes', { source: {} });
  const record = async (as: string, requests: unknown = { from: ids[0], to: ids.at(-1) }): Promise<string> => {
    const response = await fetch(`${ready.url}/_emulator/record`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests, as }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  return { ready, ids, record, quote, api };
}

test.each(['spec', 'grid'] as const)(
  'a payment that was made live is recorded as a test that passes, profile %s',
  async (profile) => {
    const { ids, record } = await paid(profile);
    const text = await record('vitest');
    const file = join(project, `${profile}.test.ts`);
    await writeFile(file, text);
    const { stdout } = await run(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '--root', project, NO_DEADLINE],
      {
        cwd: project,
        env: { ...process.env, VITEST: undefined, NO_COLOR: '1' } as NodeJS.ProcessEnv,
      },
    ).catch((error) => ({ stdout: `${text}\n${error.stdout}\n${error.stderr}` }));
    expect(stdout).toContain('1 passed');
    expect(text.match(/toBe\(\d+\)/g)?.join()).toBe(
      'toBe(200),toBe(200),toBe(201),toBe(200),toBe(201),toBe(201),toBe(200),toBe(200),toBe(400)',
    );
    expect(text.match(/status: '(?:PROCESSING|COMPLETED)'/g)).toEqual(["status: 'PROCESSING'", "status: 'COMPLETED'"]);
    expect(text).not.toMatch(/:[0-9a-f]{8}-[0-9a-f]{4}-/);
    const last = await record('vitest', [ids[6]]);
    expect(last).toContain('createQuote, which creates what later calls use');
    await writeFile(file, last);
    await run(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '--root', project, NO_DEADLINE],
      {
        cwd: project,
        env: { ...process.env, VITEST: undefined } as NodeJS.ProcessEnv,
      },
    );
  },
);

test('a session with decisions, a job, a rewind, the clock and webhooks is recorded as a test that passes (W2, G5)', async () => {
  const held = join(project, 'held.json');
  const policies = { 'customer.decide': 'hold', 'transaction.settle': 'after PT2H' };
  await writeFile(held, JSON.stringify({ policies, platform: { accounts: { USD: 100_000 } } }));
  const ready = await commandLine(['--port', '0', '--json', '--scenario', held]).ready();
  const call = client(ready);
  await leaveQuoteWaiting(call);
  const does = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const control = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) };
    const answer = await fetch(`${ready.url}/_emulator${path}`, sent);
    expect(answer.status).toBe(200);
    return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text();
  };
  const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02' };
  const ada = await does('POST', '/customers', { ...person, email: 'ada@example.com' });
  const [{ id: from }] = (await control('GET', '/requests?limit=1')).data;
  await control('POST', `/customers/${ada.id}/decision`, { decision: 'APPROVED' });
  const ben = await does('POST', '/customers', { ...person, fullName: 'Ben Ito', email: 'ben@example.com' });
  const { data: jobs } = await control('GET', '/jobs');
  await control('POST', `/jobs/${jobs.find((job: Body) => job.about === ben.id).id}/run`);
  expect((await does('GET', `/customers/${ben.id}`)).kycStatus).toBe('APPROVED');
  await does('DELETE', `/customers/${ben.id}`);
  await control('POST', '/requests/last/rewind');
  expect((await does('GET', `/customers/${ben.id}`)).isDeleted).toBe(false);
  const { data: accounts } = await does('GET', `/customers/internal-accounts?customerId=${ada.id}&currency=USD`);
  await does('POST', `/sandbox/internal-accounts/${accounts[0].id}/fund`, { amount: 50_000 });
  await control('POST', '/clock', { advance: '1d' });
  await does('GET', `/customers/internal-accounts?customerId=${ada.id}`);
  const [{ id: to }] = (await control('GET', '/requests?limit=1')).data;
  const text: string = await control('POST', '/record', { requests: { from, to } });
  expect(text).not.toContain('cannot be repeated');
  for (const part of ['/decision`', 'await jobIdOf(', 'sandbox.rewind(', "waitFor('CUSTOMER.KYC_APPROVED'"])
    expect(text).toContain(part);
  const file = join(project, 'session.test.ts');
  await writeFile(file, text);
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '--root', project, NO_DEADLINE];
  const env = { ...process.env, VITEST: undefined, NO_COLOR: '1' } as NodeJS.ProcessEnv;
  const { stdout } = await run(process.execPath, vitest, { cwd: project, env }).catch((error) => ({
    stdout: `${text}\n${error.stdout}\n${error.stderr}`,
  }));
  expect(stdout).toContain('1 passed');
});

test('a recorded test fails where the service answers differently', async () => {
  const { record } = await paid('spec');
  const text = (await record('vitest')).replace("fullName: 'Ada O", "fullName: 'Eve O");
  const file = join(project, 'other.test.ts');
  await writeFile(file, text.replace('toBe(201)', 'toBe(200)'));
  const failed = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '--root', project, NO_DEADLINE],
    {
      cwd: project,
      env: { ...process.env, VITEST: undefined, NO_COLOR: '1' } as NodeJS.ProcessEnv,
    },
  ).catch((error) => error);
  expect(failed.code).toBe(1);
});

test('a recording as a shell script runs against another emulator, and stops at a different status', async () => {
  const { record } = await paid('spec');
  const script = join(project, 'payment.sh');
  await writeFile(script, await record('shell'));
  const other = await commandLine(['--port', '0', '--json', '--scenario', join(project, 'maya.json')]).ready();
  const env = { ...process.env, BASE: other.baseUrl, LOGIN: `${other.credentials.id}:${other.credentials.secret}` };
  await run('sh', [script], { env });
  const { data } = (await (
    await fetch(`${other.url}/_emulator/requests?limit=1&operation=executeQuote`)
  ).json()) as Body;
  expect(data[0].status).toBe(200);
  await writeFile(script, (await readFile(script, 'utf8')).replace("createCustomer' 201", "createCustomer' 200"));
  const stopped = await run('sh', [script], { env }).catch((error) => error);
  expect([stopped.code, stopped.stderr.split(':').slice(0, 2)]).toEqual([1, ['createCustomer', ' 201 instead of 200']]);
});

test('a recording as a scenario file starts a sandbox with what the calls made', async () => {
  const { record, ready, api } = await paid('spec');
  const ada = { customerType: 'INDIVIDUAL', fullName: 'Ben Ito', birthDate: '1990-01-02', email: 'ben@example.com' };
  const { id } = await api('POST', '/customers', ada);
  const { data } = await api('GET', `/customers/internal-accounts?customerId=${id}&currency=USD`);
  await api('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 4200 });
  const log = (await (await fetch(`${ready.url}/_emulator/requests?limit=3`)).json()) as Body;
  const text = await record(
    'scenario',
    log.data.map((line: Body) => line.id),
  );
  const file = join(project, 'recorded.yaml');
  await writeFile(file, text);
  const other = await commandLine([
    '--port',
    '0',
    '--json',
    '--scenario',
    join(project, 'maya.json'),
    '--scenario',
    file,
  ]).ready();
  const call = client(other);
  const found = (await call('GET', '/customers?limit=100')).body.data.find((one: Body) => one.fullName === 'Ben Ito');
  const accounts = await call('GET', `/customers/internal-accounts?customerId=${found.id}&currency=USD`);
  expect(accounts.body.data[0].balance.amount).toBe(4200);
});

test('a recording as a collection can be imported by Bruno, and every id is a variable of an earlier reply', async () => {
  const { record } = await paid('spec');
  const collection = JSON.parse(await record('bruno'));
  const uid = (i: number) => `u${String(i).padStart(20, '0')}`;
  let made = 0;
  // An import gives every part an id before it checks the whole.
  const withUids = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withUids);
    if (typeof value !== 'object' || value === null) return value;
    made += 1;
    return { ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withUids(one)])), uid: uid(made) };
  };
  const { activeEnvironmentUid: _, ...rest } = collection;
  const items = collection.items.map((item: Body) => ({
    ...item,
    uid: uid((made += 1)),
    request: {
      ...item.request,
      headers: withUids(item.request.headers),
      vars: { req: [], res: withUids(item.request.vars.res) },
      assertions: withUids(item.request.assertions),
    },
  }));
  const environments = collection.environments.map((one: Body) => ({
    ...one,
    uid: uid((made += 1)),
    variables: withUids(one.variables),
  }));
  await collectionSchema.validate({ ...rest, uid: uid(0), items, environments });
  expect(JSON.stringify(collection)).not.toMatch(/:[0-9a-f]{8}-[0-9a-f]{4}-/);
  const names = new Set(['base', 'loginId', 'loginSecret']);
  for (const { request } of collection.items) {
    for (const [, name] of JSON.stringify([request.url, request.body, request.headers]).matchAll(/\{\{(\w+)\}\}/g))
      expect(names.has(name as string), `${name} is known before it is used`).toBe(true);
    for (const { name } of request.vars.res) names.add(name);
  }
});

/** Calls whose bytes decide what they mean, each as its target and what is sent. */
const BYTES: readonly (readonly [
  method: string,
  target: string,
  init?: { type?: string; key?: string; body?: string },
])[] = [
  ['GET', '/customers/a%2Fb'],
  ['GET', '/customers/a%3Fb=c'],
  ['GET', '/customers/%C3%A4%20b'],
  ['GET', '/customers?platformCustomerId=a%26b&platformCustomerId=c+d%20e%2B'],
  ['GET', '/customers?limit=1&limit=2'],
  ['GET', '/customers?&umaAddress=%24ada%3Ab%40pay.example&'],
  ['POST', '/customers', { type: 'text/plain', body: 'no JSON at all' }],
  ['POST', '/customers', { type: 'text/plain; charset=utf-8', body: '{"customerType":"INDIVIDUAL"}' }],
  ['POST', '/customers', { type: 'application/json', body: '{ no JSON' }],
  [
    'POST',
    '/customers',
    { type: 'application/json; charset=utf-8', body: '{"customerType":"INDIVIDUAL","customerType":"BUSINESS"}' },
  ],
  [
    'POST',
    '/quotes',
    { type: 'application/json', body: '{"lockedCurrencyAmount":1e2,"lockedCurrencySide":"SENDING"}' },
  ],
  ['POST', '/customers', { type: 'application/json' }],
  [
    'POST',
    '/customers',
    { type: 'application/json', key: 'one two/%', body: '{"customerType":"INDIVIDUAL","fullName":"Ada"}' },
  ],
  [
    'POST',
    '/customers',
    { type: 'application/json', key: 'one two/%', body: '{"customerType":"INDIVIDUAL","fullName":"Ada"}' },
  ],
];

test('a recording sends the bytes that were sent: escapes of the target, types and bodies that are not plain JSON, keys (X6)', async () => {
  const emulator = await commandLine(['--port', '0', '--json', '--scenario', join(project, 'maya.json')]).ready();
  const authorization = `Basic ${btoa(`${emulator.credentials.id}:${emulator.credentials.secret}`)}`;
  const ids: string[] = [];
  for (const [method, target, { type, key, body } = {}] of BYTES) {
    const headers = {
      authorization,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    ids.push((await fetch(`${emulator.baseUrl}${target}`, init)).headers.get('x-request-id') as string);
  }
  const logged = async (url: string): Promise<Body[]> => {
    const { data } = (await (await fetch(`${url}/_emulator/requests?limit=100`)).json()) as Body;
    return data.reverse().map(({ method, path, query, status, code }: Body) => ({ method, path, query, status, code }));
  };
  const record = async (as: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ requests: ids, as });
    return (await fetch(`${emulator.url}/_emulator/record`, { method: 'POST', headers, body })).text();
  };
  const script = join(project, 'bytes.sh');
  await writeFile(script, await record('shell'));
  const other = await commandLine(['--port', '0', '--json', '--scenario', join(project, 'maya.json')]).ready();
  const env = { ...process.env, BASE: other.baseUrl, LOGIN: `${other.credentials.id}:${other.credentials.secret}` };
  await run('sh', [script], { env });
  expect(await logged(other.url)).toEqual(await logged(emulator.url));

  const file = join(project, 'bytes.test.ts');
  const text = await record('vitest');
  await writeFile(file, text);
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '--root', project, NO_DEADLINE],
    { cwd: project, env: { ...process.env, VITEST: undefined, NO_COLOR: '1' } as NodeJS.ProcessEnv },
  ).catch((error) => ({ stdout: `${text}\n${error.stdout}\n${error.stderr}` }));
  expect(stdout).toContain('1 passed');
});

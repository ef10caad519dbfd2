import { readdirSync } from 'node:fs';
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { CHALLENGES } from '../../src/areas/signing/index.ts';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { createApp } from '../../src/http/app.ts';
import { capsuleIn } from '../../src/sandbox/capsule/read.ts';
import { capsuleOf } from '../../src/sandbox/capsule/write.ts';
import { Host } from '../../src/sandbox/host.ts';
import { bankOf, paymentOf } from '../inspector/visit.ts';
import { fullLife } from '../kit/full-life.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';
import { clientKey, proof, walletKit } from '../kit/wallet.ts';

const SCENARIOS = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml') && !name.startsWith('load'))
  .map((name) => name.replace('.yaml', ''));
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };

/** Opens the capsule of a sandbox in another host, and returns how to ask its control API. */
async function opened(bytes: Buffer) {
  const host = await Host.open(await capsuleIn(bytes, 'a.sandbox.json.gz'));
  createApp(host);
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await host.fetch(
      new Request(`http://localhost/_emulator${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    );
    const text = await reply.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply
    return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
  };
  return { host, ask, sandbox: host.default };
}

const written = (it: Kit) => capsuleOf(it.host, it.host.default);

/** Customers, a refusal, a payment that is under way. */
async function business(it: Kit) {
  const { body: ada } = await it.post('/customers', ADA);
  await it.post('/customers', { customerType: 'NOBODY' });
  await it.settle();
  const { body: accounts } = await it.get('/customers/internal-accounts', { customerId: ada.id });
  const usd = accounts.data.find(
    ({ balance }: { balance: { currency: { code: string } } }) => balance.currency.code === 'USD',
  );
  await it.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
  const { body: bank } = await it.post('/customers/external-accounts', bankOf(ada.id));
  const key = { headers: { 'idempotency-key': 'one' } };
  const { body: quote } = await it.post('/quotes', paymentOf(usd.id, bank.id), key);
  await it.post('/quotes', paymentOf(usd.id, bank.id), key);
  await it.post(`/quotes/${quote.id}/execute`);
  return quote;
}

describe('open capsules (product 8.2)', () => {
  test('a capsule opens with the same requests, reasons, webhooks, attempts, faults, jobs and clock', async () => {
    const it = await kit({ scenario: { policies: { 'transaction.settle': 'after 3d' } } });
    await it.control('POST', '/faults', { match: { operation: 'listTransactions', times: 1 }, then: { status: 503 } });
    await business(it);
    await it.get('/transactions');
    const { ask } = await opened(await written(it));
    for (const path of ['/requests', '/webhooks', '/faults', '/jobs', '/ledger/check', '/tables']) {
      const [before, after] = await Promise.all([it.control('GET', path), ask('GET', path)]);
      expect(after, path).toEqual({ status: 200, body: before.body });
    }
    const [before, after] = await Promise.all([it.control('GET', '/clock'), ask('GET', '/clock')]);
    expect(after.body).toEqual({ ...before.body, mode: 'held' });
    const { body: log } = await ask('GET', '/requests');
    for (const { id } of log.data) {
      const [one, other] = await Promise.all([it.control('GET', `/requests/${id}`), ask('GET', `/requests/${id}`)]);
      expect(other.body.why).toEqual(one.body.why);
      expect(other.body.caused).toEqual(one.body.caused);
    }
  });

  test.each(['spec', 'grid'] as const)(
    'a capsule of a life in which everything has happened opens, in profile %s',
    async (profile) => {
      const it = await fullLife(profile);
      const { ask } = await opened(await written(it));
      expect((await ask('GET', '/requests')).status).toBe(200);
      expect((await ask('GET', '/ledger/check')).body).toEqual((await it.control('GET', '/ledger/check')).body);
    },
  );

  test.each(['the first call', 'a wrong signature', 'the login', 'the first call of an export'])(
    'a capsule of a wallet opens after %s of a login by code',
    async (when) => {
      const it = await walletKit();
      const key = clientKey();
      const path = `/auth/credentials/${it.emailOtp}/verify`;
      const code = await it.sealedCode(key);
      const challenge = await it.post(path, code);
      expect(challenge.status).toBe(202);
      if (when !== 'the first call') {
        const headers = await proof(when === 'a wrong signature' ? clientKey() : key, challenge);
        expect((await it.post(path, code, { headers })).status).toBe(when === 'a wrong signature' ? 401 : 200);
      }
      if (when.endsWith('export'))
        await it.post(`/internal-accounts/${it.accountId}/export`, { clientPublicKey: clientKey().uncompressed });
      const { ask } = await opened(await written(it));
      const count = (await it.control('GET', '/requests')).body.totalCount;
      expect((await ask('GET', '/requests')).body.totalCount).toBe(count);
    },
  );

  test.each([
    ['an export', 'POST', '/export', { clientPublicKey: clientKey().uncompressed }],
    ['a change of privacy', 'PATCH', '', { privateEnabled: true }],
  ] as const)(
    'a capsule keeps the body of %s that waits for its signature, and repeats the call',
    async (_, method, below, body) => {
      const it = await walletKit();
      const challenge = await it.call(method, `/internal-accounts/${it.accountId}${below}`, body);
      const { ask, host } = await opened(await written(it));
      const id = challenge.headers.get('x-request-id');
      const said = await ask('GET', `/requests/${id}`);
      expect([challenge.status, JSON.parse(said.body.request.body)]).toEqual([202, body]);
      expect((await ask('POST', `/requests/${id}/replay`, { against: 'before' })).body).toMatchObject({ same: true });
      const waiting = [...host.default.world.rows(CHALLENGES).rows()].at(-1);
      expect(JSON.parse(waiting?.body ?? '')).toEqual(body);
    },
  );

  test('a capsule opens although a secret equals an amount, a date or the beginning of the time', async () => {
    const it = await kit();
    const customer = async (identifier: string) => {
      const answer = await it.post('/customers', {
        ...ADA,
        birthDate: '1990-05-04',
        nationality: 'DE',
        idType: 'NON_US_TAX_ID',
        identifier,
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id;
    };
    const customerId = await customer('100000001');
    for (const identifier of ['1990-05-04', it.sandbox.world.clock.iso().slice(0, 7)]) await customer(identifier);
    const [account] = (await it.get('/customers/internal-accounts', { customerId, currency: 'USD' })).body.data;
    await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 100_000_001 });
    const { ask, sandbox } = await opened(await written(it));
    expect((await ask('GET', '/ledger/check')).body.ok).toBe(true);
    const rows = JSON.stringify([...sandbox.world.rows(CUSTOMERS).rows()]);
    expect(rows.split('"1990-05-04"').length - 1).toBe(3);
    expect(rows).not.toContain('"100000001"');
  });

  test.each(SCENARIOS)('a capsule of the scenario %s opens after the example of every operation', async (scenario) => {
    const it = await kit({ scenario });
    for (const { id } of OPERATIONS) {
      const { needs, ...example } = (await it.control('GET', `/operations/${id}`)).body.example;
      if (!needs) await it.control('POST', `/operations/${id}/call`, example);
    }
    const { ask } = await opened(await written(it));
    expect((await ask('GET', '/ledger/check')).body.ok).toBe(true);
  });

  test('a capsule opens with the same future: jobs, events and ids', async () => {
    const it = await kit({ scenario: { policies: { 'transaction.settle': 'after 3d' } } });
    await business(it);
    const { ask, sandbox } = await opened(await written(it));
    await it.control('POST', '/clock', { advance: '4d' });
    await ask('POST', '/clock', { advance: '4d' });
    expect(sandbox.world.snapshot().tables).toEqual(it.host.default.world.snapshot().tables);
    const ids = await Promise.all([it.host.default, sandbox].map(({ world }) => world.newId('Customer')));
    expect(ids[0]).toBe(ids[1]);
  });

  test.each([
    ['at once', {}, undefined],
    ['later', { policies: { 'transaction.settle': 'after 3d' } }, undefined],
    ['later, which has happened', { policies: { 'transaction.settle': 'after 3d' } }, 'P4D'],
  ])(
    'a rewind in an open capsule reaches the state before every request, with payments settled %s',
    async (_, scenario, past) => {
      const it = await kit({ scenario });
      const before = it.host.default.world.snapshot();
      await business(it);
      await it.get('/config');
      if (past) await it.advance(past);
      await it.get('/config');
      const bytes = await written(it);
      const { body: log } = await it.control('GET', '/requests?limit=100');
      const first = log.data.at(-1).id;
      const { ask, sandbox } = await opened(bytes);
      expect((await ask('POST', `/requests/${first}/rewind`)).status).toBe(200);
      expect(sandbox.world.snapshot().tables).toEqual(before.tables);
      for (const { id } of log.data) {
        const again = await opened(bytes);
        await it.control('POST', `/requests/${id}/rewind`);
        await again.ask('POST', `/requests/${id}/rewind`);
        expect(again.sandbox.world.snapshot().tables, id).toEqual(it.host.default.world.snapshot().tables);
      }
    },
  );

  test('an open capsule has a held clock, also after a rewind, although the clock ran when the call was made', async () => {
    const it = await kit({ holdClock: false, compares: false });
    await business(it);
    const { ask } = await opened(await written(it));
    const { body: log } = await ask('GET', '/requests');
    expect((await ask('GET', '/clock')).body.mode).toBe('held');
    await ask('POST', `/requests/${log.data[1].id}/rewind`);
    expect((await ask('GET', '/clock')).body.mode).toBe('held');
  });

  test('an open capsule is held at the very moment at which it was written, however fast its clock ran and long it loads', async () => {
    const it = await kit({
      holdClock: false,
      compares: false,
      scenario: { policies: { 'customer.decide': 'after 30d' } },
    });
    await it.post('/customers', ADA);
    const bytes = await written(it);
    const capsule = await capsuleIn(bytes, 'a.sandbox.json.gz');
    const { state } = capsule;
    // As if it had run fast when it was written.
    const host = await Host.open({ ...capsule, state: { ...state, clock: { ...state.clock, speed: 1_000_000_000 } } });
    expect(host.default.world.clock.state()).toMatchObject({ now: state.clock.now, mode: 'held' });
    expect(host.default.world.scheduler.jobs.size).toBe(state.tables.find(({ name }) => name === 'jobs')?.rows.length);
  });

  test('each call of a payment gets the same reply when an open capsule replays it, also the retry with an idempotency key', async () => {
    const it = await kit();
    await business(it);
    const { ask, sandbox } = await opened(await written(it));
    const calls = [...sandbox.requestLog.newest()];
    expect(calls.length).toBeGreaterThan(6);
    for (const { id, path } of calls) {
      const { body } = await ask('POST', `/requests/${id}/replay`, { against: 'before' });
      expect(body, `${id} ${path}`).toMatchObject({ same: true });
    }
  });

  test('a recording of an open capsule is made from its scenario and equals that of its origin', async () => {
    const it = await kit({ scenario: 'payouts' });
    await business(it);
    const { host } = await opened(await written(it));
    const { body: log } = await it.control('GET', '/requests?limit=100');
    const requests = { from: log.data.at(-1).id, to: log.data[0].id };
    const record = (of: Host) =>
      of
        .fetch(
          new Request('http://localhost/_emulator/record', {
            method: 'POST',
            body: JSON.stringify({ requests, as: 'vitest' }),
            headers: { 'content-type': 'application/json' },
          }),
        )
        .then((reply) => reply.text());
    const [one, other] = [await record(it.host), await record(host)];
    expect(other).toContain('/quotes');
    expect(other).not.toContain('cannot be repeated');
    const plain = (text: string) => text.split('\n').filter((line) => !/seed:|scenario/.test(line));
    expect(plain(other)).toEqual(plain(one));
  });
});

const OF_BOTH = SCENARIOS.flatMap((name) => [[name, 'spec'] as const, [name, 'grid'] as const]);

test.each(OF_BOTH)(
  'a capsule of the scenario %s opens again under profile %s with the rows that its events led to',
  async (scenario, profile) => {
    const it = await kit({ scenario, profile, compares: false });
    for (const event of EVENTS.flatMap(({ types }) => types)) await it.control('POST', '/trigger', { event });
    const { sandbox } = await opened(await written(it));
    const rows = (of: typeof sandbox) => of.world.tables();
    expect(rows(sandbox)).toEqual(rows(it.host.default));
  },
);

test('an opened capsule has the faults of its sandbox, with what they have counted before it was sent', async () => {
  const hooks = await receiver();
  hooks.react = () => 503;
  const it = await kit({ webhookUrl: hooks.url });
  await it.control('POST', '/faults', { match: { webhook: '*', after: 2, times: 1 }, then: { duplicate: true } });
  const accounts: { id: string }[] = (await it.get('/platform/internal-accounts')).body.data;
  for (let i = 0; i < 2; i += 1)
    for (const { id } of accounts.slice(0, 2)) await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
  await it.settle();
  const { sandbox } = await opened(await written(it));
  expect(sandbox.faults.state().ahead?.open).toHaveLength(2);
  expect(sandbox.faults.state()).toEqual(it.host.default.faults.state());
});

test('a capsule of an open capsule is the same sandbox', async () => {
  const it = await kit({ scenario: 'demo' });
  await business(it);
  const { host, sandbox } = await opened(await written(it));
  const again = await opened(await capsuleOf(host, sandbox));
  const idsOf = (of: typeof sandbox) => [...of.requestLog.newest()].map(({ id, status }) => `${id} ${status}`);
  expect(idsOf(again.sandbox)).toEqual(idsOf(it.host.default));
  expect(again.sandbox.world.tables()).toEqual(it.host.default.world.tables());
  expect(again.sandbox.world.clock.iso()).toBe(it.host.default.world.clock.iso());
});

const NAMES = ['Ada Keller', 'Bo Li', 'Cy 002', 'Di 001', 'Ed'];

/** Draws numbers that a seed decides. */
const draws = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state % below;
  };
};

test('replayed calls get equal replies in open capsules of 100 random sandboxes (product 8.2)', async () => {
  let compared = 0;
  for (let seed = 1; seed <= 100; seed += 1) {
    const it = await kit({ seed });
    const draw = draws(seed);
    const ids: string[] = [];
    for (let i = 0; i < 6; i += 1) {
      const what = draw(6);
      const about = ids[draw(Math.max(ids.length, 1))] ?? 'Customer:none';
      if (what < 2) {
        const taxId = `${100 + draw(899)}-45-${1000 + draw(8999)}`;
        const sent = { ...ADA, fullName: NAMES[draw(5)], ...(what ? { taxId } : {}) };
        const headers = { 'idempotency-key': `key-${i}` };
        const { body } = await it.post('/customers', sent, { headers });
        if (draw(2) === 0) await it.post('/customers', sent, { headers });
        if (body?.id) ids.push(body.id);
      } else if (what === 2) await it.get(`/customers/${about}`);
      else if (what === 3) await it.patch(`/customers/${about}`, { fullName: NAMES[draw(5)] });
      else if (what === 4) await it.get('/customers/internal-accounts', { customerId: about });
      else await it.control('POST', '/clock', { advance: `${draw(48)}h` });
    }
    const { ask, sandbox } = await opened(await written(it));
    for (const { id, reply, status } of [...sandbox.requestLog.newest()]) {
      const { status: done, body } = await ask('POST', `/requests/${id}/replay`, { against: 'before' });
      expect([done, body.same], `seed ${seed}, ${id} ${status} ${reply}: ${JSON.stringify(body)}`).toEqual([200, true]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(250);
});

describe('secrets and capsules (product 8.2)', () => {
  test('a capsule holds none of thirty secrets in bodies, headers, queries, rows, deliveries and the scenario', async () => {
    const planted: string[] = [];
    const plant = (form: string): string => {
      const made = form.replaceAll(/[9x]/g, (sign) => {
        const n = (planted.length * 7 + 3) % 10;
        return sign === '9' ? String(n) : ('qwrtzpsdfg'[n] as string);
      });
      const text = `${made}${planted.length + 10}`;
      planted.push(text);
      return text;
    };
    const it = await kit({
      scenario: {
        customers: [
          {
            label: 'bo',
            customerType: 'BUSINESS',
            businessInfo: {
              legalName: 'Bo Li Ltd',
              country: 'US',
              taxId: plant('999-99-99'),
              incorporatedOn: '2019-05-04',
            },
          },
        ],
      },
    });
    const names = [
      'taxId',
      'password',
      'clientSecret',
      'apiKey',
      'privateKey',
      'ssn',
      'token',
      'otp',
      'mnemonic',
      'pin',
    ];
    for (const name of names) await it.post('/customers', { ...ADA, [name]: plant('x9x9x9') });
    for (const name of names.slice(0, 6)) await it.get('/customers', { [name]: plant('9x9x9x') });
    for (const name of ['cookie', 'x-api-key', 'x-service-signature', 'authorization', 'x-auth-token'])
      await it.call('GET', '/customers', undefined, {
        headers: { [name]: name === 'authorization' ? `Bearer ${plant('xx99xx')}` : plant('xx99xx') },
      });
    await it.post('/customers', { ...ADA, taxId: plant('999999999') });
    await it.post('/customers', {
      ...ADA,
      taxId: '123',
      email: 'twice@example.com',
      nested: [{ secret: { deep: plant('9x9x9x9x') } }],
    });
    const again = planted[1] as string;
    await it.post('/customers', { ...ADA, fullName: `named ${again}`, email: 'again@example.com' });
    while (planted.length < 30)
      await it.post('/auth/sessions', { oidcToken: plant('xxxx.9999.xxxx'), pin: plant('9999') });
    await it.settle();
    const text = gunzipSync(await written(it)).toString('utf8');
    expect(planted.filter((secret) => text.includes(secret))).toEqual([]);
    expect(planted.length).toBeGreaterThanOrEqual(30);
    // The rest is there: it is a capsule of these calls.
    expect(text).toContain('Ada Keller');
  });

  test('a capsule holds no secret of texts that rows keep: first replies to keys, and the rows of a pending import', async () => {
    const it = await kit({ scenario: { policies: { 'bulk.import': 'hold' } } });
    await business(it);
    const { body: made } = await it.post('/tokens', { name: 'of CI', permissions: ['VIEW'] });
    const form = new FormData();
    const csv = [
      'umaAddress,platformCustomerId,customerType,businessLegalName,businessTaxId',
      '$a@x.com,p1,BUSINESS,"Acme, Inc",+45-1234567',
      '$b@x.com,p2,BUSINESS,Bolt,"98-7654321"',
    ].join('\n');
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'a.csv');
    await it.call('POST', '/customers/bulk/csv', undefined, { raw: form });
    // The log may have forgotten the call whose answer is kept.
    it.host.default.requestLog.clear();
    const bytes = await written(it);
    const text = gunzipSync(bytes).toString('utf8');
    const { state } = await capsuleIn(bytes, 'a.sandbox.json.gz');
    const pieces = state.tables.find(({ name }) => name === 'bulk.pieces')?.rows as { packed: string }[] | undefined;
    const rows = (pieces ?? [])
      .map(({ packed }) => inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'))
      .join('');
    expect(made.clientSecret).toBeTruthy();
    expect(rows).toContain('"Acme, Inc"');
    for (const secret of [made.clientSecret, '45-1234567', '98-7654321']) {
      expect(text).not.toContain(secret);
      expect(rows).not.toContain(secret);
    }
    const answers = state.tables.find(({ name }) => name === 'idempotency')?.rows as unknown as { text: string }[];
    expect(answers.map(({ text: kept }) => JSON.parse(kept).status)).toEqual(['PENDING']);
  });

  test('a capsule holds no secret that begins with a sign or stands within another word', async () => {
    const it = await kit();
    await it.post('/customers', { ...ADA, taxId: '+4911-22233', fullName: 'x+4911-22233y', email: 'a@example.com' });
    const text = gunzipSync(await written(it)).toString('utf8');
    expect(text).not.toContain('+4911-22233');
  });

  test('a capsule holds neither the login of its sandbox nor anything of another sandbox', async () => {
    const it = await kit();
    const other = await it.host.create({ seed: 'secret of another' });
    const mine = await it.host.create({ seed: 'mine' });
    other.world.transact(() => other.world.emit('TEST', 'Customer:of-another', { note: 'of-another' }));
    const text = gunzipSync(await capsuleOf(it.host, mine)).toString('utf8');
    expect(text).not.toContain(String(mine.credentials[0]?.secret));
    expect(text).not.toContain(other.id);
    expect(text).not.toContain('of-another');
  });
});

describe('files that are not a capsule (product 8.2)', () => {
  const name = 'a.sandbox.json.gz';
  const bytes = async () => written(await kit());
  const edited = async (edit: (text: string) => string) => gzipSync(edit(gunzipSync(await bytes()).toString('utf8')));
  test.each([
    ['cut short', async () => (await bytes()).subarray(0, 400), `${name} is cut short`],
    [
      'changed',
      () => edited((text) => text.replace('PLATFORM', 'PLATFROM').replace('"held"', '"live"')),
      `${name} was changed after it was written`,
    ],
    ['foreign', async () => Buffer.from('{"a":1}'), `${name} is not a capsule of sandbox-emulator`],
    ['foreign and compressed', async () => gzipSync('{"a":1}'), `${name} is not a capsule of sandbox-emulator`],
    ['empty', async () => Buffer.alloc(0), `${name} is`],
    [
      'of a newer version',
      () => edited((text) => text.replace('"capsule":1', '"capsule":2')),
      `${name} was written by a newer version of sandbox-emulator`,
    ],
  ])('a capsule file that is %s is refused with one sentence', async (_, made, sentence) => {
    await expect(capsuleIn(await made(), name)).rejects.toThrow(sentence);
  });

  test('a capsule file that unpacks to more than its limit is refused with one sentence', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await expect(capsuleIn(bomb, name, 1024 * 1024)).rejects.toThrow(`${name} unpacks to more than 1 MiB`);
  });

  test('a capsule file that is damaged in the middle is refused with one sentence', async () => {
    const broken = Buffer.from(await bytes());
    for (let i = 200; i < 260; i += 1) broken[i] = 0xff;
    await expect(capsuleIn(broken, name)).rejects.toThrow(
      new RegExp(`^${name} (?:is damaged|is cut short|was changed)`),
    );
  });

  test('a capsule file whose state breaks its own rules is refused with one sentence, although its checksum is right', async () => {
    const { createHash } = await import('node:crypto');
    const text = gunzipSync(await bytes()).toString('utf8');
    const content = text.slice(text.indexOf('\n') + 1).replace('["row","platform"', '["row","nowhere"');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const forged = gzipSync(`${JSON.stringify({ capsule: 1, version: '0.1.0', sha256 })}\n${content}`);
    await expect(capsuleIn(forged, name)).rejects.toThrow(`${name} holds what this version cannot read: `);
  });
});

import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { expected } from '../../src/calls/record/expected.ts';
import { Names } from '../../src/calls/record/template.ts';
import { readScenarioText } from '../../src/scenario/load.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';
import { LONGEST_TURN_MS, longestTurn } from '../kit/turns.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const record = (it: Kit, requests: unknown, as = 'vitest') => it.control('POST', '/record', { requests, as });

test.each(['spec', 'grid'] as const)(
  'a full life can be recorded in every form, and no form shows the client secret of a token, profile %s',
  async (profile) => {
    const it = await fullLife(profile);
    const made = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
    const { clientId, clientSecret } = made.body;
    await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` });
    const ids = [...it.sandbox.requestLog.newest()].map(({ id }) => id);
    const now = JSON.stringify(it.sandbox.world.snapshot());
    const texts: Record<string, string> = {};
    for (const as of ['vitest', 'shell', 'scenario', 'bruno']) {
      const { status, text } = await record(it, { from: ids.at(-1), to: ids[0] }, as);
      expect(status, text).toBe(200);
      expect([as, text.includes(clientSecret)]).toEqual([as, false]);
      texts[as] = text;
    }
    expect(transformSync(texts['vitest'] as string, { loader: 'ts' }).warnings).toEqual([]);
    expect(JSON.parse(texts['bruno'] as string).version).toBe('1');
    await readScenarioText(texts['scenario'] as string, 'recorded');
    expect(texts['vitest']).toContain('const clientSecret: string =');
    expect(JSON.stringify(it.sandbox.world.snapshot())).toBe(now);
    expect([...it.host.sandboxes]).toEqual([it.sandbox]);
  },
);

test('a recording includes the call that created a customer which a later call uses', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  await it.post('/customers', { ...ADA, email: 'other@example.com' });
  await it.get(`/customers/${id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text.match(/sandbox\.fetch\(.[^'`]*/g)).toEqual([
    "sandbox.fetch('/customers",
    `sandbox.fetch(\`/customers/\${customerId}`,
  ]);
});

test('a recording has a variable for an id in a query, also when its colon is escaped', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  for (const customerId of [id, encodeURIComponent(id)]) {
    await it.get(`/customers/internal-accounts?customerId=${customerId}`);
    const { text } = await record(it, [latest(it)]);
    expect(text).not.toContain(id.slice('Customer:'.length));
    expect(text).toMatch(/\?customerId=\$\{customerId\}/);
  }
});

test.each(['FUND-BXZSBPXX', 'FUND-UW9FZBMN'])(
  'a recording does not expect the funding reference %s, which every run draws again',
  (reference) => {
    expect(expected({ reference, kind: 'ACH' }, { reference, kind: 'ACH' }, new Names())).toEqual({
      members: [['kind', { text: ['ACH'] }]],
    });
  },
);

test('a recording looks up a customer of the scenario by its place in the list, counted from the oldest', async () => {
  const it = await kit({ scenario: 'payouts' });
  await it.post('/customers', ADA);
  const { data } = (await it.get('/customers')).body;
  const maya = data.find((one: { fullName?: string }) => one.fullName === 'Maya Okafor');
  await it.get(`/customers/${maya.id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text).toContain(`const customerId = await idAt('/customers?limit=100', ${data.indexOf(maya) - data.length});`);
});

test('a recording with an id from a reply that the log has only in part looks the id up, or says that no call created it', async () => {
  const it = await kit({ scenario: 'demo' });
  const { data } = (await it.get('/customers/internal-accounts', { limit: '100' })).body;
  const from = latest(it);
  const [{ id }] = data;
  await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 5 });
  const { text } = await record(it, { from, to: latest(it) });
  expect(text.includes(`sandbox.fetch('/sandbox/internal-accounts/${id}`)).toBe(
    text.includes(`// ${id} was created by`),
  );
});

test('a recording names a call that cannot be recorded in a comment, and is refused with 400 when none can', async () => {
  const it = await kit();
  await it.control('POST', '/faults', { match: { operation: 'createCustomer', times: 1 }, then: { status: 503 } });
  await it.post('/customers', ADA);
  const faulty = latest(it);
  expect((await record(it, [faulty])).body.details.errors[0].field).toBe('requests');
  await it.post('/customers', ADA);
  const { text } = await record(it, { from: faulty, to: latest(it) });
  expect(text).toMatch(
    new RegExp(`^// POST /2025-10-13/customers \\(${faulty}\\) is left out: a fault answered it`, 'm'),
  );
  const unknown = await record(it, ['req_99']);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
});

test.each([{ drop: true }, { status: 503 }])(
  'a recording finds an earlier id although the sandbox has a fault with %j',
  async (then) => {
    const it = await kit();
    const { id } = (await it.post('/customers', ADA)).body;
    for (let i = 0; i < 1000; i += 1) await it.get('/config');
    await it.get(`/customers/${id}`);
    it.sandbox.faults.add({ match: { operation: 'listCustomers' }, then });
    const { status, text } = await record(it, [latest(it)]);
    expect([status, text.includes("const customerId = await idAt('/customers?limit=100', -1);")]).toEqual([200, true]);
  },
);

test('a recording says in a comment where to put a secret that none of its calls gives', async () => {
  const it = await kit({ scenario: 'agents' });
  const headers = { authorization: 'Bearer nobody-gave-this' };
  await it.call('GET', '/agents/me/internal-accounts', undefined, { as: null, headers });
  const { text } = await record(it, [latest(it)]);
  expect(text).toContain('replace ••• with yours');
  expect(text).not.toContain('nobody-gave-this');
});

test('a recorded script quotes a login that a shell would execute', async () => {
  const it = await kit();
  const id = '$(touch pwned)`touch pwned`\'}"';
  await it.call('GET', '/customers', undefined, { as: `${id}:any` });
  const sandbox = encodeURIComponent(id);
  const { data } = (await it.control('GET', `/requests?sandbox=${sandbox}`)).body;
  const { text } = await it.control('POST', `/record?sandbox=${sandbox}`, { requests: [data[0].id], as: 'shell' });
  expect(text).toContain(`login=\${LOGIN:-}\n[ -n "$login" ] || login='$(touch pwned)\`touch pwned\`'\\''}":'\n`);
});

test('a recorded body has a member named __proto__ as a member', async () => {
  const it = await kit();
  await it.post('/customers', JSON.parse('{"customerType": "INDIVIDUAL", "fullName": "Ada Keller", "__proto__": "x"}'));
  expect((await record(it, [latest(it)])).text).toContain("['__proto__']: 'x'");
});

test('variables of a recording avoid reserved names and do not begin with a digit', () => {
  const names = new Names();
  expect(['reply', 'default', '0id'].map((wanted) => names.add(wanted, wanted))).toEqual([
    'reply2',
    'default2',
    '_0id',
  ]);
});

test.each(['vitest', 'shell', 'scenario', 'bruno'])(
  'a recording as %s shows neither a secret of a query nor the secret of a hosted link',
  async (as) => {
    const it = await kit();
    const { id } = (await it.post('/customers', ADA)).body;
    await it.get('/customers?clientSecret=very-secret&limit=1');
    const from = latest(it);
    const { kycUrl } = (await it.post(`/customers/${id}/kyc-link`, {})).body;
    await it.host.fetch(new Request(kycUrl));
    const { status, text } = await record(it, { from, to: latest(it) }, as);
    const link = new URL(kycUrl).pathname.split('/').at(-1) as string;
    expect([status, text.includes('very-secret'), text.includes(link)]).toEqual([200, false, false]);
    expect(text).toContain({ vitest: '/kyc/•••', shell: '/kyc/•••' }[as] ?? '');
  },
);

test('a thousand calls are recorded in slices that block no other call for long (X4)', async () => {
  const it = await kit();
  for (let i = 0; i < 500; i += 1) {
    const { id } = (await it.overlapping('POST', '/customers', { ...ADA, email: `ada${i}@example.com` })).body;
    await it.overlapping('GET', `/customers/${id}`);
  }
  const ids = [...it.sandbox.requestLog.newest()].map(({ id }) => id);
  await record(it, ids.slice(0, 20));
  for (const as of ['vitest', 'shell', 'scenario', 'bruno']) {
    const { value, ms } = await longestTurn(() => record(it, { from: ids.at(-1), to: ids[0] }, as));
    expect(value.status).toBe(200);
    expect(ms, as).toBeLessThan(LONGEST_TURN_MS);
    if (as === 'vitest') expect(value.text).toContain('const customerId500: string =');
  }
});

test('a recording leaves out a call whose body the log does not keep, with the reason (X6)', async () => {
  const it = await kit();
  const raw = new Uint8Array([0xff, 0xfe, 0x00]);
  const headers = { 'content-type': 'application/json', 'content-length': '3' };
  expect((await it.overlapping('POST', '/customers', undefined, { raw, headers })).status).toBe(400);
  const lost = latest(it);
  await it.get('/customers');
  const { text } = await record(it, [lost, latest(it)]);
  expect(text).toContain(`POST /2025-10-13/customers (${lost}) is left out: the log does not keep its body`);
});

const PERSON = { ...ADA, idType: 'SSN', identifier: '987-65-4320' };

test.each(['vitest', 'shell', 'scenario', 'bruno'])(
  'a recording as %s shows the made-up SSN of an example, which is not a secret (W1)',
  async (as) => {
    const it = await kit();
    expect((await it.post('/customers', PERSON)).status).toBe(201);
    const { text } = await record(it, [latest(it)], as);
    expect([text.includes('987-65-4320'), text.includes('•••')]).toEqual([true, false]);
  },
);

test.each([
  ['vitest', "const identifier = process.env['IDENTIFIER'] ?? '';", 'identifier'],
  ['shell', 'identifier=$' + '{IDENTIFIER:-}', '"$identifier"'],
  ['bruno', '"name": "identifier"', '{{identifier}}'],
])(
  'a real secret becomes a variable at the top of a recording as %s, never its value (W1)',
  async (as, given, used) => {
    const it = await kit();
    await it.post('/customers', { ...PERSON, identifier: '912-70-1234' });
    await it.get('/customers');
    const { text } = await record(it, { from: 'req_1', to: latest(it) }, as);
    expect([text.includes(given), text.includes(used)]).toEqual([true, true]);
    expect([text.includes('912-70-1234'), text.includes('•••')]).toEqual([false, false]);
    if (as !== 'bruno')
      expect(text).toContain('identifier was a secret, which the log does not show: set IDENTIFIER to yours');
  },
);

test('a recorded scenario leaves out a real secret and says of which call (W1)', async () => {
  const it = await kit();
  await it.post('/customers', { ...PERSON, identifier: '912-70-1234' });
  const { text } = await record(it, [latest(it)], 'scenario');
  expect(text).toContain('# identifier of createCustomer (req_1) was a secret, which the log does not show: add yours');
  expect([text.includes('912-70-1234'), text.includes('•••')]).toEqual([false, false]);
});

test('a recording of calls with more than two million characters of bodies is refused with 400', async () => {
  const it = await kit();
  for (let i = 0; i < 300; i += 1) await it.overlapping('POST', '/customers', { ...ADA, note: 'x'.repeat(8000) });
  const { status, body } = await record(it, { from: 'req_1', to: latest(it) });
  expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
  expect(body.message).toMatch(
    /^requests: have \d+ characters of bodies, and a recording 2000000 at most: choose fewer$/,
  );
});

test.each([
  ['shell', '--head'],
  ['vitest', "method: 'HEAD'"],
])('a HEAD call is recorded as %s without waiting for a body', async (as, method) => {
  const it = await kit();
  await it.call('HEAD', '/customers');
  const { text } = await record(it, [latest(it)], as);
  expect([text.includes(method), text.includes('.json()'), text.includes('-X HEAD')]).toEqual([true, false, false]);
});

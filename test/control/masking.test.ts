import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { lineOfEntry } from '../../src/cli/entry-line.ts';
import { requestJson, requestText } from '../../src/cli/output.ts';
import { colours } from '../../src/cli/text.ts';
import { FIRST_ANSWERS } from '../../src/declare/first-answers.ts';
import { secret, secretsIn } from '../../src/engine/secrets.ts';
import { lastRequests } from '../../src/fixtures/last-requests.ts';
import { createApp } from '../../src/http/app.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const VALUE = 'h1dden-Value-0815';

/** Everything that is told of the calls of a kit: log, one by one, live feed, the command line's lines, a failing test's. */
async function told(it: Kit): Promise<string> {
  const list = await it.control('GET', '/requests?limit=1000');
  let text = list.text;
  for (const { id } of list.body.data) text += (await it.control('GET', `/requests/${id}`)).text;
  for (const entry of it.sandbox.requestLog.newest())
    text += `${requestJson(lineOfEntry(it.sandbox, entry))}${requestText(lineOfEntry(it.sandbox, entry), colours(false))}`;
  text += lastRequests(it.sandbox, it.host.basePath, 1000);
  const app = createApp(it.host);
  const pages = [
    '/inspector/requests',
    ...list.body.data.map((line: { id: string }) => `/inspector/requests/${line.id}`),
  ];
  for (const page of pages)
    text += await (await app.request(`http://127.0.0.1${page}`, { headers: { accept: 'text/html' } })).text();
  return text;
}

const NAMES = [
  'taxId',
  'tax_id',
  'TAX-ID',
  't\\u0061xId',
  'ssn',
  'SSN',
  's\\u0073n',
  'ownerSsn',
  'identifier',
  'Identifier',
  'password',
  'passWord',
  'new_password',
  'clientSecret',
  'client_secret',
  'secret',
  'accessToken',
  'ACCESS_TOKEN',
  'refresh-token',
  'token',
  'otp',
  'otpCode',
  'otp_code',
  'code',
  'apiKey',
  'x-api-key',
  'privateKey',
  'mnemonic',
  'cvv',
  'pin',
  'oidcToken',
  'encryptedOtpBundle',
  'itin',
  'nationalId',
  'ID_NUMBER',
];

describe('a secret in a body', () => {
  test.each(NAMES)('a secret under the name %s appears nowhere, whatever form the body has (R7)', async (name) => {
    const it = await kit();
    const long = 'x'.repeat(16_384 - 40 - name.length);
    for (const raw of [
      `{"${name}":"${VALUE}"}`,
      `{"a":{"b":[{"${name}" : "${VALUE}"}]}}`,
      `{"${name}":["${VALUE}","${VALUE}"]}`,
      `{"${name}":{"value":"${VALUE}","more":{"x":"]}${VALUE}"}}}`,
      `{"${name}":"${VALUE}\\"${VALUE}"}`,
      `{"${name}":"${VALUE}`,
      `{"${name}":{"value":"${VALUE}`,
      `{'${name}':'${VALUE}'}`,
      `{${name}: ${VALUE}}`,
      `${name}=${VALUE}&more=1`,
      `${name}: ${VALUE}`,
      `{"pad":"${long}","${name}":"${VALUE}${VALUE}${VALUE}"}`,
      `{\u201c${name}\u201d: \u201c${VALUE}\u201d}`,
      `{"${name}":""${VALUE}""}`,
      `{"${name}":"ab"cd ${VALUE}"}`,
      `\r\n--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${VALUE}\r\n--x--`,
      `a preamble\r\n--x\r\ncontent-type: text/plain\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${VALUE}\r\n--x--`,
      `{"${name}": /* of the owner */ "${VALUE}"}`,
      `{"${name}": // of the owner\n "${VALUE}", "home": "https://example.com"}`,
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${VALUE}\r\n--x--\r\n`,
      `--x\r\ncontent-type: text/plain\r\ncontent-disposition: form-data;name=${name}\r\n\r\n${VALUE}&,"${VALUE}\r\n--x--`,
      `--x\nContent-Disposition: form-data; name*=UTF-8''${name}\n\n${VALUE}\n${VALUE}`,
    ])
      await it.post('/customers', undefined, { raw, headers: JSON_TYPE });
    const all = await told(it);
    expect(all).toContain('•••');
    expect(all).not.toContain(VALUE);
  });

  test('a secret in one part of a multipart form is masked, and the other parts are shown (R7)', async () => {
    const it = await kit();
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const raw = `${part('fullName', 'Ada Keller')}${part('taxId', VALUE)}${part('email', 'ada@example.com')}--x--\r\n`;
    await it.post('/customers', undefined, { raw, headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    const { body } = await it.control('GET', '/requests/req_1');
    expect(body.request.body).toBe(raw.replace(VALUE, '•••'));
  });

  test('a secret that is a number appears nowhere, and other members are shown (R7)', async () => {
    const it = await kit();
    await it.post('/customers', {
      ssn: 123_456_789,
      taxId: null,
      customerType: 'BUSINESS',
      codes: 'shown-one',
      tokenCount: 77,
    });
    const all = await told(it);
    expect(all).not.toContain('123456789');
    for (const shown of ['shown-one', '"taxId\\":null', '77']) expect(all).toContain(shown);
  });

  test('a secret of a body appears nowhere else of its call: not in the reply, in why, or in a magic value (R7)', async () => {
    const it = await kit();
    await it.call('POST', `/customers?password=${VALUE}`, { customerType: VALUE, password: VALUE, umaAddress: VALUE });
    expect(await told(it)).not.toContain(VALUE);
  });
});

describe('a member that a schema declares secret', () => {
  test('secrets of a schema are found through optional, list, union and description (R7)', () => {
    const shape = z.object({
      plain: z.string(),
      one: secret(z.string()).describe('x').optional(),
      list: z.array(z.object({ inner_one: secret(z.number()) })).nullable(),
      either: z.union([z.object({ a: secret(z.string()) }), z.object({ b: z.string() })]),
    });
    expect([...secretsIn(shape)].sort()).toEqual(['a', 'innerone', 'one']);
  });

  const sending = OPERATIONS.filter((op) => op.body && !op.upload && secretsIn(op.body()).size > 0);
  test('the operations with secret members include customers, owners and credentials (R7)', () => {
    expect(sending.map((op) => op.id)).toEqual(
      expect.arrayContaining([
        'createCustomer',
        'createBeneficialOwner',
        'verifyAuthCredential',
        'confirmCustomerEmailVerification',
      ]),
    );
  });

  test.each(sending.map((op) => [op.id, op] as const))(
    'a secret that is sent to %s appears nowhere (R7)',
    async (_, op) => {
      const it = await kit();
      const names = [...secretsIn((op.body as () => z.ZodType)())];
      const body = { nested: Object.fromEntries(names.map((name, i) => [name, `${VALUE}-${i}`])) };
      await it.call(op.method, op.path.replaceAll(/\{\w+\}/g, 'x'), body);
      expect(await told(it)).not.toContain(VALUE);
    },
  );
});

describe('a secret elsewhere', () => {
  test.each([
    ['x-api-key'],
    ['authorization'],
    ['proxy-authorization'],
    ['cookie'],
    ['x-auth-token'],
    ['x-client-secret'],
    ['service-wallet-signature'],
    ['grid-wallet-signature'],
    ['x-access-key'],
  ])('a secret in the header %s appears nowhere (R7)', async (name) => {
    const it = await kit();
    await it.call('GET', '/config', undefined, { headers: { [name]: VALUE } });
    expect(await told(it)).not.toContain(VALUE);
  });

  test('a secret in a query appears nowhere, also under an escaped name; Idempotency-Key and other values are shown (R7)', async () => {
    const it = await kit();
    for (const name of ['ssn', 'taxId', 's%73n', 'access_token', 'password', 'otp', 'code'])
      await it.call('GET', `/customers?limit=3&${name}=${VALUE}&email=shown@example.com`, undefined, {
        headers: { 'idempotency-key': 'shown-key' },
      });
    await it.call('GET', `/customers?limit=10?taxId=${VALUE}`);
    for (const sign of ['%3D', '%3d', '%253D', ':', '%3A']) await it.call('GET', `/customers?taxId${sign}${VALUE}`);
    for (const and of ['%26', '%2526', '%3B', '%3F'])
      for (const pair of [`limit=5${and}taxId=`, `a=1${and}taxId%3D`, `a=${and}taxId%3D`, `a%3D1${and}taxId%3D`])
        await it.call('GET', `/customers?${pair}${VALUE}`);
    const all = await told(it);
    expect(all).not.toContain(VALUE);
    for (const shown of ['shown@example.com', 'shown-key', 'limit=3']) expect(all).toContain(shown);
  });

  test.each([
    'personalInfo[identifier]',
    'personalInfo%5Bidentifier%5D',
    'personalInfo.identifier',
    'owners[0][identifier]',
  ])(
    'a secret member of a form, a part or a query appears nowhere under the name %s, which has its path (R7)',
    async (name) => {
      const it = await kit();
      const form = `customerId=shown-1&${name}=${VALUE}`;
      const part = `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${VALUE}\r\n--x--\r\n`;
      const say = (type: string, raw: string) =>
        it.post('/beneficial-owners', undefined, { raw, headers: { 'content-type': type } });
      await say('application/x-www-form-urlencoded', form);
      await say('application/x-www-form-urlencoded', ` a line before\n${form}`);
      await say('multipart/form-data; boundary=x', part);
      await it.post('/beneficial-owners', { [name]: VALUE });
      await it.call('GET', `/beneficial-owners?${form}`);
      const all = await told(it);
      expect(all).not.toContain(VALUE);
      expect(all).toContain('shown-1');
    },
  );

  test('a secret that a body spells with escapes is masked in the log of the reply that repeats it plainly', async () => {
    const it = await kit();
    const plain = 'h1dden-\u00e9t\u00e9-0716';
    const raw = JSON.stringify({ customerType: 'INDIVIDUAL', taxId: plain, fullName: plain }).replace(
      plain,
      'h1dden-\\u00e9t\\u00e9-0716',
    );
    expect((await it.post('/customers', undefined, { raw, headers: JSON_TYPE })).text).toContain(plain);
    expect((await it.control('GET', '/requests/req_1')).text).not.toContain(plain);
  });

  test.each(['ab,', 'ab;', 'a"', "a'", 'a}', 'a]', 'a[', 'a b', 'a\n', ';code=', 'a;taxId='])(
    'a secret of a form or a query appears nowhere after %s, because only & ends a value',
    async (start) => {
      const it = await kit();
      const form = `email=shown-1&ssn=${start}${VALUE}&note=shown-2;taxId=h1dden-0716&limit=3`;
      await it.call('GET', `/customers?${form}`);
      for (const type of ['application/x-www-form-urlencoded', 'application/json'])
        await it.post('/customers', undefined, { raw: form, headers: { 'content-type': type } });
      const all = await told(it);
      for (const hidden of [VALUE, 'h1dden-0716']) expect(all.includes(hidden), hidden).toBe(false);
      for (const shown of ['shown-1', 'shown-2', 'limit=3']) expect(all.split(shown).length, shown).toBeGreaterThan(3);
    },
  );

  test('a secret that is the name of an ignored member, too, appears nowhere', async () => {
    const it = await kit();
    await it.post('/customers', { customerType: 'INDIVIDUAL', taxId: VALUE, [VALUE]: 1 });
    expect(await told(it)).not.toContain(VALUE);
  });

  test.each(['/device-codes/', '/device%2Dcodes/', '/%64evice-codes/'])(
    'a device code in a path with %s appears nowhere',
    async (part) => {
      const it = await kit({ scenario: 'agents' });
      await it.call('GET', `/agents${part}SERVICE-AGENT-GIFT-2026/status`);
      expect((await told(it)).includes('SERVICE-AGENT-GIFT-2026')).toBe(false);
    },
  );

  test('a secret in the path of a liveness link appears nowhere', async () => {
    const it = await kit({ scenario: 'agents' });
    await createApp(it.host).request(`http://127.0.0.1:4010/liveness/${VALUE}`);
    await it.call('GET', `/liveness/${VALUE}`);
    expect((await told(it)).includes(VALUE)).toBe(false);
  });

  test('a secret in the path of a hosted link appears nowhere in the log of visits to it (R7)', async () => {
    const it = await kit({ scenario: 'unregulated' });
    const { body: customer } = await it.post('/customers', { customerType: 'INDIVIDUAL' });
    const made = await it.post(`/customers/${customer.id}/kyc-link`);
    const { pathname } = new URL(made.body.kycUrl);
    const app = createApp(it.host);
    for (const method of ['GET', 'POST', 'PUT']) await app.request(`http://127.0.0.1:4010${pathname}`, { method });
    await app.request(`http://127.0.0.1:4010${pathname}/more`);
    const secretOfLink = pathname.split('/').at(-1) as string;
    for (const { id, path } of (await it.control('GET', '/requests')).body.data) {
      if (!path.includes('/kyc/')) continue;
      expect(path).toContain('/kyc/•••');
      expect((await it.control('GET', `/requests/${id}`)).text).not.toContain(secretOfLink);
    }
    for (const entry of it.sandbox.requestLog.newest())
      expect(
        requestJson(lineOfEntry(it.sandbox, entry)) + requestText(lineOfEntry(it.sandbox, entry), colours(false)),
      ).not.toContain(secretOfLink);
  });

  test('a secret that changed between two states does not appear in their diff (R7)', async () => {
    const it = await kit();
    const { body: customer } = await it.post('/customers', {
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'A', taxId: `${VALUE}1` },
    });
    await it.control('POST', '/snapshots', { name: 'before' });
    await it.patch(`/customers/${customer.id}`, { businessInfo: { legalName: 'B', taxId: `${VALUE}2` } });
    const { text } = await it.control('GET', '/snapshots/before/diff');
    expect(text).toContain('legalName');
    expect(text).not.toContain(VALUE);
  });

  test('a secret under the name accessToken appears nowhere', async () => {
    const it = await kit();
    await it.post('/customers', { customerType: 'INDIVIDUAL', accessToken: VALUE, nested: { access_token: VALUE } });
    expect(await told(it)).not.toContain(VALUE);
  });

  test('a secret that a table declares does not appear on the page of its row', async () => {
    const it = await kit();
    const answer = { id: 'k1', fingerprint: 'shown-print', status: 201, text: `{"clientSecret":"${VALUE}"}`, at: 0 };
    it.sandbox.world.rows(FIRST_ANSWERS).insert(answer);
    const html = await (
      await createApp(it.host).request('http://127.0.0.1:4010/inspector/state/idempotency/k1')
    ).text();
    expect(html).toContain('shown-print');
    expect(html).not.toContain(VALUE);
  });
});

describe('masking of the device code of an agent, which anyone who reads it can redeem', () => {
  const policy = {
    permissions: ['VIEW_TRANSACTIONS'],
    defaultExecutionMode: 'APPROVAL_REQUIRED',
    spendingLimits: { currency: 'USD', perTransactionLimit: 1000 },
  };

  /** An agent whose code was asked for, tried with a mistake, and is still good. */
  async function issued() {
    const it = await kit({ scenario: 'agents' });
    const customerId = (await it.get('/customers')).body.data[0].id;
    await it.control('POST', '/snapshots', { name: 'before' });
    const made = (await it.post('/agents', { name: 'Payroll', customerId, policy })).body;
    const { code } = made.deviceCode;
    const path = `/agents/device-codes/${code}`;
    expect((await it.get(`${path}/status`)).body).toEqual({ code, redeemed: false });
    await it.get(`/agents/device-codes/${code.replace('-', '%2D')}/status`);
    expect((await it.call('GET', `${path}/redeem`)).status).toBe(405);
    expect((await it.call('POST', `${path}/redeem/`, undefined, { as: null })).status).toBe(404);
    expect((await it.call('GET', `${path}/status`, undefined, { as: 'test:wrong' })).status).toBe(401);
    return { it, code: code as string, agentId: made.agent.id as string };
  }

  test('the device code of an agent appears in no log, page, table, diff, search or copy (X11)', async () => {
    const { it, code, agentId } = await issued();
    let all = await told(it);
    const app = createApp(it.host);
    const [row] = (await it.control('GET', '/tables/device-codes?limit=100')).body.data.slice(-1);
    for (const path of [
      ...['/tables/device-codes?limit=100', '/snapshots/before/diff', '/running', '/jobs', `/resources/${agentId}`],
      `/resources/${row.id}`,
    ])
      all += (await it.control('GET', path)).text;
    for (const { id } of (await it.control('GET', '/requests')).body.data)
      for (const as of ['curl', 'fetch', 'python', 'java', 'go'])
        all += (await it.control('GET', `/requests/${id}/code?as=${as}`)).text;
    for (const as of ['vitest', 'shell', 'bruno', 'scenario']) {
      const ids = (await it.control('GET', '/requests')).body.data.map(({ id }: { id: string }) => id).reverse();
      all += (await it.control('POST', '/record', { requests: ids, as })).text;
    }
    for (const path of [
      ...['/', '/inspector/state/device-codes', `/inspector/state/agents/${agentId}`, '/inspector/scenario/before'],
      ...[`/inspector/state/device-codes/${row.id}`, '/inspector/search?q=Payroll'],
    ])
      all += await (await app.request(`http://127.0.0.1${path}`, { headers: { accept: 'text/html' } })).text();
    expect(all.includes('getAgentDeviceCodeStatus')).toBe(true);
    const at = all.indexOf(code.slice(-9));
    expect(at < 0 ? '' : all.slice(Math.max(0, at - 200), at + 60)).toBe('');
  });

  test('the device code of an agent is a variable in a recording, taken from the reply that issued it (X11)', async () => {
    const it = await kit({ scenario: 'agents' });
    const customerId = (await it.get('/customers')).body.data[0].id;
    const { deviceCode } = (await it.post('/agents', { name: 'Payroll', customerId, policy })).body;
    await it.get(`/agents/device-codes/${deviceCode.code}/status`);
    const ids = (await it.control('GET', '/requests')).body.data.map(({ id }: { id: string }) => id).reverse();
    const { text } = await it.control('POST', '/record', { requests: ids, as: 'shell' });
    expect(text).toContain(`'/agents/device-codes/'"$code"`);
    expect(text.includes(deviceCode.code)).toBe(false);
  });

  test('the device code of an agent appears in the list of sent codes', async () => {
    const { it, code, agentId } = await issued();
    const { data } = (await it.control('GET', `/codes?subject=${agentId}`)).body;
    expect(data).toMatchObject([{ channel: 'agent', to: 'Payroll', code, purpose: 'connect an agent' }]);
  });

  test('the log of a refused new agent shows the code of the error', async () => {
    const it = await kit();
    const refused = await it.post('/agents', { name: 'x' });
    const { body } = await it.control('GET', `/requests/${refused.headers.get('x-request-id')}`);
    expect(JSON.parse(body.reply.body).code).toBe('INVALID_INPUT');
  });
});

test('the tax number of a business appears in its own reply, and in no table, resource, page or tool (X11)', async () => {
  const it = await kit({ scenario: 'demo' });
  const taxId = '998877665';
  const businessInfo = { legalName: 'North Pier', country: 'DE', taxId, incorporatedOn: '2010-01-01' };
  const made = await it.post('/customers', { customerType: 'BUSINESS', businessInfo });
  expect(made.body.businessInfo.taxId).toBe(taxId);
  const { id } = made.body;
  const app = createApp(it.host);
  const page = (path: string) => app.request(`http://127.0.0.1${path}`, { headers: { accept: 'text/html' } });
  const tool = await app.request('http://127.0.0.1/_emulator/mcp', {
    method: 'POST',
    headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'read_state', arguments: { id } },
    }),
  });
  const all = [
    (await it.control('GET', '/tables/customers?limit=5')).text,
    (await it.control('GET', `/resources/${id}`)).text,
    await tool.text(),
    await (await page(`/inspector/state/customers/${id}`)).text(),
  ];
  for (const text of all) {
    expect(text).toContain('North Pier');
    expect(text).not.toContain(taxId);
  }
});

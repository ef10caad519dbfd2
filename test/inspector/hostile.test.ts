import { describe, expect, test } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { DELIVERIES } from '../../src/areas/webhooks/index.ts';
import { createApp } from '../../src/http/app.ts';
import { everyPage, lived, type Visitor, visitor } from './visit.ts';

const MARKUP = `</script><script>alert(1)</script><img src=x onerror=alert(2)> " ' & <h1>owned</h1>`;

/** What must not come through, however it was sent. */
function clean(html: string, where: string): void {
  expect(html.match(/<script/gi), where).toHaveLength(1);
  expect(html, where).not.toMatch(/<img|<h1>owned|onerror=alert\(2\)>/i);
  expect(html, where).not.toMatch(/(?:href|src|action)="\s*(?:javascript|data|vbscript):/i);
  // An attribute that ends early leaves text between two attributes of a tag.
  expect(html.replaceAll(/<[a-z][\w-]*(?:\s+[\w:-]+(?:="[^"<>]*")?)*\s*\/?>/gi, ''), where).not.toMatch(/<[a-z]/i);
}

/** Put hostile text wherever a row may hold text. */
function spoil(world: Visitor, id: string): void {
  const { world: inner } = world.sandbox;
  world.oddRows();
  inner.transact(() => {
    const customers = inner.rows(CUSTOMERS);
    const customer = customers.get(id);
    if (!customer) throw new Error('nobody to spoil');
    customers.put({
      ...customer,
      platformCustomerId: MARKUP,
      details: { ...customer.details, fullName: MARKUP, address: { line1: MARKUP, postalCode: MARKUP, country: 'US' } },
    });
    for (const hook of [...inner.rows(DELIVERIES).rows()])
      inner.rows(DELIVERIES).put({
        ...hook,
        type: `CUSTOMER.${MARKUP}`,
        attempts: [
          { at: inner.clock.iso(), status: 500, body: MARKUP, ms: 1, fault: MARKUP },
          { at: inner.clock.iso(), error: MARKUP, ms: 1 },
        ],
      });
  });
}

describe('escaping of values on pages', () => {
  test('every page escapes hostile values of a customer, a receiver, a body, a path, a query and a header', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    spoil(world, alice.id);
    await world.post('/customers', { customerType: MARKUP, [MARKUP]: MARKUP });
    await world.post('/customers', undefined, { raw: MARKUP });
    const tail = encodeURIComponent(MARKUP);
    await world.ask(`/2025-10-13/${tail}?${tail}=${tail}`, { headers: { 'x-odd': `a"b'c<script>alert(1)</script>` } });
    await world.ask('/2025-10-13/"><script>alert(1)</script>?q="><img src=x>', { method: 'DELETE' });
    await world.control('POST', '/faults', { match: { path: `/${MARKUP}` }, then: { status: 500, message: MARKUP } });
    const { body: log } = await world.control('GET', '/requests');
    const pages = [
      ...(await everyPage(world, alice.id)),
      ...log.data.slice(0, 5).map(({ id }: { id: string }) => `/inspector/requests/${id}`),
    ];
    for (const path of pages) clean((await world.open(path)).html, path);
    const shown = await world.open(`/inspector/state/customers/${encodeURIComponent(alice.id)}`);
    expect(shown.html).toContain('&lt;h1&gt;owned&lt;/h1&gt;');
  });

  test('every page escapes hostile filters, ids, tables and sandboxes of its address', async () => {
    const world = await visitor();
    await lived(world);
    const evil = encodeURIComponent(MARKUP);
    for (const path of [
      `/inspector/requests?q=${evil}&status=${evil}&method=${evil}&operation=${evil}`,
      `/inspector/webhooks?q=${evil}&state=${evil}`,
      `/inspector/state/customers?q=${evil}&by=${evil}&is=${evil}`,
      `/inspector/state/customers?by=platformCustomerId&is=${evil}`,
      `/inspector/jobs?id=${evil}`,
      `/inspector/api?q=${evil}`,
      `/inspector/state/${evil}`,
      `/inspector/state/customers/${evil}`,
      `/inspector/requests/${evil}`,
      `/inspector/${evil}`,
      `/?sandbox=${evil}`,
      '/inspector/requests/"><script>alert(1)</script>',
    ])
      clean((await world.open(path)).html, path);
  });

  test('every page escapes hostile names of a sandbox and a scenario', async () => {
    const world = await visitor({ scenario: { title: MARKUP, credentials: [{ id: `"><script>`, secret: `'<b>"` }] } });
    const token = '"><img/src=x>';
    await world.ask('/2025-10-13/customers', {
      headers: { authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` },
    });
    for (const path of ['/', '/inspector/scenario', '/inspector/clock', '/inspector/requests'])
      for (const query of ['', `?sandbox=${encodeURIComponent(token)}`]) {
        const { status, html } = await world.open(path + query);
        expect(status).toBe(200);
        clean(html, path + query);
      }
  });

  test('a page shows control characters and text that runs backwards as visible escapes', async () => {
    const world = await visitor();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ann Lee' });
    world.oddRows();
    world.sandbox.world.transact(() => {
      const customers = world.sandbox.world.rows(CUSTOMERS);
      const row = customers.get(body.id);
      if (row) customers.put({ ...row, details: { ...row.details, fullName: 'a\u202eeel\u0000\u001b[31m\u200b' } });
    });
    const { html } = await world.open('/inspector/state/customers');
    expect(html).not.toMatch(/[\u0000\u001b\u202e\u200b]/);
    expect(html).toContain('a\\u202eeel␀␛[31m\\u200b');
  });

  test('a page never links to an address that runs script', async () => {
    const world = await visitor();
    const { body } = await world.post('/customers', { customerType: 'BUSINESS', businessInfo: { legalName: 'Pier' } });
    await world.post(`/customers/${body.id}/kyc-link`, { redirectUri: 'javascript:alert(1)' });
    await world.control('PUT', '/webhooks/endpoint', { url: 'javascript:alert(1)' });
    for (const path of ['/', '/inspector/requests/req_1', '/inspector/requests/req_2', '/inspector/webhooks'])
      clean((await world.open(path)).html, path);
  });
});

describe('secrets on pages', () => {
  test('every page masks codes, keys, passwords and identity numbers, as the control API does', async () => {
    const world = await visitor({ scenario: 'contact-verification' });
    const { body: customer } = await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ann Lee',
      email: 'ann@example.com',
      idType: 'SSN',
      identifier: '987-65-4320',
    });
    await world.post(`/customers/${customer.id}/verify-email`);
    await world.post(`/customers/${customer.id}/verify-email/confirm`, { code: '424242' });
    const { body: token } = await world.post('/tokens', { name: 'backend', permissions: ['VIEW'] });
    const { body: log } = await world.control('GET', '/requests');
    const pages = [
      '/',
      '/inspector/requests',
      ...log.data.map(({ id }: { id: string }) => `/inspector/requests/${id}`),
      `/inspector/state/customers/${encodeURIComponent(customer.id)}`,
      `/inspector/state/tokens/${encodeURIComponent(token.id)}`,
    ];
    expect(token.clientSecret).toMatch(/\w{8}/);
    for (const path of pages) {
      const { html } = await world.open(path);
      for (const secret of ['987-65-4320', '424242', token.clientSecret, 'Basic dGVzd'])
        expect(html.includes(secret), `${secret} in ${path}`).toBe(false);
    }
    expect((await world.open('/inspector/requests?q=424242')).html).toContain('No requests match this filter');
    expect((await world.open('/inspector/requests?q=987-65')).html).toContain('No requests match this filter');
  });

  test('the page of a hosted link masks the secret of that link', async () => {
    const world = await visitor();
    const { body } = await world.post('/customers', { customerType: 'BUSINESS', businessInfo: { legalName: 'Pier' } });
    const { body: link } = await world.post(`/customers/${body.id}/kyc-link`, {});
    const secret = new URL(link.kycUrl).pathname.split('/').at(-1) as string;
    const list = await world.open('/inspector/state/kyc-links');
    const [, path] = /href="(\/inspector\/state\/kyc-links\/[^"]+)"/.exec(list.html) ?? [];
    const { html } = await world.open(path as string);
    expect(html).toContain('•••');
    expect(html).not.toContain(secret);
  });
});

describe('the guard of the inspector', () => {
  const socket = (host: string) => ({ incoming: { headers: { host }, rawHeaders: [] } });
  const html = { accept: 'text/html' };

  test('a page refuses a foreign Host with 403, a rebound name included', async () => {
    const world = await visitor();
    const app = createApp(world.host);
    const seen = async (host: string) =>
      (await app.request(`http://${host}/`, { headers: { ...html, host } }, socket(host))).status;
    expect(await seen('evil.example')).toBe(403);
    expect(await seen('127.0.0.1.evil.example:4010')).toBe(403);
    expect(await seen('localhost:4010')).toBe(200);
    expect(await seen('127.0.0.1:4010')).toBe(200);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 403],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 403],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 200],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  ])('a page may be linked from another site, but not loaded by it: %j gets %i', async (headers, status) => {
    const world = await visitor();
    expect((await world.open('/', headers as Record<string, string>)).status).toBe(status);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s of a page is refused with 405, because a page changes nothing by itself',
    async (method) => {
      const world = await visitor();
      for (const path of ['/', '/inspector/clock', '/inspector/faults']) {
        const response = await world.ask(path, { method, headers: html });
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      }
    },
  );
});

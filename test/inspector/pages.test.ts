import { describe, expect, test } from 'vitest';
import { CONTROLS } from '../../src/control/index.ts';
import { CATALOGUE } from '../kit/catalogue.ts';
import { effort } from '../kit/effort.ts';
import { walletKit } from '../kit/wallet.ts';
import { crawl, everyPage, linksOf, lived, unescaped, visitor, visitorOf } from './visit.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Those with the most kinds of rows come first: `npm test` looks at them, a thorough run at all. */
const SCENARIOS = [
  ...['demo', 'cards', 'agents'],
  ...['wallet', 'payouts', 'sca', 'stablecoins', 'failures', 'contact-verification', 'regulated'],
];

describe('every page', () => {
  test('every page is HTML of our own only: a strict policy, one script file, nothing inline, nothing from elsewhere', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    for (const path of await everyPage(world, alice.id)) {
      const { status, headers, html } = await world.open(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-security-policy'), path).toBe(POLICY);
      expect(headers.get('cache-control'), path).toBe('no-store');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('same-origin');
      expect(html, path).toMatch(/^<!doctype html><html lang="en">/);
      expect(html.match(/<script/g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/<style| style="| on\w+="|<iframe|javascript:/i);
      expect(
        [...html.matchAll(/ (?:src|href|action)="((?:[a-z]+:)?\/\/[^"]*)"/gi)].map((m) => m[1]),
        path,
      ).toEqual([]);
      expect(html.match(/<h1/g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/undefined|\[object Object\]|NaN/);
    }
  });

  test('every link of every page leads to a page, from the first page on', async () => {
    const world = await visitor();
    await lived(world);
    const { seen, wrong } = await crawl(world);
    expect(wrong).toEqual([]);
    expect([...seen].filter((path) => path.startsWith('/inspector/api/'))).toHaveLength(CATALOGUE.length);
    expect([...seen].some((path) => path.startsWith('/inspector/state/transactions/Transaction'))).toBe(true);
  });

  test('the choice of another sandbox on any page leads to a page of that sandbox', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    await world.control('POST', '/sandboxes', { id: 'other' });
    for (const path of await everyPage(world, alice.id)) {
      const { html } = await world.open(path);
      const [, action = ''] = /<form class="switcher" method="get" action="([^"]*)"/.exec(html) ?? [];
      expect([path, action, (await world.open(`${action}?sandbox=other`)).status]).toEqual([path, action, 200]);
    }
  });

  test.each(SCENARIOS.slice(0, effort(3, SCENARIOS.length)))(
    'every link of every page leads to a page in scenario %s',
    async (scenario) => {
      const { seen, wrong } = await crawl(await visitor({ scenario }), /^\/inspector\/api\//);
      expect(wrong).toEqual([]);
      expect(seen.size).toBeGreaterThan(30);
    },
  );

  test('every link of every page leads to a page in profile grid, with the names of that profile', async () => {
    const world = await visitor({ profile: 'grid' });
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg' });
    const { wrong } = await crawl(world);
    expect(wrong).toEqual([]);
    expect((await world.open('/')).html).toContain('/grid/2025-10-13/customers');
    expect((await world.open('/inspector/requests')).html).toContain('>/<wbr/>customers</a>');
  });

  test('every link of every page leads to a page while an owner is logged in to a wallet', async () => {
    const wallet = await walletKit();
    await wallet.login();
    const world = visitorOf(wallet);
    const { seen, wrong } = await crawl(world, /^\/inspector\/api\//);
    expect(wrong).toEqual([]);
    expect([...seen].filter((path) => path.startsWith('/inspector/state/sessions/'))).toHaveLength(1);
    expect((await world.open('/inspector/codes')).html).toContain('class="otp"');
  });

  test('the link to the hosted identity check opens that check', async () => {
    const world = await visitor();
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg' });
    const { body: link } = await world.post(`/customers/${body.id}/kyc-link`, {});
    const { html } = await world.open('/inspector/requests/req_2');
    expect(linksOf(html)).toContain(new URL(link.kycUrl).pathname);
    expect((await world.open(new URL(link.kycUrl).pathname)).html).toContain('Verify your identity');
  });

  test('opening every page changes nothing, and is not part of the request log (spec 3.1)', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const before = JSON.stringify(world.sandbox.world.snapshot());
    const log = (await world.control('GET', '/requests')).text;
    for (const path of await everyPage(world, alice.id)) await world.open(path);
    expect(JSON.stringify(world.sandbox.world.snapshot())).toBe(before);
    expect((await world.control('GET', '/requests')).text).toBe(log);
  });

  test('every button names its call of the control API; that call exists and takes what the button sends', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const { body: log } = await world.control('GET', '/requests');
    const { body: omar } = await world.get('/customers', { customerType: 'INDIVIDUAL' });
    const pending = omar.data.find(({ kycStatus }: { kycStatus: string }) => kycStatus === 'PENDING');
    const pages = [
      ...(await everyPage(world, alice.id)),
      `/inspector/state/customers/${encodeURIComponent(pending.id)}`,
      `/inspector/requests/${log.data.at(-1).id}`,
    ];
    const called = new Set<string>();
    const unknown: string[] = [];
    for (const path of pages) {
      const { html } = await world.open(path);
      for (const [tag] of html.matchAll(/<(?:button|form)[^>]*data-url="[^>]*>/g)) {
        const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
        const [method, url] = [value('data-method'), value('data-url')];
        if (tag.startsWith('<button')) expect(value('title'), path).toMatch(`${method} ${url}`);
        expect(html, `${path} has a line that shows calls`).toContain('class="hint"');
        const call = `${method} ${decodeURIComponent(url).replace('/_emulator', '')}`;
        called.add(call);
        const door = CONTROLS.find((one) =>
          new RegExp(`^${one.method} ${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(call),
        );
        if (!door) unknown.push(`${path}: ${call}`);
        // What a button sends, its control takes as it stands; a form sends what its fields say.
        if (tag.startsWith('<button') && door?.body) {
          const body = JSON.parse(value('data-body').replaceAll('&quot;', '"') || '{}');
          expect(door.body().safeParse(body).error?.issues ?? [], `${path}: ${call}`).toEqual([]);
        }
      }
    }
    expect(unknown).toEqual([]);
    expect(called.size).toBeGreaterThan(12);
  });

  test('each GET of the control API that a page offers to copy is answered with 200 as it stands (W15)', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const { body: log } = await world.control('GET', '/requests');
    const pages = [...(await everyPage(world, alice.id)), `/inspector/compare?from=before:${log.data[0].id}`];
    const wrong: string[] = [];
    const copied = new Set<string>();
    for (const path of pages) {
      const { html } = await world.open(path);
      for (const [, text] of html.matchAll(/ data-copy="curl -s &#39;((?:(?!&#39;)[^"])*)&#39;"/g)) {
        const url = new URL(unescaped(text ?? ''));
        if (!url.pathname.startsWith('/_emulator/')) continue;
        copied.add(url.pathname);
        const { status } = await world.control('GET', `${url.pathname.replace('/_emulator', '')}${url.search}`);
        if (status !== 200) wrong.push(`${path}: ${url.href} ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...copied]).toContain('/_emulator/compare');
  });

  test('a page keeps the chosen sandbox in its links and in the calls of its buttons', async () => {
    const world = await visitor();
    const { body: other } = await world.control('POST', '/sandboxes', {});
    const { html } = await world.open(`/?sandbox=${other.id}`);
    const own = linksOf(html).filter((link) => link.startsWith('/') && !link.startsWith('/inspector/assets/'));
    expect(own.filter((link) => !link.includes(`sandbox=${other.id}`))).toEqual([]);
    const calls = [...html.matchAll(/ data-(?:url|events)="([^"]+)"/g)].map(([, url]) => url);
    expect(calls.length).toBeGreaterThan(3);
    expect(calls.filter((url) => !url?.includes(`sandbox=${other.id}`))).toEqual([]);
    expect(html).toContain(`<option value="${other.id}" selected`);
  });

  test('each list of an empty sandbox shows a call that fills it', async () => {
    const world = await visitor();
    for (const path of [
      '/',
      '/inspector/requests',
      '/inspector/webhooks',
      '/inspector/state/quotes',
      '/inspector/faults',
    ])
      expect((await world.open(path)).html, path).toMatch(/class="empty"[\s\S]*curl -s/);
    expect((await world.open('/')).html).toContain('curl -s -u test:secret http://127.0.0.1:4010/2025-10-13/customers');
  });
});

describe('pages that do not exist', () => {
  test.each([
    ['/inspector/nothing', 404],
    ['/inspector/requests/req_999999', 404],
    ['/inspector/webhooks/Webhook:1', 404],
    ['/inspector/state/nothing', 404],
    ['/inspector/state/customers/Customer:1', 404],
    ['/inspector/state/constructor/1', 404],
    ['/inspector/scenario/never', 404],
    ['/inspector/api/inventPayment', 404],
    ['/?sandbox=nobody', 404],
    ['/inspector/state/customers?cursor=nonsense', 400],
    ['/inspector/webhooks?cursor=nonsense', 400],
    ['/inspector/state/%E0%A4%A/x', 404],
  ])('the page %s does not exist or takes no such cursor, says so and gets %i', async (path, status) => {
    const world = await visitor();
    const shown = await world.open(path);
    expect(shown.status).toBe(status);
    expect(shown.html).toContain('Back to the overview');
    expect(shown.headers.get('content-security-policy')).toBe(POLICY);
  });

  test("a path that only begins like the inspector's belongs to the API", async () => {
    const world = await visitor();
    expect((await world.open('/inspectors')).headers.get('content-type')).toContain('json');
  });
});

describe('GET / for a program', () => {
  test('GET / returns a short JSON document with all addresses to a program', async () => {
    const world = await visitor();
    for (const accept of ['*/*', 'application/json', undefined]) {
      const response = await world.ask('/', { headers: accept === undefined ? {} : { accept } });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        name: 'sandbox-emulator',
        version: expect.any(String),
        profile: 'spec',
        baseUrl: 'http://127.0.0.1:4010/2025-10-13',
        inspector: 'http://127.0.0.1:4010/',
        control: 'http://127.0.0.1:4010/_emulator',
        openapi: 'http://127.0.0.1:4010/openapi.json',
      });
    }
  });
});

describe('the files that a page loads', () => {
  test('the files that a page loads are named by their text, may be cached for good, and have their types', async () => {
    const world = await visitor();
    const { html } = await world.open('/');
    const files = [...html.matchAll(/"(\/inspector\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files.map((file) => file.replace(/\.[0-9a-f]{12}\./, '.'))).toEqual([
      '/inspector/assets/icon.svg',
      '/inspector/assets/inspector.css',
      '/inspector/assets/inspector.js',
    ]);
    for (const file of files) {
      const response = await world.ask(file);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(response.headers.get('content-type')).toMatch(/svg|css|javascript/);
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });

  test("an old name of a page's file still finds it, but uncached; /favicon.ico finds the icon", async () => {
    const world = await visitor();
    const old = await world.ask('/inspector/assets/inspector.000000000000.css');
    expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect((await world.ask('/favicon.ico')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await world.ask('/apple-touch-icon-precomposed.png')).status).toBe(404);
    expect((await world.ask('/.well-known/appspecific/com.chrome.devtools.json')).status).toBe(404);
    expect((await world.control('GET', '/requests')).body.data).toEqual([]);
  });
});

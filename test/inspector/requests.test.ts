import { describe, expect, test } from 'vitest';
import { lived, unescaped, visitor } from './visit.ts';

const rows = (html: string): string[] => [...html.matchAll(/data-row="(req_\d+)"/g)].map(([, id]) => id as string);

describe('the request log', () => {
  test('the request log is filtered by text, status, class of status, method and operation, alone or together', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const found = async (query: string) => rows((await world.open(`/inspector/requests?${query}`)).html).length;
    const { body: log } = await world.control('GET', '/requests?limit=1000');
    const count = (passes: (entry: { status: number; method: string; operation?: string }) => boolean) =>
      log.data.filter(passes).length;
    expect(await found('')).toBe(log.data.length);
    expect(await found('status=4xx')).toBe(count(({ status }) => status >= 400 && status < 500));
    expect(await found('status=201')).toBe(count(({ status }) => status === 201));
    expect(await found('method=GET')).toBe(count(({ method }) => method === 'GET'));
    expect(await found('operation=createCustomer')).toBe(count(({ operation }) => operation === 'createCustomer'));
    expect(await found('operation=createCustomer&status=4xx')).toBe(1);
    expect(await found(`q=${encodeURIComponent('INVALID_INPUT')}`)).toBe(1);
    expect(await found(`q=${encodeURIComponent('North Pier')}`)).toBeGreaterThan(0);
    expect(await found(`q=${encodeURIComponent(alice.id)}&method=POST`)).toBeGreaterThan(2);
    expect(await found('q=nothing+like+it')).toBe(0);
  });

  test('the request log shows fifty of a thousand requests a page, newest first, and each once', async () => {
    const world = await visitor();
    for (let i = 0; i < 1100; i += 1) await world.overlapping('GET', `/customers?limit=${(i % 100) + 1}`);
    const seen: string[] = [];
    let path: string | undefined = '/inspector/requests';
    while (path) {
      const { html } = await world.open(path);
      const page = rows(html);
      expect(page.length).toBeLessThanOrEqual(50);
      seen.push(...page);
      path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toHaveLength(1000);
    expect(new Set(seen).size).toBe(1000);
    expect(seen[0]).toBe('req_1100');
  });
});

describe('one request', () => {
  test('the page of a refused request explains code, sentence, every field, and where the rule is written (product 5b)', async () => {
    const world = await visitor();
    await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Zoe',
      email: 'nope',
      birthDate: '1990-13-40',
    });
    const { html } = await world.open('/inspector/requests/req_1');
    const why = unescaped(/<section class="why[\s\S]*?<\/section>/.exec(html)?.[0] ?? '');
    expect(why).toContain('Why it was refused: INVALID_INPUT');
    expect(why).toContain('<code>email</code> not an email address');
    expect(why).toContain('<code>birthDate</code>');
    expect(why).toMatch(/Rule<\/dt>/);
    expect(html).toContain('It was refused, so it sent none.');
  });

  test('the page of a refused request shows the rule, what was expected, and what was seen', async () => {
    const world = await visitor();
    const { body: ada } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada 002' });
    await world.settle();
    const fundingSources = ['InternalAccount:0196b0de-0000-7000-8000-000000000001'];
    await world.post('/cards', { cardholderId: ada.id, form: 'VIRTUAL', fundingSources });
    const { body: log } = await world.control('GET', '/requests');
    const { body: whole } = await world.control('GET', `/requests/${log.data[0].id}`);
    const { html } = await world.open(`/inspector/requests/${log.data[0].id}`);
    expect(unescaped(html)).toContain(whole.why.rule);
    expect(whole.why).toMatchObject({ expected: 'APPROVED', seen: 'REJECTED' });
    for (const [name, value] of [
      ['Expected', 'APPROVED'],
      ['Seen', 'REJECTED'],
    ])
      expect(html).toMatch(new RegExp(`<dt>${name}</dt>\\s*<dd>[^A-Z]*${value}`));
  });

  test('the page of a request with a wrong signature shows the step that differed (product 5b)', async () => {
    const world = await visitor({ scenario: 'wallet' });
    const { body: accounts } = await world.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' });
    const path = `/internal-accounts/${accounts.data[0].id}`;
    const { body: asked } = await world.patch(path, { privateEnabled: true });
    const headers = { 'request-id': asked.requestId, 'service-wallet-signature': 'bm90IGEgc3RhbXA' };
    expect((await world.patch(path, { privateEnabled: true }, { headers })).status).toBe(401);
    const first = await world.open('/inspector/requests/req_2');
    expect(first.html).toContain('waits for a signature or an approval');
    const { body: whole } = await world.control('GET', '/requests/req_3');
    const { html } = await world.open('/inspector/requests/req_3');
    const steps = [...html.matchAll(/<li class="(ok|not-ok)">/g)].map(([, mark]) => mark);
    expect(steps).toEqual(whole.why.steps.map(({ ok }: { ok: boolean }) => (ok ? 'ok' : 'not-ok')));
    expect(steps.at(-1)).toBe('not-ok');
    for (const { step } of whole.why.steps) expect(unescaped(html)).toContain(step);
  });

  test('the page of a request says what a magic value did', async () => {
    const world = await visitor();
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001' });
    const { body: whole } = await world.control('GET', '/requests/req_1');
    expect(whole.magic).toHaveLength(1);
    for (const path of ['/', '/inspector/requests/req_1'])
      expect(unescaped((await world.open(path)).html)).toContain(whole.magic[0]);
  });

  test('the page of a request names the fault that fired', async () => {
    const world = await visitor();
    await world.control('POST', '/faults', { match: { operation: 'listCustomers' }, then: { status: 503 } });
    await world.overlapping('GET', '/customers');
    const { body: log } = await world.control('GET', '/requests');
    const { html } = await world.open(`/inspector/requests/${log.data[0].id}`);
    expect(html).toMatch(/Fault<\/dt><dd>fault-1/);
    expect((await world.open('/inspector/faults')).html).toMatch(/fault-1[\s\S]*status 503/);
  });

  test('the page of a request leads to its webhook, and that to the customer: three clicks from the first page', async () => {
    const world = await visitor();
    const { ida } = await lived(world);
    const link = async (path: string, pattern: RegExp) =>
      pattern.exec((await world.open(path)).html)?.[1]?.replaceAll('&amp;', '&') ?? 'nowhere';
    const request = await link('/', /class="row-link path" href="([^"]+)"/);
    const hook = await link(request, /class="row-link type" href="([^"]+)"/);
    const customer = await link(hook, /class="resource" href="([^"]+)"/);
    expect(decodeURIComponent(customer)).toBe(`/inspector/state/customers/${ida.id}`);
    expect((await world.open(customer)).html).toContain('<h1>Ida Berg</h1>');
  });
});

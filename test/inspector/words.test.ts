import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { lived, unescaped, type Visitor, visitor } from './visit.ts';

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const text = async (world: Visitor, path: string): Promise<string> => textOf((await world.open(path)).html);

/** A world whose receiver answers 500, and one event that it refused. */
async function refused() {
  const world = await visitor();
  const hooks = await receiver();
  hooks.react = () => 500;
  await world.patch('/config', { webhookEndpoint: hooks.url });
  await world.settle();
  await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' });
  await world.settle();
  return { world, hooks };
}

describe('a webhook that was refused', () => {
  test('a refused webhook is listed as retrying, in red, with its next try and the last status (U6)', async () => {
    const { world } = await refused();
    const { html } = await world.open('/inspector/webhooks');
    const row = textOf(
      /<li class="row hook-row"[^>]*>(?:(?!<\/li>).)*CUSTOMER(?:(?!<\/li>).)*<\/li>/s.exec(html)?.[0] ?? '',
    );
    expect(row).toMatch(/retrying next 09:00:05 .* 500 /);
    expect(html).toContain('<span class="badge bad">retrying</span>');
    expect(await text(world, '/inspector/webhooks?state=RETRYING')).toContain('1 event');
    expect(await text(world, '/inspector/webhooks?state=PENDING')).toContain('No events match this filter');
    expect((await world.open('/')).html).toMatch(/<div class="tile bad"><b>1<\/b><span>retrying<\/span>/);
    expect((await world.open('/')).html).toMatch(/<div class="tile none"><b>0<\/b><span>pending<\/span>/);
  });

  test('a refused webhook is shown as retrying on its own page, and to a screen reader (U6)', async () => {
    const { world } = await refused();
    const [hook] = (await world.control('GET', '/webhooks')).body.data;
    const page = await text(world, `/inspector/webhooks/${encodeURIComponent(hook.id)}`);
    expect(page).toMatch(/State retrying next 09:00:05 .*Last response 500/);
    expect((await world.open('/')).html).toContain('<span class="visually-hidden">, retrying</span>');
  });
});

test('the dialog of keys lists every key that the page responds to (U20)', async () => {
  const world = await visitor();
  const { html } = await world.open('/');
  const dialog = /<dialog id="keys".*?<\/dialog>/s.exec(html)?.[0] ?? '';
  const listed = [...dialog.matchAll(/<dt>(.*?)<\/dt>/gs)].map(([, keys = '']) =>
    textOf(keys).trim().replace('Esc', 'Escape'),
  );
  const script = readFileSync(new URL('../../src/inspector/client/keys.js', import.meta.url), 'utf8');
  const table = /const KEYS = \{\n(.*?)\n\};/s.exec(script)?.[1] ?? '';
  const answered = [...table.matchAll(/^ {2}'?([^\s':]+)'?: /gm)].map(([, key]) => key);
  expect(answered.length).toBeGreaterThan(6);
  expect(answered.filter((key) => !listed.some((keys) => keys.split(' ').includes(key as string)))).toEqual([]);
  for (const [, key] of html.matchAll(/data-go="(\w)"/g)) expect(listed).toContain(`g ${key}`);
  expect(listed).toContain('Escape');
});

describe('a job in words (U13)', () => {
  test('the page of jobs says what will happen, to whom by name with a link, and when', async () => {
    const world = await visitor({ scenario: 'unregulated' });
    const { body: ada } = await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ada Keller',
      birthDate: '1991-05-04',
    });
    const { html } = await world.open('/inspector/jobs');
    expect(textOf(html)).toMatch(/Approve customer Ada Keller 09:00:02 Run now/);
    expect(html).toContain(`href="/inspector/state/customers/${encodeURIComponent(ada.id)}">customer Ada Keller</a>`);
    expect(textOf(html)).not.toContain('customerId');
  });

  test('the page of jobs names a payment by its amount, and a step of its plan by its effect', async () => {
    const world = await visitor({ scenario: { policies: { 'transaction.settle': 'after 2h' } } });
    await lived(world);
    const page = await text(world, '/inspector/jobs');
    expect(page).toMatch(/Complete the payment of 125\.00 USD by Alice Doe/);
    expect(page).not.toContain('out success');
  });

  test('every job of scenarios demo, cards and sca names the person or card that it is about, in GET /jobs and on the page', async () => {
    for (const scenario of ['demo', 'cards', 'sca']) {
      const world = await visitor({ scenario });
      const { data } = (await world.control('GET', '/jobs')).body;
      const { data: customers } = (await world.get('/customers', { limit: 100 })).body;
      const names = customers.map(
        (c: { fullName?: string; businessInfo?: { legalName: string } }) => c.fullName ?? c.businessInfo?.legalName,
      );
      const { data: agents } = (await world.get('/agents')).body;
      const { data: cards } = (await world.get('/cards')).body;
      const known = [...names, ...agents.map(({ name }: { name: string }) => `agent ${name}`)];
      const anonymous = data.filter(
        ({ does, about }: { does: string; about: string }) =>
          !known.some((name) => does.includes(name)) && !cards.some(({ id }: { id: string }) => id === about),
      );
      expect(
        anonymous.map(({ does }: { does: string }) => does),
        scenario,
      ).toEqual([]);
      const page = unescaped(await text(world, '/inspector/jobs')).toLowerCase();
      for (const { does } of data) expect(page).toContain(does.toLowerCase());
    }
  });

  test('GET /jobs and an advance describe a job in words, and a page leads from an id to its resource', async () => {
    const world = await visitor({ scenario: 'unregulated' });
    const { body: pier } = await world.post('/customers', {
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'Pier LLC', taxId: '1' },
    });
    const words = { does: 'approve customer Pier LLC', about: pier.id };
    expect((await world.control('GET', '/jobs')).body.data).toMatchObject([words]);
    expect((await world.control('POST', '/clock', { advance: '2s' })).body.ran).toMatchObject([words]);
    const found = await world.open(`/inspector/id/${encodeURIComponent(pier.id)}`);
    expect([found.status, found.headers.get('location')]).toEqual([
      303,
      `/inspector/state/customers/${encodeURIComponent(pier.id)}`,
    ]);
    expect((await world.open('/inspector/id/Customer:none')).status).toBe(404);
  });
});

import { describe, expect, test } from 'vitest';
import { TABLES } from '../../src/areas.ts';
import { isResource } from '../../src/engine/resource.ts';
import { keyOf } from '../../src/inspector/state/list-request.ts';
import { unescaped, type Visitor, visitor } from './visit.ts';

const world = () => visitor({ scenario: 'demo', seed: 3 });

/** The rows of a list as a reader sees them: the words of each cell. */
async function list(visit: Visitor, query: string, table = 'transactions') {
  const { status, html } = await visit.open(`/inspector/state/${table}?${query}`);
  expect(status).toBe(200);
  const body = html.slice(html.indexOf('<tbody'), html.indexOf('</tbody>'));
  const rows = body.split('<tr ').slice(1);
  const cells = rows.map((row) =>
    Object.fromEntries(
      [...row.matchAll(/<td[^>]*?(?: data-name="([^"]+)")?>(.*?)<\/td>/gs)].map(([, name = 'Name', text = '']) => [
        name,
        unescaped(text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).trim(),
      ]),
    ),
  );
  return { html, cells };
}

const major = (text = '') => Number(text.replaceAll(/[^\d.]/g, ''));

describe('filters and orders of a list (W13)', () => {
  test('a list of payments is filtered by status and direction, and offers the values that occur', async () => {
    const visit = await world();
    const { html, cells } = await list(visit, 'status=COMPLETED&direction=in');
    expect(cells.length).toBeGreaterThan(0);
    for (const row of cells) expect([row['Status'], row['Direction']]).toEqual(['completed', 'in']);
    for (const choice of ['out', 'by card', 'PROCESSING']) expect(html).toContain(`<option value="${choice}">`);
    expect(html).toContain('<option value="in" selected="">');
  });

  test("a list of payments is filtered by a part of the customer's or the counterparty's name", async () => {
    const visit = await world();
    const { cells } = await list(visit, 'direction=out');
    const { Customer: customer = '', Counterparty: counterparty = '' } = cells[0] ?? {};
    expect(counterparty).not.toBe('');
    const of = await list(visit, `customer=${encodeURIComponent(customer.slice(1, 8).toUpperCase())}`);
    expect(of.cells.length).toBeGreaterThan(0);
    for (const row of of.cells) expect(row['Customer']).toBe(customer);
    const to = await list(visit, `counterparty=${encodeURIComponent(counterparty)}`);
    for (const row of to.cells) expect(row['Counterparty']).toBe(counterparty);
    const text = await list(visit, `q=${encodeURIComponent(customer)}`);
    expect(text.cells.length).toBeGreaterThanOrEqual(of.cells.length);
  });

  test('a list of payments is filtered by currency, amounts in whole units and days, both ends included', async () => {
    const visit = await world();
    const { cells: all } = await list(visit, 'direction=out');
    const amounts = all.map((row) => major(row['Received'])).sort((a, b) => a - b);
    const [low, high] = [amounts[1] as number, amounts.at(-2) as number];
    const { cells } = await list(visit, `direction=out&minAmount=${low}&maxAmount=${high}`);
    expect(cells).toHaveLength(amounts.filter((amount) => amount >= low && amount <= high).length);
    const { cells: euros } = await list(visit, 'currency=EUR');
    expect(euros.length).toBeGreaterThan(0);
    for (const row of euros) expect(`${row['Name']} ${row['Received']}`).toContain('EUR');
    const { body } = await visit.get('/transactions', { limit: 100 });
    const days: string[] = body.data.map(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10));
    const day = days.at(-1) as string;
    const { cells: then } = await list(visit, `startDate=${day}&endDate=${day}`);
    expect(then).toHaveLength(days.filter((one) => one === day).length);
  });

  test('a list of payments is sorted by each heading in both directions, and keeps its filters', async () => {
    const visit = await world();
    const { html, cells } = await list(visit, 'direction=out&sort=-received');
    const amounts = cells.map((row) => major(row['Received']));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(html).toContain('aria-sort="descending"');
    expect(html).toContain('href="/inspector/state/transactions?direction=out&amp;sort=received"');
    const { cells: turned } = await list(visit, 'direction=out&sort=received');
    expect(turned.map((row) => major(row['Received']))).toEqual([...amounts].reverse());
    const { cells: named } = await list(visit, 'sort=customer');
    const names = named.map((row) => row['Customer'] as string);
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a === b ? 0 : 1)));
  });

  test('the CSV of a list has the rows of the list in its order, with names beside ids', async () => {
    const visit = await world();
    const { html: csv } = await visit.open('/inspector/state/transactions?format=csv&status=COMPLETED&sort=received');
    const [head = '', ...rows] = csv.trimEnd().split('\r\n');
    expect(head).toBe(
      '"Payment","Id","Status","Direction","Customer","Customer id","Counterparty","Counterparty id","Received","Created"',
    );
    expect(rows.every((row) => row.includes('"COMPLETED"'))).toBe(true);
    expect(rows[0]).toMatch(/"[A-Z][^"]+","Customer:[^"]+"/);
  });

  test('a list ignores a wrong filter or order in its address, and says so', async () => {
    const visit = await world();
    const { html, cells } = await list(visit, 'startDate=yesterday&minAmount=much&sort=weight&skip=-3');
    expect(unescaped(html)).toContain(
      'Not applied: startDate: write a day as 2026-01-31; minAmount: write an amount as 1250.50; sort: choose one of status, direction,',
    );
    expect(cells.length).toBeGreaterThan(5);
  });

  test('a list whose filter no row passes says so, and leads back to all rows', async () => {
    const visit = await world();
    const { status, html } = await visit.open('/inspector/state/transactions?counterparty=nobody-at-all');
    expect(status).toBe(200);
    expect(html).toContain('Nothing passes this filter');
    expect(html).toContain('<a href="/inspector/state/transactions">Clear the filter</a>');
  });

  test('no filter of a column has a name that means something else in the address of a list', async () => {
    const visit = await world();
    const taken = ['q', 'by', 'is', 'cursor', 'skip', 'sort', 'format', 'sandbox', 'startDate', 'endDate'];
    for (const { columns, filters } of [...TABLES.values()].filter(isResource))
      for (const { name } of [...columns, ...filters]) expect(taken).not.toContain(keyOf(name));
    for (let n = 0; n < 60; n += 1) await visit.post('/invitations', { inviterUma: '$amara@harbor.example' });
    const { cells } = await list(visit, 'from=%24amara%40harbor.example&sort=created&skip=50', 'invitations');
    expect(cells).toHaveLength(10);
  });

  test('every list can be opened in every order, and by each value that it offers', async () => {
    const visit = await world();
    for (const { name } of visit.sandbox.world.tables()) {
      const path = `/inspector/state/${encodeURIComponent(name)}`;
      const { html } = await visit.open(path);
      const links = [...html.matchAll(/class="sort" href="([^"]+)"/g)].map(([, href = '']) => unescaped(href));
      const choices = [...html.matchAll(/<select name="([^"]+)".*?<\/select>/gs)].flatMap(([select, key]) =>
        [...select.matchAll(/<option value="([^"]+)"/g)].map(([, value = '']) => `${path}?${key}=${value}`),
      );
      for (const link of [...links, ...choices]) {
        const answer = await visit.open(link);
        expect([link, answer.status]).toEqual([link, 200]);
        expect(answer.html, link).toContain('data-rows');
      }
    }
  });
});

test('the pages of a filtered list follow each other without a gap (W13)', async () => {
  const visit = await visitor();
  for (let n = 0; n < 120; n += 1)
    await visit.post('/customers', { customerType: 'INDIVIDUAL', fullName: `Una ${String(n).padStart(3, '0')}` });
  const seen: string[] = [];
  let path: string | undefined = '/inspector/state/customers?q=una&sort=created';
  while (path !== undefined) {
    const { html }: { html: string } = await visit.open(path);
    seen.push(...[...html.matchAll(/>(Una \d+)</g)].map(([, name = '']) => name));
    const [, next]: string[] = /href="([^"]+)" rel="next"/.exec(html) ?? [];
    path = next === undefined ? undefined : unescaped(next);
  }
  expect(new Set(seen).size).toBe(120);
});

test('a card payment in a list shows what the merchant received, and nothing before it was cleared', async () => {
  const visit = await visitor({ scenario: 'demo' });
  const { html } = await visit.open('/inspector/state/transactions?direction=by+card');
  const rows = [...html.matchAll(/<tr data-row="CardTransaction[\s\S]*?<\/tr>/g)].map(([row]) =>
    row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
  );
  expect(rows).toHaveLength(2);
  expect(rows.find((row) => row.includes('settled'))).toMatch(/TRAIL SUPPLY CO 184\.00 USD /);
  expect(rows.find((row) => row.includes('authorized'))).toMatch(/HARBOUR HOTEL – /);
});

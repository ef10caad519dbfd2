import { describe, expect, test } from 'vitest';
import { POSTINGS } from '../../src/ledger/ledger.ts';
import { linksOf, lived, unescaped, visitor } from './visit.ts';

/** The text of a part of a page, without its marks; cells are apart. */
function textOf(html: string, id: string): string {
  const part = html.slice(html.indexOf(` id="${id}"`));
  return unescaped(part.slice(part.indexOf('>') + 1, part.indexOf('</section>')).replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const held = { now: '2026-01-05T09:00:00Z', holdClock: true } as const;

describe('the page of the ledger', () => {
  test('the page of the ledger shows each posting with from, to, amount, and both balances after it (U4)', async () => {
    const world = await visitor(held);
    await lived(world);
    const { html } = await world.open('/inspector/ledger');
    const postings = textOf(html, 'postings');
    expect(postings).toContain('Alice Doe USD account balance 2,375.00 USD Transit outside balance 125.00 USD');
    expect(postings).toContain('Funding outside balance −2,500.00 USD Alice Doe USD account balance 2,500.00 USD');
    expect(html).toContain('<small class="then">balance <span class="amount">2,375.00');
    expect(linksOf(html)).toContain('/inspector/ledger/outside%3Afunding%3AUSD');
  });

  test('the page of the ledger shows a trial balance that sums to zero, and that every rule holds', async () => {
    const world = await visitor(held);
    await lived(world);
    const { html } = await world.open('/inspector/ledger');
    expect(textOf(html, 'trial')).toMatch(/USD 2,375\.00 USD .* 0\.00 USD ✓$/);
    expect(html).toContain('<span class="badge good">balanced</span>');
    expect(textOf(html, 'invariants').match(/passed: /g)).toHaveLength(7);
  });

  test('the page of the ledger names the posting that broke a rule', async () => {
    const world = await visitor(held);
    const { usd } = await lived(world);
    world.oddRows();
    const { world: inside } = world.sandbox;
    const id = 'Posting:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11';
    const lines = [{ account: usd.id, currency: 'USD', amount: 7 }];
    inside.transact(() =>
      inside.rows(POSTINGS).insert({ id, at: inside.clock.iso(), reason: 'planted', cause: usd.id, lines }),
    );
    const { html } = await world.open('/inspector/ledger');
    expect(html).toContain('<span class="badge bad">not balanced</span>');
    expect(textOf(html, 'invariants')).toContain(
      'broken: The lines of every posting sum to zero in each currency Posting …6d0e11 its lines sum to 7 USD, not to zero',
    );
    expect(linksOf(html)).toContain(`/inspector/state/postings/${encodeURIComponent(id)}`);
    expect(textOf(html, 'postings')).toContain('Planted');
    inside.transact(() => inside.rows(POSTINGS).remove(id));
    expect((await world.open('/inspector/ledger')).html).toContain('<span class="badge good">balanced</span>');
  });

  test('the page of the ledger says before any money has moved what would move some', async () => {
    const world = await visitor(held);
    const { html } = await world.open('/inspector/ledger');
    expect(textOf(html, 'postings')).toContain('No postings yet Fund an account, make a payment or use a card.');
  });

  test('the page of the ledger pages back through every posting, and filters by one cause', async () => {
    const world = await visitor({ scenario: 'demo' });
    let { html } = await world.open('/inspector/ledger');
    const total = (await world.control('GET', '/ledger?limit=1')).body.totalCount;
    let newest = total;
    for (; newest > 50; newest -= 50) {
      expect(textOf(html, 'postings')).toContain(`${newest - 49} to ${newest} of ${total}`);
      const older = linksOf(html).find((link) => link.includes('cursor='));
      html = (await world.open(older?.replaceAll('&amp;', '&') as string)).html;
    }
    expect(textOf(html, 'postings')).toContain(`1 to ${newest} of ${total}`);
    const { body } = await world.control('GET', '/ledger?limit=1');
    const cause = encodeURIComponent(body.data[0].cause);
    expect(textOf((await world.open(`/inspector/ledger?cause=${cause}`)).html, 'postings')).toMatch(/ 2 of 2$/);
  });
});

describe('the statement of an account', () => {
  test('the statement of an account has every entry with the balance after it, and a chart with its description', async () => {
    const world = await visitor(held);
    const { usd } = await lived(world);
    const { html, status } = await world.open(`/inspector/ledger/${encodeURIComponent(usd.id)}`);
    expect(status).toBe(200);
    expect(html).toContain('<h1>Alice Doe · USD account</h1>');
    expect(textOf(html, 'entries')).toMatch(
      /2 09:00:00 Debit .* −125\.00 USD 2,375\.00 USD .*\+2,500\.00 USD 2,500\.00 USD/,
    );
    expect(unescaped(html)).toContain(
      '<desc id="balance-says">From 2,500.00 USD to 2,375.00 USD. Lowest 2,375.00 USD, highest 2,500.00 USD. The entries below list every change.</desc>',
    );
    expect(linksOf(html)).toContain('/inspector/ledger/outside%3Atransit%3AUSD');
  });

  test('the statement of an account shows every amount with the decimals of its currency (X14)', async () => {
    const world = await visitor({ scenario: 'wallet' });
    const { data } = (await world.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' })).body;
    const { html } = await world.open(`/inspector/ledger/${encodeURIComponent(data[0].id)}`);
    const text = unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('250.00 USDB');
    expect(text).toMatch(/\+250\.00 USDB 250\.00 USDB/);
    // Minor units of another currency would be dollars by the million.
    expect(text).not.toMatch(/2,500,000|250,000,000|USD\b/);
  });

  test('the statement of an account shows held money apart', async () => {
    const world = await visitor({ scenario: 'cards' });
    const { body } = await world.control('GET', '/ledger/check');
    expect(body.ok).toBe(true);
    const { body: log } = await world.control('GET', '/ledger?limit=100');
    const hold = log.data.find(({ reason }: { reason: string }) => reason === 'card hold');
    const { html } = await world.open(`/inspector/ledger/${encodeURIComponent(hold.moves[0].from)}`);
    expect(textOf(html, 'entries')).toContain('Held Available');
    expect(html).toContain('class="chart-held"');
  });

  test('the statement of an unknown account is a 404', async () => {
    const world = await visitor(held);
    expect((await world.open('/inspector/ledger/InternalAccount%3Anone')).status).toBe(404);
  });
});

import { describe, expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { walletKit } from '../kit/wallet.ts';
import { bankOf, linksOf, lived, paymentOf, unescaped, type Visitor, visitor, visitorOf } from './visit.ts';

const held = { now: '2026-01-05T09:00:00Z', holdClock: true } as const;

/** The text of a live part of a page, without its marks; undefined where it is not there. */
function partOf(html: string, id: string): string | undefined {
  const at = html.indexOf(` id="${id}"`);
  if (at < 0) return undefined;
  const part = html.slice(html.indexOf('>', at) + 1).split('<section class="panel')[0] ?? '';
  return unescaped(part.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The lines of a story, one text each: what stands in bold, or the request. */
const linesOf = (html: string): string[] =>
  [...(html.split('<ol class="timeline">')[1] ?? '').matchAll(/<div class="moment-body"><p[^>]*>(.*?)<\/p>/g)].map(
    ([, line]) =>
      unescaped((line ?? '').replaceAll(/<wbr ?\/?>/g, '').replaceAll(/<[^>]*>/g, ' '))
        .replaceAll(/\s+/g, ' ')
        .trim(),
  );

const pageOf = async (world: Visitor, kind: string, id: string): Promise<string> => {
  const { html, status } = await world.open(`/inspector/state/${kind}/${encodeURIComponent(id)}`);
  expect(status).toBe(200);
  return html;
};

/** Alice has 2,500 USD, a bank account, and a quote over 125 USD. */
async function quoted(world: Visitor, bank: object = {}) {
  const { body: alice } = await world.post('/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Alice Doe',
    birthDate: '1990-01-02',
  });
  await world.settle();
  const { body: accounts } = await world.get('/customers/internal-accounts', { customerId: alice.id, currency: 'USD' });
  const [usd] = accounts.data;
  await world.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
  const sent = bankOf(alice.id);
  const { body: there } = await world.post('/customers/external-accounts', {
    ...sent,
    accountInfo: { ...sent.accountInfo, ...bank },
  });
  const { body: quote } = await world.post('/quotes', paymentOf(usd.id, there.id));
  return { alice, usd, bank: there, quote };
}

describe('the page of a payment', () => {
  test('the page of a payment names the account that decided how the payment ends, and shows no id in its place (W11)', async () => {
    const world = await visitor(held);
    const { quote } = await quoted(world, { accountNumber: '123456002' });
    await world.post(`/quotes/${quote.id}/execute`);
    await world.settle();
    const plan = partOf(await pageOf(world, 'transactions', quote.transactionId), 'plan');
    expect(plan).toMatch(/Because the identifier of External account Alice Doe, USD… 6002 ends in 002/);
    expect(plan).not.toMatch(/ExternalAccount:/);
  });

  test('the page of a payment shows first from whom to whom, the amounts on both sides, and how far it is (U5)', async () => {
    const world = await visitor(held);
    const day = await lived(world);
    const html = await pageOf(world, 'transactions', day.quote.transactionId);
    expect(html.indexOf('id="picture"')).toBeLessThan(html.indexOf('id="shown"'));
    const picture = partOf(html, 'picture');
    expect(picture).toContain('From Alice Doe USD account internal account − 125.00 USD');
    expect(picture).toContain('To Alice Doe USD… 6789 external account +');
    expect(picture).toContain('Quoted , done 09:00:00 Debited , done 09:00:00 Completed , done');
    expect(linksOf(html)).toContain(`/inspector/state/accounts/${encodeURIComponent(day.usd.id)}`);
  });

  test('the page of a payment shows calls, steps and webhooks in order', async () => {
    const world = await visitor(held);
    const { quote } = await quoted(world);
    await world.advance('PT1M');
    await world.post(`/quotes/${quote.id}/execute`);
    await world.settle();
    const lines = linesOf(await pageOf(world, 'transactions', quote.transactionId));
    expect(lines).toEqual([
      'POST /quotes 201',
      'Quoted 125.00 USD quote',
      `POST /quotes/Quote:…${quote.id.slice(-6)}/execute 200`,
      'Debited 125.00 USD posting',
      'Processing',
      `Settled ${(quote.totalReceivingAmount / 100).toFixed(2)} USD posting`,
    ]);
  });

  test('the page of a payment lists every try of each webhook, and when the next is due', async () => {
    const hooks = await receiver();
    hooks.react = () => 500;
    const world = await visitor({ ...held, webhookUrl: hooks.url });
    const { quote } = await quoted(world);
    await world.post(`/quotes/${quote.id}/execute`);
    await world.advance('PT7S');
    const story = partOf(await pageOf(world, 'transactions', quote.transactionId), 'story');
    expect(story).toMatch(
      /OUTGOING_ PAYMENT\. PENDING retrying next 09:00:15 500 09:00:00 .* 500 09:00:05 .* next 09:00:15/,
    );
    expect(story).toContain('waiting its turn');
  });

  test('the page of a payment says what comes next and when, or what ended it', async () => {
    const world = await visitor(held);
    const slow = await quoted(world, { accountNumber: '123456003' });
    await world.post(`/quotes/${slow.quote.id}/execute`);
    await world.settle();
    const under = await pageOf(world, 'transactions', slow.quote.transactionId);
    expect(linesOf(under).at(-1)).toBe('Completes , to come');
    expect(partOf(under, 'story')).toMatch(/due 09:06:00 Completes/);
    expect(partOf(under, 'picture')).toContain('Processing , now');

    const bad = await quoted(world, { accountNumber: '123456002' });
    await world.post(`/quotes/${bad.quote.id}/execute`);
    await world.settle();
    const failed = await pageOf(world, 'transactions', bad.quote.transactionId);
    expect(linesOf(failed).slice(-3)).toEqual([
      expect.stringMatching(/^Failed /),
      'Refund begins transaction failed',
      'Refunded 125.00 USD posting',
    ]);
    expect(partOf(failed, 'picture')).toContain('Failed , ended here 09:00:00 Refunded , done');
  });

  test('the page of a payment shows a refused second execution', async () => {
    const world = await visitor(held);
    const { quote } = await quoted(world);
    await world.post(`/quotes/${quote.id}/execute`);
    await world.settle();
    await world.post(`/quotes/${quote.id}/execute`);
    const lines = linesOf(await pageOf(world, 'transactions', quote.transactionId));
    expect(lines.at(-1)).toBe(`POST /quotes/Quote:…${quote.id.slice(-6)}/execute 409 CONFLICT`);
  });

  test('the page of a quote is that of its payment, and says how long the offer stands', async () => {
    const world = await visitor(held);
    const { quote } = await quoted(world);
    const html = await pageOf(world, 'quotes', quote.id);
    expect(partOf(html, 'picture')).toContain('To be executed , now');
    expect(partOf(html, 'picture')).toContain('Can be executed for 300 seconds more');
    expect(partOf(html, 'story')).toMatch(/due 09:05:00 Expires unless it is executed/);
  });
});

describe('the pages of other resources', () => {
  test('the page of a customer says what the customer may do now, what is missing, and what has happened', async () => {
    const world = await visitor(held);
    const { body: nora } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Nora Berg 002' });
    await world.settle();
    const rejected = await pageOf(world, 'customers', nora.id);
    expect(partOf(rejected, 'picture')).toContain('no: Move money rejected');
    expect(linesOf(rejected)).toEqual(['POST /customers 201', `Created ${nora.platformCustomerId}`, 'Rejected']);
    const { alice } = await quoted(world);
    expect(partOf(await pageOf(world, 'customers', alice.id), 'picture')).toContain('yes: Move money approved');
    await world.del(`/customers/${nora.id}`);
    const gone = await pageOf(world, 'customers', nora.id);
    expect(partOf(gone, 'picture')).toBe('Possible now ✗ no: Nothing any more deleted, for good');
    expect(linesOf(gone)).toContain('Deleted');
  });

  test('the page of a card says whether it pays, what was spent, and which payments it made', async () => {
    const world = await visitor({ scenario: 'cards' });
    const { body } = await world.get('/cards');
    const card = body.data.find(({ id }: { id: string }) => id === 'Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0c02');
    const html = await pageOf(world, 'cards', card.id);
    expect(partOf(html, 'picture')).toContain('yes: Pay active');
    expect(partOf(html, 'picture')).toMatch(/Spent [\d,.]+ USD Authorized, not cleared [\d,.]+ USD/);
    const lines = linesOf(html);
    expect(lines[0]).toBe(`Ordered ${card.platformCardId}`);
    expect(lines.some((line) => line.startsWith('Authorized 90.00 USD at PAPER MILL'))).toBe(true);
    expect(lines.some((line) => line.startsWith('Cleared in part 40.00 USD of 90.00 USD'))).toBe(true);
  });

  test('the pages of a card payment and its card begin with the call that made it, beside declined calls or not (W10)', async () => {
    const world = await visitor({ ...held, scenario: 'cards' });
    const card = 'Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0c02';
    for (const [name, descriptor] of [
      ['authorization', 'CORNER SHOP 002'],
      ['financial_authorization', 'CASH MACHINE'],
      ['authorization', 'CORNER SHOP'],
    ])
      await world.post(`/sandbox/cards/${card}/simulate/${name}`, {
        amount: 1200,
        currency: { code: 'USD' },
        merchant: { descriptor, mcc: '5411', country: 'US' },
      });
    const { body } = await world.get('/transactions', { limit: '2' });
    const lines = await Promise.all(
      body.data.map(async ({ id }: { id: string }) => linesOf(await pageOf(world, 'transactions', id))),
    );
    expect(lines.map(([first, second]) => [first.split('/').at(-1), second])).toEqual([
      ['authorization 202', 'Authorized 12.00 USD at CORNER SHOP'],
      ['financial_authorization 202', 'Authorized 12.00 USD at CASH MACHINE'],
    ]);
    const all = linesOf(await pageOf(world, 'cards', card));
    const from = all.findIndex((line) => line.includes('financial_authorization'));
    expect(all.slice(from, from + 7).map((line) => line.split('/').at(-1))).toEqual([
      'financial_authorization 202',
      'Authorized 12.00 USD at CASH MACHINE payment 12.00 USD',
      'Held 12.00 USD posting',
      'Pulled 12.00 USD posting',
      'Cleared 12.00 USD of 12.00 USD',
      'authorization 202',
      'Authorized 12.00 USD at CORNER SHOP payment 12.00 USD',
    ]);
  });

  test('the page of a session says until when its key signs, and the page of its credential lists the session', async () => {
    const wallet = await walletKit();
    await wallet.login();
    const world = visitorOf(wallet);
    const { body: state } = await world.control('GET', '/state');
    const rows = (name: string) => state.tables.find((table: { name: string }) => table.name === name).rows;
    const [session] = rows('sessions');
    const html = await pageOf(world, 'sessions', session.id);
    expect(partOf(html, 'picture')).toContain('yes: Sign for its wallet, with the key of this session');
    expect(linesOf(html).at(-1)).toBe('Session expires , to come');
    const lines = linesOf(await pageOf(world, 'credentials', session.authMethodId));
    expect(lines.some((line) => line.startsWith('Session issued'))).toBe(true);
    await world.advance('PT1H');
    const over = await pageOf(world, 'sessions', session.id);
    expect(partOf(over, 'picture')).toContain('no: Sign expired');
    expect(linesOf(over).at(-1)).toBe('Session expired');
  });

  test('the page of an agent says what it may do and how much of its limits is used', async () => {
    const world = await visitor({ scenario: 'agents' });
    const { body } = await world.get('/agents');
    const gifts = body.data.find(({ name }: { name: string }) => name === 'Gifts');
    const picture = partOf(await pageOf(world, 'agents', gifts.id), 'picture');
    expect(picture).toContain('no: Act not connected yet');
    expect(picture).toContain('Payments today 0 of 3');
    expect(picture).toContain('Limit per payment 100.00 EUR Approval needed for every payment');
  });
});

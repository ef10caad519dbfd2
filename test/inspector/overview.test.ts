import { describe, expect, test } from 'vitest';
import { DELIVERIES } from '../../src/areas/webhooks/index.ts';
import { receiver } from '../kit/receiver.ts';
import { bankOf, lived, overviewPart as part, paymentOf, UNDECIDED, type Visitor, visitor } from './visit.ts';

interface Told {
  type: string;
  status: string;
  createdAt: string;
  sentAmount?: { amount: number; currency: { code: string } };
  receivedAmount?: { amount: number; currency: { code: string } };
  authorizedAmount?: { amount: number; currency: { code: string } };
}

async function allPayments(world: Visitor): Promise<Told[]> {
  const all: Told[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await world.get('/transactions', { limit: 100, ...(cursor ? { cursor } : {}) });
    all.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor);
  return all;
}

describe('volume by day and currency', () => {
  test('the volume on the overview of scenario demo is the sum of the payments of the API', async () => {
    const world = await visitor({ scenario: 'demo' });
    const payments = await allPayments(world);
    const sum = (code: string, type: string, status: readonly string[]) =>
      payments
        .filter((t) => t.type === type && status.includes(t.status) && t.createdAt >= '2025-12-07')
        .map((t) => (type === 'INCOMING' ? t.receivedAmount : (t.sentAmount ?? t.authorizedAmount)))
        .reduce((total, money) => total + (money?.currency.code === code ? money.amount : 0), 0);
    const shown = await part(world, 'volume');
    for (const code of ['USD', 'EUR']) {
      const comes = sum(code, 'INCOMING', ['COMPLETED']);
      const goes = sum(code, 'OUTGOING', ['COMPLETED', 'PROCESSING']) + sum(code, 'CARD', ['AUTHORIZED', 'SETTLED']);
      const words = (minor: number) => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
      expect(comes).toBeGreaterThan(1_000_000);
      expect(shown).toContain(`${words(comes + goes)} ${code} ${words(comes)} in ${words(goes)} out`);
    }
    expect(shown).toContain('7 Dec');
    expect(shown).toContain('5 Jan');
  });

  test('the volume on the overview has each day in words, as a bar and as a row of a table', async () => {
    const world = await visitor();
    const { quote } = await lived(world);
    const { html } = await world.open('/');
    expect(quote.totalSendingAmount).toBe(12_500);
    expect(html).toContain('<title>5 Jan: 0.00 USD in, 125.00 USD out, 1 payment</title>');
    expect(html.match(/<g><title>/g)).toHaveLength(30);
    expect(html).toContain('aria-label="0.00 USD in, 125.00 USD out, in 1 payment by day"');
    expect(await part(world, 'volume-days')).toMatch(/2026-01-05 USD 0\.00 125\.00 1$/);
  });

  test('the volume on the overview leaves out failed payments, and says how many failed', async () => {
    const world = await visitor();
    const { usd, alice } = await lived(world);
    await world.control('DELETE', '/faults');
    const { body: bank } = await world.post('/customers/external-accounts', {
      ...bankOf(alice.id),
      accountInfo: { ...bankOf(alice.id).accountInfo, accountNumber: '123456002' },
    });
    const { body: quote } = await world.post('/quotes', paymentOf(usd.id, bank.id));
    await world.post(`/quotes/${quote.id}/execute`);
    await world.advance('PT1M');
    const [newest] = (await world.get('/transactions')).body.data;
    expect(newest.status).toBe('FAILED');
    expect(await part(world, 'volume')).toContain('125.00 USD 0.00 in 125.00 out');
    expect(await part(world, 'volume')).toContain('1 payment, 1 failed');
  });

  test('the volume appears on the overview with the first payment', async () => {
    const world = await visitor();
    const { html } = await world.open('/');
    expect(html).not.toContain('id="volume"');
    expect(html).toContain('<div id="moved" class="part" data-live="request fact delivery clock reset"></div>');
    await lived(world);
    expect((await world.open('/')).html).toContain('id="volume"');
  });
});

describe('the latest payments', () => {
  test('the latest payments on the overview say their status, from whom to whom, and what for', async () => {
    const world = await visitor({ scenario: 'demo' });
    const shown = await part(world, 'payments');
    expect(shown).toContain('processing Anselm Krüger → to own account, DE… 6199 Royalties 215.00 EUR 08:52:00');
    expect(shown).toContain(
      'pending Lighthouse Ceramics Ltd → to own account, DE… 3000 Kiln parts 480.00 EUR 09:00:00',
    );
    expect(shown).toContain('authorized Kestrel Outdoor Inc → to HARBOUR HOTEL 260.00 USD 09:00:00');
  });
});

describe('names in the place of ids', () => {
  const rent = { customer: 'marisol', currency: 'USD', amount: 900, to: 'marisol-landlord', ago: '1m' };
  const demo = () => visitor({ scenario: ['demo', { transactions: [rent] }] });

  test('a payout to another person is shown with the beneficiary, the currency and the last four digits (W10)', async () => {
    const shown = await part(await demo(), 'payments');
    expect(shown).toContain('completed Marisol Vega → to Carol Jensen, USD… 8501 9.00 USD 08:59:00');
  });

  test.each([
    ['internal accounts', '/customers/internal-accounts', '(account|wallet)'],
    ['cards', '/cards', 'Kestrel Outdoor Inc ••••'],
    ['external accounts', '/customers/external-accounts', ', '],
  ])('the pages of %s name the customer they belong to (W12)', async (_, list, title) => {
    const world = await demo();
    const { data } = (await world.get(list, { limit: 5 })).body;
    expect(data.length).toBeGreaterThan(0);
    for (const { id, customerId, cardholderId } of data) {
      const { fullName, businessInfo } = (await world.get(`/customers/${customerId ?? cardholderId}`)).body;
      const table = { InternalAccount: 'accounts', Card: 'cards', ExternalAccount: 'external-accounts' }[
        id.split(':')[0] as string
      ];
      const { html } = await world.open(`/inspector/state/${table}/${encodeURIComponent(id)}`);
      expect(html).toMatch(new RegExp(`<h1[^>]*>[^<]*${title}`));
      expect(html).toContain(`>${fullName ?? businessInfo.legalName}</a>`);
    }
  });
});

describe('the pending part of the overview', () => {
  test('the overview lists what waits, with the reason: payments, customers, held jobs', async () => {
    const world = await visitor({ scenario: ['demo', { transactions: [UNDECIDED] }] });
    const shown = await part(world, 'waiting');
    expect(shown).toContain('7 payments in progress');
    expect(shown).toContain('12.00 USD of Amara Nwosu waits for your decision');
    expect(shown).toContain('480.00 EUR of Lighthouse Ceramics Ltd waits for its quote to be executed or funded');
    expect(shown).toContain('215.00 EUR of Anselm Krüger continues at 2026-01-06 05:00');
    expect(shown).toContain('2 customers undecided');
    expect(shown).toContain('Ingrid Solberg waits for your decision');
  });

  test('the overview says when a payment continues, and which payment waits for its quote to be executed', async () => {
    const world = await visitor({ scenario: ['default', { policies: { 'transaction.settle': 'after PT5M' } }] });
    const { usd, bank } = await lived(world);
    await world.control('DELETE', '/faults');
    expect(await part(world, 'waiting')).toContain('125.00 USD of Alice Doe continues at 09:05:00');
    await world.advance('PT1H');
    await world.post('/quotes', paymentOf(usd.id, bank.id));
    expect(await part(world, 'waiting')).toContain(
      '125.00 USD of Alice Doe waits for its quote to be executed or funded',
    );
  });

  test('the overview says what has to be verified before a customer is decided', async () => {
    const world = await visitor({ scenario: 'contact-verification' });
    await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ida Berg',
      email: 'ida@example.com',
      phoneNumber: '+12065550147',
    });
    expect(await part(world, 'waiting')).toContain('Ida Berg waits for its email and phone to be verified');
  });

  test('the overview of a new sandbox says that nothing is pending', async () => {
    expect(await part(await visitor(), 'waiting')).toBe('Nothing is pending.');
  });
});

describe('balances', () => {
  test('the overview shows the balances of the platform and of its customers, by currency', async () => {
    const world = await visitor({
      scenario: [
        'default',
        { platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }], accounts: { EUR: 700_50 } } },
      ],
    });
    await lived(world);
    expect(await part(world, 'balances')).toContain('USD – 2,375.00 EUR 700.50 –');
  });
});

describe('webhook health', () => {
  test('the overview says of an event that it is retrying, when next, and the last status (U6)', async () => {
    const world = await visitor();
    const hooks = await receiver();
    await world.patch('/config', { webhookEndpoint: hooks.url });
    await world.settle();
    expect(await part(world, 'hooks-card')).toContain('Delivered. Last at 09:00:00 , response 200');
    hooks.react = () => 500;
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' });
    await world.settle();
    expect(await part(world, 'hooks-card')).toContain('1 event retrying , next 09:00:05 , last 500');
  });

  test('the overview says that an event was not delivered once it is given up', async () => {
    const world = await visitor({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' });
    await world.advance('P8D');
    expect(await part(world, 'hooks-card')).toContain('1 event not delivered : the last one after 161 tries');
  });

  test('the overview does not count a TEST event that was given up as undelivered (W8)', async () => {
    const world = await visitor();
    await world.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hooks' });
    await world.advance('P8D');
    const [event, ...others] = world.sandbox.world.rows(DELIVERIES).newest();
    expect([event?.type, event?.state, others]).toEqual(['TEST', 'ABANDONED', []]);
    const card = await part(world, 'hooks-card');
    expect(card).not.toContain('not delivered');
    expect(card).toContain('0 abandoned');
  });
});

import { createApp } from '../../src/http/app.ts';
import type { HostOptions } from '../../src/public.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ORIGIN = 'http://127.0.0.1:4010';

/** A page as a browser would get it. */
export interface Shown {
  status: number;
  headers: Headers;
  html: string;
}

export interface Visitor extends Kit {
  /** Open a page. */
  open(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Ask the inspector as any program would. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** A world to look at, with a browser that runs no script. */
export const visitor = async (options: HostOptions = {}): Promise<Visitor> => visitorOf(await kit(options));

export function visitorOf(world: Kit): Visitor {
  const app = createApp(world.host);
  const ask = async (path: string, init: RequestInit = {}) => app.request(new URL(path, ORIGIN).href, init);
  return {
    ...world,
    // The getter of the kit notes that its list was looked at; a copy would not.
    get broken() {
      return world.broken;
    },
    ask,
    open: async (path, headers = {}) => {
      const response = await ask(path, { headers: { accept: 'text/html,application/xhtml+xml', ...headers } });
      return { status: response.status, headers: response.headers, html: await response.text() };
    },
  };
}

/** Follow every link from the first page on but those like `leaves`; what was seen, and what did not answer. */
export async function crawl(world: Visitor, leaves = /^$/): Promise<{ seen: Set<string>; wrong: string[] }> {
  const seen = new Set(['/']);
  const wrong: string[] = [];
  for (const path of seen) {
    const { status, headers, html } = await world.open(path);
    if (status !== 200) wrong.push(`${path}: ${status}`);
    if (!headers.get('content-type')?.includes('html') || seen.size > 700) continue;
    for (const link of linksOf(html)) if (link.startsWith('/') && !leaves.test(link)) seen.add(link);
  }
  return { seen, wrong };
}

export const linksOf = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, link]) =>
    (link as string).replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );

/** Text of a page, as a reader sees it. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** A bank account of somebody's own. */
export const bankOf = (customerId: string) => ({
  customerId,
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    paymentRails: ['ACH'],
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Alice Doe',
      birthDate: '1990-01-02',
      nationality: 'US',
      address: { line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
    },
  },
});

/** A payment of 125 USD to a bank. */
export const paymentOf = (accountId: string, bankId: string) => ({
  source: { sourceType: 'ACCOUNT', accountId },
  destination: { destinationType: 'ACCOUNT', accountId: bankId, currency: 'USD' },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 12_500,
});

/** A little of everything: customers, money, a payment, refusals, a fault, a snapshot. Ids of the last two are returned. */
export async function lived(world: Visitor) {
  const { body: alice } = await world.post('/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Alice Doe',
    birthDate: '1990-01-02',
    email: 'alice@example.com',
  });
  await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001', birthDate: '1988-03-04' });
  const business = { legalName: 'North Pier LLC', registrationNumber: 'HRB 77' };
  const { body: pier } = await world.post('/customers', { customerType: 'BUSINESS', businessInfo: business });
  const { body: accounts } = await world.get('/customers/internal-accounts', { customerId: alice.id });
  const usd = accounts.data.find(
    (account: { balance: { currency: { code: string } } }) => account.balance.currency.code === 'USD',
  );
  await world.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
  const { body: bank } = await world.post('/customers/external-accounts', bankOf(alice.id));
  const { body: quote } = await world.post('/quotes', paymentOf(usd.id, bank.id));
  await world.post(`/quotes/${quote.id}/execute`);
  await world.advance('PT1M');
  await world.post(`/customers/${pier.id}/kyc-link`, { redirectUri: 'https://app.example/done' });
  await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Zoe', email: 'nope' });
  await world.get('/customers/Customer:00000000-0000-0000-0000-000000000000');
  await world.control('POST', '/faults', { match: { operation: 'createQuote' }, then: { status: 503 } });
  await world.control('POST', '/snapshots', { name: 'before-payday' });
  const { body: ida } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg' });
  return { alice, usd, bank, quote, ida };
}

/** Every page there is, for the newest request and the oldest webhook of a world. */
export async function everyPage(world: Visitor, customerId: string): Promise<string[]> {
  const { body: log } = await world.control('GET', '/requests');
  const { body: hooks } = await world.control('GET', '/webhooks');
  return [
    '/',
    '/inspector/requests',
    `/inspector/requests/${log.data[0].id}`,
    '/inspector/webhooks',
    `/inspector/webhooks/${encodeURIComponent(hooks.data.at(-1).id)}`,
    '/inspector/codes',
    '/inspector/clock',
    '/inspector/jobs',
    '/inspector/faults',
    '/inspector/ledger',
    '/inspector/state',
    '/inspector/state/customers',
    `/inspector/state/customers/${encodeURIComponent(customerId)}`,
    '/inspector/scenario',
    '/inspector/scenario/before-payday',
    '/inspector/api',
    '/inspector/api/createQuote',
  ];
}

/** One part of the first page, as a reader hears it. */
export async function overviewPart(world: Visitor, id: string): Promise<string> {
  const { html } = await world.open('/');
  const [, from = ''] = html.split(`id="${id}"`);
  const [inside = ''] = from.slice(from.indexOf('>') + 1).split(/<section|<p class="fine">Up/);
  return unescaped(inside.replaceAll(/<title>[^<]*<\/title>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).trim();
}

/** A payment of scenario `demo` of which nothing says how it goes on. */
export const UNDECIDED = {
  ...{ customer: 'amara', to: 'amara-bank', currency: 'USD', amount: 1200 },
  ...{ status: 'PROCESSING', ago: '1m' },
} as const;

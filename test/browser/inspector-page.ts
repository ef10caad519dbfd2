import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { bankOf, paymentOf } from '../inspector/visit.ts';
import { commandLine, type Running } from '../journeys/command-line.ts';
import { type Receiver, receiver } from '../kit/receiver.ts';

export interface Inspected {
  emulator: Running;
  hooks: Receiver;
  page: Page;
  /** What the browser complained of; whatever a test leaves here fails it. */
  problems: string[];
  open(path: string): Promise<void>;
}

/** A new page that fails its test when the browser complains, or when anything asks for another origin. */
export async function pageOf(browser: Browser, url: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  const problems: string[] = [];
  page.on('console', (said) => said.type() !== 'log' && problems.push(`${said.type()}: ${said.text()}`));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`asked for ${request.url()}`);
  });
  onTestFinished(async () => {
    await page.context().close();
    expect(problems, 'the browser complained').toEqual([]);
  });
  return { page, problems };
}

/** An emulator whose clock is held and whose ids are drawn from a seed, and somebody who looks at it. */
export async function inspected(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0] = {},
  ...flags: string[]
): Promise<Inspected> {
  const hooks = await receiver();
  const held = ['--seed', '1', '--now', '2026-01-05T09:00:00Z', '--hold-clock', '--webhook-url', hooks.url];
  const emulator = await commandLine(...held, ...flags);
  const { page, problems } = await pageOf(browser, emulator.url, options);
  const open = async (path: string) => {
    await page.goto(`${emulator.url}${path}`);
    if (options?.javaScriptEnabled !== false)
      await page.locator('#live[data-state="on"]').waitFor({ state: 'attached' });
  };
  return { emulator, hooks, page, problems, open };
}

/** A working day of a platform: two decisions, a payment, a refusal, a receiver that fails. */
export async function aDay({ emulator, hooks }: Pick<Inspected, 'emulator' | 'hooks'>) {
  hooks.react = ({ event }) =>
    event.type.includes('REJECTED') ? { status: 503, body: '<h1>Busy</h1><script>alert(1)</script>' } : 200;
  const person = (fullName: string, more: object = {}) =>
    emulator.call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName, birthDate: '1990-01-02', ...more });
  const { body: alice } = await person('Alice Doe', { email: 'alice@example.com' });
  await person('Nora Berg 002');
  const { body: accounts } = await emulator.call('GET', `/customers/internal-accounts?customerId=${alice.id}`);
  const usd = accounts.data.find(
    (account: { balance: { currency: { code: string } } }) => account.balance.currency.code === 'USD',
  );
  await emulator.call('POST', `/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
  const { body: bank } = await emulator.call('POST', '/customers/external-accounts', bankOf(alice.id));
  await emulator.control('POST', '/clock', { advance: 'PT15M' });
  const { body: quote } = await emulator.call('POST', '/quotes', paymentOf(usd.id, bank.id));
  await emulator.call('POST', `/quotes/${quote.id}/execute`);
  await emulator.control('POST', '/clock', { advance: 'PT1M' });
  await person('Zoe', { email: 'nope', birthDate: '1990-13-40' });
  await emulator.call('POST', '/quotes', {
    ...paymentOf(usd.id, bank.id),
    lockedCurrencyAmount: 900_000,
    immediatelyExecute: true,
  });
  await emulator.call('GET', '/customers?limit=20');
  await emulator.call('PATCH', `/customers/${alice.id}`, { fullName: 'Alice Doe-Smith' });
  await person('Omar Diaz 001');
  await emulator.control('POST', '/faults', { match: { operation: 'createQuote', times: 2 }, then: { status: 503 } });
  await emulator.control('POST', '/snapshots', { name: 'before-payday' });
  await person('Ida Berg');
  await emulator.control('POST', '/clock', { advance: 'PT0S' });
  const { body: log } = await emulator.control('GET', '/requests');
  const { body: told } = await emulator.control('GET', '/webhooks');
  const idOf = (passes: (entry: { status: number; method: string; path: string }) => boolean): string =>
    log.data.find(passes).id;
  const failed = told.data.find((hook: { type: string }) => hook.type.includes('REJECTED'));
  const pages: Record<string, string> = {
    overview: '/',
    search: '/inspector/search?q=alice',
    requests: '/inspector/requests',
    request: `/inspector/requests/${idOf(({ status, method }) => status === 201 && method === 'POST')}`,
    refused: `/inspector/requests/${idOf(({ status, path }) => status === 400 && path.endsWith('/quotes'))}`,
    webhooks: '/inspector/webhooks',
    webhook: `/inspector/webhooks/${encodeURIComponent(failed.id)}`,
    codes: '/inspector/codes',
    clock: '/inspector/clock',
    jobs: '/inspector/jobs',
    faults: '/inspector/faults',
    ledger: '/inspector/ledger',
    statement: `/inspector/ledger/${encodeURIComponent(usd.id)}`,
    payment: `/inspector/state/transactions/${encodeURIComponent(quote.transactionId)}`,
    quote: `/inspector/state/quotes/${encodeURIComponent(quote.id)}`,
    state: '/inspector/state',
    customers: '/inspector/state/customers',
    transactions: '/inspector/state/transactions',
    customer: `/inspector/state/customers/${encodeURIComponent(alice.id)}`,
    account: `/inspector/state/accounts/${encodeURIComponent(usd.id)}`,
    scenario: '/inspector/scenario',
    diff: '/inspector/scenario/before-payday',
    api: '/inspector/api',
    operation: '/inspector/api/createQuote',
  };
  return { alice, usd, quote, failed, pages };
}

/** A morning at the marketplace of scenario `demo`: a seller joins, is approved and listed, and one is refused. */
export async function aMorning({ emulator, hooks }: Pick<Inspected, 'emulator' | 'hooks'>) {
  hooks.react = () => 200;
  const seller = { customerType: 'INDIVIDUAL', fullName: 'Noor Haddad', birthDate: '1992-05-17' };
  await emulator.call('POST', '/customers', { ...seller, email: 'noor@example.com' });
  await emulator.control('POST', '/clock', { advance: 'PT10S' });
  await emulator.call('POST', '/customers', { ...seller, birthDate: '1992-17-05' });
  await emulator.call('GET', '/customers?limit=20');
}

/** What `axe-core` finds serious or critical on the page as it is. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((n) => n.html + ' ' + n.failureSummary) })))`,
  )) as { id: string; impact: string; nodes: string[] }[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`));
}

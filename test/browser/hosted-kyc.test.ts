import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../journeys/command-line.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { realBrowser } from './chromium.ts';
import { fillIdentity } from './identity-form.ts';

const browser = realBrowser();

/** The platform's own site, which sends people on to another of its origins after the hosted flow. */
async function landing(): Promise<{ redirectUri: string; home: string }> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.startsWith('/done')) response.writeHead(302, { location: `http://localhost:${port}/home` }).end();
    else response.setHeader('content-type', 'text/html').end('<h1>Welcome back</h1>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/done?from=kyc`, home: `http://localhost:${port}/home` };
}

/** An emulator with one customer and a link for them, and a page that runs no script unless told. */
async function visit(options: Parameters<Browser['newPage']>[0] = {}) {
  const hooks = await receiver();
  const emulator = await commandLine('--webhook-url', hooks.url);
  const { body: customer } = await emulator.call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Omar Diaz 001',
    nationality: 'ES',
  });
  const { redirectUri, home } = await landing();
  const { body: link } = await emulator.call('POST', `/customers/${customer.id}/kyc-link`, { redirectUri });
  const page: Page = await browser().newPage({ javaScriptEnabled: false, ...options });
  const problems: string[] = [];
  // A refused visit is a refusal to the browser, too; anything else it says (a blocked style, a policy) is ours to mend.
  page.on('console', (said) => /status of 4(?:00|10)/.test(said.text()) || problems.push(said.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  onTestFinished(async () => {
    await page.close();
    expect(problems, 'the browser complained').toEqual([]);
  });
  return { emulator, hooks, customer, link, home, page };
}
const picture = (page: Page, name: string) =>
  page.screenshot({ path: `test/browser/artefacts/${name}.png`, fullPage: true });

describe('the hosted page in a real browser', () => {
  test('a customer fills in the hosted page, is rejected and comes back; a webhook follows; a second visit is refused (spec 2.2, 3.1, 6)', async () => {
    const { emulator, hooks, customer, link, home, page } = await visit();
    await page.goto(link.kycUrl);
    expect(await page.title()).toBe('Verify your identity');
    expect(await page.getByLabel('Full name').inputValue()).toBe('Omar Diaz 001');
    await fillIdentity(page);
    await picture(page, 'hosted-kyc-light');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.waitForURL(home);
    expect(await page.textContent('h1')).toBe('Welcome back');

    await hooks.until(3);
    expect(hooks.types().sort()).toEqual(['CUSTOMER.KYC_PENDING', 'CUSTOMER.KYC_REJECTED', 'VERIFICATION.IN_PROGRESS']);
    const told = hooks.received.find(({ event }) => event.type === 'CUSTOMER.KYC_REJECTED');
    expect(told && signedBy(emulator.webhookPublicKey, told)).toBe(true);
    const { body: now } = await emulator.call('GET', `/customers/${customer.id}`);
    expect(told?.event.data).toEqual(now);
    expect(now).toMatchObject({ kycStatus: 'REJECTED', birthDate: '1990-01-02', address: { line1: '8 Elm Ct' } });

    const again = await page.goto(link.kycUrl);
    expect(again?.status()).toBe(410);
    expect(await page.textContent('h1')).toBe('This link has been used');
    await picture(page, 'hosted-kyc-used');
    expect((await emulator.call('GET', `/customers/${customer.id}`)).body).toEqual(now);
    expect(hooks.received).toHaveLength(3);
  });

  test('the hosted page works by keyboard alone, and the sandbox suggests the outcome', async () => {
    const { home, link, page, hooks } = await visit();
    await page.goto(link.kycUrl);
    expect(await page.getByLabel('Still being looked at').isChecked()).toBe(true);
    await page.getByLabel('Still being looked at').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.getByLabel(/^Confirmed/).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.getByRole('button', { name: 'Finish' }).evaluate((b) => b.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(home);
    await hooks.until(3);
    expect(hooks.types()).toContain('CUSTOMER.KYC_APPROVED');
  });

  test('the hosted page on a phone in dark mode fits the screen, and shows errors at their fields', async () => {
    const { link, page } = await visit({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await page.goto(link.kycUrl);
    await page.getByLabel('Date of birth').fill('2999-01-01');
    await page.getByRole('button', { name: 'Finish' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Date of birth');
    expect(await page.getByLabel('Date of birth').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await picture(page, 'hosted-kyc-phone-dark');
  });
});

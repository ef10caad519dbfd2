import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { behindHaproxy, HAPROXY } from '../journeys/haproxy.ts';
import { realBrowser } from './chromium.ts';
import { fillIdentity } from './identity-form.ts';

const browser = realBrowser();
const TOKEN = 'for-the-demo';

/** A demo behind its proxy, and a page of a person who trusts its certificate. */
async function demo(size = { width: 1280, height: 800 }) {
  const proxied = await behindHaproxy(['--control-token', TOKEN, '--seed', '1']);
  const page = await browser().newPage({ ignoreHTTPSErrors: true, viewport: size });
  const problems: string[] = [];
  page.on(
    'console',
    (said) => /status of 401/.test(said.text()) || (said.type() === 'error' && problems.push(said.text())),
  );
  page.on('pageerror', (error) => problems.push(error.message));
  onTestFinished(async () => {
    await page.close();
    expect(problems, 'the browser complained').toEqual([]);
  });
  const picture = (name: string) => page.screenshot({ path: `test/browser/artefacts/${name}.png`, fullPage: true });
  return { ...proxied, page, picture };
}

describe.skipIf(!process.env['ALL_TOOLS'] && !existsSync(HAPROXY))(
  'a demo behind a proxy with TLS, in a real browser',
  () => {
    test('a customer opens the hosted page of a shared demo by its link and finishes it, without the control token', async () => {
      const { ask, page, url, picture } = await demo();
      const headers = {
        authorization: `Basic ${Buffer.from('test:secret').toString('base64')}`,
        'content-type': 'application/json',
      };
      const customers = '/sandbox/2025-10-13/customers';
      const body = '{"customerType":"INDIVIDUAL","fullName":"Omar Diaz 001","nationality":"ES"}';
      const { id } = JSON.parse((await ask(customers, { method: 'POST', headers, body })).text);
      const link = JSON.parse((await ask(`${customers}/${id}/kyc-link`, { method: 'POST', headers, body: '{}' })).text);
      await page.goto(link.kycUrl);
      expect(await page.title()).toBe('Verify your identity');
      await fillIdentity(page);
      await page.getByRole('button', { name: 'Finish' }).click();
      await page.waitForLoadState();
      expect(page.url().startsWith(`${url}/kyc/`)).toBe(true);
      await picture('shared-hosted');
      const now = JSON.parse((await ask(`${customers}/${id}`, { headers })).text);
      expect(now).toMatchObject({ kycStatus: 'REJECTED', birthDate: '1990-01-02' });
    });

    test.each([
      ['wide', { width: 1280, height: 800 }],
      ['narrow', { width: 390, height: 800 }],
    ])(
      'a user signs in to a shared demo with the token on a %s screen, looks around below the path, and signs out',
      async (name, size) => {
        const { page, url, picture } = await demo(size);
        await page.goto(`${url}/inspector/clock`);
        await picture(`shared-sign-in-${name}`);
        await page.getByLabel('Control token').fill('a guess');
        await page.getByRole('button', { name: 'Sign in' }).click();
        expect(await page.getByRole('alert').textContent()).toBe('This is not the control token.');
        await page.getByLabel('Control token').fill(TOKEN);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.waitForURL(`${url}/inspector/clock`);
        await page.locator('#live[data-state="on"]').waitFor({ state: 'attached' });
        await picture(`shared-clock-${name}`);
        await page.goto(`${url}/inspector/requests`);
        expect(await page.title()).toContain('Requests');
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
        await page.goto(`${url}/`);
        await picture(`shared-overview-${name}`);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Control token').waitFor();
        expect((await page.goto(`${url}/inspector/requests`))?.status()).toBe(401);
      },
    );
  },
);

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { freePort } from '../kit/port.ts';
import { commandLine } from '../kit/process.ts';
import { realBrowser } from './chromium.ts';
import { inspected, pageOf } from './inspector-page.ts';

const browser = realBrowser();
const person = { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001', birthDate: '1988-03-04' };

describe('failed calls on pages', () => {
  test('an alert says 404 and the call when the fault was removed elsewhere in the meantime', async () => {
    const { emulator, page, problems, open } = await inspected(browser());
    await emulator.control('POST', '/faults', { match: { path: '/quotes' }, then: { status: 503 } });
    await open('/inspector/faults');
    // Nobody tells this page: its button is pressed as it stood.
    await page.evaluate('document.getElementById("faults").dataset.live = ""');
    await emulator.control('DELETE', '/faults/fault-1');
    await page.getByRole('button', { name: 'Remove fault-1' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/^404 REFERENCE_NOT_FOUND[\s\S]*DELETE \/_emulator\/faults\/fault-1/);
    expect(await page.locator('#toast').getAttribute('aria-live')).toBe('polite');
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 404')]);
  });

  test('an alert says 409 and the call when the decision was already taken', async () => {
    const { emulator, page, problems, open } = await inspected(browser());
    const { body: omar } = await emulator.call('POST', '/customers', person);
    await open(`/inspector/state/customers/${encodeURIComponent(omar.id)}`);
    // The page hears of nothing in between, and still has the buttons of before.
    await page.route('**/inspector/state/customers/**', (route) => route.abort());
    await emulator.control('POST', `/customers/${omar.id}/decision`, { decision: 'APPROVED' });
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('button', { name: 'Really reject?' }).click();
    await page.locator('.toast.bad').waitFor();
    expect(await page.locator('.toast.bad').textContent()).toMatch(/^409 \w+[\s\S]*POST \/_emulator\/customers/);
    expect(problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([
      expect.stringContaining('status of 409'),
    ]);
  });

  test('an event between two presses does not undo the first press (W7)', async () => {
    const { emulator, page, open } = await inspected(browser());
    const { body: omar } = await emulator.call('POST', '/customers', person);
    await open(`/inspector/state/customers/${encodeURIComponent(omar.id)}`);
    await page.locator('#live[data-state="on"]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Reject' }).click();
    const seen = page.waitForResponse((response) => response.url().includes('/inspector/state/customers/'));
    await emulator.call('GET', `/customers/${omar.id}`);
    await seen;
    await page.getByRole('button', { name: 'Really reject?' }).click();
    await expect
      .poll(async () => (await emulator.call('GET', `/customers/${omar.id}`)).body.kycStatus)
      .toBe('REJECTED');
  });

  test.each([
    ['the mouse', async ({ mouse }: Page) => [() => mouse.down(), () => mouse.up()]],
    ['the space bar', async ({ keyboard }: Page) => [() => keyboard.down(' '), () => keyboard.up(' ')]],
  ] as const)(
    'a button that is pressed with %s while the page is due for a refresh does what it says',
    async (_, by) => {
      const { emulator, page, open } = await inspected(browser());
      await emulator.control('POST', '/faults', { match: { path: '/quotes' }, then: { status: 503 } });
      await open('/inspector/faults');
      const button = page.getByRole('button', { name: 'Remove fault-1' });
      await button.hover();
      await button.focus();
      const [press, letGo] = await by(page);
      await press?.();
      const refreshed = page.waitForResponse((response) => response.url().endsWith('/inspector/faults'));
      await emulator.control('POST', '/faults', { match: { path: '/customers' }, then: { status: 503 } });
      await (await refreshed).finished();
      await letGo?.();
      await page.getByText('Done').waitFor();
      await page.getByText('/customers', { exact: false }).first().waitFor();
      expect((await emulator.control('GET', '/faults')).body.data).toEqual([
        expect.objectContaining({ id: 'fault-2' }),
      ]);
    },
  );

  test('a filter narrows its list although the end of the press on its choices never reaches the page', async () => {
    const { emulator, page, open } = await inspected(browser());
    await emulator.call('POST', '/customers', person);
    await open('/inspector/requests');
    await page.locator('[data-rows] [data-row]').first().waitFor();
    await page.getByLabel('Status', { exact: true }).hover();
    await page.mouse.down();
    await page.getByLabel('Status', { exact: true }).selectOption('5xx');
    await page.locator('[data-rows] [data-row]').first().waitFor({ state: 'detached' });
  });

  test('a bar over the whole page says that the emulator has stopped, until it is back (U19)', async () => {
    const flags = ['--port', String(await freePort()), '--json'];
    const first = commandLine(flags);
    const { url } = await first.ready();
    const { page, problems } = await pageOf(browser(), url);
    await page.goto(`${url}/inspector/requests`);
    await page.locator('#live[data-state="on"]').waitFor({ state: 'attached' });
    const bar = page.locator('#gone');
    expect(await bar.isVisible()).toBe(false);
    first.child.kill('SIGTERM');
    await bar.filter({ hasText: /^The emulator has stopped; what you see is as of \d\d:\d\d:\d\d\./ }).waitFor();
    await page.screenshot({ path: 'test/browser/artefacts/inspector-stopped.png' });
    await first.ended;
    await commandLine(flags).ready();
    await page.locator('#live[data-state="on"]').waitFor({ state: 'attached' });
    await bar.waitFor({ state: 'hidden' });
    await page.close();
    expect(problems.splice(0).filter((problem) => !/ERR_/.test(problem))).toEqual([]);
  });

  test('an alert names the call of a button, a form or a filter that gets no answer', async () => {
    const { page, problems, open } = await inspected(browser());
    await open('/inspector/webhooks');
    await page.route('**/_emulator/webhooks/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Pause' }).click();
    const alerts = page.getByRole('alert');
    await alerts.filter({ hasText: 'POST /_emulator/webhooks/pause' }).waitFor();
    expect(await alerts.first().textContent()).toContain('The emulator did not answer');
    expect(await page.getByRole('button', { name: 'Pause' }).getAttribute('aria-busy')).toBeNull();
    await page.getByRole('button', { name: 'Save' }).click();
    await alerts.filter({ hasText: 'PUT /_emulator/webhooks/endpoint' }).waitFor();
    await page.route('**/inspector/webhooks?**', (route) => route.abort('connectionrefused'));
    await page.getByLabel('State', { exact: true }).selectOption('UNSENT');
    await alerts.filter({ hasText: 'GET /inspector/webhooks?state=UNSENT' }).waitFor();
    expect(problems.splice(0).filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });
});

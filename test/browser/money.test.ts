import { describe, expect, test } from 'vitest';
import { bankOf, paymentOf } from '../inspector/visit.ts';
import { realBrowser } from './chromium.ts';
import { inspected, seriousFindings } from './inspector-page.ts';

const browser = realBrowser();

describe("a payment's page, open while the payment is made", () => {
  test('the page of a payment goes from quote to settlement by itself, and the ledger stays in balance', async () => {
    const { emulator, hooks, page, open } = await inspected(browser());
    const person = { customerType: 'INDIVIDUAL', fullName: 'Alice Doe', birthDate: '1990-01-02' };
    const { body: alice } = await emulator.call('POST', '/customers', person);
    await emulator.control('POST', '/clock', { advance: 'PT0S' });
    const { body: accounts } = await emulator.call(
      'GET',
      `/customers/internal-accounts?customerId=${alice.id}&currency=USD`,
    );
    const [usd] = accounts.data;
    await emulator.call('POST', `/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
    const sent = bankOf(alice.id);
    // An account that takes its time: six minutes.
    const accountInfo = { ...sent.accountInfo, accountNumber: '123456003' };
    const { body: bank } = await emulator.call('POST', '/customers/external-accounts', { ...sent, accountInfo });
    const { body: quote } = await emulator.call('POST', '/quotes', paymentOf(usd.id, bank.id));

    await open(`/inspector/state/transactions/${encodeURIComponent(quote.transactionId)}`);
    await page.locator('.stage.present', { hasText: 'To be executed' }).waitFor();
    expect(await page.locator('.party-money').allTextContents()).toEqual(['−125.00 USD', '+125.00 USD']);

    hooks.react = () => 500;
    await emulator.call('POST', `/quotes/${quote.id}/execute`);
    await emulator.control('POST', '/clock', { advance: 'PT1S' });
    await page.locator('.stage.present', { hasText: 'Processing' }).waitFor();
    await page.locator('.moment', { hasText: 'Debited' }).locator('.badge.bad', { hasText: 'retrying' }).waitFor();
    expect(await page.locator('.moment.to-come').textContent()).toContain('Completes');
    await page.screenshot({ path: 'test/browser/artefacts/inspector-payment-under-way.png', fullPage: true });

    hooks.react = () => 200;
    await emulator.control('POST', '/clock', { advance: 'PT10M' });
    await page.locator('.stage.done', { hasText: 'Completed' }).waitFor();
    await page
      .locator('.moment.good', { hasText: 'Settled' })
      .locator('.badge.good', { hasText: 'delivered' })
      .waitFor();
    expect(await page.locator('.moment.to-come').count()).toBe(0);
    expect(await page.locator('#moved tr').count()).toBe(3);

    await page.getByRole('link', { name: 'In the ledger' }).click();
    await page.locator('#head .badge.good', { hasText: 'balanced' }).waitFor();
    await page.locator('.ledger-account', { hasText: 'Alice Doe' }).first().click();
    expect(await page.locator('h1').textContent()).toBe('Alice Doe · USD account');
    expect(await page.locator('#entries tbody tr').count()).toBe(2);
    expect(await page.locator('.chart svg title').textContent()).toBe('Balance in USD over time');
  });

  test('the statement of an account on a phone names the highest and lowest balance, and draws nothing into amounts (W9)', async () => {
    const { emulator, page, open } = await inspected(
      browser(),
      { viewport: { width: 390, height: 844 } },
      '--scenario',
      'demo',
    );
    const { body: internal } = await emulator.call('GET', '/customers/internal-accounts?currency=USD&limit=100');
    const rich = internal.data.find(({ balance }: { balance: { amount: number } }) => balance.amount > 0);
    const statement = `/inspector/ledger/${encodeURIComponent(rich.id)}`;
    for (const path of [statement, '/inspector/ledger', '/']) {
      await open(path);
      const drawn = await page.evaluate(
        `[...document.querySelectorAll('.amount, .amount *')].filter((one) =>
          ['::before', '::after'].some((at) => !['none', '""'].includes(getComputedStyle(one, at).content))).length`,
      );
      expect(drawn, path).toBe(0);
    }
    await open(statement);
    const ends = page.locator('.chart-scale > span');
    expect(await ends.count()).toBe(2);
    const marks = await page.evaluate(
      `[...document.querySelectorAll('.chart-scale > span')].map((one) => getComputedStyle(one, '::before').content)`,
    );
    expect(marks).toEqual(['"↑ "', '"↓ "']);
    for (const text of await ends.allTextContents()) expect(text).toMatch(/^−?[\d,.]+ [A-Z]{3}$/);
    await page.locator('.chart').screenshot({ path: 'test/browser/artefacts/chart-phone.png' });
  });

  test.each(['light', 'dark'] as const)(
    'the pages of money have no serious finding of axe-core and fit the screen, in %s and on a phone',
    async (colorScheme) => {
      for (const viewport of [
        { width: 1200, height: 800 },
        { width: 390, height: 844 },
      ]) {
        const { emulator, page, open } = await inspected(browser(), { colorScheme, viewport }, '--scenario', 'cards');
        const { body } = await emulator.call('GET', '/transactions?limit=100');
        const { body: cards } = await emulator.call('GET', '/cards');
        const { body: ledger } = await emulator.control('GET', '/ledger?limit=100');
        const hold = ledger.data.find(({ reason }: { reason: string }) => reason === 'card hold');
        for (const path of [
          '/inspector/ledger',
          `/inspector/ledger/${encodeURIComponent(hold.moves[0].from)}`,
          `/inspector/state/transactions/${encodeURIComponent(body.data[0].id)}`,
          `/inspector/state/cards/${encodeURIComponent(cards.data[0].id)}`,
          `/inspector/state/customers/${encodeURIComponent(cards.data[0].cardholderId)}`,
        ]) {
          await open(path);
          expect([path, await seriousFindings(page)]).toEqual([path, []]);
          const wide = await page.evaluate(
            'document.documentElement.scrollWidth > document.documentElement.clientWidth',
          );
          expect([path, wide]).toEqual([path, false]);
        }
      }
    },
  );
});

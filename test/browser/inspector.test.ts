import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realBrowser } from './chromium.ts';
import { aDay, aMorning, inspected, pageOf, seriousFindings } from './inspector-page.ts';
import { smaller } from './png.ts';

const browser = realBrowser();

const picture = (page: Page, name: string, fullPage = true) =>
  page.screenshot({ path: `test/browser/artefacts/inspector-${name}.png`, fullPage });
const heading = (page: Page) => page.locator('h1').textContent();
const person = (fullName: string) => ({ customerType: 'INDIVIDUAL', fullName, birthDate: '1990-01-02' });

describe('the first visit', () => {
  test('a new user sees the last request, its webhook and its customer within three clicks (product 4)', async () => {
    const { emulator, page, open } = await inspected(browser());
    await open('/');
    expect(await page.locator('.empty-title').first().textContent()).toBe('No requests yet');
    await picture(page, 'empty');

    // The call comes while the page is open: nobody reloads.
    const { body: customer } = await emulator.call('POST', '/customers', person('Alice Doe'));
    const request = page.locator('.request-row', { hasText: 'CUSTOMER.KYC_APPROVED' }).locator('.row-link');
    await request.click();
    expect(await heading(page)).toBe('POST /2025-10-13/customers');
    await page.locator('#caused .row-link').click();
    expect(await heading(page)).toBe('CUSTOMER.KYC_APPROVED');
    expect(await page.locator('#attempts .status').textContent()).toBe('200');
    expect(await page.locator('#signature').textContent()).toContain('verifies against the key');
    await page.locator('.lead .resource').click();
    expect(await heading(page)).toBe('Alice Doe');
    expect(await page.locator('#shown').textContent()).toContain(customer.id);
  });

  test('the command on the empty page works as it stands', async () => {
    const { page, open } = await inspected(browser());
    await open('/');
    const line = await page.locator('.empty .copy').getAttribute('data-copy');
    const { execFileSync } = await import('node:child_process');
    execFileSync('/bin/sh', ['-c', line as string], { stdio: 'pipe' });
    await page.getByRole('link', { name: 'Customer Alice Doe' }).waitFor();
  });
});

describe('acts on pages', () => {
  test('the clock page advances the clock, lists the jobs that ran, through seven days of retries, and sets the speed', async () => {
    const { emulator, hooks, page, problems, open } = await inspected(browser());
    hooks.react = () => 500;
    await emulator.call('POST', '/customers', person('Alice Doe'));
    await open('/inspector/clock');
    await page.getByRole('button', { name: '+15 min' }).click();
    await page.locator('.toast', { hasText: 'jobs ran' }).waitFor();
    await page.locator('#now b', { hasText: '09:15:00' }).waitFor();
    expect(await page.locator('#ran tr').count()).toBeGreaterThan(5);
    expect(await page.locator('#ran tr').first().textContent()).toContain('send CUSTOMER.KYC_APPROVED');
    const link = await page.locator('#ran a').first().getAttribute('href');
    expect(link).toMatch(/^\/inspector\/id\/Webhook%3A/);
    hooks.react = () => 200;
    await page.getByRole('button', { name: '+7 d' }).click();
    await page.locator('.toast', { hasText: '2026-01-12 09:15:00' }).waitFor();
    expect((await emulator.control('GET', '/webhooks')).body.data[0].state).toBe('DELIVERED');
    await page.getByLabel('Advance by', { exact: true }).fill('2h');
    expect(await page.locator('form[aria-label="Advance by a duration"] .hint code').textContent()).toBe(
      'POST /_emulator/clock {"advance":"2h"}',
    );
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.locator('#now b', { hasText: '11:15:00' }).waitFor();
    // What is not a duration is said beside the field, in our words (U15).
    await page.getByLabel('Advance by', { exact: true }).fill('two hours');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.locator('form[aria-label="Advance by a duration"] .wrong', { hasText: 'such as 2h, 90s' }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    await page.getByRole('button', { name: 'Run ×60', exact: true }).click();
    await page.locator('#now .mode', { hasText: '×60' }).waitFor();
    await page.locator('#clock-mode').getByRole('button', { name: 'Hold', exact: true }).waitFor();
    expect(await page.locator('#clock-mode button.button').allTextContents()).toEqual([
      'Run',
      'Run ×10',
      'Run ×3600',
      'Hold',
    ]);
    expect((await emulator.control('GET', '/clock')).body).toMatchObject({ mode: 'live', speed: 60 });
  });

  test.each([
    ['/inspector/clock', 'Advance to a moment', 'Or set a time (UTC)', '2027-01-05T09:00:00Z'],
    ['/inspector/webhooks', 'Webhook endpoint', 'Endpoint URL', 'http://127.0.0.1:3000/hooks'],
    ['/inspector/faults', 'Fault on API calls', 'Status', '503'],
    ['/inspector/faults', 'Fault on webhooks', 'Receiver returns', '500'],
    ['/inspector/scenario', 'Save a snapshot', 'Name', 'monday'],
  ])(
    'the form on %s named "%s" offers its call for copying once it is complete, and that call is taken',
    async (path, form, label, value) => {
      const { emulator, page, open } = await inspected(browser());
      await emulator.control('PUT', '/webhooks/endpoint', { url: null });
      await open(path);
      const here = page.getByRole('form', { name: form });
      expect(await here.locator('.hint code').textContent()).toBe('Fill in the form to see its call');
      expect(await here.locator('.hint .copy').isVisible()).toBe(false);
      await here.getByLabel(label, { exact: true }).fill(value);
      const copied = (await here.locator('.hint .copy').getAttribute('data-copy')) ?? '';
      expect(copied).toContain(value);
      expect(await here.locator('.hint .copy').isVisible()).toBe(true);
      const status = execFileSync('sh', ['-c', `${copied} -o /dev/null -w '%{http_code}'`], { encoding: 'utf8' });
      expect(status).toMatch(/^20\d$/);
    },
  );

  test('the line under several buttons names a button with its call, and follows the button under the pointer', async () => {
    const { emulator, page, open } = await inspected(browser());
    await open('/inspector/clock');
    const line = page.locator('#clock-now .hint');
    expect(await line.textContent()).toContain('+15 min: POST /_emulator/clock {"advance":"PT15M"}');
    const chosen = async () => [await line.textContent(), await line.locator('.copy').getAttribute('data-copy')];
    const ofAWeek = [
      expect.stringContaining('+7 d: POST /_emulator/clock {"advance":"P7D"}'),
      expect.stringContaining('{"advance":"P7D"}'),
    ];
    await page.getByRole('button', { name: '+7 d' }).hover();
    await expect.poll(chosen).toEqual(ofAWeek);
    // On the way to its copy, also while the page is refreshed.
    await line.locator('.copy').hover();
    await emulator.control('POST', '/clock', { advance: 'PT1M' });
    await page.locator('#clock-now', { hasText: '09:01:00' }).waitFor();
    expect(await chosen()).toEqual(ofAWeek);
  });

  test('the webhooks page redelivers, pauses, steps and resumes, and sets the endpoint', async () => {
    const day = await inspected(browser());
    const { emulator, hooks, page, open } = day;
    hooks.react = () => 500;
    await emulator.call('POST', '/customers', person('Alice Doe'));
    await hooks.until(1);
    await open('/inspector/webhooks');
    await page.locator('.hook-row .row-link').click();
    // A redelivery is as good as what the receiver answered (U7).
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.locator('.toast.bad', { hasText: 'The receiver answered 500: not delivered' }).waitFor();
    expect(await page.locator('#state .badge.bad').textContent()).toBe('retrying');
    hooks.react = () => ({ status: 200, body: 'thanks' });
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.locator('.toast:not(.bad)', { hasText: 'The receiver answered 200' }).waitFor();
    await page.locator('#attempts', { hasText: 'thanks' }).waitFor();
    expect(await page.locator('#attempts .badge').first().textContent()).toBe('by hand');
    expect(await page.locator('#state .badge').first().textContent()).toBe('delivered');

    await open('/inspector/webhooks');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await emulator.call('POST', '/customers', person('Bob Roe'));
    await page.locator('#flow', { hasText: '1 delivery waits for you.' }).waitFor();
    await page.getByRole('button', { name: 'Step: send the oldest' }).click();
    await page.locator('#flow', { hasText: '0 deliveries wait for you.' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('#flow', { hasText: 'Events are sent automatically.' }).waitFor();
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/elsewhere');
    await page.getByRole('button', { name: 'Save' }).click();
    const url = 'http://127.0.0.1:9/elsewhere';
    await expect.poll(async () => (await emulator.control('GET', '/webhooks/endpoint')).body).toEqual({ url });
  });

  test('the faults page adds a fault, counts it as spent, removes it, and names mistakes at their fields', async () => {
    const { emulator, page, problems, open } = await inspected(browser());
    await open('/inspector/faults');
    const form = page.getByRole('form', { name: 'Fault on API calls' });
    await form.getByRole('button', { name: 'Add fault' }).click();
    await form.locator('.wrong', { hasText: 'say what goes wrong' }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    await form.getByLabel('Operation').fill('listCustomrs');
    await form.getByRole('button', { name: 'Add fault' }).click();
    const field = form.locator('.field', { hasText: 'Operation' });
    await field.locator('.wrong', { hasText: 'did you mean listCustomers?' }).waitFor();
    await form.locator('.wrong', { hasText: 'say what goes wrong' }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    // A preset fills in what goes wrong, and leaves what it is to meet (U14).
    await form.getByRole('button', { name: 'Drop after the change' }).click();
    expect(await form.locator('.hint code').textContent()).toContain(
      '{"match":{"operation":"listCustomrs","times":1},"then":{"when":"after","drop":true}}',
    );
    await form.getByRole('button', { name: 'Fail the next two' }).click();
    await form.getByLabel('Operation').fill('listCustomers');
    expect(await field.locator('.wrong').count()).toBe(0);
    await form.getByLabel('Status').fill('503');
    await form.getByLabel('At most').fill('1');
    await form.getByRole('button', { name: 'Add fault' }).click();
    const line = page.locator('#faults tr', { hasText: 'listCustomers' });
    await line.waitFor();
    expect((await emulator.call('GET', '/customers')).status).toBe(503);
    expect((await emulator.call('GET', '/customers')).status).toBe(200);
    await line.getByText('spent').waitFor();
    await line.getByRole('button', { name: 'Remove' }).click();
    await page.locator('#faults', { hasText: 'No faults' }).waitFor();
    expect((await emulator.control('GET', '/faults')).body.data).toEqual([]);
  });

  test('the scenario page saves a snapshot, compares and restores it; a reset needs a second press', async () => {
    const { emulator, page, open } = await inspected(browser());
    await open('/inspector/scenario');
    await page.getByLabel('Name', { exact: true }).fill('start');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'start', exact: true }).waitFor();
    await emulator.call('POST', '/customers', person('Alice Doe'));
    await page.getByRole('link', { name: 'start', exact: true }).click();
    await page.locator('.diff .added', { hasText: 'Alice Doe' }).first().waitFor();
    await page.locator('.up').click();
    await page.getByRole('button', { name: 'Restore start' }).click();
    await page.getByRole('button', { name: 'Restore start' }).click();
    const customers = async () => (await emulator.call('GET', '/customers')).body.totalCount;
    await expect.poll(customers).toBe(0);
    await emulator.call('POST', '/customers', person('Bob Roe'));
    await page.getByRole('button', { name: 'Reset to the scenario' }).click();
    await page.getByRole('button', { name: 'Really reset?' }).waitFor();
    expect(await customers()).toBe(1);
    await page.getByRole('button', { name: 'Really reset?' }).click();
    await expect.poll(customers).toBe(0);
  });

  test('the page of a customer takes a decision; a new sandbox stays chosen in every link', async () => {
    const { emulator, page, open } = await inspected(browser());
    const { body: omar } = await emulator.call('POST', '/customers', person('Omar Diaz 001'));
    await open(`/inspector/state/customers/${encodeURIComponent(omar.id)}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('#shown', { hasText: '"APPROVED"' }).waitFor();
    await page.locator('#hooks-about', { hasText: 'CUSTOMER.KYC_APPROVED' }).waitFor();
    // The head says what is, at once (U2).
    await page.locator('#head .badge.good', { hasText: 'approved' }).waitFor();
    expect(await page.locator('#head button', { hasText: /Approve|Reject/ }).count()).toBe(0);
    await open('/inspector/scenario');
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.waitForURL(/\?sandbox=sandbox-1/);
    await page.getByRole('link', { name: 'State', exact: true }).click();
    expect(page.url()).toContain('sandbox=sandbox-1');
    await page.getByLabel('Sandbox').selectOption('test');
    await page.waitForURL(/sandbox=test/);
    expect(await page.locator('.kind', { hasText: 'People and businesses' }).locator('b').textContent()).toBe('1');
  });

  test('the page of a request copies its call as curl by a key', async () => {
    const { emulator, page, open } = await inspected(browser());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await emulator.call('GET', '/customers?limit=5');
    await open('/inspector/requests/req_1');
    await page.keyboard.press('c');
    await page.locator('.toast', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -s -u 'test:secret' '${emulator.baseUrl}/customers?limit=5'`,
    );
  });
});

describe('replay and recording', () => {
  test('the page of a request forks the state before it, and rewinds to it at a second press', async () => {
    const { emulator, page, open } = await inspected(browser());
    await emulator.call('POST', '/customers', person('Alice Doe'));
    await open('/inspector/requests/req_1');
    await page.getByRole('button', { name: 'Fork from before this request' }).click();
    await page.waitForURL(/\/\?sandbox=sandbox-1$/);
    expect(await page.locator('#counts li', { hasText: 'Customers' }).textContent()).toBe('Customers0');
    await open('/inspector/requests/req_1');
    const back = page.getByRole('button', { name: 'Rewind to before this request' });
    await back.click();
    await page.getByRole('button', { name: 'Rewind now?' }).click();
    await page.getByText('Undone by the rewind').waitFor();
    expect((await emulator.call('GET', '/customers')).body.totalCount).toBe(0);
  });

  test('chosen requests stay chosen while new ones arrive, and are recorded as a test', async () => {
    const { emulator, page, open } = await inspected(browser());
    await emulator.call('POST', '/customers', person('Alice Doe'));
    await emulator.call('GET', '/customers?limit=2');
    await open('/inspector/requests');
    await page.getByLabel('Choose req_1').check();
    await page.getByLabel('Choose req_2').check();
    await emulator.call('GET', '/customers?limit=3');
    await expect.poll(() => page.locator('.request-row').count()).toBe(3);
    expect(await page.locator('.choose :checked').count()).toBe(2);
    await page.getByRole('button', { name: 'Record' }).click();
    await page.waitForURL(/\/inspector\/record\?/);
    expect(await page.locator('#recorded .pre').textContent()).toContain("test('createCustomer, listCustomers'");
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'recorded');
    await page.getByRole('link', { name: 'Shell script' }).click();
    await page.locator('#recorded .pre', { hasText: 'curl' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recorded.sh');
  });

  test.each(['light', 'dark'] as const)(
    'the pages of a replay and of a tried operation have no serious finding of axe-core: %s',
    async (colorScheme) => {
      const { emulator, page, open } = await inspected(browser(), { colorScheme });
      await emulator.call('POST', '/customers', person('Alice Doe'));
      await open('/inspector/requests/req_1');
      await page.getByRole('textbox', { name: 'Body' }).fill('{"customerType":"INDIVIDUAL","fullName":"Alice Roe"}');
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      await page.locator('.differs').first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, `replayed-${colorScheme}`);
      await open('/inspector/api/createCustomer');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('#answer').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, `tried-${colorScheme}`);
    },
  );
});

describe('the keyboard', () => {
  test('the keyboard alone skips, filters, moves, opens, goes back, jumps, searches, and shows the keys', async () => {
    const day = await inspected(browser());
    const { page, open } = day;
    await aDay(day);
    await open('/inspector/requests');
    const focused = () => page.evaluate('document.activeElement.outerHTML');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('class="skip"');
    await picture(page, 'skip-link', false);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');

    await page.keyboard.press('f');
    await page.keyboard.type('invalid_input');
    await page.waitForURL(/q=invalid_input/);
    await expect.poll(() => page.locator('.request-row').count()).toBe(1);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.locator('.request-row').count()).toBeGreaterThan(5);
    await page.keyboard.press('Escape');

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const [picked] = await page.locator('.picked').all();
    const id = await picked?.getAttribute('data-row');
    expect(id).toBe(await page.locator('.request-row').nth(1).getAttribute('data-row'));
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/inspector/requests/${id}`));
    await page.keyboard.press('u');
    await page.waitForURL(/\/inspector\/requests$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Copy as curl').waitFor();
    await picture(page, 'keys', false);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForURL(/\/inspector\/webhooks/);

    // One box finds whatever there is, from anywhere.
    await page.keyboard.press('/');
    await page.keyboard.type('doe-smith');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/inspector\/search\?q=doe-smith/);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/inspector\/state\/customers\/Customer/);
    expect(await heading(page)).toBe('Alice Doe-Smith');
  });

  test('the picked row stays picked and focused while new requests arrive', async () => {
    const { emulator, page, open } = await inspected(browser());
    await emulator.call('GET', '/customers?limit=1');
    await emulator.call('GET', '/customers?limit=2');
    await open('/inspector/requests');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await emulator.call('GET', '/customers?limit=3');
    await expect.poll(() => page.locator('.request-row').count()).toBe(3);
    expect(await page.locator('.picked').getAttribute('data-row')).toBe('req_1');
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('req_1');
  });
});

describe('accessibility', () => {
  test.each(['light', 'dark'] as const)('no page has a serious finding of axe-core: %s', async (colorScheme) => {
    const day = await inspected(browser(), { colorScheme });
    const { pages, alice } = await aDay(day);
    for (const [name, path] of Object.entries(pages)) {
      await day.open(path);
      expect(await seriousFindings(day.page), `${name}, ${colorScheme}`).toEqual([]);
      await picture(day.page, `${name}-${colorScheme}`);
    }
    const { body: link } = await day.emulator.call('POST', `/customers/${alice.id}/kyc-link`, {});
    await day.page.goto(link.kycUrl);
    await day.page.getByLabel('Date of birth').fill('2999-01-01');
    await day.page.getByRole('button', { name: 'Finish' }).click();
    await day.page.getByRole('alert').waitFor();
    expect(await seriousFindings(day.page), `hosted page, ${colorScheme}`).toEqual([]);
    // The page is answered with what is wrong with it, which the browser notes.
    expect(day.problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
  });

  test('no page is wider than the screen of a phone', async () => {
    const day = await inspected(browser(), { viewport: { width: 375, height: 760 }, isMobile: true, hasTouch: true });
    const { pages } = await aDay(day);
    for (const [name, path] of Object.entries(pages)) {
      await day.open(path);
      expect(await day.page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(375);
      // A line of a table is a card that names its cells: nothing of it is off the screen (U16).
      const hidden = await day.page.evaluate(
        `[...document.querySelectorAll('td, td *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML)`,
      );
      expect(hidden, name).toEqual([]);
      // The card of a posting reads as a sentence: what moved, how much and when need no name.
      const unnamed = await day.page.evaluate(
        `[...document.querySelectorAll('tbody tr')].filter((tr) => !tr.closest('.postings')).flatMap((tr) => [...tr.cells].slice(1).filter((td) => td.dataset.name && getComputedStyle(td, '::before').content !== JSON.stringify(td.dataset.name)))`,
      );
      expect(unnamed, name).toEqual([]);
      if (
        [
          'overview',
          'search',
          'request',
          'refused',
          'webhook',
          'webhooks',
          'jobs',
          'customer',
          'transactions',
          'faults',
        ].includes(name)
      )
        await picture(day.page, `${name}-phone`);
    }
    expect(await seriousFindings(day.page)).toEqual([]);
  });

  test('every page can be read without script, and the filter works as a form', async () => {
    const day = await inspected(browser(), { javaScriptEnabled: false });
    const { pages } = await aDay(day);
    const buttons: Record<string, string[]> = {
      requests: ['Filter', 'Record'],
      request: ['Replay', 'Rewind to before this request', 'Fork from before this request', 'Record'],
      refused: ['Replay', 'Rewind to before this request', 'Fork from before this request', 'Record'],
      operation: ['Send'],
      diff: ['Compare'],
    };
    for (const [name, path] of Object.entries(pages)) {
      await day.open(path);
      expect(await day.page.locator('h1').count()).toBe(1);
      expect(await day.page.locator('button:visible').allTextContents(), path).toEqual(
        buttons[name] ?? ((await day.page.locator('form.filter').count()) > 0 ? ['Filter'] : []),
      );
    }
    await day.open('/inspector/requests');
    await day.page.getByRole('searchbox', { name: 'Filter requests by text' }).fill('invalid_input');
    await day.page.getByRole('button', { name: 'Filter' }).click();
    expect(await day.page.locator('.request-row').count()).toBe(1);
    await picture(day.page, 'without-script');
  });

  test('a request is replayed, an operation tried and everything searched without script', async () => {
    const day = await inspected(browser(), { javaScriptEnabled: false });
    const { page, emulator, open } = day;
    const { body: alice } = await emulator.call('POST', '/customers', person('Alice Doe'));
    await open('/inspector/requests/req_1');
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.fill((await body.inputValue()).replace('Alice Doe', 'Alice Roe'));
    await page.getByLabel('A copy of the state before it').check();
    await page.getByRole('button', { name: 'Replay' }).click();
    expect(await page.locator('.sides-head').textContent()).toContain('201 replayed in the state before it');
    expect(await page.locator('.differs .is').allTextContents()).toEqual(['after:   "fullName": "Alice Roe",']);
    expect((await emulator.call('GET', '/customers')).body.totalCount).toBe(1);
    await page.getByRole('radio', { name: 'Go' }).check();
    await page.locator('.tab.go', { hasText: 'http.NewRequest("POST"' }).waitFor({ state: 'visible' });

    await open('/inspector/api/getCustomerById');
    await page.getByLabel('customerId').fill(alice.id);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('#answer').textContent()).toContain('"fullName": "Alice Doe"');

    await page.getByRole('searchbox', { name: 'Search everything' }).fill(alice.id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Alice Doe' }).waitFor();

    await open('/inspector/requests/req_1');
    await page.getByRole('button', { name: 'Rewind to before this request' }).click();
    await page.getByText('Undone by the rewind').waitFor();
    expect((await emulator.call('GET', '/customers')).body.totalCount).toBe(0);
  });

  test('a page shows no animation to a user who prefers reduced motion', async () => {
    const { emulator, page, open } = await inspected(browser(), { reducedMotion: 'reduce' });
    await open('/');
    await emulator.call('GET', '/customers');
    await page.locator('.request-row').waitFor();
    await emulator.call('GET', '/customers');
    await page.locator('.request-row.fresh').waitFor();
    expect(await page.evaluate('getComputedStyle(document.querySelector(".fresh")).animationName')).toBe('none');
  });
});

describe('large numbers', () => {
  test('a page under a flood of requests updates a few times a second, shows fifty rows, and responds', async () => {
    const { emulator, page, open } = await inspected(browser());
    await open('/inspector/requests');
    await page.evaluate(
      `window.looks = 0; new MutationObserver(() => { window.looks += 1; }).observe(document.getElementById('log'), { childList: true });`,
    );
    const until = performance.now() + 3000;
    let sent = 0;
    const agent = new Agent({ keepAlive: true });
    const options = { agent, auth: 'test:secret' };
    const flood = async () => {
      while (performance.now() < until) {
        await new Promise((done) =>
          get(`${emulator.baseUrl}/customers?limit=1`, options, (r) => r.resume().on('end', done)),
        );
        sent += 1;
      }
    };
    const flooding = Promise.all(Array.from({ length: 8 }, flood)).finally(() => agent.destroy());
    const answers: number[] = [];
    while (performance.now() < until) {
      const asked = performance.now();
      await page.evaluate('document.querySelectorAll(".request-row").length');
      answers.push(performance.now() - asked);
      await page.waitForTimeout(100);
    }
    await flooding;
    const looks = (await page.evaluate('window.looks')) as number;
    answers.sort((a, b) => a - b);
    const median = answers[answers.length >> 1] as number;
    console.log(`${sent} requests in 3 s, ${looks} looks, the page answers in ${median.toFixed(0)} ms (median)`);
    expect(sent).toBeGreaterThan(looks);
    expect(looks).toBeGreaterThan(0);
    // The log forgets fast in a flood: open the very last request, once it is shown.
    const [last] = (await emulator.control('GET', '/requests?limit=1')).body.data;
    await page.locator(`.request-row a[href*="${last.id}"]`).first().waitFor();
    expect(await page.locator('.request-row').count()).toBe(50);
    await page.locator('.request-row .row-link').first().click();
    expect(await heading(page)).toBe('GET /2025-10-13/customers?limit=1');
  });

  test('lists of 100,000 customers and payments open, and so do a search, an older page and one customer', async () => {
    const folder = join(tmpdir(), `inspector-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'many.yaml');
    writeFileSync(file, 'generate: { customers: 100000, transactions: 100000 }\n');
    const { page, open } = await inspected(browser(), {}, '--scenario', file);
    const timed = async (path: string) => {
      await open(path);
      const [server, whole] = (await page.evaluate(
        '(([n]) => [n.responseEnd - n.requestStart, n.loadEventEnd - n.startTime])(performance.getEntriesByType("navigation"))',
      )) as [number, number];
      console.log(`${path.slice(0, 60)}: server ${server.toFixed(0)} ms, loaded ${whole.toFixed(0)} ms`);
    };
    for (const path of ['/', '/inspector/state', '/inspector/state/customers', '/inspector/state/transactions'])
      for (let i = 0; i < 2; i += 1) await timed(path);
    expect(await page.locator('.pager').textContent()).toContain('100,000 rows');
    await timed('/inspector/state/customers?q=nobody-is-called-so');
    await open('/inspector/state/customers');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.locator('tbody .row-link').first().click();
    await page.locator('#of-accounts').waitFor();
    await timed(new URL(page.url()).pathname);
  });
});

describe('pictures', () => {
  test('the pictures for the README are taken without ports and times of the run, each below 150 kB', async () => {
    mkdirSync('docs/images', { recursive: true });
    const day = await inspected(browser());
    const { pages } = await aDay(day);
    const demo = await inspected(browser(), {}, '--scenario', 'demo');
    await aMorning(demo);
    const { page: dark } = await pageOf(browser(), demo.emulator.url, { colorScheme: 'dark' });
    const take = async ({ emulator }: typeof day, page: Page, path: string, name: string) => {
      await page.goto(`${emulator.url}${path}`);
      await page.locator('#live[data-state="on"]').waitFor();
      // Ports and real milliseconds are the only things that differ.
      await page.evaluate(
        `(() => {
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const node = walk.currentNode;
            node.data = node.data.replace(/127\\.0\\.0\\.1:\\d+\\/hooks/g, '127.0.0.1:3000/hooks').replace(/127\\.0\\.0\\.1:\\d+\\/2025/g, '127.0.0.1:4010/2025');
            node.data = node.data.replace(/[\\d.]+ ms\\b/g, "1.2 ms");
          }
        })()`,
      );
      const bytes = smaller(await page.screenshot());
      expect(bytes.length, name).toBeLessThan(150 * 1024);
      writeFileSync(`docs/images/inspector-${name}.png`, bytes);
    };
    await take(demo, demo.page, '/', 'overview');
    await take(day, day.page, pages['refused'] as string, 'request');
    await take(demo, dark, '/', 'dark');
  });
});

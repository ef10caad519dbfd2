import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { realBrowser } from './chromium.ts';

const browser = realBrowser();
const NOW = '2026-01-05T09:00:00Z';

test.each(['prefetch', 'prerender'])(
  'a page of another site cannot have the browser %s an address of the API or a control that moves the clock',
  async (kind) => {
    const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: NOW });
    onTestFinished(() => emulator.close());
    const { host } = new URL(emulator.url);
    const { sandbox } = emulator;
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    const urls = [
      `${emulator.url}/_emulator/webhooks/wait?type=CUSTOMER.KYC_APPROVED&within=P30D`,
      `http://mallory:x@${host}/2025-10-13/customers`,
    ];
    const rules = JSON.stringify({ [kind]: urls.map((url) => ({ urls: [url], eagerness: 'immediate' })) });
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<script type="speculationrules">${rules}</script>`);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const page = await browser().newPage();
    onTestFinished(() => page.close());
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const listed = async (what: string) => {
      const reply = await fetch(`${emulator.url}/_emulator/${what}`);
      return ((await reply.json()) as { data: { id: string; status: number }[] }).data;
    };
    const statuses = async () => (await listed('requests')).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 20_000 }).toEqual([403, 201]);
    expect(await sandbox.clock.now()).toMatch(/^2026-01-05T09:00:00/);
    expect((await listed('sandboxes')).map(({ id }) => id)).toEqual(['test']);
  },
);

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { realBrowser } from './chromium.ts';

const browser = realBrowser();
const NOW = '2026-01-05T09:00:00Z';

/** A page whose rules have the browser fetch addresses ahead. */
const ahead = (kind: 'prefetch' | 'prerender') => (urls: readonly string[]) => {
  const rules = { [kind]: urls.map((url) => ({ urls: [url], eagerness: 'immediate' })) };
  return `<script type="speculationrules">${JSON.stringify(rules)}</script>`;
};

/** A page with pictures at the mapped form of this machine's address, which is no secure context. */
const mapped = (urls: readonly string[]) =>
  urls.map((url) => `<img src="${url.replace(/\/\/(?:.*@)?127\.0\.0\.1/, '//[::ffff:127.0.0.1]')}">`).join('');

/** An empty page of a site that redirects `/to/<number>`, which a person opens, to one of the addresses. */
const redirecting = () => '';

test.each([
  ['prefetch', ahead('prefetch')],
  ['prerender', ahead('prerender')],
  ['show as a picture, by a mapped address,', mapped],
  ['open, by a redirect from an address that a person opens,', redirecting],
] as const)(
  'a page of another site cannot have the browser %s a path of the API or a control that moves the clock',
  async (_, pageOf) => {
    const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: NOW });
    onTestFinished(() => emulator.close());
    const { host } = new URL(emulator.url);
    const { sandbox } = emulator;
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    const urls = [
      `${emulator.url}/_emulator/webhooks/wait?type=CUSTOMER.KYC_APPROVED&within=P30D`,
      `http://mallory:x@${host}/2025-10-13/customers`,
    ];
    const site = createServer(({ url = '' }, response) => {
      const to = urls[Number(url.slice('/to/'.length))];
      if (url.startsWith('/to/') && to !== undefined) response.writeHead(302, { location: to }).end();
      else response.setHeader('content-type', 'text/html').end(url === '/' ? pageOf(urls) : '');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const page = await browser().newPage();
    onTestFinished(() => page.close());
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    await page.goto(`${origin}/`);
    if (pageOf === redirecting) for (const to of urls.keys()) await page.goto(`${origin}/to/${to}`);
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

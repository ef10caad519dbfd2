import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium, one a test file; asked for when a test runs. */
export function realBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('the browser is not there yet');
    return browser;
  };
}

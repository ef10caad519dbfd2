import { expect, test } from 'vitest';
import { realBrowser } from './chromium.ts';
import { inspected } from './inspector-page.ts';

const browser = realBrowser();

/** In the page: the address of a kind of page stands for all of them. */
const LINKS = `[...document.querySelectorAll('a[href^="/inspector"]')].map((a) => a.getAttribute('href'))`;
const kindOf = (path: string): string =>
  path
    .replace(/\?.*/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}')
    .replace(/req_\d+/, '{request}')
    .replace(/outside%3A.*/, '{outside}');

/** In the page: amounts that something cuts off or hides, and what is wider than the window. */
const CUT = `(() => {
  const width = document.documentElement.clientWidth;
  const cut = document.documentElement.scrollWidth > width + 1 ? ['the page is wider than the window'] : [];
  for (const one of document.querySelectorAll('.amount, .number, .now, .brand-name')) {
    const { right, width: own } = one.getBoundingClientRect();
    // Heads of tables are there for ears alone on a phone.
    if (own < 3 || one.closest('thead')?.getBoundingClientRect().width < 3) continue;
    let most = width;
    for (let around = one.parentElement; around; around = around.parentElement)
      if (getComputedStyle(around).overflowX !== 'visible') most = Math.min(most, around.getBoundingClientRect().right);
    if (right > most + 1) cut.push(one.textContent.trim() + ' ends at ' + Math.round(right) + ' of ' + Math.round(most));
  }
  return cut;
})()`;

test('no amount is cut off on any kind of page at 1440, 1280, 1024 and 390 px (W4)', async () => {
  const { page, open } = await inspected(browser(), {}, '--scenario', 'demo');
  const seen = new Set<string>();
  const left = ['/inspector', '/inspector/ledger', '/inspector/state/transactions', '/inspector/state/accounts'];
  const found: string[] = [];
  for (let path = left.shift(); path !== undefined && seen.size < 60; path = left.shift()) {
    if (seen.has(kindOf(path)) || path.includes('file=')) continue;
    seen.add(kindOf(path));
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(path);
    left.push(...((await page.evaluate(LINKS)) as string[]));
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const one of (await page.evaluate(CUT)) as string[]) found.push(`${path} at ${width} px: ${one}`);
    }
  }
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(30);
});

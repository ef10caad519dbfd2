import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { linksOf } from '../inspector/visit.ts';
import { realBrowser } from './chromium.ts';
import { type Inspected, inspected } from './inspector-page.ts';

const browser = realBrowser();
const WIDTHS = [1440, 1280, 1024, 390];

/** The kind of a page: two with the same one differ in what they are about. */
const kindOf = (path: string): string =>
  decodeURIComponent(path)
    .replace(/[?#].*/, '')
    .replace(/:[0-9a-f]{8}-[0-9a-f-]{27}|(?<=AgentDeviceCode):\w+/, ':{id}')
    .replace(/req_\d+/, '{request}')
    .replace(/outside:.*/, '{outside}')
    .replace(/\/api\/\w+/, '/api/{operation}');

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
  // Amounts within a text too: what an ellipsis hides is laid out nevertheless.
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const around = node.parentElement;
    if (!around.checkVisibility() || around.closest('pre, textarea, script, style, .pre, .visually-hidden')) continue;
    for (const { 0: amount, index } of node.data.matchAll(/\\d[\\d,]*(?:\\.\\d+)? [A-Z]{3,5}\\b/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      let most = width;
      for (let one = around; one; one = one.parentElement)
        if (getComputedStyle(one).overflowX !== 'visible') most = Math.min(most, one.getBoundingClientRect().right);
      const end = Math.max(...[...range.getClientRects()].map(({ right }) => right));
      if (end > most + 1) cut.push(amount + ' in a text ends at ' + Math.round(end) + ' of ' + Math.round(most));
    }
  }
  return cut;
})()`;

/** In the page: words that end on another line than they begin on, although they are no longer than 20 letters. */
const BROKEN = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const around = node.parentElement;
    if (!around.checkVisibility() || around.closest('pre, code, textarea, script, style, svg, .pre, .visually-hidden')) continue;
    for (const { 0: word, index } of node.data.matchAll(/\\p{L}{3,}/gu)) {
      if (word.length > 20) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
      if (Math.max(...lines) - Math.min(...lines) > 4) found.push('"' + word + '" is broken in ' + node.data.slice(0, 60));
    }
  }
  return found;
})()`;

/** In the page: panels that stand one below the other without a gap. */
const TOUCHING = `(() => {
  const panels = [...document.querySelectorAll('main .panel')].filter((one) => one.checkVisibility());
  return panels.flatMap((one) => {
    const { bottom, left, right } = one.getBoundingClientRect();
    return panels.flatMap((other) => {
      const { top, left: from, right: to } = other.getBoundingClientRect();
      const near = other !== one && !one.contains(other) && from < right && to > left && top >= bottom - 1 && top < bottom + 8;
      return near ? [one.textContent.slice(0, 30) + ' touches ' + other.textContent.slice(0, 30)] : [];
    });
  });
})()`;

/** In the page: texts of neighbours within a line that no space parts, so that a screen reader makes one word of them. */
const TOGETHER = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) => {
    const { parentElement: around } = node;
    if (node.data === '' || around.closest('script, style, noscript, svg, pre, dialog, [aria-hidden=true], [hidden]'))
      return NodeFilter.FILTER_REJECT;
    return around.checkVisibility() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
  });
  const parts = (from, to) => {
    const range = document.createRange();
    range.setStartAfter(from);
    range.setEndBefore(to);
    const between = range.cloneContents().querySelector('br, input, button, svg, img, hr, wbr');
    return between !== null;
  };
  const isBlock = (node, top) => {
    for (let one = node.parentElement; one && one !== top; one = one.parentElement)
      if (!['inline', 'contents'].includes(getComputedStyle(one).display)) return true;
    return false;
  };
  let before = walker.nextNode();
  for (let node = walker.nextNode(); node; before = node, node = walker.nextNode()) {
    // A part of a word that a search has found is marked within it.
    if ([before, node].some((one) => one.parentElement.tagName === 'MARK')) continue;
    if (before.parentElement === node.parentElement || /\\s$/.test(before.data) || !/^[\\p{L}\\p{N}]/u.test(node.data)) continue;
    if (!/[\\p{L}\\p{N}]$/u.test(before.data)) continue;
    const range = document.createRange();
    range.setStart(before, 0);
    range.setEnd(node, 0);
    const top = range.commonAncestorContainer;
    if (isBlock(before, top) || isBlock(node, top) || parts(before, node)) continue;
    found.push(before.data.slice(-30) + '|' + node.data.slice(0, 30));
  }
  return found;
})()`;

/** Every rule of axe-core that finds something on the page as it is, \`region\` and other good habits included. */
async function faultsIn(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe.source);
  return (await page.evaluate(
    `axe.run(document, ${JSON.stringify({
      resultTypes: ['violations'],
      ...(rules.length > 0 ? { runOnly: rules } : {}),
    })}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map((n) => id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary)))`,
  )) as string[];
}

/** The example of an operation. */
const example = async ({ emulator }: Pick<Inspected, 'emulator'>, operation: string) =>
  (await emulator.control('GET', `/operations/${operation}`)).body.example;

/** What somebody has done before the tour: a customer, a refusal, a payment, a snapshot and a fault. */
async function lived({ emulator }: Pick<Inspected, 'emulator'>): Promise<void> {
  const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' };
  await emulator.call('POST', '/customers', ada);
  await emulator.call('POST', '/customers', { ...ada, birthDate: '1990-13-40' });
  const paying = await example({ emulator }, 'createQuote');
  const { body: quote } = await emulator.call('POST', '/quotes', paying.body);
  await emulator.call('POST', `/quotes/${quote.id}/execute`);
  await emulator.control('POST', '/snapshots', { name: 'before' });
  await emulator.control('POST', '/faults', {
    match: { operation: 'createQuote', times: 2 },
    then: { status: 503 },
  });
}

/** One page of each kind that a walk over all links finds. */
async function pagesOf(url: string): Promise<string[]> {
  const seen = new Map<string, string>();
  const left = ['/inspector', '/inspector/search?q=a', '/inspector/record', '/inspector/nowhere'];
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    if (seen.has(kindOf(path)) || /(?:file|format)=/.test(path)) continue;
    seen.set(kindOf(path), path);
    const html = await (await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).text();
    left.push(...linksOf(html).filter((link) => link.startsWith('/inspector') && !link.includes('/assets/')));
  }
  return [...seen.values()];
}

/** What is wrong with some pages. */
async function faultsOf({ page, open, problems }: Inspected, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const note = (all: unknown, where: string) => {
      for (const one of all as string[]) found.push(`${path} ${where}: ${one}`);
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(path);
    note(await page.evaluate(TOGETHER), 'runs together');
    note(await faultsIn(page, ['color-contrast', 'region', 'target-size']), 'light at 1280 px');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const faults of [CUT, BROKEN, TOUCHING]) note(await page.evaluate(faults), `at ${width} px`);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    note(await faultsIn(page), 'dark at 390 px');
  }
  // The browser complains of the page that is not there, whenever it is fetched.
  if (paths.includes('/inspector/nowhere'))
    problems.splice(0, problems.length, ...problems.filter((said) => !said.includes('status of 404')));
  return found;
}

// All pages of one scenario, in parts that take a minute at most; of the others the pages of their resources.
const PARTS = 4;
test.each([0, 1, 2, 3])(
  'no page of scenario demo cuts an amount off, breaks a word, has a fault that axe-core knows or runs words together: part %i of 4 (W4, W9, W25)',
  async (part) => {
    const look = await inspected(browser(), {}, '--scenario', 'demo');
    await lived(look);
    const paths = await pagesOf(look.emulator.url);
    expect(paths.length).toBeGreaterThan(55);
    expect(
      await faultsOf(
        look,
        paths.filter((_, i) => i % PARTS === part),
      ),
    ).toEqual([]);
  },
);

test.each(['agents', 'cards', 'sca', 'stablecoins'])(
  'no resource of scenario %s cuts an amount off, breaks a word, has a fault that axe-core knows or runs words together (W4, W9, W25)',
  async (scenario) => {
    const look = await inspected(browser(), {}, '--scenario', scenario);
    const paths = (await pagesOf(look.emulator.url)).filter((path) => /\/(?:state|ledger)\/.+(?:%3A|:)/.test(path));
    expect(paths.length).toBeGreaterThan(5);
    expect(await faultsOf(look, paths)).toEqual([]);
  },
);

import { describe, expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { crawl, lived, unescaped, visitor } from './visit.ts';

const buttonsOf = (html: string): string[] =>
  [...html.matchAll(/<button [^>]*data-url=[^>]*>[^<]*/g)].map(([all]) => all);
const labelOf = (button: string): string => button.replace(/^<button [^>]*>/, '');

describe('buttons of the pages', () => {
  test('every button for an act that cannot be undone needs a second press, on every page (W7)', async () => {
    const world = await visitor({ scenario: 'demo', now: '2026-01-05T09:00:00Z', holdClock: true });
    await lived(world);
    const { body } = await world.control('GET', '/tables');
    const paths = new Set(['/inspector/faults', '/inspector/scenario', '/inspector/codes']);
    for (const { name } of body.data) {
      const { html } = await world.open(`/inspector/state/${name}`);
      for (const [, path] of html.matchAll(/href="(\/inspector\/state\/[^"?]+\/[^"?]+)"/g)) paths.add(path as string);
    }
    const seen = new Map<string, boolean>();
    for (const path of paths)
      for (const button of buttonsOf((await world.open(path)).html))
        seen.set(labelOf(button), (seen.get(labelOf(button)) ?? true) && /data-sure="[^"]+"/.test(button));
    const ends = [...seen.keys()].filter((label) =>
      /^(?:Reject|Fail|Return|Remove all|Reset|Drop|Close|Freeze|Restore)/.test(label),
    );
    expect(ends).toEqual(expect.arrayContaining(['Reject', 'Return it', 'Remove all', 'Reset to the scenario']));
    expect(ends.filter((label) => !seen.get(label))).toEqual([]);
  });

  test('every page says that buttons need JavaScript where there is none (W25)', async () => {
    const world = await visitor();
    await lived(world);
    const { seen } = await crawl(world, /\/assets\/|\?|\/api\/|\/state\/.+\//);
    const pages = [...seen].filter((path) => path === '/' || /^\/inspector(?!.*\.)/.test(path));
    expect(pages.length).toBeGreaterThan(10);
    for (const path of pages) expect((await world.open(path)).html, path).toContain('Buttons need JavaScript');
  });
});

test('a page that does not exist is a 404 that leads to the search; the page of a missing resource says why (W28)', async () => {
  const world = await visitor();
  const page = await world.open('/inspector/nowhere');
  expect(page.status).toBe(404);
  expect(page.html).toContain('<h1>Page not found</h1>');
  expect(page.html).toContain('There is no page at /inspector/nowhere');
  expect(page.html).toContain('href="/inspector/search"');
  expect(page.html).not.toContain('too old');
  const resource = await world.open('/inspector/state/customers/Customer:1');
  expect([resource.status, unescaped(resource.html).includes('There is no customer Customer:1')]).toEqual([404, true]);
  expect(resource.html).toContain('too old');
});

test('the webhooks page offers every event of the profile, and the call of its form sends a signed one (W19)', async () => {
  const hooks = await receiver();
  const world = await visitor({ webhookUrl: hooks.url });
  const { html } = await world.open('/inspector/webhooks');
  const form = html.slice(html.indexOf('aria-label="Send an event"'));
  const offered = [...(form.split('</form>')[0] ?? '').matchAll(/<option value="([^"]+)"/g)].map(([, type]) => type);
  const { data } = (await world.control('GET', '/trigger')).body;
  expect(offered).toEqual(data.map(({ type }: { type: string }) => type));
  expect(html).toMatch(/data-method="POST" data-url="\/_emulator\/trigger"/);
  expect((await world.control('POST', '/trigger', { event: 'CARD.STATE_CHANGE' })).status).toBe(200);
  expect(hooks.received.at(-1)?.event.type).toBe('CARD.STATE_CHANGE');
  expect(Object.keys(hooks.received.at(-1)?.headers ?? {}).some((name) => name.endsWith('signature'))).toBe(true);
});

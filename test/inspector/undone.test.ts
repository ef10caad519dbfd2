import { describe, expect, test } from 'vitest';
import { agent } from '../mcp/agent.ts';
import { unescaped, type Visitor, visitor } from './visit.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** The words of a page's part, without its tags. */
const words = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
const part = (html: string, id: string): string =>
  words(new RegExp(`<div id="${id}"[\\s\\S]*?</section>`).exec(html)?.[0] ?? '');
const row = (html: string, id: string): string =>
  words(new RegExp(`data-row="${id}"[\\s\\S]*?<time`).exec(html)?.[0] ?? '');

/** A world in which Ada was made, then changed, then all of the change was taken back; `seed` has ids repeat. */
async function rewound(seed?: number): Promise<Visitor & { ada: string }> {
  const world = await visitor(seed === undefined ? {} : { seed });
  const { id: ada } = (await world.post('/customers', ADA)).body;
  await world.patch(`/customers/${ada}`, { fullName: 'Ada Other' });
  await world.post('/customers', { ...ADA, fullName: 'Gone Person' });
  await world.post('/customers', { customerType: 'ROBOT' });
  await world.control('POST', '/requests/req_2/rewind');
  return Object.assign(world, { ada });
}

describe('a request that a rewind undid', () => {
  test('the page of a request that a rewind undid says by which rewind, and nothing that contradicts it', async () => {
    const world = await rewound();
    const { html } = await world.open('/inspector/requests/req_3');
    expect(words(html)).toContain('Undone by the rewind to before req_2');
    expect(html).toContain('href="/inspector/requests/req_2"');
    expect(part(html, 'caused')).toMatch(/Undone It triggered \d webhooks?, which the rewind undid\. $/);
    expect(part(html, 'go-back')).toContain('It is no longer kept: the rewind went back further.');
    for (const never of ['Forgotten by now', 'It sent no event']) expect(html).not.toContain(never);
    const first = (await world.open('/inspector/requests/req_1')).html;
    expect(first).not.toContain('Undone by');
  });

  test('a request that a rewind undid does not claim the webhooks of a later call with the same ids', async () => {
    const world = await rewound(7);
    await world.patch(`/customers/${world.ada}`, { fullName: 'Ada Other' });
    await world.post('/customers', { ...ADA, fullName: 'Gone Person' });
    const { caused: before } = (await world.control('GET', '/requests/req_3')).body;
    expect(before.webhooks.map(({ state }: { state: string }) => state)).toEqual(before.webhooks.map(() => 'UNDONE'));
    const again = (await world.control('GET', '/requests/req_6')).body.caused.webhooks;
    const ids = (webhooks: { id: string }[]) => webhooks.map(({ id }) => id);
    expect(ids(again)).toEqual(ids(before.webhooks));
    expect(again.length).toBeGreaterThan(0);
    expect(part((await world.open('/inspector/requests/req_3')).html, 'caused')).toContain('which the rewind undid');
    const { html } = await world.open(`/inspector/webhooks/${again[0].id}`);
    expect(html).toContain('data-row="req_6"');
  });

  test('a request that a rewind undid is marked in lists, and counts no webhooks there', async () => {
    const world = await rewound();
    for (const path of ['/', '/inspector/requests']) {
      const { html } = await world.open(path);
      for (const id of ['req_2', 'req_3', 'req_4']) expect(row(html, id), `${path} ${id}`).toMatch(/ undone /);
      expect(row(html, 'req_3')).not.toContain('↳');
      expect(row(html, 'req_1')).not.toContain('undone');
    }
  });

  test('a request that a rewind undid is not listed among those that changed a resource', async () => {
    const world = await rewound();
    const { html } = await world.open(`/inspector/state/customers/${world.ada}`);
    expect(html).toContain('req_1');
    expect(html).not.toContain('req_2');
    const list = (await world.open(`/inspector/requests?about=${encodeURIComponent(world.ada)}`)).html;
    expect([...list.matchAll(/data-row="(req_\d+)"/g)].map(([, id]) => id)).toEqual(['req_1']);
  });

  test('a request stays undone by the first rewind, whatever is rewound later', async () => {
    const world = await rewound();
    await world.post('/customers', ADA);
    await world.control('POST', '/requests/req_1/rewind');
    const { data } = (await world.control('GET', '/requests')).body;
    const by = Object.fromEntries(data.map((one: { id: string; undoneBy: string }) => [one.id, one.undoneBy]));
    expect(by).toEqual({ req_5: 'req_1', req_4: 'req_2', req_3: 'req_2', req_2: 'req_2', req_1: 'req_1' });
  });

  test('a rewind after a restore undoes no request from before the restore', async () => {
    const world = await rewound();
    await world.control('POST', '/snapshots', { name: 'a' });
    await world.control('POST', '/snapshots/a/restore');
    await world.post('/customers', ADA);
    await world.post('/customers', ADA);
    const [latest, first] = (await world.control('GET', '/requests?limit=2')).body.data;
    await world.control('POST', `/requests/${first.id}/rewind`);
    const { data } = (await world.control('GET', '/requests')).body;
    expect(data.filter(({ undoneBy }: { undoneBy?: string }) => undoneBy === first.id)).toMatchObject([
      { id: latest.id },
      { id: first.id },
    ]);
    expect(data.at(-1)).not.toHaveProperty('undone');
  });

  test('a request that a rewind undid is explained as undone to coding agents', async () => {
    const world = await rewound();
    const { use } = await agent(world);
    const { undone, next } = await use('why', { request: 'req_3' });
    expect([undone, next]).toEqual([
      'undone by the rewind to before req_2',
      'it was undone by the rewind to before req_2: only the log remembers it',
    ]);
    expect((await use('overview')).lastRequests[1]).toMatch(
      /^req_3 201 POST .*\/customers undone by the rewind to before req_2$/,
    );
  });
});

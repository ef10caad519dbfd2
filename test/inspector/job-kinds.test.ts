import { expect, test } from 'vitest';
import { JOB_KINDS } from '../../src/areas.ts';
import { kindInWords } from '../../src/inspector/requests/job-kinds.ts';
import { receiver } from '../kit/receiver.ts';
import { lived, visitor } from './visit.ts';

test.each([...JOB_KINDS.keys()])('a job of kind %s is named in words, not by its kind', (kind) => {
  const said = kindInWords(kind);
  expect(said).toMatch(/^[a-z][a-z-]*(?: [A-Za-z-]+)+$/);
  expect(said).not.toMatch(/\bof$|undefined/);
});

test('the page of a request says in words what its jobs did, after they have run', async () => {
  const world = await visitor();
  const hooks = await receiver();
  await world.patch('/config', { webhookEndpoint: hooks.url });
  await lived(world);
  await world.settle();
  const { data: log } = (await world.control('GET', '/requests')).body;
  const { id } = log.find(({ path }: { path: string }) => path.endsWith('/execute'));
  expect((await world.control('GET', `/requests/${id}`)).body.caused.jobs).toContainEqual(
    expect.objectContaining({ kind: 'webhook.deliver', state: 'DONE' }),
  );
  const { html } = await world.open(`/inspector/requests/${id}`);
  expect(html).toContain('<b>Send a webhook</b>');
  expect(html).not.toContain('webhook.deliver');
});

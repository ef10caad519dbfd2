import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/areas/webhooks/index.ts';
import { receiver } from '../../kit/receiver.ts';
import { kit } from '../../kit/sandbox.ts';

test.each(['spec', 'grid'] as const)(
  'deliveries that the first release saved unfinished continue under profile %s with their jobs, attempts and order',
  async (profile) => {
    const hooks = await receiver();
    const state = JSON.parse(
      readFileSync(join(import.meta.dirname, `../../control/states/first-${profile}.state`), 'utf8'),
    );
    const rowsOf = (of: typeof state, table: string) => of.tables.find((t: { name: string }) => t.name === table).rows;
    const [platform] = rowsOf(state, 'platform');
    platform.webhookEndpoint = hooks.url;
    const open = rowsOf(state, 'webhooks').filter((d: Delivery) => d.state === 'PENDING' || d.state === 'WAITING');
    const jobs = rowsOf(state, 'jobs').filter((job: { kind: string }) => job.kind === 'webhook.deliver');
    expect(jobs).toHaveLength(19);
    const it = await kit({ profile });
    hooks.react = () => 500;
    // The first release paid out of every currency by one account of the outside.
    it.oddBooks();
    expect((await it.control('PUT', '/state', state)).status).toBe(200);
    await it.advance('PT2H');
    const after = JSON.parse((await it.control('GET', '/state')).text);
    const ids = rowsOf(after, 'jobs').map((job: { id: string }) => job.id);
    for (const { id } of jobs) expect(ids).toContain(id);
    hooks.react = () => 200;
    hooks.received.length = 0;
    await it.advance('P1D');
    const rows: Delivery[] = rowsOf(JSON.parse((await it.control('GET', '/state')).text), 'webhooks');
    for (const old of open) {
      const now = rows.find(({ id }) => id === old.id);
      expect(now?.state).toBe('DELIVERED');
      expect(now?.attempts.slice(0, old.attempts.length)).toEqual(old.attempts);
      const came = hooks.received
        .map(({ event }) => event.id)
        .filter((id) => rows.find((d) => d.id === id)?.subject === old.subject);
      expect(came).toEqual(rows.filter((d) => came.includes(d.id)).map((d) => d.id));
    }
    expect(it.sandbox.requestLog.causes).toBe(0);
  },
);

import { expect, test } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { DECISIONS, JOB_KINDS } from '../../src/areas.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { effort } from '../kit/effort.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** Jobs that a scenario's policy may put off: those that stand for somebody's decision. Deliveries wait for a receiver. */
const decides = (kind: string): boolean => JOB_KINDS.get(kind)?.policy !== undefined && kind !== 'webhook.deliver';

/** Rows on which each choice is tried; more in a thorough run. */
const EACH = effort(1, 20);

/** Every row of a sandbox but one job. */
const rowsBut = (id: string, { world }: Sandbox): string =>
  JSON.stringify(world.snapshot().tables.map(({ name, rows }) => [name, rows.filter((row) => row.id !== id)]));

/** The jobs of a sandbox that would end without having changed anything if they were run now. */
async function voidJobs({ host }: Kit, sandbox: Sandbox): Promise<string[]> {
  const found: string[] = [];
  for (const { id, kind } of [...sandbox.world.scheduler.jobs.rows()].filter((job) => decides(job.kind))) {
    const copy = await host.fork(sandbox);
    const before = rowsBut(id, copy);
    await copy.world.scheduler.run(id);
    if (rowsBut(id, copy) === before) found.push(kind);
    host.drop(copy);
  }
  return found;
}

test.each(['spec', 'grid'] as const)(
  'a decision by hand leaves no job behind that would change nothing, profile %s (W5)',
  async (profile) => {
    const it = await fullLife(profile);
    expect(await voidJobs(it, it.sandbox)).toEqual([]);
    const left: string[] = [];
    const seen = new Map<string, number>();
    for (const { table, name, decide, choices } of DECISIONS)
      for (const row of [...it.sandbox.world.rows(table).rows()])
        for (const { label, body } of choices(it.sandbox.world, row)) {
          const which = `${table.name} ${name} ${label}`;
          const before = seen.get(which) ?? 0;
          seen.set(which, before + 1);
          if (before >= EACH) continue;
          const copy = await it.host.fork(it.sandbox);
          copy.world.transact(() => decide(copy.world, row.id, body), 'a decision by hand');
          // What is due at once is done; what is left waits for its moment, or for somebody.
          await copy.world.scheduler.settle();
          for (const kind of await voidJobs(it, copy)) left.push(`${which}: ${kind}`);
          it.host.drop(copy);
        }
    expect([...new Set(left)]).toEqual([]);
    for (const { table, name } of DECISIONS)
      expect(
        [...seen.keys()].some((which) => which.startsWith(`${table.name} ${name} `)),
        name,
      ).toBe(true);
  },
);

test.each(['demo', 'failures', 'contact-verification', 'unregulated', 'stablecoins', 'cards', 'agents'])(
  'scenario %s schedules no job that would change nothing (W5)',
  async (scenario) => {
    const it = await kit({ scenario });
    expect(await voidJobs(it, it.sandbox)).toEqual([]);
  },
);

test('a customer that a scenario seeds as PENDING is approved by its held job', async () => {
  const it = await kit({
    scenario: {
      customers: [
        { label: 'ada', customerType: 'INDIVIDUAL', fullName: 'Ada Keller', kycStatus: 'PENDING' },
        { label: 'ben', customerType: 'INDIVIDUAL', fullName: 'Ben Okoro', kycStatus: 'APPROVED' },
        { label: 'cem', customerType: 'INDIVIDUAL', fullName: 'Cem Yildiz', kycStatus: 'REJECTED' },
      ],
    },
  });
  const { scheduler } = it.sandbox.world;
  expect([...scheduler.jobs.rows()].map(({ kind }) => kind)).toEqual(['customer.decide']);
  await scheduler.run([...scheduler.jobs.rows()][0]?.id ?? '');
  expect([...it.sandbox.world.rows(CUSTOMERS).rows()].map(({ kycStatus }) => kycStatus)).toEqual([
    'APPROVED',
    'APPROVED',
    'REJECTED',
  ]);
});

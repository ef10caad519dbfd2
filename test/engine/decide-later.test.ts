import { describe, expect, test } from 'vitest';
import type { Policy } from '../../src/contract/policy.ts';
import { decideLater, isPutOff } from '../../src/engine/decide-later.ts';
import type { World } from '../../src/engine/world.ts';

/** What comes of a decision under a policy: its result, whether the kind is put off, and the jobs that it left. */
function decided(policy: Policy, options?: Parameters<typeof decideLater<string>>[3]) {
  const jobs: unknown[][] = [];
  const world = {
    policy: (kind: string) => (kind === 'door.open' ? policy : 'at once'),
    schedule: (...job: unknown[]) => jobs.push(job),
  } as unknown as World;
  const result = decideLater(world, 'door.open', { doorId: 'Door:1' }, options);
  return { result, jobs, putOff: isPutOff(world, 'door.open') };
}

describe('a decision by the policy of its kind', () => {
  const now = () => 'opened';
  const job = (ms: number) => [['door.open', { doorId: 'Door:1' }, ms]];

  test('a decision under the policy "at once" happens in the same call, and leaves no job', () => {
    expect(decided('at once', { now, afterMs: 5 })).toEqual({ result: 'opened', jobs: [], putOff: false });
  });

  test('a decision under the policy "at once" becomes a job after its usual time when it cannot happen in the same call', () => {
    expect(decided('at once')).toEqual({ result: undefined, jobs: job(0), putOff: false });
    expect(decided('at once', { afterMs: 2000 })).toEqual({ result: undefined, jobs: job(2000), putOff: false });
  });

  test.each([
    ['after 30s', 30_000],
    ['hold', Number.POSITIVE_INFINITY],
  ] as const)(
    'a decision under the policy "%s" becomes a job, whatever could happen at once and whatever its usual time is',
    (policy, ms) => {
      expect(decided(policy, { now, afterMs: 5 })).toEqual({ result: undefined, jobs: job(ms), putOff: true });
    },
  );
});

import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { WatchedHost } from '../hostile/host.ts';
import { receivers } from '../hostile/receivers.ts';
import { Report } from '../hostile/report.ts';
import { PLACES, tellerOf } from '../hostile/tour.ts';
import { isHeldByContract } from '../kit/contract.ts';
import { noteLine } from '../kit/seen.ts';

/** Notes each reply that was held against the public contract; one that differed from it is a finding. */
class Noting extends Report {
  readonly profile: string;

  constructor(profile: string) {
    super(1);
    this.profile = profile;
  }

  override note(target: string, reply: Parameters<Report['note']>[1]): void {
    super.note(target, reply);
    if (isHeldByContract(target, reply.status)) noteLine(`${target} held ${this.profile} ${reply.status}`);
  }
}

describe.each(['spec', 'grid'] as const)('profile %s', (profile) => {
  test('every operation succeeds by its own example, and each reply fits the public contract', async () => {
    const report = new Noting(profile);
    const hooks = await receivers();
    try {
      for (const { scenario, ids } of PLACES) {
        const watch = { report, timings: false, only: undefined, input: 0 };
        const watched = await WatchedHost.open({ profile, scenario, seed: 1, webhookUrl: hooks.urls.healthy }, watch);
        const teller = tellerOf(watched);
        for (const { id } of OPERATIONS) if (ids.test(id)) await teller.done(id);
        watched.end();
      }
    } finally {
      hooks.close();
    }
    expect(report.told()).toBe('');
    expect(report.never()).toEqual([]);
  });
});

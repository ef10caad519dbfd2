import { type Policy, policyDelay } from '../contract/policy.ts';
import { withPolicies, withPolicy } from './settings.ts';
import type { World } from './world.ts';

/** Returns whether the scenario's policy delays work of a kind, for a time or until a person decides. */
export const isPutOff = (world: World, kind: string): boolean => policyDelay(world.policy(kind)) > 0;

/**
 * Decides now, later or by hand, as the scenario's policy for the kind says. Under `at once` it calls `now` and returns
 * its result; without `now`, it schedules a job that is due `afterMs` virtual milliseconds later. Any other policy
 * schedules a job of the kind with this payload.
 */
export function decideLater<T>(
  world: World,
  kind: string,
  payload: Readonly<Record<string, unknown>>,
  { now, afterMs = 0 }: { now?: () => T; afterMs?: number | undefined } = {},
): T | undefined {
  const delay = policyDelay(world.policy(kind));
  if (delay === 0 && now) return now();
  world.schedule(kind, payload, delay === 0 ? afterMs : delay);
  return undefined;
}

/**
 * Changes when work of some kinds happens from now on; `undefined` restores the area's default. Jobs already scheduled
 * keep their due times, and a pause of such a kind ends.
 */
export function setPolicies(
  world: World,
  changes: readonly (readonly [kind: string, policy: Policy | undefined])[],
): void {
  let { policies, aside = {} } = world.settings;
  for (const [kind, policy] of changes) {
    policies = withPolicy(policies, kind, policy);
    aside = withPolicy(aside, kind, undefined);
  }
  world.settings = withPolicies(world.settings, policies, aside);
}

/** Cancels jobs of a kind with such a payload, because a person has made their decision by hand. Scans all jobs. */
export function decidedByHand(world: World, kind: string, payload: Readonly<Record<string, unknown>>): void {
  const members = Object.entries(payload);
  const decided: string[] = [];
  for (const job of world.scheduler.jobs.rows())
    if (job.kind === kind && members.every(([member, value]) => job.payload[member] === value)) decided.push(job.id);
  for (const id of decided) world.scheduler.cancel(id);
}

import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { Instant } from '../../contract/shapes.ts';
import { lazyRow, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';

/** The times of a credential's challenges within the last minute. */
export const RECENT = table('recent-challenges', {
  row: lazyRow(() => z.strictObject({ id: z.string(), times: z.array(Instant()) })),
});
const MINUTE_MS = 60_000;
export const CHALLENGES_PER_MINUTE = limit(
  'challengesPerMinute',
  20,
  'Login challenges a wallet credential and minute; 20, and 0 turns the limit off',
  () => z.int().min(0),
);

/** Counts a challenge. 429 RATE_LIMITED with `Retry-After` for too many per minute of virtual time (spec 8). */
export function countChallenge(world: World, credentialId: string): void {
  const most = world.limit(CHALLENGES_PER_MINUTE);
  if (most === 0) return;
  const now = world.clock.now();
  const recent = world.rows(RECENT);
  const times = (recent.get(credentialId)?.times ?? []).filter((time) => now - time < MINUTE_MS);
  const [oldest] = times;
  if (oldest !== undefined && times.length >= most)
    fail('RATE_LIMITED', `more than ${most} challenges of this credential in a minute`, {
      retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)),
      why: { rule: 'spec 8, challenges: re-issue is rate-limited', expected: most, seen: times.length + 1 },
    });
  const row = { id: credentialId, times: [...times, now] };
  if (recent.get(credentialId)) recent.put(row);
  else recent.insert(row);
}

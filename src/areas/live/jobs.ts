import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { gather, payOnce } from './payments.ts';
import { tidy } from './tidy.ts';

const HOUR_MS = 3_600_000;
/** The payments between two updates of the parties and two deletions of old payments. */
const ROUND = 20;

const PaymentPayload = lazy(() =>
  z.strictObject({ perHour: z.number().positive(), keepMs: z.number().positive(), made: z.int().min(0) }),
);
const StartOverPayload = lazy(() => z.strictObject({ everyMs: z.number().positive() }));

/** Returns the virtual milliseconds to the next payment, drawn from the seed: half to one and a half times the mean. */
function pauseOf(world: World, perHour: number): number {
  const [a = 0, b = 0] = world.ids.bytes(2);
  return Math.max(1, Math.round((HOUR_MS / perHour) * (0.5 + (a * 256 + b) / 65_536)));
}

export const jobs: Readonly<Record<string, JobKind>> = {
  'live.payment': job({
    payload: PaymentPayload,
    words: { verb: 'make the next live payment of', about: () => 'live traffic', name: () => 'live traffic' },
    run:
      (world, { perHour, keepMs, made }) =>
      () => {
        if (made % ROUND === 0) {
          gather(world);
          tidy(world, keepMs);
        }
        payOnce(world);
        return { again: pauseOf(world, perHour), payload: { perHour, keepMs, made: made + 1 } };
      },
  }),
  'live.startOver': job({
    payload: StartOverPayload,
    words: { verb: 'start over', about: () => 'the sandbox', name: () => 'the sandbox' },
    run:
      (world, { everyMs }) =>
      () => {
        world.startOver();
        // The next life has its own job; this one continues only if that life could not begin.
        return { again: everyMs };
      },
  }),
};

/**
 * Starts live traffic in a new world: `perHour` payments per virtual hour, each kept for `keepMs` virtual milliseconds.
 */
export function beginTraffic(world: World, perHour: number, keepMs: number): void {
  world.schedule('live.payment', { perHour, keepMs, made: 0 }, pauseOf(world, perHour));
}

/** Makes a new world start over by itself after a number of virtual milliseconds. */
export function startOverAfter(world: World, everyMs: number): void {
  world.schedule('live.startOver', { everyMs }, everyMs);
}

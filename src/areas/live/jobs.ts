import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { gather, payOnce } from './payments.ts';
import { tidy } from './tidy.ts';

const HOUR_MS = 3_600_000;
/** Payments between two looks at who there is, and at what is old. */
const ROUND = 20;

const PaymentPayload = lazy(() =>
  z.strictObject({ perHour: z.number().positive(), keepMs: z.number().positive(), made: z.int().min(0) }),
);
const StartOverPayload = lazy(() => z.strictObject({ everyMs: z.number().positive() }));

/** Returns the virtual milliseconds to the next payment, drawn from the seed: half to one and a half times their mean. */
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
        // The life after this one has a job of its own; this one counts where it could not begin.
        return { again: everyMs };
      },
  }),
};

/** Begins live traffic in a new world: so many payments per virtual hour, each kept for so many virtual milliseconds. */
export function beginTraffic(world: World, perHour: number, keepMs: number): void {
  world.schedule('live.payment', { perHour, keepMs, made: 0 }, pauseOf(world, perHour));
}

/** Has a new world start over by itself after so many virtual milliseconds. */
export function startOverAfter(world: World, everyMs: number): void {
  world.schedule('live.startOver', { everyMs }, everyMs);
}

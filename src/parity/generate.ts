import { type Arbitrary, array, constantFrom, nat, record, sample } from 'fast-check';
import { Builder } from './builder.ts';
import type { Walk } from './plan.ts';
import { RECIPES } from './recipes/index.ts';
import { twist, WAYS } from './twists.ts';

/** Operations aimed at in a walk, at most; each brings the calls that it needs. */
const LONGEST = 12;
/** Of so many aims one is followed by a wrong or a repeated call. */
const TWISTED = 2;

interface Aim {
  readonly operation: string;
  readonly picks: readonly number[];
  readonly twist: number;
}

const aims = (operations: readonly string[]): Arbitrary<Aim[]> =>
  array(
    record({
      operation: constantFrom(...operations),
      picks: array(nat(0xffff), { minLength: 24, maxLength: 24 }),
      twist: nat(WAYS * TWISTED - 1),
    }),
    { minLength: 2, maxLength: LONGEST, size: 'max' },
  );

/** The walk that a seed names: what to call, with everything that it needs before. */
export function walkOf(operations: readonly string[], seed: number): Walk {
  const [chosen = []] = sample(aims(operations), { seed, numRuns: 1 });
  const builder = new Builder();
  for (const aim of chosen) {
    builder.draw(aim.picks);
    RECIPES[aim.operation]?.(builder);
    if (aim.twist < WAYS) twist(builder, aim.twist);
  }
  return builder.walk;
}

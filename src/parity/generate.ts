import { type Arbitrary, array, constantFrom, nat, record, sample } from 'fast-check';
import { Builder, Replies, type Walk } from '../calls/index.ts';
import { twist, WAYS } from './twists.ts';

/** The most operations that a walk aims at; each brings the calls that it needs. */
const LONGEST = 12;
/** One in this many aims is followed by a wrong or a repeated call. */
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
      picks: array(nat(0xffff), { minLength: 32, maxLength: 32 }),
      twist: nat(WAYS * TWISTED - 1),
    }),
    { minLength: 2, maxLength: LONGEST, size: 'max' },
  );

/** Returns the walk of a seed: the calls, with everything that they need before. */
export function walkOf(operations: readonly string[], seed: number): Walk {
  const [chosen = []] = sample(aims(operations), { seed, numRuns: 1 });
  const builder = new Builder();
  const replies = new Replies(builder);
  for (const aim of chosen) {
    builder.draw(aim.picks);
    const call = replies.aim(aim.operation);
    if (call && aim.twist < WAYS) twist(builder, call, aim.twist);
  }
  return builder.walk;
}

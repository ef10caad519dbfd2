import { chance } from '../kit/chance.ts';

/** What every choice of a run is drawn from: a seed and the number of an input name it. */
export interface Random {
  below(n: number): number;
  of<T>(list: readonly T[]): T;
  /** Whether something with this probability happens. */
  once(probability: number): boolean;
}

/** The choices of one input: the same for the same seed and number, and unlike those of its neighbours. */
export function randomOf(seed: number, n: number): Random {
  const { below, of } = chance((Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul((n + 1) | 0, 0x85ebca6b)) >>> 0);
  return { below, of, once: (probability) => below(1_000_000) < probability * 1_000_000 };
}

import { distance } from 'fastest-levenshtein';

/** The nearest of some names, if one is near enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, name.length / 3);
  // What differs in length by more is not near; asking that first keeps a long name from being compared at all.
  const [best] = names
    .filter((n) => Math.abs(n.length - name.length) <= most)
    .map((n) => [distance(name, n), n] as const)
    .sort((a, b) => a[0] - b[0]);
  return best && best[0] <= most ? best[1] : undefined;
}

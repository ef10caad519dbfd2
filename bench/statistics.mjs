// Medians, and two things measured in turns.

const sorted = (values) => [...values].sort((a, b) => a - b);
export const median = (values) => sorted(values)[Math.floor(values.length / 2)];
export const quantile = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))];

/** A number with three digits that count. */
export const short = (value) => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3;
  return Number(value.toFixed(digits)).toLocaleString('en');
};

/**
 * Measures two things in turns, each first every second time, so that a busy machine is unfair to neither. Returns what
 * was measured of each, pair by pair.
 */
export async function inTurns(times, first, second) {
  const pairs = [];
  for (let i = 0; i < times; i += 1) {
    const early = await (i % 2 === 0 ? first : second)();
    const late = await (i % 2 === 0 ? second : first)();
    pairs.push(i % 2 === 0 ? [early, late] : [late, early]);
  }
  return pairs;
}

/** Ours beside a reference, of pairs of numbers `[reference, ours]`: medians, the median of the ratios and its quartiles. */
export function beside(pairs) {
  const ratios = pairs.map(([reference, ours]) => ours / reference);
  return {
    value: median(pairs.map(([, ours]) => ours)),
    reference: median(pairs.map(([reference]) => reference)),
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/**
 * Where the true median of the ratios lies with 95 % certainty, by the ranks of what was measured: nothing is supposed of
 * how the noise of a machine is distributed. Undefined for fewer than six, of which nothing so certain can be said.
 */
export function certain(values) {
  const count = values.length;
  let [rank, chance, below] = [0, 0.5 ** count, 0];
  while (2 * (below + chance) <= 0.05) {
    below += chance;
    rank += 1;
    chance *= (count - rank + 1) / rank;
  }
  const inOrder = sorted(values);
  return rank === 0 ? undefined : [inOrder[rank - 1], inOrder[count - rank]];
}

// One measure of two builds, in pairs, and which measures are meant by a word.
import { beside, certain, inTurns } from './statistics.mjs';

/** The measures of these parts, or whose name has one of these words; all where none is named. */
export function chosen(measures, words) {
  const of = (word) =>
    Object.entries(measures).filter(
      ([name, { part }]) => part === word || name.toLowerCase().includes(word.toLowerCase()),
    );
  const unknown = words.filter((word) => of(word).length === 0);
  if (unknown.length > 0) {
    const parts = [...new Set(Object.values(measures).map(({ part }) => part))];
    throw new Error(`nothing is compared by the name ${unknown.join(', ')}; there are ${parts.join(', ')}`);
  }
  const names = new Set(words.flatMap((word) => of(word).map(([name]) => name)));
  return Object.fromEntries(Object.entries(measures).filter(([name]) => words.length === 0 || names.has(name)));
}

/** What the ratios say: better or worse only where their median surely is by more than 1 %. */
export function verdict(interval) {
  if (!interval) return 'too few';
  const [low, high] = interval;
  if (high < 0.99) return 'better';
  return low > 1.01 ? 'worse' : 'not sure';
}

/** Measure both builds of one measure in turns: medians, ratio this / other, and where its median surely lies. */
export async function comparePair({ open }, other, own, pairs) {
  const [theirs, ours] = [await open(other), await open(own)];
  const measured = await inTurns(
    pairs,
    () => theirs.measure(),
    () => ours.measure(),
  );
  await Promise.all([theirs.close(), ours.close()]);
  const interval = certain(measured.map(([before, now]) => now / before));
  return { ...beside(measured), interval, verdict: verdict(interval) };
}

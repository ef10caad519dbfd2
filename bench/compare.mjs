// npm run bench -- --compare <commit or built folder> [part ...] [--pairs 9]: this build beside another one, in turns.
import { buildOf } from './builds.mjs';
import { THIS } from './kit.mjs';
import { MEASURES } from './measures.mjs';
import { fail } from './processes.mjs';
import { beside, certain, inTurns, short } from './statistics.mjs';

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

/** Print how this build compares to another commit. */
export async function compare(ref, words, { pairs, json }) {
  if (!(Number.isInteger(pairs) && pairs > 0)) fail(`--pairs: not a whole number above 0: ${pairs}`);
  let measures;
  try {
    measures = chosen(MEASURES, words);
  } catch (error) {
    fail(error.message);
  }
  const other = buildOf(ref);
  if (!json)
    console.log(
      `this build / ${ref}, ${pairs} pairs: median of the ratios [where it lies, 95 % sure]; below 1 is better\n`,
    );
  const rows = [];
  for (const [name, measure] of Object.entries(measures)) {
    const found = await comparePair(measure, other, THIS, pairs);
    rows.push({ name, unit: measure.unit, ...found });
    if (json) continue;
    const { value, reference, ratio, interval = [] } = found;
    console.log(
      `${name.padEnd(28)} ${`${ratio.toFixed(3)} [${interval.map((each) => each.toFixed(3)).join('..')}]`.padEnd(24)} ${found.verdict.padEnd(10)} ${short(value)} (${short(reference)}) ${measure.unit}`,
    );
  }
  if (json) console.log(JSON.stringify({ node: process.version, other: ref, pairs, rows }, null, 2));
}

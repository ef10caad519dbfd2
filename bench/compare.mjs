// npm run bench -- --compare <commit or built folder> [part ...] [--pairs 9]: this build beside another one, in turns.
import { buildOf } from './builds.mjs';
import { THIS } from './kit.mjs';
import { MEASURES } from './measures.mjs';
import { chosen, comparePair } from './pairs.mjs';
import { fail } from './processes.mjs';
import { short } from './statistics.mjs';

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

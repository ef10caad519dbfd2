// What a run prints: a line a row as it is measured, below it what a missed target is made of, and all of it as data.
import { isGood, ROWS } from './rows.mjs';
import { short } from './statistics.mjs';

const NAME = 50;
const OURS = 17;
const REFERENCE = 46;

function target({ judged, atMost, atLeast, unit }) {
  if (judged === undefined) return '';
  const words = atMost === undefined ? `at least ${short(atLeast)}` : `at most ${short(atMost)}`;
  return `${words} ${judged === 'ratio' ? 'x' : unit}`;
}

/** One row as a line: mark, name, value, reference, ratio with its quartiles, target, note. */
function line(row, found) {
  const good = isGood(row, found);
  const { value, reference, ratio, spread, cpuRatio, note } = found;
  const quartiles = spread ? ` [${spread.map(short).join('..')}]` : '';
  const compared =
    reference === undefined || row.beside === undefined
      ? ''
      : `${short(ratio)} x${quartiles} of ${short(reference)} (${row.beside})`;
  // Processor time is a cost: where more is better, its inverse is.
  const byCpu = row.atLeast === undefined ? cpuRatio : 1 / cpuRatio;
  const notes = [cpuRatio === undefined ? '' : `by CPU ${short(byCpu)} x`, note ?? ''].filter(Boolean).join(', ');
  const mark = good === undefined ? ' ' : good ? '✓' : '✗';
  return `${mark} ${row.name.padEnd(NAME)} ${`${short(value)} ${row.unit}`.padEnd(OURS)} ${compared.padEnd(REFERENCE)}  ${target(row)}${notes ? `  (${notes})` : ''}`;
}

/** A function that takes what was found for a row; rows that nobody asked for are left out. Its `end` returns them all. */
export function reporter({ wants, json }) {
  const results = [];
  const say = (text) => (json ? undefined : console.log(text));
  const report = (id, found) => {
    const row = ROWS.find((each) => each.id === id);
    if (!row) throw new Error(`no row ${id}`);
    if (!wants(row)) return;
    results.push({ ...row, ...found, good: isGood(row, found) });
    say(line(row, found));
    if (row.made && isGood(row, found) === false) say(`  ${row.made}`);
  };
  report.wants = (id) => wants(ROWS.find((row) => row.id === id));
  report.skip = (id, why) => {
    const row = ROWS.find((each) => each.id === id);
    results.push({ ...row, skipped: why });
    say(`- ${row.name.padEnd(NAME)} not measured: ${why}`);
  };
  report.end = () => {
    const judged = results.filter(({ good }) => good !== undefined);
    const met = judged.filter(({ good }) => good).length;
    if (json) console.log(JSON.stringify({ node: process.version, rows: results }, null, 2));
    else console.log(`\n${met} of ${judged.length} targets met`);
    return results;
  };
  return report;
}

// bench/report.json: the latest that was measured of each row, and in which run. Documents take their figures from it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { nodes, THIS } from './kit.mjs';

const FILE = new URL('report.json', import.meta.url);
const BIOME = new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url);

/** A number as a reader needs it, four digits that count: the fifth is of the moment. */
const rounded = (value) => (value === undefined ? undefined : Number(value.toPrecision(4)));

/** Where and when a run is made. */
function thisRun() {
  const git = (...args) => execFileSync('git', args, { cwd: THIS, encoding: 'utf8' }).trim();
  const changed =
    git('status', '--porcelain', '--', 'src', 'tools', 'build.mjs', 'package.json') === '' ? '' : ', changed';
  const gib = Math.round(totalmem() / 2 ** 30);
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${git('rev-parse', '--short=12', 'HEAD')}${changed}`,
    machine: `${cpus().length} cores (${cpus()[0].model.trim()}), ${gib} GiB, ${platform()} ${release().split('-')[0]} ${arch()}`,
    node: process.version,
    starts: [...nodes().keys()].sort().join(', '),
  };
}

/** A report with these rows in place of what it had of them; runs of which nothing is left go. */
export function merged({ runs, rows }, measured, run) {
  const all = { ...rows };
  for (const { id, unit, value, beside, reference, ratio, spread, note, minutes, skipped } of measured)
    if (skipped === undefined)
      all[id] = {
        run: runs.length,
        value: rounded(value),
        unit,
        reference: rounded(reference),
        beside: reference === undefined ? undefined : beside,
        ratio: rounded(ratio),
        spread: spread?.map(rounded),
        note,
        minutes,
      };
  const every = [...runs, run];
  const used = [...new Set(Object.values(all).map((row) => row.run))].sort((a, b) => a - b);
  const renumbered = Object.entries(all).map(([id, row]) => [id, { ...row, run: used.indexOf(row.run) }]);
  return { runs: used.map((n) => every[n]), rows: Object.fromEntries(renumbered) };
}

/** Keep what a run measured, as `npm run check` wants the file; how many rows that were. */
export function keep(measured) {
  const report = merged(JSON.parse(readFileSync(FILE, 'utf8')), measured, thisRun());
  writeFileSync(FILE, `${JSON.stringify(report, null, 2)}\n`);
  execFileSync(process.execPath, [fileURLToPath(BIOME), 'format', '--write', fileURLToPath(FILE)], { stdio: 'ignore' });
  return measured.filter(({ skipped }) => skipped === undefined).length;
}

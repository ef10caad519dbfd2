// npm run mutants [-- --count 150 --seed 1 --files agents --lanes 2]: small changes of the code that decides, one at a time, and
// which of them no test notices. Exit code 1 below 92 % noticed.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { HARMLESS } from './mutants/harmless.mjs';
import { Lane } from './mutants/lanes.mjs';
import { mutantsOf, parses } from './mutants/make.mjs';
import { FILES } from './mutants/rooms.mjs';

/** The share of mutants that has to be noticed. */
const BAR = 0.92;
/** What runs in a lane. */
const LANE = new URL('mutants/lane.mjs', import.meta.url);

const text = { type: 'string' };
const { values } = parseArgs({
  options: { count: text, seed: text, files: text, lanes: text, list: { type: 'boolean' } },
});
const count = Number(values.count ?? 150);
const seed = Number(values.seed ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const lanes = Number(values.lanes ?? availableParallelism());

/** Numbers from 0 up to 1, the same for a seed (mulberry32). */
function chance(from) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of a list, none twice, in the order of the list. */
function sample(list, many) {
  const next = chance(seed);
  const drawn = list.map((one, at) => ({ one, at, by: next() })).sort((a, b) => a.by - b.by);
  return drawn
    .slice(0, many)
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

const lineOf = ({ file, line }) => readFileSync(file, 'utf8').split('\n')[line - 1].trim();
const isHarmless = (mutant) =>
  HARMLESS.some(
    ({ file, line, sound, faulty }) =>
      mutant.file === file &&
      lineOf(mutant).includes(line) &&
      (sound === undefined || sound === mutant.sound) &&
      (faulty === undefined || faulty === mutant.faulty),
  );
const all = FILES.filter(({ file }) => file.includes(values.files ?? ''))
  .flatMap(({ file, tests }) => mutantsOf(file).map((mutant) => ({ ...mutant, tests })))
  .filter((mutant) => !isHarmless(mutant) && parses(mutant));
const mutants = sample(all, count);
console.log(
  `${mutants.length} of ${all.length} mutants of ${new Set(all.map(({ file }) => file)).size} files, seed ${seed}`,
);

const short = (code) => code.replaceAll(/\s+/g, ' ').slice(0, 100) || 'nothing';
const nameOf = ({ file, line, sound, faulty }) => `${file}:${line}: ${short(sound)} -> ${short(faulty)}`;

if (values.list) {
  for (const mutant of mutants) console.log(nameOf(mutant));
  process.exit(0);
}

const left = [...mutants];
const survivors = [];
let tried = 0;
async function drive() {
  const lane = new Lane(LANE);
  for (let mutant = left.shift(); mutant; mutant = left.shift()) {
    const { tests, ...change } = mutant;
    mutant.by = (await lane.try({ mutant: change, tests })).by;
    tried += 1;
    if (!mutant.by) survivors.push(mutant);
    console.log(
      `${String(tried).padStart(4)} ${mutant.by ? 'noticed ' : 'SURVIVED'} ${nameOf(mutant)}${mutant.by ? `  [${short(mutant.by)}]` : ''}`,
    );
  }
  lane.close();
}

// Tests that fail without any change would notice everything.
const sound = new Lane(LANE);
const { by: broken } = await sound.try({ tests: [...new Set(mutants.flatMap(({ tests }) => tests))] });
sound.close();
if (broken) {
  console.error(`without any change, a test fails: ${broken}`);
  process.exit(2);
}
await Promise.all(Array.from({ length: lanes }, drive));

console.log('\nnoticed, by file');
for (const file of new Set(mutants.map((one) => one.file))) {
  const of = mutants.filter((one) => one.file === file);
  const noticed = of.filter(({ by }) => by).length;
  console.log(`${String(noticed).padStart(5)} of ${String(of.length).padStart(3)}  ${file}`);
}
console.log('\nsurvivors');
for (const one of survivors) console.log(`  ${nameOf(one)}\n      ${lineOf(one)}`);
const share = 1 - survivors.length / mutants.length;
console.log(
  `\n${mutants.length - survivors.length} of ${mutants.length} noticed: ${(share * 100).toFixed(1)} %, at least ${BAR * 100} % wanted`,
);
process.exit(share < BAR ? 1 : 0);

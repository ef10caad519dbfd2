// npm run falsify: puts in each declared falsification of test/planted/falsifications.json alone, and runs its test, which must fail.
// -- --find looks for one for every rule that has none, and writes it down. Exit code 1 with the names of those that do not bite.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { proposalsFor } from './falsify/propose.mjs';
import { lineOf, nameOfPlace, placesOfRules } from './falsify/rules.mjs';
import { Lane } from './mutants/lanes.mjs';
import { testsNear } from './near/changed.mjs';

const DECLARED = 'test/planted/falsifications.json';
const LANE = new URL('falsify/lane.mjs', import.meta.url);
/** Tests that a change is tried on at first, and in all. */
const FIRST_TESTS = 4;
const MOST_TESTS = 12;
/** Changes of a place: the likely ones are tried of every place of a rule before the others of any. */
const LIKELY_CHANGES = 2;
const MOST_CHANGES = 6;

const text = { type: 'string' };
const { values } = parseArgs({
  options: { find: { type: 'boolean' }, rule: text, reached: text, lanes: text, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(`npm run falsify -- [options]
  --rule <text>     only rules that hold this text
  --find            for each rule without a falsification, tries changes until a test fails, and writes the first
  --reached <file>  where --find keeps which test reaches which rule; one that exists is read instead of running the tests near
  --lanes <n>       processes at once, ${availableParallelism()} by default`);
  process.exit(0);
}
const lanes = Number(values.lanes ?? availableParallelism());
const isMeant = ({ rule }) => rule.includes(values.rule ?? '');
const declared = JSON.parse(readFileSync(DECLARED, 'utf8'));

/** Does a thing for each of a list, in as many processes as there are lanes. */
async function inLanes(list, todo) {
  const left = [...list];
  const drive = async () => {
    const lane = new Lane(LANE);
    for (let one = left.shift(); one; one = left.shift()) await todo(lane, one);
    lane.close();
  };
  await Promise.all(Array.from({ length: Math.min(lanes, list.length) }, drive));
}

const mutantOf = ({ file, sound, faulty }) => ({
  file,
  start: readFileSync(file, 'utf8').indexOf(sound),
  sound,
  faulty,
});
const short = (code) => code.replaceAll(/\s+/g, ' ').trim().slice(0, 100) || 'nothing';
const shown = ({ rule, file, sound, faulty }) => `${rule}\n      ${file}: ${short(sound)} -> ${short(faulty)}`;

/** The files of some tests, each once, with the names of its tests. */
function bySuite(tests) {
  const suites = new Map();
  for (const { suite, test } of tests) suites.set(suite, [...(suites.get(suite) ?? []), test]);
  return [...suites].map(([suite, names]) => ({ suite, tests: [...new Set(names)] }));
}

/** Why some tests do not all pass as the product is, if they do not. */
async function unsound(tests) {
  const lane = new Lane(LANE);
  const { failed, passed, broken, by } = await lane.try({ suites: bySuite(tests) });
  lane.close();
  if (broken ?? by) return broken ?? by;
  if (failed.length > 0) return `${failed[0].suite}: ${failed[0].test}: ${failed[0].error}`;
  const lost = tests.find(({ suite, test }) => !passed.some((one) => one.suite === suite && one.test.startsWith(test)));
  return lost && `${lost.suite} has no test "${lost.test}"`;
}

async function replay() {
  const meant = declared.filter(isMeant);
  const problem = await unsound(meant);
  if (problem) {
    console.error(`without any change, a test does not pass: ${problem}`);
    process.exit(2);
  }
  const blunt = [];
  let tried = 0;
  await inLanes(meant, async (lane, one) => {
    const { failed = [], broken, by } = await lane.try({ mutant: mutantOf(one), suites: bySuite([one]) });
    const bites = failed.some(({ test }) => test.startsWith(one.test));
    if (!bites) blunt.push({ ...one, instead: broken ?? by ?? 'the test passes' });
    console.log(`${String((tried += 1)).padStart(4)} ${bites ? 'bites' : 'DOES NOT BITE'}  ${one.rule}`);
  });
  if (blunt.length > 0) console.log('\nthese do not bite');
  for (const one of blunt) console.log(`  ${shown(one)}\n      ${one.suite}, ${one.test}: ${one.instead}`);
  console.log(`\n${meant.length - blunt.length} of ${meant.length} falsifications bite`);
  process.exitCode = blunt.length > 0 ? 1 : 0;
}

/** Runs the tests near some places, and notes which of them reach which. */
async function note(places, file) {
  writeFileSync(file, '');
  const near = [...new Set(places.map(({ text }) => testsNear(text.of.file) ?? 'test'))];
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'in-process',
    '--silent',
    `--maxWorkers=${lanes}`,
  ];
  const env = { ...process.env, RULES_REACHED: file };
  console.log(`running ${near.join(', ')} to see which test reaches which rule`);
  const child = spawn(process.execPath, [...args, ...near], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve) => child.once('exit', resolve));
}

/** The tests that reach a place, likeliest first: those near it, then those of areas; and of these, the ones that reach little else. */
function testsFor(place, notes) {
  const width = new Map();
  for (const { suite, test } of notes) width.set(`${suite} ${test}`, (width.get(`${suite} ${test}`) ?? 0) + 1);
  const near = `${testsNear(place.at.of.file)}/`;
  const far = ({ suite }) => (suite.startsWith(near) ? 0 : suite.startsWith('test/areas/') ? 1000 : 2000);
  const by = (one) => far(one) + width.get(`${one.suite} ${one.test}`);
  return notes.filter((one) => one.place === nameOfPlace(place)).sort((a, b) => by(a) - by(b));
}

/** The first of some tests that fails with a change: a few of the likeliest file are asked before the others. */
async function noticing(lane, change, tests) {
  const first = tests.filter(({ suite }) => suite === tests[0].suite).slice(0, FIRST_TESTS);
  for (const some of [first, tests.filter((test) => !first.includes(test))]) {
    const { failed = [] } =
      some.length === 0 ? {} : await lane.try({ mutant: mutantOf(change), suites: bySuite(some) });
    for (const { suite, test } of some) {
      const noticed = failed.find((one) => one.suite === suite && one.test === test);
      if (noticed) return noticed;
    }
  }
  return undefined;
}

/** Writes down what was found, at once: a search that is ended early loses nothing. */
function write(found) {
  const order = (a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);
  const all = [...JSON.parse(readFileSync(DECLARED, 'utf8')), found];
  writeFileSync(DECLARED, `${JSON.stringify(all.sort(order), null, 2)}\n`);
}

async function find() {
  const has = new Set(declared.map(({ rule }) => rule));
  const places = placesOfRules().filter((place) => isMeant(place) && !has.has(place.rule));
  if (places.length === 0) return console.log('every rule has a falsification');
  const folder = mkdtempSync(join(tmpdir(), 'falsify-'));
  const file = values.reached ?? join(folder, 'reached.txt');
  if (!existsSync(file)) await note(places, file);
  const notes = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  const rules = [...new Set(places.map(({ rule }) => rule))].map((rule) => ({
    rule,
    places: places.filter((place) => place.rule === rule),
  }));
  const missing = [];
  const found = [];
  await inLanes(rules, async (lane, { rule, places: here }) => {
    const tried = [];
    const of = here.map((place) => ({
      where: `${place.at.of.file}:${lineOf(place.at)}`,
      tests: testsFor(place, notes).slice(0, MOST_TESTS),
      changes: proposalsFor(place).slice(0, MOST_CHANGES),
    }));
    for (const { where, tests } of of) if (tests.length === 0) tried.push(`${where}: no test reaches it`);
    for (const round of [[0, LIKELY_CHANGES], [LIKELY_CHANGES]])
      for (const { where, tests, changes } of of)
        for (const change of tests.length === 0 ? [] : changes.slice(...round)) {
          const first = await noticing(lane, change, tests);
          if (first) {
            found.push({ rule, ...change, suite: first.suite, test: first.test });
            write(found.at(-1));
            const by = `${first.suite}, ${first.test}: ${short(first.error)}`;
            return console.log(`found    ${shown({ rule, ...change })}\n      ${by}`);
          }
          tried.push(`${where}: ${short(change.sound)} -> ${short(change.faulty)}: ${tests.length} tests pass`);
          console.log(`  not noticed: ${rule} ${tried.at(-1)}`);
        }
    missing.push(rule);
    console.log(`NOT FOUND ${rule}\n      ${tried.join('\n      ')}`);
  });
  const problem = found.length > 0 && (await unsound(found));
  if (problem) console.error(`without any change, a test does not pass: ${problem}`);
  if (missing.length > 0) console.log(`\n${missing.length} rules without a falsification:\n  ${missing.join('\n  ')}`);
  process.exitCode = problem ? 2 : missing.length > 0 ? 1 : 0;
}

await (values.find ? find() : replay());

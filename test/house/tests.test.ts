import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { titlesIn } from './titles.ts';

const TEST = join(import.meta.dirname, '..');
const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && file !== 'house/tests.test.ts');
const textOf = (file: string): string => readFileSync(join(TEST, file), 'utf8');

/** Where tests that start processes are, and what only they use. */
const PROCESS = /^(?:cli|executable|journeys|fixtures|browser)\//;
const PROCESS_KIT = [
  'kit/build.ts',
  'kit/executable.ts',
  'kit/process.ts',
  'kit/live.ts',
  'kit/contract-types.ts',
  'kit/generators.ts',
];
/** The soak run starts an emulator, but is not a test: `npm run soak`. */
const SOAK = ['hostile/soak.ts', 'hostile/soak-main.ts', 'hostile/soak-process.ts'];
/** Runs suites while a fault is planted, in `npm run test:thorough`. */
const PLANTED = ['planted/run.ts'];

test('a test that starts a process or reads the built package stands in cli, executable, journeys, fixtures or browser', () => {
  const wrong = files.filter(
    (file) =>
      !PROCESS.test(file) &&
      !PROCESS_KIT.includes(file) &&
      !SOAK.includes(file) &&
      !PLANTED.includes(file) &&
      /['"](?:node:)?child_process['"]|\/kit\/(?:process|live)\.ts'|\.\/(?:process|soak-process)\.ts'|['"`/]dist\/(?!2020)/.test(
        textOf(file),
      ),
  );
  expect(wrong).toEqual([]);
});

/** A deadline at the head of a test or behind its end. */
const DEADLINE =
  /^\s*(?:test|describe)\b[^\n]*\{\s*timeout:|^\s*timeout: [\d_]+,?\n\}, (?:async )?\(|^\s*\},\s+[\d_]{4,}[^\n]*,?\n?\s*\);|AbortSignal\.timeout\(|setTimeout\([^()]*, [\d_]{4,}, [^)]/m;

test('no test sets a deadline of its own: the one of its project is far beyond what a loaded machine takes', () => {
  expect(files.filter((file) => DEADLINE.test(textOf(file)))).toEqual([]);
});

/** An expectation of a status that more than one status meets. */
const LOOSE = [
  /expect\([^;]*\bstatus(?:es)?\b[^;]*\)\s*\.(?:not\.)?toBe(?:Less|Greater)Than/g,
  /expect\([^;]*\bstatus(?:es)?\b[^;]*\)\s*\.not\.toBe\(/g,
  /\bexpect\([^;]*\)\s*\.(?:not\.)?toContain\([^;]*\bstatus\b[^;]*\)/g,
  /\bstatus\b[^;]*\.toBeOneOf\(/g,
  /\bstatus: expect\.any\(/g,
  /expect\([^;]*\bresponse\.ok\b/g,
];

/** Who may ask so, and why. */
const MAY_BE_LOOSE: Readonly<Record<string, string>> = {
  'kit/sane.ts': 'made-up input is answered somehow, but by no bug',
};

test('an expectation of a status names the one status that the case must have', () => {
  const wrong = files
    .filter((file) => !(file in MAY_BE_LOOSE))
    .flatMap((file) => {
      const text = textOf(file);
      return LOOSE.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(
          ({ index, 0: found }) =>
            `test/${file}:${text.slice(0, index + found.length).split('\n').length}: ${found.slice(-90)}`,
        ),
      );
    });
  expect(wrong).toEqual([]);
});

test.each([
  'expect(answer.status).toBeLessThan(205);',
  'expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);',
  'expect((await it.get("/x")).status).not.toBe(500);',
  'expect([400, 403]).toContain(reply.status);',
  'expect(revoked ? [401, 404] : [401], answer.text).toContain(answer.status);',
  'expect(statuses[0]).toBeLessThan(205);',
  'expect(status).toBeOneOf([200, 201]);',
])('the check of tests finds the loose expectation %s', (line) => {
  expect(LOOSE.filter((pattern) => line.match(pattern))).toHaveLength(1);
});

/** First words of titles whose subject is elsewhere: in the group, or nowhere. */
const WITHOUT_SUBJECT = new Set(
  [
    'is are was were has have had does do can may must will that whose who which it its they them and but',
    'asks becomes begins comes completes counts creates deletes ends fails filters finds gives goes holds',
    'keeps leaves makes moves needs opens passes prints reads refuses returns runs says sends shows stands',
    'starts stays takes tells uses waits works writes',
  ].flatMap((words) => words.split(' ')),
);

/** Returns whether a title leaves its reader to look for the subject. Where a table makes the whole title, its rows say it. */
function lacksSubject(title: string): boolean {
  const [first = '', ...others] = title.split(/[ :,]+/);
  return WITHOUT_SUBJECT.has(first) || /^\d{3}$/.test(first) || (others.length === 0 && !/^[%$]/.test(first));
}

test('the title of a test stands alone in a report: it begins with what it is about', () => {
  const titles = files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => titlesIn(textOf(file)).map(({ title, line }) => ({ place: `test/${file}:${line}`, title })));
  expect(titles.length).toBeGreaterThan(3000);
  const wrong = titles.filter(({ title }) => title && lacksSubject(title.join('…')));
  expect(wrong.map(({ place, title }) => `${place}: ${title?.join('…')}`)).toEqual([]);
});

test.each(['is executed once', '400 INSUFFICIENT_BALANCE moves nothing', 'whose money left is refused', 'expires'])(
  'the title "%s" is found to lack its subject',
  (title) => {
    expect(lacksSubject(title)).toBe(true);
  },
);

import { expect, test } from 'vitest';
import { bar, Progress } from '../../src/cli/progress.ts';

const rows = (done: number, total = 60_000) => ({ sandbox: 'test', done, total });

test.each([
  [rows(0), 100, 'filling test ░░░░░░░░░░░░░░░░░░░░░░░░ 0 %'],
  [rows(600), 100, 'filling test ░░░░░░░░░░░░░░░░░░░░░░░░ 1 %'],
  [rows(15_000), 2000, 'filling test ██████░░░░░░░░░░░░░░░░░░ 25 %, 6 s left'],
  [rows(59_999), 8000, 'filling test ████████████████████████ 99 %, 1 s left'],
  [rows(60_000), 8000, 'filling test ████████████████████████ 100 %, 0 s left'],
  [rows(0, 0), 0, 'filling test ████████████████████████ 100 %, 0 s left'],
])('progress of %j after %d ms is drawn with percent and time left (W26)', (progress, ms, text) => {
  expect(bar(progress, ms)).toBe(text);
});

test('progress on a terminal is one line that is redrawn, and removed before anything else is printed (W26)', () => {
  const written: string[] = [];
  let now = 0;
  const progress = new Progress(
    (text) => void written.push(text),
    () => expect.unreachable(),
    () => now,
  );
  progress.clear();
  expect(written).toEqual([]);
  progress.show(rows(600));
  now = 3000;
  progress.show(rows(30_000));
  progress.clear();
  progress.clear();
  expect(written.map((text) => text.replace('\r\u001b[2K', '<'))).toEqual([
    '<filling test ░░░░░░░░░░░░░░░░░░░░░░░░ 1 %',
    '<filling test ████████████░░░░░░░░░░░░ 50 %, 3 s left',
    '<',
  ]);
});

test('progress without a terminal is a line a second (W26)', () => {
  const lines: number[] = [];
  let now = 0;
  const progress = new Progress(
    undefined,
    ({ done }) => void lines.push(done),
    () => now,
  );
  for (now = 0; now < 3000; now += 100) progress.show(rows(now));
  expect(lines).toEqual([0, 1000, 2000]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const JOURNEYS = join(import.meta.dirname, '../journeys');

test('every journey also runs on a running clock, with a job that waits for minutes (L3)', () => {
  const stories = readdirSync(JOURNEYS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /commandLine\(|live\(/.test(file.endsWith('.test.ts') ? readFileSync(join(JOURNEYS, file), 'utf8') : ''),
  );
  expect(stories.length).toBeGreaterThan(6);
  const blind = stories.filter((file) => {
    const text = readFileSync(join(JOURNEYS, file), 'utf8');
    return !/leaveQuoteWaiting\(|\['held', 'live'\]/.test(text);
  });
  expect(blind).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { refusals } from '../../src/http/openapi.ts';
import { CONTRACT } from '../kit/contract.ts';
import { DIFFERS, SAME } from './observe.ts';

/** The rows of a table of `docs/profiles.md`, below the heading; marks of code are taken off. */
function rows(heading: string): string[][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/profiles.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
}

describe('where the profiles differ', () => {
  const told = rows('Where they differ');

  test('docs/profiles.md has a row for each tested difference between the profiles, and no other', () => {
    expect(told.map(([topic]) => topic)).toEqual(Object.keys(DIFFERS));
  });

  test.each(told)('the profiles differ in "%s": %s in spec, %s in grid', async (topic, spec, grid) => {
    const observe = DIFFERS[topic as string];
    expect(await observe?.('spec'), 'profile spec').toBe(spec);
    expect(await observe?.('grid'), 'profile grid').toBe(grid);
    expect(spec).not.toBe(grid);
  });
});

describe('where the profiles are the same', () => {
  const told = rows('What is the same in both');

  test('docs/profiles.md has a row for each tested thing that is the same in both profiles, and no other', () => {
    expect(told.map(([topic]) => topic)).toEqual(Object.keys(SAME));
  });

  test.each(told)('both profiles agree in "%s": %s', async (topic, both) => {
    const observe = SAME[topic as string];
    expect(await observe?.('spec'), 'profile spec').toBe(both);
    expect(await observe?.('grid'), 'profile grid').toBe(both);
  });
});

test('docs/profiles.md lists each refusal that the public contract declares of an operation and the operation does not', () => {
  const missing = new Map<string, string[]>();
  for (const op of OPERATIONS) {
    const ours = new Set([...refusals(op).keys()].map(String));
    // A path answers other methods with 405, whatever its operations are.
    for (const status of Object.keys(CONTRACT.operations[op.id]?.replies ?? {}))
      if (/^4/.test(status) && status !== '405' && !ours.has(status))
        missing.set(status, [...(missing.get(status) ?? []), op.id].sort());
  }
  const told = rows('Statuses that only a fault sends').map(([status, operations]) => [
    status,
    operations?.split(', '),
  ]);
  expect(told).toEqual([...missing].sort());
});

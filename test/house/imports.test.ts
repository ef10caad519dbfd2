import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS } from '../../src/areas.ts';

const SRC = join(import.meta.dirname, '../../src');
const ORDER = AREAS.map((area) => area.name);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

/** What a file imports, types and lazy imports included: ours as a path below `src`, others by name. */
function importsOf(file: string): { ours: string[]; others: string[] } {
  const text = readFileSync(join(SRC, file), 'utf8');
  const names = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map((match) => match[1] as string);
  const ours = names
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)).replaceAll('\\', '/'));
  return { ours, others: names.filter((name) => !name.startsWith('.')) };
}

const topOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : file);
const areaOf = (file: string): string | undefined => (file.startsWith('areas/') ? file.split('/')[1] : undefined);
const isDoor = (file: string): boolean => /^areas\/[\w-]+\/index\.ts$/.test(file);

const RULE: Readonly<Record<string, { says: string; may: (from: string, to: string) => boolean; libraries?: RegExp }>> =
  {
    kernel: {
      says: 'the kernel imports nothing of ours, and of libraries zod and nanoid only',
      may: (_, to) => topOf(to) === 'kernel',
      libraries: /^(?:node:|zod$|nanoid$)/,
    },
    crypto: {
      says: 'crypto wraps its libraries and knows the kernel only',
      may: (_, to) => ['crypto', 'kernel'].includes(topOf(to)),
    },
    areas: {
      says: 'an area may import the kernel, crypto, the version, its own rooms, and the door (index.ts) of an area listed before it in src/areas.ts',
      may: (from, to) => {
        if (['kernel', 'crypto', 'version.ts'].includes(topOf(to))) return true;
        const [mine, theirs] = [areaOf(from), areaOf(to)];
        if (theirs === undefined) return false;
        if (mine === theirs) return true;
        // An area that is not registered yet stands above every one that is.
        const place = ORDER.indexOf(mine as string);
        return isDoor(to) && (place < 0 || (ORDER.includes(theirs) && ORDER.indexOf(theirs) < place));
      },
      libraries: /^(?!hono|@hono)/,
    },
    scenario: {
      says: 'scenarios know the kernel, crypto and the doors of areas',
      may: (_, to) => ['scenario', 'kernel', 'crypto', 'areas.ts', 'version.ts'].includes(topOf(to)) || isDoor(to),
      libraries: /^(?!hono|@hono)/,
    },
    host: {
      says: 'the host knows the kernel, crypto, scenarios, areas.ts and the doors of areas',
      may: (_, to) =>
        ['host', 'scenario', 'kernel', 'crypto', 'areas.ts', 'catalogue.ts', 'public.ts', 'version.ts'].includes(
          topOf(to),
        ) || isDoor(to),
      libraries: /^(?!hono|@hono)/,
    },
    control: {
      says: 'the control API knows what the host knows, and the host',
      may: (_, to) =>
        [
          'control',
          'host',
          'scenario',
          'kernel',
          'crypto',
          'areas.ts',
          'catalogue.ts',
          'public.ts',
          'version.ts',
        ].includes(topOf(to)) || isDoor(to),
      libraries: /^(?!hono|@hono)/,
    },
    http: {
      says: 'http may import everything but what starts it (emulator.ts, index.ts, cli), of areas their doors only',
      may: (_, to) =>
        !['emulator.ts', 'index.ts', 'cli', 'testkit'].includes(topOf(to)) && (areaOf(to) === undefined || isDoor(to)),
    },
    inspector: {
      says: 'the inspector stands beside http',
      may: (_, to) =>
        !['emulator.ts', 'index.ts', 'cli', 'testkit'].includes(topOf(to)) && (areaOf(to) === undefined || isDoor(to)),
    },
    testkit: {
      says: 'the testkit is a second implementation: libraries only, so that tests never check code with itself',
      may: (_, to) => topOf(to) === 'testkit',
    },
  };

describe('the import rule', () => {
  test.each(Object.keys(RULE))('%s', (folder) => {
    const { says, may, libraries } = RULE[folder] as (typeof RULE)[string];
    const wrong: string[] = [];
    for (const file of files.filter((name) => topOf(name) === folder)) {
      const { ours, others } = importsOf(file);
      for (const to of ours) if (!may(file, to)) wrong.push(`src/${file} imports src/${to}`);
      if (libraries) for (const name of others) if (!libraries.test(name)) wrong.push(`src/${file} imports ${name}`);
    }
    expect(wrong, `the rule: ${says}`).toEqual([]);
  });

  test('nothing imports http but src/emulator.ts (and the pages beside it)', () => {
    const wrong = files.filter(
      (file) =>
        !['http', 'pages', 'emulator.ts'].includes(topOf(file)) &&
        importsOf(file).ours.some((to) => topOf(to) === 'http'),
    );
    expect(wrong, 'the rule: http is entered by src/emulator.ts only').toEqual([]);
  });

  test('only areas.ts knows all areas, and every other file enters an area by its door', () => {
    const wrong = files
      .filter((file) => areaOf(file) === undefined)
      .flatMap((file) =>
        importsOf(file)
          .ours.filter((to) => areaOf(to) !== undefined && !isDoor(to))
          .map((to) => `src/${file} imports src/${to}`),
      );
    expect(wrong, 'the rule: enter an area by its index.ts').toEqual([]);
  });

  test('no file imports itself in a circle of folders: areas.ts is never seen from below', () => {
    const wrong = files.filter(
      (file) => ['kernel', 'crypto', 'areas'].includes(topOf(file)) && importsOf(file).ours.includes('areas.ts'),
    );
    expect(wrong, 'the rule: areas.ts is imported from above only').toEqual([]);
  });
});

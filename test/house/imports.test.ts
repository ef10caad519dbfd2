import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS } from '../../src/areas.ts';

const SRC = join(import.meta.dirname, '../../src');
const ORDER = AREAS.map((area) => area.name);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(?:tsx?|js)$/.test(file) && !file.endsWith('.d.ts'));

/** What a file imports, types and lazy imports included: ours as a path below `src`, others by name. */
function importsOf(file: string): { ours: string[]; others: string[] } {
  const text = readFileSync(join(SRC, file), 'utf8');
  const names = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map((match) => match[1] as string);
  const ours = names
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)).replaceAll('\\', '/'))
    // Types that the build makes of the contract: no code, so that nothing is imported.
    .filter((name) => !/^\.\.\/types\/\w+\.js$/.test(name));
  return { ours, others: names.filter((name) => !name.startsWith('.')) };
}

const topOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : file);
const areaOf = (file: string): string | undefined => (file.startsWith('areas/') ? file.split('/')[1] : undefined);
const isDoor = (file: string): boolean => /^areas\/[\w-]+\/index\.ts$/.test(file);

/** What an area is made of, lower first. */
const ROOMS = ['contract', 'engine', 'ledger', 'declare'];
/** Everything that the sandbox and the control API stand on. */
const BELOW_CONTROL = ['sandbox', 'scenario', ...ROOMS, 'crypto', 'areas.ts', 'public.ts', 'version.ts'];
/** Programs that start an emulator: nothing that an emulator is made of knows them. */
const STARTERS = ['emulator.ts', 'handle.ts', 'options.ts', 'index.ts', 'cli', 'parity', 'exam', 'fixtures', 'testkit'];

const among =
  (...tops: readonly string[]) =>
  (_: string, to: string): boolean =>
    tops.includes(topOf(to)) || (isDoor(to) && tops.includes('doors'));
const belowStarters = (_: string, to: string): boolean =>
  !STARTERS.includes(topOf(to)) && (areaOf(to) === undefined || isDoor(to));

interface Rule {
  readonly says: string;
  /** Whether a file may import another of ours. */
  readonly may: (from: string, to: string) => boolean;
  readonly libraries?: RegExp;
}

const ENGINE_LIBRARIES = /^(?:node:|zod$|nanoid$)/;
const NO_SERVER = /^(?!hono|@hono)/;
const NONE = /^$/;

/** One rule for each folder and each file at the top of `src`; `doors` are the `index.ts` of areas. */
const RULE: Readonly<Record<string, Rule>> = {
  'version.ts': { says: 'the version imports nothing', may: among(), libraries: NONE },
  'public.ts': { says: 'the public types import nothing', may: among(), libraries: NONE },
  contract: {
    says: 'the contract imports nothing of ours, and of libraries zod only',
    may: among('contract'),
    libraries: ENGINE_LIBRARIES,
  },
  engine: {
    says: 'the engine knows the contract: no payment, no HTTP',
    may: among('engine', 'contract'),
    libraries: ENGINE_LIBRARIES,
  },
  ledger: {
    says: 'the ledger knows the contract and the engine',
    may: among('ledger', 'engine', 'contract'),
    libraries: ENGINE_LIBRARIES,
  },
  declare: {
    says: 'what areas declare themselves with knows the contract, the engine and the ledger',
    may: among(...ROOMS),
    libraries: ENGINE_LIBRARIES,
  },
  crypto: {
    says: 'crypto wraps its libraries and knows the contract and the engine only',
    may: among('crypto', 'contract', 'engine'),
  },
  areas: {
    says: 'an area may import contract, engine, ledger, declare, crypto, the version, its own rooms, and the door (index.ts) of an area listed before it in src/areas.ts',
    may: (from, to) => {
      if ([...ROOMS, 'crypto', 'version.ts'].includes(topOf(to))) return true;
      const [mine, theirs] = [areaOf(from), areaOf(to)];
      if (theirs === undefined) return false;
      if (mine === theirs) return true;
      // An area that is not registered yet stands above every one that is.
      const place = ORDER.indexOf(mine as string);
      return isDoor(to) && (place < 0 || (ORDER.includes(theirs) && ORDER.indexOf(theirs) < place));
    },
    libraries: NO_SERVER,
  },
  'areas.ts': {
    says: 'the list of areas knows how areas are declared and their doors',
    may: among('declare', 'doors'),
    libraries: NONE,
  },
  scenario: {
    says: 'scenarios know what areas are made of, crypto, areas.ts and the doors of areas',
    may: among('scenario', ...ROOMS, 'crypto', 'areas.ts', 'version.ts', 'doors'),
    libraries: NO_SERVER,
  },
  sandbox: {
    says: 'sandboxes know what areas are made of, crypto, scenarios, areas.ts, the doors of areas and the door of the book of calls',
    may: (from, to) => among(...BELOW_CONTROL, 'doors')(from, to) || to === 'calls/index.ts',
    libraries: NO_SERVER,
  },
  calls: {
    says: 'the book of calls knows what sandboxes know, and their commands',
    may: among('calls', ...BELOW_CONTROL, 'doors'),
    libraries: NO_SERVER,
  },
  control: {
    says: 'the control API knows the commands of sandboxes, and how a request becomes their input',
    may: among('control', 'sandbox', ...ROOMS),
    libraries: NO_SERVER,
  },
  http: { says: 'http may import everything but what starts it, of areas their doors only', may: belowStarters },
  hosted: {
    says: 'the hosted identity page knows what areas are made of, and their doors: no transport',
    may: among('hosted', ...ROOMS, 'doors'),
    libraries: /^(?:node:|hono\/html$)/,
  },
  inspector: {
    says: 'the inspector stands beside http: everything but it and what starts it',
    may: (from, to) => belowStarters(from, to) && !['http', 'mcp'].includes(topOf(to)),
  },
  mcp: {
    says: 'what coding agents are shown stands beside the inspector: it asks the control API, plays people by the door of the testkit, and knows no server of ours',
    may: (from, to) =>
      (belowStarters(from, to) || to === 'testkit/index.ts') && !['http', 'inspector'].includes(topOf(to)),
  },
  'handle.ts': {
    says: 'the handle of a sandbox knows sandboxes with their commands, and the code that calls',
    may: (from, to) =>
      among('sandbox', ...ROOMS, 'public.ts')(from, to) ||
      ['fixtures/call.ts', 'fixtures/last-requests.ts'].includes(to),
    libraries: NONE,
  },
  'emulator.ts': {
    says: 'the emulator puts http, sandboxes and the handle together; it opens no area',
    may: among('http', 'handle.ts', 'options.ts', 'sandbox', ...ROOMS, 'public.ts'),
    libraries: /^node:/,
  },
  'options.ts': {
    says: 'what a program may ask for is checked before there is an emulator',
    may: among('contract', 'public.ts', 'scenario'),
    libraries: NONE,
  },
  'index.ts': {
    says: 'the entry of the package passes on what programs may use',
    may: among('emulator.ts', 'options.ts', 'public.ts', 'scenario'),
    libraries: NONE,
  },
  exam: {
    says: 'the exam of a backend asks the control API of an emulator, and knows the contract and the timers of the engine',
    may: among('exam', 'contract', 'engine', 'public.ts'),
    libraries: /^node:/,
  },
  fixtures: {
    says: 'fixtures use the package as its users do, print the request log as the control API shows it, and examine a backend',
    may: among('fixtures', 'index.ts', 'public.ts', 'control', 'sandbox', 'exam'),
    libraries: /^(?:node:|vitest$)/,
  },
  cli: {
    says: 'the command line starts the emulator, and knows of http and the inspector nothing, of areas their doors',
    may: among('cli', 'mcp', 'parity', 'exam', 'emulator.ts', 'control', 'testkit', ...BELOW_CONTROL, 'doors'),
    libraries: /^(?:node:|commander$)/,
  },
  parity: {
    says: 'the comparison with another side has an emulator of its own, and calls it by its API and its control API only; walks are of the book of calls',
    may: (from, to) =>
      among('parity', 'emulator.ts', 'areas.ts', 'contract', 'engine', 'version.ts')(from, to) ||
      to === 'calls/index.ts',
    libraries: /^(?:node:|fast-check$)/,
  },
  testkit: {
    says: 'the testkit is a second implementation: libraries only, so that tests never check code with itself',
    may: among('testkit'),
  },
};

/** The groups of files that reach each other by imports, each in one line, sorted (Tarjan's algorithm). */
function circles(): string[] {
  const found: string[] = [];
  const [number, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const visit = (file: string): void => {
    number.set(file, number.size);
    low.set(file, number.get(file) as number);
    stack.push(file);
    const imported = importsOf(file).ours.filter((name) => files.includes(name));
    for (const next of imported) {
      if (!number.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number));
    }
    if (low.get(file) !== number.get(file)) return;
    const group = stack.splice(stack.indexOf(file)).sort();
    if (group.length > 1 || imported.includes(file)) found.push(group.join(' '));
  };
  for (const file of files) if (!number.has(file)) visit(file);
  return found.sort();
}

describe('rules of imports', () => {
  test('each folder and file at the top of src has an import rule, and no other does', () => {
    expect(Object.keys(RULE).sort()).toEqual([...new Set(files.map(topOf))].sort());
  });

  test.each(Object.keys(RULE))('everything that %s imports is allowed by its import rule', (folder) => {
    const { says, may, libraries } = RULE[folder] as Rule;
    const wrong: string[] = [];
    for (const file of files.filter((name) => topOf(name) === folder)) {
      const { ours, others } = importsOf(file);
      for (const to of ours) if (!may(file, to)) wrong.push(`src/${file} imports src/${to}`);
      if (libraries) for (const name of others) if (!libraries.test(name)) wrong.push(`src/${file} imports ${name}`);
    }
    expect(wrong, `the rule: ${says}`).toEqual([]);
  });

  test('only src/emulator.ts imports http (and the pages beside it)', () => {
    const wrong = files.filter(
      (file) =>
        !['http', 'pages', 'emulator.ts'].includes(topOf(file)) &&
        importsOf(file).ours.some((to) => topOf(to) === 'http'),
    );
    expect(wrong, 'the rule: http is entered by src/emulator.ts only').toEqual([]);
  });

  test('only areas.ts imports every area, and every file but those of areas enters an area by its index.ts', () => {
    const wrong = files
      .filter((file) => areaOf(file) === undefined)
      .flatMap((file) =>
        importsOf(file)
          .ours.filter((to) => areaOf(to) !== undefined && !isDoor(to))
          .map((to) => `src/${file} imports src/${to}`),
      );
    expect(wrong, 'the rule: enter an area by its index.ts').toEqual([]);
    const knowsAll = (file: string) => {
      const known = new Set(importsOf(file).ours.map(areaOf));
      return ORDER.every((area) => known.has(area));
    };
    expect(files.filter(knowsAll)).toEqual(['areas.ts']);
  });

  test('no module below areas.ts imports areas.ts', () => {
    const wrong = files.filter(
      (file) => [...ROOMS, 'crypto', 'areas'].includes(topOf(file)) && importsOf(file).ours.includes('areas.ts'),
    );
    expect(wrong, 'the rule: areas.ts is imported from above only').toEqual([]);
  });

  test('no file imports itself in a circle, imports of types included', () => {
    expect(circles()).toEqual([]);
  });
});

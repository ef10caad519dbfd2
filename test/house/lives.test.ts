import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** Members and module variables of the type `World`, and variables at the head of a module that take one from a sandbox. */
const STORED = [
  /^ {2}(?:(?:private|protected|public|static|readonly|declare) )*[\w#]+[?!]?: (?:[\w<]*\b)?World\b.*;$/gm,
  /^(?:export )?(?:const|let|var) \w+(?:: .*\bWorld\b| = \S*\.world\b).*;$/gm,
  /^.*\bthis\.#?\w+ = [\w.]*\bworld;$/gm,
];

/** Where one may be kept: whoever makes lives, and a request, which ends in the life that it began in. */
const MAY = /^(?:sandbox|engine)\//;
const REQUESTS: Readonly<Record<string, string>> = {
  'declare/operation.ts': 'what an operation is given, while it runs',
  'http/exchange.ts': 'a request ends in the life that it began in',
  'http/parse-request.ts': 'what an operation is given of it',
  'http/pages.ts': 'a visit of a hosted page is such a request',
  'calls/rows.ts': 'an example is made of the life of that moment',
  'hosted/visit.ts': 'what the hosted page is given of it',
};

const found = (text: string): string[] =>
  STORED.flatMap((pattern) => [...text.matchAll(pattern)].map(([line]) => line));

test('only the sandbox and the engine keep a world: all else asks its sandbox each time, because another life may have begun', () => {
  const wrong = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !MAY.test(file) && !(file in REQUESTS))
    .flatMap((file) => found(readFileSync(join(SRC, file), 'utf8')).map((line) => `src/${file}: ${line.trim()}`));
  expect(wrong).toEqual([]);
});

test.each([
  '  readonly world: World;',
  '  #world: World | undefined;',
  '  private readonly life!: World;',
  'let current: World | undefined;',
  'const worlds: Map<string, World> = new Map();',
  'const world = host.default.world;',
  '    this.#world = sandbox.world;',
  '    this.world = world;',
])('the check of kept worlds finds %j', (line) => {
  expect(found(line)).toEqual(expect.arrayContaining([line]));
});

test.each([
  'export function showLink(world: World): void {',
  '    const { world } = sandbox;',
  '  get world(): World {',
  'const left = new WeakMap<World, number>();',
  '  run(world: World, job: Job): void;',
])('the check of kept worlds lets %j pass', (line) => {
  expect(found(line)).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import type * as z from 'zod';
import { AREAS } from '../../src/areas.ts';

const SRC = join(import.meta.dirname, '../../src');
const files = readdirSync(join(SRC, 'areas'), { recursive: true, encoding: 'utf8' })
  // Schemas say what travels and what is kept; they write nothing.
  .filter((file) => file.endsWith('.ts') && !/(?:schema|row-shape)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SRC, 'areas', file), 'utf8') }));

/** The members that hold a state, by the table of their rows, as `lifecycle(TABLE, { state: 'member', ...` declares them. */
const DECLARED = files.flatMap(({ text }) =>
  [...text.matchAll(/\blifecycle\((\w+), \{\s*state: '(\w+)'/g)].map(([, table, state]) => [table, state] as const),
);
const MEMBERS: ReadonlySet<string | undefined> = new Set(DECLARED.map(([, state]) => state));
/** The names of tables, by what they are called in code. */
const NAMES = new Map(
  files.flatMap(({ text }) =>
    [...text.matchAll(/\bconst (\w+) = (?:resource|table)\(\s*'([\w.-]+)'/g)].map(
      ([, token, name]) => [token, name] as const,
    ),
  ),
);

// Who writes one kind of a table's rows has the table under another name.
for (const { text } of files)
  for (const [, alias = '', of = ''] of text.matchAll(/\bconst (\w+) = (\w+) as unknown as TableToken</g))
    NAMES.set(alias, NAMES.get(of) ?? of);

/** The members of a row, of every kind of it where there are several. */
function membersOf(row: z.ZodType): string[] {
  const { shape = {}, options = [] } = (row as unknown as { def: { shape?: object; options?: z.ZodType[] } }).def;
  return [...new Set([...Object.keys(shape), ...options.flatMap(membersOf)])];
}

/** Functions that make what the API shows of a row; they write nothing. */
const isView = (name: string): boolean => name.startsWith('show');

type Node = { readonly [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const inside = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, member) => (isNode(at) ? at[member] : undefined), node);

const isWrite = (node: Node): boolean =>
  node['type'] === 'CallExpression' && ['put', 'insert'].includes(String(inside(node, 'callee', 'property', 'name')));

/** Writes of a state outside `begin` and `move`: a changed copy of a row, or a row that is put or inserted with a state. */
function strays(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, writing: boolean): void => {
    if (!isNode(value) || isView(String(inside(value, 'id', 'name')))) return;
    const written = writing || isWrite(value);
    const members = value['type'] === 'ObjectExpression' ? (value['properties'] as readonly Node[]) : [];
    const copy = members.some(({ type }) => type === 'SpreadElement');
    for (const { key, shorthand, start, end } of members)
      if (MEMBERS.has(String(inside(key, 'name'))) && (written || (copy && !shorthand)))
        found.push(text.slice(Number(start), Number(end)));
    for (const child of Object.values(value)) visit(child, written);
  };
  visit(parseAst(text, { lang: 'ts' }), false);
  return found;
}

describe('states and their lifecycles', () => {
  test('each table of an area whose rows have a status declares its lifecycle', () => {
    const tables = AREAS.flatMap((area) => area.tables).flatMap(({ name, row }) =>
      membersOf(row()).flatMap((member) => (MEMBERS.has(member) ? [`${name}: ${member}`] : [])),
    );
    const declared = new Set(DECLARED.map(([table, state]) => `${NAMES.get(table)}: ${state}`));
    expect(tables.sort()).toEqual([...declared].sort());
    expect(tables).toEqual(expect.arrayContaining(['customers: kycStatus', 'transactions: status']));
  });

  test('no area writes a state except through begin and move', () => {
    expect(files.flatMap(({ file, text }) => strays(text).map((write) => `src/areas/${file}: ${write}`))).toEqual([]);
  });

  test.each([
    "world.rows(DOORS).put({ ...door, status: 'OPEN' });",
    "world.rows(DOORS).insert({ id: 'Door:1', status: 'OPEN' });",
    'const to = (status: string) => world.rows(DOORS).put({ ...door, status });',
    "const open = { ...door, kycStatus: 'APPROVED' };",
  ])('the check of states finds the write %s', (text) => {
    expect(strays(text)).toHaveLength(1);
  });

  test.each([
    "const showDoor = (door: Door) => ({ ...door, status: 'OPEN' });",
    "begin(world, DOOR, 'build', (status) => ({ ...sent, status }));",
    "world.rows(DOORS).put({ ...door, colour: 'red' });",
  ])('the check of states lets %s pass', (text) => {
    expect(strays(text)).toEqual([]);
  });
});

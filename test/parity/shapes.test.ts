import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { describeAll } from '../../src/http/openapi.ts';
import type { Said } from '../../src/parity/normal.ts';
import { STARTS } from '../../src/parity/scenarios.ts';
import { walkAlone } from '../../src/parity/shapes/alone.ts';
import { compareShapes } from '../../src/parity/shapes/compare.ts';
import { Declared, type Place } from '../../src/parity/shapes/declared.ts';
import { readShapes, shapesText } from '../../src/parity/shapes/file.ts';
import { Gathered } from '../../src/parity/shapes/shape.ts';
import { effort } from '../kit/effort.ts';
import { tampered } from './sides.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const DOCUMENTS = { spec: describeAll(PROFILES.spec), grid: describeAll(PROFILES.grid) };
const PLAN = { seed: 1, count: 1, operations: 'all', scenario: 'several', service: false } as const;
const IDS = OPERATIONS.map(({ id }) => id);

const said = (status: number, body: Json, type: string | null = 'application/json'): Said => ({
  status,
  type,
  body: body as Said['body'],
});
const textOf = (gathered: Gathered): string =>
  shapesText({ date: '2026-11-25', profile: 'spec', walks: PLAN, operations: gathered.replies });

/** The strings and numbers of a value, however deep. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}

/** The replies of a file with a text. */
function readAgain(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-shapes-'));
  try {
    writeFileSync(join(folder, 'shapes.json'), text);
    return readShapes(join(folder, 'shapes.json')).operations;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The values that a text holds. */
const leaks = (text: string, values: readonly string[]): string[] => values.filter((value) => text.includes(value));

/** Every member name of a document. */
function namesIn(node: unknown, names = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return names;
  const { properties } = node as { properties?: object };
  for (const name of Object.keys(properties ?? {})) names.add(name);
  for (const part of Object.values(node)) namesIn(part, names);
  return names;
}
const NAMES = [...namesIn(DOCUMENTS.grid)];

/** Texts and numbers that no contract has, long enough not to be in a file by chance. */
const value = fc.oneof(
  fc.stringMatching(/^[a-z][A-Za-z0-9]{15,30}$/),
  fc.stringMatching(/^[A-Z][A-Z_]{20,30}$/),
  fc.stringMatching(/^[A-Za-z]+:[0-9a-f]{8}-[0-9a-f]{12}$/),
  fc.integer({ min: 1_000_000_000 }),
  fc.double({ min: 1e9, max: 1e15, noDefaultInfinity: true, noNaN: true }),
);
/** Names that only a map has: ids, labels, currencies. */
const key = fc.oneof(
  fc.stringMatching(/^[A-Z][A-Za-z]{6,12}:[0-9a-f]{12}$/),
  fc.stringMatching(/^[A-Z]{3}-[0-9]{12}$/),
  fc.stringMatching(/^[a-z]{42,60}$/),
);
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 5 },
    value,
    fc.constantFrom(null, true, false),
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), key), tie('body'), { maxKeys: 8 }),
  ),
}));

describe('values in a file of shapes', () => {
  test('a file of shapes keeps no value of random replies: no text, no number and no key of a map', () => {
    const declared = new Declared(DOCUMENTS.grid);
    const reply = fc.record({
      operation: fc.constantFrom(...IDS),
      status: fc.constantFrom(200, 201, 202, 400, 404, 409, 500, 599),
      type: fc.constantFrom('application/json', 'text/csv', null),
      body: fc.oneof(body, fc.record({ status: value, code: value, message: value, details: body })),
    });
    fc.assert(
      fc.property(fc.array(reply, { minLength: 1, maxLength: 20 }), (replies) => {
        const gathered = new Gathered(declared);
        for (const { operation, status, type, body } of replies)
          gathered.add(operation, said(status, body as Json, type));
        const text = textOf(gathered);
        const keys = JSON.stringify(replies).match(
          /(?<=")(?:[A-Z][A-Za-z]{6,12}:[0-9a-f]{12}|[A-Z]{3}-[0-9]{12}|[a-z]{42,60})(?=":)/g,
        );
        expect(leaks(text, [...replies.flatMap(({ body }) => valuesIn(body)), ...(keys ?? [])])).toEqual([]);
        expect(readAgain(text)).toEqual(gathered.replies);
      }),
      { numRuns: effort(150, 5000) },
    );
  });

  test('a value that is left in a file of shapes is found', () => {
    const gathered = new Gathered(new Declared(DOCUMENTS.grid));
    gathered.add('createCustomer', said(201, { id: 'Customer:0123456789ab', createdAt: 1_234_567_890 }));
    const text = textOf(gathered);
    expect(leaks(text.replace('"number"', '1234567890'), ['1234567890', 'Customer:0123456789ab'])).toEqual([
      '1234567890',
    ]);
  });

  test.each(['spec', 'grid'] as const)(
    'a file of shapes keeps no key of a map that the contract declares, whatever the key looks like (%s)',
    (profile) => {
      const declared = new Declared(DOCUMENTS[profile]);
      let maps = 0;
      for (const id of IDS)
        for (const status of [200, 201, 202, 400, 409, 423]) {
          for (const path of mapsBelow(declared, declared.reply(id, status))) {
            maps += 1;
            const gathered = new Gathered(declared);
            gathered.add(
              id,
              said(
                status,
                path.reduceRight<Json>((inner, name) => (name === '[]' ? [inner] : { [name]: inner }), {
                  aliceSmithOfPorto: 'x',
                  favouriteColour: { aliceInner: 1 },
                }),
              ),
            );
            expect(
              leaks(textOf(gathered), ['aliceSmithOfPorto', 'favouriteColour', 'aliceInner']),
              `${id} ${status} ${path}`,
            ).toEqual([]);
          }
        }
      expect(maps).toBeGreaterThan(100);
    },
  );

  test('a file of shapes keeps no undeclared error code, and nothing below an undeclared member', () => {
    const gathered = new Gathered(new Declared(DOCUMENTS.spec));
    gathered.add('getCustomerById', said(409, { status: 409, code: 'ALICE_SMITH_IS_BUSY', message: 'x' }));
    gathered.add('getCustomerById', said(200, { id: 'x', tags: { aliceSmith: 1 } }));
    expect(JSON.parse(textOf(gathered)).operations.getCustomerById).toEqual({
      200: { id: 'string', tags: { '*': 'number' } },
      '409 *': { code: 'string', message: 'string', status: 'number' },
    });
  });

  test('a file of shapes keeps no value of real walks of every scenario', async () => {
    const texts: string[] = [];
    const side = await tampered(async (sent, pass) => {
      const answer = await pass(sent);
      texts.push(answer.text);
      return answer;
    });
    const gathered = new Gathered(new Declared(DOCUMENTS.spec));
    const heard = (operation: string, said: Said) => gathered.add(operation, said);
    const steps = effort(250, 5000);
    await walkAlone({
      side,
      starts: STARTS,
      operations: IDS,
      seed: 3,
      count: 0,
      steps,
      live: false,
      heard,
      progress: () => {},
    });
    const text = textOf(gathered);
    const values = texts.flatMap((body) => (body.startsWith('{') ? valuesIn(JSON.parse(body)) : []));
    // The contract's own words may be values as well: a code of a refusal, the member that a refusal names, an operation.
    const own = [...NAMES, ...namesIn(DOCUMENTS.spec), ...text.matchAll(/[A-Z_]{4,}/g)].map(String);
    const foreign = [...new Set(values)].filter((one) => one.length >= 6 && !own.some((word) => word.includes(one)));
    expect(foreign.length).toBeGreaterThan(200);
    expect(leaks(text, foreign)).toEqual([]);
  });
});

/** The paths below a place that lead to a map. */
function mapsBelow(declared: Declared, place: Place, path: readonly string[] = []): string[][] {
  if (path.length > 6) return [];
  const names = place.flatMap(({ properties }) => Object.keys((properties ?? {}) as object));
  const isMap = place.some((schema) => 'additionalProperties' in schema && schema['additionalProperties'] !== false);
  return [
    ...(isMap ? [[...path]] : []),
    ...[...new Set(names)].flatMap((name) => mapsBelow(declared, declared.member(place, name), [...path, name])),
    ...(place.some((schema) => 'items' in schema) ? mapsBelow(declared, declared.element(place), [...path, '[]']) : []),
  ];
}

/** A contract of one operation: rows with an id, a name that may be null, an optional note, and a map. */
const SMALL = new Declared({
  paths: {
    '/rows': {
      get: {
        operationId: 'listRows',
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Row' } } },
                  additionalProperties: false,
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Row: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          note: { type: 'string' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
        additionalProperties: false,
      },
    },
  },
});

const seen = (...bodies: Json[]) => {
  const gathered = new Gathered(SMALL);
  for (const body of bodies) gathered.add('listRows', said(200, body));
  return gathered.replies;
};
const rows = (...data: Json[]): Json => ({ data });

/** Two sides, and what their comparison has to say: kind, path, ours and theirs; then by whom what is not seen. */
const COMPARED: readonly (readonly [
  what: string,
  ours: Json[],
  theirs: Json[],
  differences: string[],
  unseen: string[],
])[] = [
  ['the same types of other values', [rows({ id: 'a' })], [rows({ id: 'b' }, { id: 'c' })], [], []],
  [
    'a member that theirs always has and ours never',
    [rows({ id: 'a' })],
    [rows({ id: 'a', note: 'x' })],
    ['added data[].note  string'],
    [],
  ],
  [
    'a member that ours always has and theirs never',
    [rows({ id: 'a', note: 'x' })],
    [rows({ id: 'a' })],
    ['missing data[].note string '],
    [],
  ],
  [
    'a declared member that theirs sometimes has',
    [rows({ id: 'a' })],
    [rows({ id: 'a' }, { id: 'a', note: 'x' })],
    [],
    ['data[].note ours the member'],
  ],
  [
    'an undeclared member that theirs sometimes has',
    [rows({ id: 'a' })],
    [rows({ id: 'a' }, { id: 'a', tier: 1 })],
    ['added data[].tier  number'],
    [],
  ],
  [
    'a member that ours sometimes has',
    [rows({ id: 'a' }, { id: 'a', note: 'x' })],
    [rows({ id: 'a' })],
    [],
    ['data[].note theirs the member'],
  ],
  ['another type', [rows({ id: 'a' })], [rows({ id: 1 })], ['type data[].id string number'], []],
  [
    'an additional type',
    [rows({ id: 'a' })],
    [rows({ id: 1 }, { id: 'a' })],
    ['type data[].id string number or string'],
    [],
  ],
  [
    'null where the contract declares it',
    [rows({ id: 'a', name: 'x' })],
    [rows({ id: 'a', name: null })],
    [],
    ['data[].name theirs string', 'data[].name ours null'],
  ],
  [
    'null where the contract does not declare it',
    [rows({ id: 'a' })],
    [rows({ id: 'a' }, { id: null })],
    ['type data[].id string null or string'],
    [],
  ],
  ['lists without elements', [rows()], [rows({ id: 'a' })], [], ['data[] ours an element']],
  ['keys of a map', [rows({ labels: {} })], [rows({ labels: { red: 'x' } })], [], ['data[].labels.* ours a key']],
  [
    'types within a map',
    [rows({ labels: { red: 'x' } })],
    [rows({ labels: { blue: 1, green: 2 } })],
    ['type data[].labels.* string number'],
    [],
  ],
  ['an object in the place of a list', [rows({ id: 'a' })], [{ data: {} }], ['type data list object'], []],
];

describe('the comparison of shapes', () => {
  test.each(COMPARED)(
    'the comparison of shapes reports differences, and apart from them what was not seen: %s',
    (_, ours, theirs, differences, unseen) => {
      const result = compareShapes(seen(...ours), seen(...theirs), SMALL);
      expect(result.differences.map(({ kind, path, ours, theirs }) => [kind, path, ours, theirs].join(' '))).toEqual(
        differences,
      );
      expect(result.unseen.map(({ path, by, what }) => [path, by, what].join(' '))).toEqual(unseen);
    },
  );

  test('the comparison of shapes reports a kind of reply or an operation that one side never gave as not seen', () => {
    const [ours, theirs] = [new Gathered(SMALL), new Gathered(SMALL)];
    ours.add('listRows', said(200, rows()));
    ours.add('countRows', said(204, null, null));
    theirs.add('listRows', said(200, rows()));
    theirs.add('listRows', said(409, { code: 'CONFLICT' }));
    const { differences, unseen } = compareShapes(ours.replies, theirs.replies, SMALL);
    expect(differences).toEqual([]);
    expect(unseen).toEqual([
      { operation: 'countRows', reply: '', path: '', by: 'theirs', what: 'any reply' },
      { operation: 'listRows', reply: '409 CONFLICT', path: '', by: 'ours', what: 'such a reply' },
    ]);
  });
});

test('every file in test/parity/shapes can be read and has known operations only; a file of another version is refused', async () => {
  const folder = join(import.meta.dirname, 'shapes');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { operations } = readShapes(join(folder, file));
    expect(
      [...operations.keys()].filter((id) => !IDS.includes(id)),
      file,
    ).toEqual([]);
  }
  const text = textOf(new Gathered(SMALL));
  expect(readAgain(text).size).toBe(0);
  expect(() => readAgain(text.replace('shapes 1', 'shapes 0'))).toThrow(
    /is not a file of shapes, or of another version/,
  );
});

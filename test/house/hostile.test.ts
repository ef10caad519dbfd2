import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { exampleOf } from '../../src/calls/example.ts';
import type { Operation } from '../../src/declare/operation.ts';
import { CATALOGUE } from '../kit/catalogue.ts';
import { effort } from '../kit/effort.ts';
import { type CallOptions, kit } from '../kit/sandbox.ts';
import { sane } from '../kit/sane.ts';

/** Every operation there is, against what no client should send. A new operation is in the list the day it is built. */

type Json = { [key: string]: unknown };
const JSON_TYPE = { 'content-type': 'application/json' };

const pathOf = (op: Operation, value = 'Customer:00000000-0000-7000-8000-000000000000') =>
  op.path.replaceAll(/\{\w+\}/g, value);

afterEach(() => {
  expect(({} as Json)['polluted'], 'a prototype was polluted').toBeUndefined();
});

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const BODIES: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['blank', '  \n'],
  ['half an object', '{"customerType":"INDIVIDUAL"'],
  ['a comma too many', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['NaN', '{"amount":NaN}'],
  ['a byte order mark', '\ufeff{}'],
  ['a zero byte', '{"a":"\u0000"}'],
  ['two documents', '{}{}'],
  ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a half surrogate', '{"fullName":"\\ud800","customerType":"INDIVIDUAL"}'],
  ['deep arrays', nested('[', ']', 50_000)],
  ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['null', 'null'],
  ['an array', '[]'],
  ['a text', '"x"'],
  ['a number', '1e400'],
  [
    'prototype keys',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":{"polluted":true}}',
  ],
  ['the same key twice', '{"amount":1,"amount":"x","customerType":"INDIVIDUAL","customerType":7}'],
  ['a thousand unknown keys', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i])))],
];
const OVERSIZE = JSON.stringify({ fullName: 'x'.repeat(1024 * 1024) });

const CONTENT_TYPES = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary='],
  ...['application/jsonx', '', ';', 'x'.repeat(3000)],
];

const SEGMENTS = [
  '%00',
  '%FF%FE',
  '..%2F..%2Fetc',
  '%2F',
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '%F0%9F%92%A9',
  'Customer:',
  ' ',
  "'%20OR%201=1--",
];

/** An address that is more than an id, and a form, are refused before anything is looked for. */
const SAYS_MORE: readonly string[] = ['lookupUma', 'replaceDocument'];

/** Wrong values for a JSON schema type. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, true, {}, [], ['x'], null],
  integer: ['7', 1.5, true, {}, [], 1e308, -1e308, null],
  number: ['7', true, {}, [], null],
  boolean: ['true', 1, {}, [], null],
  array: [{}, 'x', 7, null],
  object: [[], 'x', 7, true, null],
};

/** The bodies that are wrong in one field each, for every field of a schema and each alternative of a union. */
function* wrongBodies(
  schema: Json,
  root: Json,
  around: (value: unknown) => unknown,
  depth = 0,
  clears = false,
): Generator<unknown> {
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    const name = ref.split('/').at(-1) as string;
    const target = ref === '#' ? root : ((root['$defs'] as Json | undefined)?.[name] as Json | undefined);
    if (target && depth < 6) yield* wrongBodies(target, root, around, depth + 1, clears);
    return;
  }
  const nullable = ((schema['anyOf'] ?? []) as Json[]).some((alternative) => alternative['type'] === 'null');
  for (const alternative of (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[])
    if (depth < 6) yield* wrongBodies(alternative, root, around, depth + 1, nullable);
  const type = schema['type'];
  // Where null clears a member it is not a wrong value, and the only one that is not.
  if (typeof type === 'string')
    for (const wrong of WRONG[type] ?? []) if (wrong !== null || !clears) yield around(wrong);
  if (type === 'string') yield around('\u0000\u202e'.repeat(3000));
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const fixed = Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => ('const' in member ? [[name, member['const']]] : [])),
  );
  for (const [name, member] of Object.entries(properties))
    if (depth < 8) yield* wrongBodies(member, root, (value) => around({ ...fixed, [name]: value }), depth + 1);
  if (type === 'array' && typeof schema['items'] === 'object' && depth < 8)
    yield* wrongBodies(schema['items'] as Json, root, (value) => around([value]), depth + 1);
}

/** Of cases that are alike, each in a thorough run, and some in `npm test`: other ones for other lists, or as `turn` says. */
const everyNth = <T>(all: readonly T[], turn = all.length): T[] => {
  const n = effort(4, 1);
  return all.filter((_, i) => i % n === turn % n);
};

const schemaOf = (shape: () => z.ZodType): Json =>
  z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }) as unknown as Json;

describe.each(OPERATIONS.map((op, turn) => [op.id, op, turn] as const))('hostile input for %s', (_, op, turn) => {
  const send = (it: Awaited<ReturnType<typeof kit>>, options: CallOptions, path = pathOf(op)) =>
    it.call(op.method, path, undefined, options);
  const bodied = op.body !== undefined && op.upload === undefined;

  test('an operation called with another method is refused with 405 and names the right methods', async () => {
    const it = await kit();
    const unnamed = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
    const same = CATALOGUE.filter(({ path }) => unnamed(path) === unnamed(op.path)).map((listed) => listed.method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
      (m) => !same.includes(m),
    )) {
      const answer = sane(await it.call(method, pathOf(op)), method);
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...same].sort());
    }
  });

  if (op.path.includes('{'))
    test('an odd path parameter is refused like an unknown id', async () => {
      const it = await kit();
      const { body = {}, query } = exampleOf(it.sandbox.world, op);
      const headers = { ...JSON_TYPE, ...(op.idempotency ? { 'idempotency-key': 'odd' } : {}) };
      const raw = op.method === 'GET' ? {} : { raw: JSON.stringify(body), headers };
      const asked = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
      for (const segment of ['none', ...everyNth(SEGMENTS, turn)]) {
        // A space at the end of an address is not part of it, so that the path is another one.
        const isCut = segment === ' ' && op.path.endsWith('}') && asked === '';
        const { status } = sane(await send(it, raw, pathOf(op, segment) + asked), segment);
        expect(status, segment).toBe(SAYS_MORE.includes(op.id) && !isCut ? 400 : 404);
      }
    });

  test('an odd query value never causes a 500, and a refusal has the error body', async () => {
    const it = await kit();
    const names = Object.keys((op.query ? (schemaOf(op.query)['properties'] as Json) : {}) ?? {});
    const values = [
      '',
      '%00',
      '%FF',
      '[]',
      '{}',
      'null',
      '-1',
      '1e9',
      '9'.repeat(400),
      '__proto__',
      'x'.repeat(3000),
      '2026-02-30T25:61:61Z',
      '+275760-09-13T00:00:00Z',
      '%F0%9F%92%A9',
    ];
    for (const name of [...names, 'unknown', '__proto__', 'constructor', 'limit%00', '%FF'])
      for (const value of everyNth(values)) {
        const query = `?${name}=${value}`;
        sane(await send(it, op.method === 'GET' ? {} : { raw: '{}', headers: JSON_TYPE }, pathOf(op) + query), query);
      }
    for (const name of names) {
      const query = `?${name}=1&${name}=2`;
      sane(await send(it, {}, pathOf(op) + query), query);
    }
    sane(await send(it, {}, `${pathOf(op)}?${'a=1&'.repeat(2000)}&&==&%`), 'a long query');
  });

  if (op.method !== 'GET')
    test('a body that is not JSON, or not the expected JSON, never causes a 500, and a refusal has the error body', async () => {
      const it = await kit();
      for (const [what, raw] of everyNth(BODIES, turn)) {
        const { status } = sane(await send(it, { raw, headers: JSON_TYPE }), what);
        if (bodied && typeof raw !== 'string') expect(status, what).toBe(400);
      }
      for (const type of everyNth(CONTENT_TYPES, turn))
        sane(await send(it, { raw: '{}', headers: { 'content-type': type } }), type);
    });

  if (bodied)
    test('a body beyond the limit is refused with 400 INVALID_REQUEST_FORMAT, whether its length is announced or not', async () => {
      const it = await kit();
      const announced = await send(it, {
        raw: OVERSIZE,
        headers: { ...JSON_TYPE, 'content-length': String(OVERSIZE.length) },
      });
      expect(sane(announced, 'announced').body.code).toBe('INVALID_REQUEST_FORMAT');
      expect(sane(await send(it, { raw: OVERSIZE, headers: JSON_TYPE }), 'not announced').body.code).toBe(
        'INVALID_REQUEST_FORMAT',
      );
    });

  if (bodied)
    test('a body with a wrong type in any field is refused with 400 INVALID_INPUT', async () => {
      const it = await kit();
      const schema = schemaOf(op.body as () => z.ZodType);
      let tried = 0;
      for (const body of everyNth([...wrongBodies(schema, schema, (value) => value)])) {
        const raw = JSON.stringify(body);
        const answer = sane(await send(it, { raw, headers: JSON_TYPE }), raw.slice(0, 300));
        tried += 1;
        if (!raw.includes('\\u0000'))
          expect([answer.status, answer.body?.code], raw.slice(0, 300)).toEqual([400, 'INVALID_INPUT']);
      }
      expect(tried).toBeGreaterThan(0);
    });
});

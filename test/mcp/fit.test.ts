import { expect, test } from 'vitest';
import { fitted, partOf } from '../../src/mcp/fit.ts';
import { outline, schemaAt, stepsFrom } from '../../src/mcp/outline.ts';

test('fitted leaves a value that fits as it is', () => {
  const value = { a: [1, { b: 'text' }] };
  expect(fitted(value, 100)).toEqual({ value, short: false });
});

test.each([
  ['a long text', 'x'.repeat(50_000)],
  ['a long list', Array.from({ length: 5000 }, (_, i) => ({ i, text: 'some text' }))],
  ['an object of many members', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, i]))],
  [
    'a deep value',
    Array.from({ length: 200 }).reduce<unknown>((inner) => ({ inner, text: 'some text' }), 'x'.repeat(300)),
  ],
])('fitted shortens %s until it fits', (_, value) => {
  const { value: part, short } = fitted(value, 2000);
  expect([JSON.stringify(part).slice(2003), short]).toEqual(['', true]);
});

test('fitted says how many elements of a shortened list are left out', () => {
  const { value } = fitted(
    Array.from({ length: 300 }, () => 'ten chars.'),
    2000,
  );
  expect((value as unknown[]).at(-1)).toBe('… (200 more)');
});

test('partOf finds a part by its path, but no member that every object inherits', () => {
  expect(partOf({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1);
  expect(partOf({ a: 1 }, 'a.toString')).toBeUndefined();
  expect(partOf({}, 'constructor')).toBeUndefined();
});

const SCHEMA = {
  properties: {
    name: { type: 'string', description: 'Whose', examples: ['Ada'] },
    kind: { enum: ['A', 'B'] },
    rows: { items: { properties: { at: { type: 'string' } }, required: ['at'] } },
    info: {
      oneOf: ['X', 'Y', 'Z', 'W'].map((type) => ({ properties: { type: { const: type }, of: { type: 'integer' } } })),
    },
  },
  required: ['name'],
};

test('the outline of a schema shows optional members, values in words, and many choices by their names', () => {
  expect(outline(SCHEMA)).toEqual({
    name: 'string e.g. "Ada" (Whose)',
    'kind?': 'A | B',
    'rows?': [{ at: 'string' }],
    'info?': 'one of: X, Y, Z, W',
  });
});

test('a path into a schema leads through members, lists and choices', () => {
  expect(outline(schemaAt(SCHEMA, ['info', 'Y']) ?? {})).toEqual({ 'type?': '"Y"', 'of?': 'integer' });
  expect(outline(schemaAt(SCHEMA, ['rows', 'at']) ?? {})).toBe('string');
  expect(schemaAt(SCHEMA, ['info', 'V'])).toBeUndefined();
  expect(stepsFrom(SCHEMA.properties.info)).toEqual(['X', 'Y', 'Z', 'W']);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { ODD, parseShape } from '../../src/contract/shape-parse.ts';
import { kit } from '../kit/sandbox.ts';
import { change, changed, type Path, places } from '../kit/spoilt.ts';

/** Holds what is taken against what zod makes of the same: members and their order, too. */
function holdAgainstZod(shape: z.ZodType, value: unknown): void {
  const taken = parseShape(shape, value);
  const parsed = shape.safeParse(value);
  expect(parsed.success).toBe(taken !== ODD);
  if (taken === ODD) return;
  expect(taken).toStrictEqual(parsed.data);
  expect(JSON.stringify(taken)).toBe(JSON.stringify(parsed.data));
}

test('parseShape takes a body as zod takes it, for the example of every operation and every way to spoil it', async () => {
  const { control } = await kit();
  const samples: [z.ZodType, unknown][] = [];
  for (const { id, body } of OPERATIONS) {
    if (!body) continue;
    const { example } = (await control('GET', `/operations/${id}`)).body;
    if (example.body === undefined) continue;
    expect(parseShape(body(), example.body), id).not.toBe(ODD);
    samples.push([body(), example.body]);
  }
  expect(samples.length).toBeGreaterThan(60);
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), change), { maxLength: 3 }),
      (sample, edits) => {
        let value = sample[1];
        for (const [where, how] of edits) {
          const all = places(value);
          value = changed(value, all[where % all.length] as Path, how);
        }
        holdAgainstZod(sample[0], value);
      },
    ),
    { numRuns: 3000 },
  );
});

test('parseShape returns members in the order of their schema, whatever order they were sent in, and drops unknown ones', () => {
  const shape = z.object({ a: z.string(), b: z.int().optional(), c: z.boolean().default(true) });
  const value = fc.constantFrom<unknown>('x', 1, false, null, undefined, {});
  fc.assert(
    fc.property(fc.shuffledSubarray(['a', 'b', 'c', 'd', 'constructor']), fc.array(value), (names, values) => {
      holdAgainstZod(shape, Object.fromEntries(names.map((name, i) => [name, values[i]])));
    }),
    { numRuns: 1000 },
  );
});

test('parseShape transforms, trims and pipes values as zod does', () => {
  const shape = z.strictObject({
    day: z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString()),
    name: z.string().trim().toLowerCase().optional(),
    url: z.url().optional(),
    many: z.array(z.coerce.number()).min(1).max(2).optional(),
    any: z.unknown().optional(),
  });
  const day = '2026-01-05T09:00:00+02:00';
  for (const value of [
    { day, name: ' ADA ', url: ' https://a.example ', many: ['1'], any: [undefined] },
    { name: 'x', day },
    { day, many: [] },
    { day, many: [1, 2, 3] },
    { day, other: 1 },
    { day, any: undefined, name: undefined },
    { day: 'x' },
    [],
    null,
  ])
    holdAgainstZod(shape, value);
});

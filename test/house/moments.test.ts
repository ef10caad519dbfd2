import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { globalRegistry } from 'zod';
import { OPERATIONS } from '../../src/areas.ts';

/** Every date-time in the declared shapes of every operation: what is sent with an offset is kept and shown in UTC. */

interface Definition {
  type: string;
  format?: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  in?: z.ZodType;
}

/** The date-times within a schema, by their path. */
function moments(schema: z.ZodType, path = '', seen = new Set<z.ZodType>()): [string, z.ZodType][] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const def = (schema as unknown as { def: Definition }).def;
  const { wire } = (globalRegistry.get(schema) ?? {}) as { wire?: { format?: string } };
  if (wire?.format === 'date-time' || def.format === 'datetime') return [[path, schema]];
  const inner = [def.element, def.innerType, def.in, ...(def.options ?? [])].filter((s) => s !== undefined);
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, member]) => moments(member, `${path}.${name}`, new Set(seen))),
    ...inner.flatMap((member) => moments(member, path, new Set(seen))),
  ];
}

const OFFSET = '2026-01-05T11:00:00+02:00';
const UTC = '2026-01-05T09:00:00.000Z';
const of = (what: 'body' | 'query') =>
  OPERATIONS.flatMap((op) => {
    const shape = op[what];
    return shape ? moments(shape()).map(([path, s]) => [`${op.id}${path}`, s] as const) : [];
  });

describe('moments of all operations', () => {
  test('a moment with an offset in any body is kept in UTC (S9, spec 2)', () => {
    expect(of('body').map(([path]) => path)).toEqual(
      expect.arrayContaining(['createInvitation.expiresAt', 'createCustomer.endUserTermsConsent.acceptedAt']),
    );
    for (const [path, schema] of of('body')) {
      expect(schema.safeParse(OFFSET).data, path).toBe(UTC);
      expect(schema.safeParse('9999-12-31T23:00:00-02:00').success, path).toBe(false);
    }
  });

  test('a reply of any operation cannot show an offset (S9, spec 2)', () => {
    const shown = OPERATIONS.flatMap((op) =>
      Object.values(op.replies).flatMap((shape) =>
        shape ? moments(shape()).map(([p, s]) => [op.id + p, s] as const) : [],
      ),
    );
    expect(shown.length).toBeGreaterThan(100);
    for (const [path, schema] of shown) {
      const read = schema.safeParse(OFFSET);
      expect(read.success ? read.data : UTC, path).toBe(UTC);
      expect(schema.safeParse(UTC).success, path).toBe(true);
    }
  });

  test('a query of any operation takes a date, or a time without seconds, as UTC (S28)', () => {
    expect(of('query').length).toBeGreaterThan(8);
    for (const [path, schema] of of('query')) {
      expect(schema.safeParse('2026-01-05').data, path).toBe('2026-01-05T00:00:00.000Z');
      expect(schema.safeParse('2026-01-05T09:00Z').data, path).toBe(UTC);
      expect(schema.safeParse('2026-01-05T11:00+02:00').data, path).toBe(UTC);
      expect(schema.safeParse(OFFSET).data, path).toBe(UTC);
      for (const bad of ['2026-02-30', '2026-01-05T', 'yesterday', ''])
        expect(schema.safeParse(bad).success, path).toBe(false);
    }
  });
});

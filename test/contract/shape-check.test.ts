import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CustomerShape } from '../../src/areas/customers/index.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { hasShape } from '../../src/contract/shape-check.ts';
import { kit } from '../kit/sandbox.ts';

type Path = (string | number)[];

/** Every place in a value. */
function places(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    at,
    ...Object.entries(value).flatMap(([key, member]) =>
      places(member, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function changed(value: unknown, at: Path, change: 'drop' | 'add' | { to: unknown }): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (at.length === 0) return typeof change === 'object' ? change.to : copy;
  let node = copy;
  for (const step of at.slice(0, -1)) node = node[step] as typeof node;
  const last = at.at(-1) as string | number;
  if (change === 'drop' && Array.isArray(node)) node.splice(Number(last), 1);
  else if (change === 'drop') delete node[last];
  else if (change === 'add') node[`${last}More`] = 1;
  else node[last] = change.to;
  return copy;
}

const change = fc.oneof(
  fc.constantFrom('drop' as const, 'add' as const),
  fc
    .constantFrom(
      null,
      undefined,
      0,
      -1,
      1.5,
      2 ** 60,
      '',
      'x',
      'x'.repeat(2000),
      true,
      [],
      {},
      ['x'],
      { a: 1 },
      '2026-01-05T09:00:00Z',
      '2026-02-30',
      'US',
      'USD',
      'PENDING',
      Number.NaN,
    )
    .map((to) => ({ to })),
);

describe('hasShape', () => {
  test('says what zod says, of real replies and of every way to spoil them', async () => {
    const { post, get } = await kit();
    const customer = (
      await post('/customers', {
        customerType: 'INDIVIDUAL',
        fullName: 'Ada Keller',
        email: 'a@example.com',
        phoneNumber: '+12065550147',
        birthDate: '1990-01-02',
        region: 'US',
        address: { line1: 'x', postalCode: '1', country: 'US' },
      })
    ).body;
    const business = (
      await post('/customers', { customerType: 'BUSINESS', businessInfo: { legalName: 'x', country: 'US' } })
    ).body;
    const shapes = Object.fromEntries(OPERATIONS.map((op) => [op.id, op.replies[200] ?? op.replies[201]]));
    const samples: [string, unknown][] = [
      ['createCustomer', customer],
      ['createCustomer', business],
      ['listCustomers', (await get('/customers')).body],
      ['getPlatformConfig', (await get('/config')).body],
      ['listCustomerInternalAccounts', (await get('/customers/internal-accounts')).body],
      ['listPlatformInternalAccounts', (await get('/platform/internal-accounts')).body],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), change, ([id, value], where, how) => {
        const shape = shapes[id]?.();
        if (!shape) throw new Error(id);
        const all = places(value);
        const spoiled = changed(value, all[where % all.length] as Path, how);
        expect(hasShape(shape, spoiled)).toBe(shape.safeParse(spoiled).success);
      }),
      { numRuns: 1500 },
    );
    for (const [id, value] of samples)
      expect(hasShape((shapes[id] as () => ReturnType<typeof CustomerShape>)(), value)).toBe(true);
  });
});

test('a text is as long as its code points, at every bound, for texts of one and of two units each', () => {
  const shape = z.string().min(2).max(5);
  const unit = fc.constantFrom('a', 'é', '🏦', '\u{10ffff}');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const text = units.join('');
      expect(hasShape(shape, text)).toBe(shape.safeParse(text).success);
    }),
    { numRuns: 500 },
  );
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CustomerShape } from '../../src/areas/customers/index.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { hasShape } from '../../src/contract/shape-check.ts';
import { kit } from '../kit/sandbox.ts';
import { change, changed, type Path, places } from '../kit/spoilt.ts';

describe('real replies', () => {
  test('hasShape agrees with zod about real replies and every way to spoil them', async () => {
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

test('hasShape measures a text by its code points at every bound, for characters of one and of two units', () => {
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

test('hasShape compares a number with inclusive and exclusive bounds as zod does', () => {
  const bound = fc.option(fc.constantFrom(-1, 0, 0.5, 2), { nil: undefined });
  const number = fc.constantFrom(-2, -1, -0, 0, 0.25, 0.5, 1, 2, 3, Number.NaN, Number.POSITIVE_INFINITY, '1', null);
  fc.assert(
    fc.property(bound, bound, bound, bound, fc.boolean(), number, (gte, gt, lte, lt, isWhole, value) => {
      let shape = isWhole ? z.int() : z.number();
      if (gte !== undefined) shape = shape.min(gte);
      if (gt !== undefined) shape = shape.gt(gt);
      if (lte !== undefined) shape = shape.max(lte);
      if (lt !== undefined) shape = shape.lt(lt);
      expect(hasShape(shape, value)).toBe(shape.safeParse(value).success);
    }),
    { numRuns: 2000 },
  );
});

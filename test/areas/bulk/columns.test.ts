import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLUMNS, customerFrom, headerOf } from '../../../src/areas/bulk/columns.ts';
import { CustomerCreate } from '../../../src/areas/customers/index.ts';
import { hasShape } from '../../../src/contract/shape-check.ts';

const NAMES = Object.keys(COLUMNS);
const cell = fc.oneof(
  fc.constantFrom('', ' ', 'INDIVIDUAL', 'BUSINESS', ' INDIVIDUAL', '1990-01-02', '1990-02-31', 'US', 'us', '98402'),
  fc.constantFrom(
    '$ada@pay.example',
    'ada@mail.example',
    '+14155550123',
    'Ada Keller\t',
    ' Ada',
    'Ł',
    '\u00a0Ada\u00a0',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const OF: Readonly<Record<string, string>> = {
  customerType: 'INDIVIDUAL',
  email: 'ada@mail.example',
  phoneNumber: '+14155550123',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  country: 'US',
};
const file = fc.record({
  names: fc.shuffledSubarray([...NAMES, 'description'], { minLength: 1 }),
  type: fc.constantFrom('INDIVIDUAL', 'BUSINESS'),
  spoilt: fc.dictionary(fc.constantFrom(...NAMES), cell, { maxKeys: 3 }),
});

test('a row has the shape of a create request exactly when zod accepts it, with the same members in the same order, in any order of columns', () => {
  let right = 0;
  fc.assert(
    fc.property(file, ({ names, type, spoilt }) => {
      const cells = names.map((name) => spoilt[name] ?? (name === 'customerType' ? type : (OF[name] ?? 'x1')));
      const sent = customerFrom(headerOf(names), cells);
      const parsed = CustomerCreate().safeParse(sent);
      expect(hasShape(CustomerCreate(), sent)).toBe(parsed.success);
      if (!parsed.success) return;
      right += 1;
      expect(JSON.stringify(sent)).toBe(JSON.stringify(parsed.data));
    }),
    { numRuns: 3000 },
  );
  expect(right).toBeGreaterThan(100);
});

test('a cell of a CSV file is trimmed of white space of any kind', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('', ' ', '\t', '\u00a0', '\ufeff', '\u2003'),
      (text, space) => {
        const { fullName } = customerFrom(headerOf(['customerType', 'fullName']), [
          'INDIVIDUAL',
          `${space}${text}${space}`,
        ]);
        expect(fullName ?? '').toBe(text.trim());
      },
    ),
  );
});

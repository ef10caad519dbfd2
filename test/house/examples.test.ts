import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { operationsOf, reply } from '../../src/declare/operation.ts';

/** Examples that are functions, because one thing in them depends on another. The figure may only shrink. */
const DECIDING = 47;
/** Words of one area that decide by themselves. The figure may only shrink. */
const OWN_WORDS = 2;

test('an example is plain data, but for a number of functions that may only shrink', () => {
  const deciding = OPERATIONS.filter(({ example }) => typeof example === 'function').map(({ id }) => id);
  expect(deciding.length, deciding.join(' ')).toBe(DECIDING);
  const areas = join(import.meta.dirname, '../../src/areas');
  const words = readdirSync(areas, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => readFileSync(join(areas, name), 'utf8').match(/\bwordOf\(/g) ?? []);
  expect(words.length).toBe(OWN_WORDS);
});

test('an operation with a parameter in its path does not compile without an example', () => {
  const operation = operationsOf('Vouchers');
  const common = { id: 'getVoucher', summary: 'Read a voucher', replies: { 204: null }, read: () => reply(204) };
  // @ts-expect-error nobody guesses what stands in a path
  const without = operation({ ...common, endpoint: 'GET /vouchers/{voucherId}' });
  // @ts-expect-error the parameter has another name
  const other = operation({ ...common, endpoint: 'GET /vouchers/{voucherId}', example: { params: { id: '1' } } });
  const right = operation({
    ...common,
    endpoint: 'GET /vouchers/{voucherId}',
    example: { params: { voucherId: '1' } },
  });
  const plain = operation({ ...common, endpoint: 'GET /vouchers' });
  expect([without, other, right, plain].map(({ example }) => example !== undefined)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

import { expect, test } from 'vitest';
import { Faults } from '../../src/contract/faults.ts';
import { chance } from '../kit/chance.ts';

const meets = (path: string, called: string): boolean => {
  const faults = new Faults('x');
  faults.add({ match: { path }, then: { status: 503 } });
  return faults.onCall({ operation: undefined, method: 'GET', path: called, declared: undefined }) !== undefined;
};

/** What a pattern means, written out as slowly and plainly as it can be. */
function means(pieces: readonly string[], text: string): boolean {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return text === '';
  if (piece !== '*' && piece !== '**') return text[0] === piece && means(rest, text.slice(1));
  if (means(rest, text)) return true;
  return text !== '' && (piece === '**' || text[0] !== '/') && means(pieces, text.slice(1));
}

test('a path pattern of a fault matches the same paths as a plain reading of it, whatever its stars (R6)', () => {
  const { below, of: some } = chance(7);
  for (let i = 0; i < 4000; i += 1) {
    const pieces = Array.from({ length: 1 + below(7) }, () => some(['a', 'b', '/', '*', '**']));
    const pattern = `/${pieces.join('')}`;
    const text = `/${Array.from({ length: below(7) }, () => some(['a', 'b', '/'])).join('')}`;
    // Stars in a row are read from the left, two by two.
    const read = pattern.match(/\*\*|\*|[^*]/g) ?? [];
    expect(meets(pattern, text), `${pattern} ${text}`).toBe(means(read, text));
  }
});

test('a path pattern of a fault that is longer than a machine word is followed like a short one (R6)', () => {
  const long = `/${'abcdefg/'.repeat(20)}`;
  expect(meets(long, long)).toBe(true);
  expect(meets(`${long}*`, `${long}x`)).toBe(true);
  expect(meets(`${long}*`, `${long}x/y`)).toBe(false);
  expect(meets(`${'/*'.repeat(90)}/end`, `${'/x'.repeat(90)}/end`)).toBe(true);
  expect(meets(`${'/*'.repeat(90)}/end`, `${'/x'.repeat(89)}/end`)).toBe(false);
  expect(meets('/**'.repeat(60), '/')).toBe(false);
  expect(meets('/**'.repeat(60), '/'.repeat(60))).toBe(true);
});

test('a long path is matched in finite time against many path patterns of many stars (R6)', () => {
  const faults = new Faults('x');
  for (let i = 0; i < 20; i += 1) faults.add({ match: { path: `/${'*a'.repeat(99)}` }, then: { status: 503 } });
  const call = { operation: undefined, method: 'GET', path: `/${'ab'.repeat(8000)}`, declared: undefined };
  for (let i = 0; i < 5; i += 1) expect(faults.onCall(call)).toBeUndefined();
});

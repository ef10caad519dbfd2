import { expect, test } from 'vitest';
import { MASK, maskText } from '../../src/engine/masking.ts';

const isSecret = (plain: string): boolean => plain === 'secret';

test('a text with hundreds of thousands of quotes is masked in one pass (X4)', () => {
  for (const quotes of ['"', "'", '\\"', '"\\']) {
    const text = `{"z":${quotes.repeat(200_000)},"secret":"s3"}`;
    expect(maskText(text, isSecret).length).toBeGreaterThan(200_000);
  }
});

test('a secret behind a long text, or behind a long name, is masked', () => {
  const long = 'x'.repeat(5000);
  expect(maskText(`{"${long}":":a","secret":"s3"}`, isSecret)).toBe(`{"${long}":":a","secret":"${MASK}"}`);
  expect(maskText(`{"z":"${long}","secret":"s3"}`, isSecret)).toBe(`{"z":"${long}","secret":"${MASK}"}`);
});

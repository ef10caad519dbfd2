import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { offer } from '../../src/areas/quotes/index.ts';
import { CURRENCIES, powerOfTen } from '../../src/contract/money.ts';
import { kit } from '../kit/sandbox.ts';

const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

/** What engines round differently in the last digit: powers other than of two or of bigints, and approximations of Math. */
const INEXACT =
  /(?:(?<!\b(?:2|1024)) \*\* (?!any)|Math\.(?:pow|exp|expm1|log|log2|log10|log1p|cbrt|sin|cos|tan|hypot)\b)/;
const EXACT = /\b10n \*\* |\.describe\(/;

describe('arithmetic on every Node (R5)', () => {
  test('no file of the program uses arithmetic that engines round differently (R5)', () => {
    const found = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => INEXACT.test(line) && !EXACT.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test('a power of ten equals the number that its decimal digits stand for (R5)', () => {
    for (let n = -12; n <= 22; n += 1) expect(String(powerOfTen(n))).toBe(String(Number(`1e${n}`)));
    expect(powerOfTen(-4)).toBe(0.0001);
  });

  test('rates and prices of all pairs of currencies have the same bytes everywhere (R5)', async () => {
    const { world } = (await kit({ seed: 1 })).sandbox;
    const prices: unknown[] = [];
    for (const from of CURRENCIES.keys())
      for (const to of CURRENCIES.keys()) {
        const platform = { bps: 0, fixed: 0 };
        const { exchangeRate, rateDetails } = offer(
          world,
          { side: 'SENDING', amount: 1_234_567_891 },
          from,
          to,
          platform,
        );
        for (const value of [rateDetails.counterpartyMultiplier, rateDetails.serviceApiMultiplier])
          expect(Number(value.toPrecision(12))).toBe(value);
        prices.push([from, to, exchangeRate, rateDetails]);
      }
    const digest = createHash('sha256').update(JSON.stringify(prices)).digest('hex');
    expect(digest).toBe('9264620b81d53c671ec7afe8fa28871d01efcee8ebc17de8b9405cc79678e137');
  });
});

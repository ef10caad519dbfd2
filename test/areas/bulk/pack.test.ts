import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack, unpack, unquotedRows } from '../../../src/areas/bulk/pack.ts';

/** Pack a file that arrives in chunks of a size. */
const packed = (text: string, size: number) =>
  pack(
    (async function* () {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );

test('pieces of a file hold whole rows, and the count of rows stays the same, wherever the network cuts the file', async () => {
  const rows = ['head,"er"', 'a,b', '"a\nb",c', '', '"x ""y""\r\n",z', 'é,ü', 'odd"quote,d', '"1"2,3', 'last'];
  const text = `\uFEFF${rows.join('\r\n')}`;
  for (let size = 1; size < 20; size += 1) {
    const file = await packed(text, size);
    expect(file.pieces.map(unpack).join('')).toBe(text.slice(1));
    expect(file).toMatchObject({ header: 'head,"er"', rows: 7 });
  }
});

test('a large file is packed into pieces that each end with a row, quotes or not', async () => {
  const text = `h\n${'"a\nb",c\n'.repeat(20_000)}${'plain,row\n'.repeat(20_000)}`;
  const file = await packed(text, 65_536);
  expect(file.rows).toBe(40_000);
  expect(file.pieces.length).toBeGreaterThan(5);
  for (const piece of file.pieces) expect(unpack(piece)).toMatch(/(?:^h|"a\nb",c|plain,row)\n$/);
  expect(file.pieces.map(unpack).join('')).toBe(text);
});

test('pieces of a file are the same however its bytes arrive, for each piece is work with an id of its own', async () => {
  const rowsOf = (i: number) => [`${i},${'x'.repeat(i % 90)}`, `"${i}\n""q""",é`, ...(i % 40 === 0 ? ['', ''] : [])];
  const rows = Array.from({ length: 1500 }, (_, i) => rowsOf(i)).flat();
  const files = ['\n', '\r\n', '\r'].map((end) => `\n\n${['h,k', ...rows].join('\n')}`.replaceAll('\n', end));
  const short = `h\n${'a\n'.repeat(3000)}`;
  const tooLong = `h\n${'a\n'.repeat(20)}${'b'.repeat(256 * 1024 + 1)}\nc`;
  for (const text of [...files, short, tooLong]) {
    const whole = await packed(text, 10_000_000);
    for (const size of [997, 16_384, 32_768, 65_536, 100_000])
      expect(await packed(text, size), `${size}`).toEqual(whole);
  }
  expect((await packed(short, 4096)).pieces).toHaveLength(7);
  // Blank lines are no work: they fill a piece by their bytes.
  expect((await packed(`h\na\n${'\n'.repeat(100_000)}b`, 4096)).pieces).toHaveLength(4);
  expect((await packed(tooLong, 10_000_000)).problem?.reason).toBe('record_too_long');
});

describe('unquotedRows', () => {
  test('unquotedRows reads a file without quotes as the parser does, and leaves one with quotes to the parser', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '\t', ';', "'", '\r'), maxLength: 4 });
    const ending = fc.constantFrom('\n', '\r\n', '\n\n');
    const line = fc.tuple(fc.array(cell, { minLength: 1, maxLength: 4 }), ending);
    const options = {
      record_delimiter: ['\r\n', '\n'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, isEnded) => {
        const text = lines.map(([cells, end]) => `${cells.join(',')}${end}`).join('');
        // Without its end, the last row may end with a carriage return that ends nothing.
        const sent = isEnded ? text : text.replace(/\n+$/, '');
        expect(unquotedRows(sent)).toEqual(parse(sent, options));
        expect(unquotedRows(`${sent}"`)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

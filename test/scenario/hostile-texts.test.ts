import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OF_A_CALL, OF_A_FILE } from '../../src/scenario/bounds.ts';
import { ScenarioError } from '../../src/scenario/error.ts';
import { loadScenarios, readScenarioText } from '../../src/scenario/load.ts';
import { kit } from '../kit/sandbox.ts';
import { LONGEST_TURN_MS, longestTurn } from '../kit/turns.ts';

const { characters, tokens } = OF_A_CALL;
/** A sign or a few, as often as a text of a call may have them. */
const full = (piece: string, begin = '', end = '') =>
  begin + piece.repeat(Math.floor((characters - begin.length - end.length) / piece.length)) + end;
/** As often as the number of tokens allows, so that all of it reaches what comes after the counting. */
const packed = (piece: string, tokensEach: number, begin = '', end = '') =>
  begin + piece.repeat(Math.floor((tokens - 200) / tokensEach)) + end;
const numbered = (count: number, line: (i: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, i) => line(i)).join(between);

/** Every indicator of YAML, alone and with what makes it one. */
const PIECES = ['-', '?', ':', ',', '[', ']', '{', '}', '#', '&a', '*a', '!a', '|', '>', "'", '"', '%', '@', '`', '~'];
const ENDS = ['', ' ', '\n', ': '];

describe('the text of a scenario in a call (X5)', () => {
  test.each([
    ['5,000 lists in one another on one line', '- '.repeat(5000), 1, 201],
    ['5,000 keys in one another', '? '.repeat(5000), 1, 201],
    ['30,000 brackets', '['.repeat(30_000), 1, 101],
    ['30,000 braces', '{a: '.repeat(30_000), 1, undefined],
    ['indents without end', numbered(200, (i) => `${' '.repeat(i)}a:`), 101, undefined],
  ])('a scenario text is refused where it is nested too deep: %s', async (_, text, line, column) => {
    const it = await kit();
    const { status, body } = await it.control('POST', '/scenarios/check', { text });
    expect(status).toBe(200);
    expect(body).toEqual({
      valid: false,
      problems: [{ line, column: column ?? expect.any(Number), message: 'nested more than 100 levels deep' }],
      count: 1,
    });
  });

  test('a scenario text is read up to 100 levels of nesting', async () => {
    for (const text of [`x: ${'['.repeat(99)}${']'.repeat(99)}`, `x: ${'{a: '.repeat(99)}b${'}'.repeat(99)}`])
      await expect(readScenarioText(text, 'x', OF_A_CALL)).rejects.toThrow('unknown key x');
  });

  test('a scenario text is refused with its first 20 mistakes, however many it has', async () => {
    const it = await kit();
    for (const text of [`a: [${','.repeat(20_000)}`, ']'.repeat(20_000), '"" '.repeat(10_000)]) {
      const { body } = await it.control('POST', '/scenarios/check', { text });
      expect(body.valid).toBe(false);
      expect(body.problems).toHaveLength(20);
      for (const { line, message } of body.problems) {
        expect(line).toBe(1);
        expect(message.length).toBeLessThan(300);
      }
    }
  });

  test('a scenario text is refused beyond its bounds of length, tokens, anchors, and values that its aliases unfold to', async () => {
    const it = await kit();
    const problemOf = async (text: string) =>
      (await it.control('POST', '/scenarios/check', { text })).body.problems?.[0]?.message;
    expect((await it.control('POST', '/scenarios/check', { text: 'a'.repeat(characters + 1) })).status).toBe(400);
    expect(await problemOf(full(',', 'a: ['))).toBe(`the text has more than ${tokens} tokens of YAML`);
    expect(await problemOf(numbered(1001, (i) => `- &a${i} x`))).toBe(
      'the text has more than 1000 anchors and aliases',
    );
    const unfolding = numbered(6, (i) => `x${i}: &x${i} [${numbered(9, () => (i ? `*x${i - 1}` : 'x'), ', ')}]`);
    expect(await problemOf(unfolding)).toBe(`its aliases unfold to more than ${tokens} values`);
    expect(await problemOf('a: &a [*a]')).toBeTruthy();
    expect(await problemOf('{a: 1, a: 2}')).toBe('a map has this key twice');
    expect(await problemOf('{[a]: 1}')).toBe('a key has to be a text');
    expect(await problemOf('a: 1\n---\na: 2\n')).toBe('a second document: a scenario is one');
  });

  test('a scenario text never blocks other calls, whatever it consists of', async () => {
    await readScenarioText(full('a: [1, "2"]\n'), 'warm', OF_A_CALL).catch(() => {});
    const texts = [
      ...PIECES.flatMap((piece) => ENDS.map((end) => full(piece + end))),
      ...['[', '"', "'", '|\n', '%YAML 1.1\n---\n'].flatMap((begin) =>
        [',', '? ', ' \n', '\\', '#\n', '- a\n'].map((piece) => full(piece, begin)),
      ),
      packed('a,', 3, '[', ']'),
      packed('{},', 3, '[', ']'),
      packed('? ', 2, '['),
      packed(': ', 2, '{'),
      packed('!a ', 2),
      packed('- "\n', 4),
      packed(']', 1),
      packed('[] ', 3),
      packed('%a b\n', 2),
      packed('---\n', 2),
      numbered(4000, (i) => `k${i}: &a${i % 900} 1`),
      numbered(4000, (i) => `k${i}: 1`),
      `{${numbered(4000, (i) => `k${i}: 1`, ', ')}}`,
      `- &a [${numbered(500, () => 'x', ', ')}]\n${'- *a\n'.repeat(900)}`,
      `- &a x\n- [${numbered(900, () => '*a', ', ')}]\n- *a`,
      `!!omap [${numbered(3000, (i) => `k${i}: 1`, ', ')}]`,
      `customers:\n${numbered(3000, () => '  - { customerType: 7 }')}`,
      `customers:\n${numbered(3000, (i) => `  - { x${i}: 7 }`)}`,
      `customers: {${numbered(3000, (i) => `customer${i}: 1`, ', ')}}`,
    ];
    const slow: [string, number][] = [];
    for (const text of texts) {
      const read = () => readScenarioText(text, 'x', OF_A_CALL).catch((error: unknown) => error);
      const { value, ms } = await longestTurn(read);
      if (value instanceof Error) expect(value, text.slice(0, 60)).toBeInstanceOf(ScenarioError);
      if (ms > LONGEST_TURN_MS) slow.push([text.slice(0, 60), ms]);
    }
    expect(slow).toEqual([]);
  });
});

test.each([
  ['UTF-16', Buffer.from('\ufeffcustomers: []\n', 'utf16le'), 1],
  ['Latin-1', Buffer.from('customers:\n  - { label: zoë, customerType: INDIVIDUAL }\n', 'latin1'), 2],
])('a scenario file in %s is refused with the line where it is not UTF-8', async (_, bytes, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'sandbox.yaml');
  writeFileSync(file, bytes);
  await expect(loadScenarios([file])).rejects.toThrow(
    `${file}:${line}:1: this is not UTF-8 text; save the file as UTF-8`,
  );
});

test('a scenario file that never ends is refused with a sentence (X5)', async () => {
  await expect(loadScenarios(['/dev/zero'])).rejects.toThrow(
    `/dev/zero:1:1: larger than ${OF_A_FILE.characters} bytes`,
  );
});

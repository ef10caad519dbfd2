import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { HARMLESS } = await import(new URL('../../tools/mutants/harmless.mjs', import.meta.url).href);

interface Row {
  file: string;
  line: string;
  sound: string;
}

test('each mutant that is left out as harmless is one line of an existing file, with the code that it changes', () => {
  expect(HARMLESS).not.toEqual([]);
  for (const { file, line, sound } of HARMLESS as Row[]) {
    const found = readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((each) => each.includes(line));
    expect(found, `${file}: ${line}`).toHaveLength(1);
    expect(found[0]).toContain(sound);
  }
});

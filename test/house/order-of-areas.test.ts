import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const AREAS = 'src/areas';
const names = readdirSync(AREAS, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));

/** The areas that an area enters, by its imports. */
function entered(area: string): string[] {
  const files = readdirSync(`${AREAS}/${area}`, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${AREAS}/${area}/${file}`, 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/from '\.\.\/([a-z-]+)\/index\.ts'/g)]);
  return [...new Set(found.map(([, name]) => String(name)))].sort();
}

/** The drawing of docs/architecture.md: by area, its line and what it is said to enter. */
function drawn(): Map<string, { line: number; enters: string[] }> {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const drawing = /## The order of areas[\s\S]*?```text\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const areas = new Map<string, { line: number; enters: string[] }>();
  for (const [line, row] of drawing.trim().split('\n').entries())
    for (const cell of row.split(/ {2,}/)) {
      const [name = '', enters = ''] = cell.split(' > ');
      areas.set(name, { line, enters: enters === '' ? [] : enters.split(' ').sort() });
    }
  return areas;
}

test('the drawn order of areas names every area, with exactly the areas that it enters', () => {
  const areas = drawn();
  const says = 'the drawing is in docs/architecture.md, "The order of areas"';
  expect(Object.fromEntries([...areas].map(([name, { enters }]) => [name, enters])), says).toEqual(
    Object.fromEntries(names.map((name) => [name, entered(name)])),
  );
});

test('each area is drawn one line below the lowest area that it enters', () => {
  const areas = drawn();
  for (const [name, { line, enters }] of areas) {
    const below = enters.map((one) => (areas.get(one)?.line ?? Number.NaN) + 1);
    expect([name, line]).toEqual([name, Math.max(0, ...below)]);
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const KERNEL = join(import.meta.dirname, '../../src/kernel');

test('no file of the kernel imports one that imports it in turn, not even a type', () => {
  const imports = new Map(
    readdirSync(KERNEL).map((file) => {
      const text = readFileSync(join(KERNEL, file), 'utf8');
      return [
        file,
        [...text.matchAll(/^(?:import|export)[^;]*?from '\.\/([\w-]+\.ts)';/gm)].map(([, to]) => String(to)),
      ];
    }),
  );
  expect(imports.get('world.ts')).toContain('scheduler.ts');
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (way.includes(file) || done.has(file)) return;
    for (const to of imports.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { ALLOWED, billOfMaterials, bundled, notices, schemaFindings } = await import(
  new URL('../../tools/sbom.mjs', import.meta.url).href
);

interface Part {
  data: { name: string; version: string; license: string; dependencies?: Record<string, string> };
  texts: string[];
}
const parts: Part[] = bundled();
const names = parts.map(({ data }) => data.name);

/** Words that a licence text has to contain for each licence that is bundled. */
const WORDS: Record<string, RegExp> = {
  'Apache-2.0': /Apache License\s+Version 2\.0/,
  ISC: /Permission to use, copy, modify, and\/or distribute/,
  MIT: /Permission is hereby granted, free\s+of charge/,
};

test('the build names the packages that it bundles', () => {
  expect(names).toEqual(expect.arrayContaining(['hono', 'zod', 'yaml', 'jose', '@noble/curves']));
  for (const tool of ['esbuild', 'vitest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(tool);
});

test.each(parts.map((part) => [part.data.name, part] as const))(
  'the bundled package %s has an allowed licence, with its text',
  (_, { data, texts }) => {
    expect(ALLOWED).toContain(data.license);
    expect(texts.join('\n')).toMatch(WORDS[data.license] as RegExp);
  },
);

test('THIRD-PARTY-NOTICES names every bundled package with its copyright lines, and has each licence once', () => {
  const text = readFileSync(join(ROOT, 'THIRD-PARTY-NOTICES'), 'utf8');
  expect(text, 'it is old: npm run sbom -- --notices').toBe(notices());
  for (const { data, texts } of parts) {
    expect(text).toContain(`\n${data.name} ${data.version}, ${data.license}\n`);
    for (const line of texts.join('\n').match(/^Copyright \(c\) \d{4}.*$/gim) ?? [])
      expect(text).toContain(line.trim());
  }
  for (const [licence, words] of Object.entries(WORDS)) {
    expect(text.split(`--- ${licence} ---`)).toHaveLength(2);
    expect(text.match(new RegExp(words, 'g'))).toHaveLength(1);
  }
  // Apache 2.0 asks that a NOTICE file travels: none has one, or it would have to be added.
  expect(parts.filter(({ texts }) => texts.length === 0)).toEqual([]);
});

test('the bill of materials lists every bundled package, fits the schema of CycloneDX 1.6, and is the same each time', async () => {
  const text: string = billOfMaterials();
  const bom = JSON.parse(text);
  expect(bom.specVersion).toBe('1.6');
  expect(bom.components.map(({ purl }: { purl: string }) => purl).sort()).toEqual(
    parts.map(({ data }) => `pkg:npm/${data.name.replace('@', '%40')}@${data.version}`).sort(),
  );
  for (const { name, licenses } of bom.components)
    expect([name, ALLOWED.includes(licenses[0]?.license.id)]).toEqual([name, true]);
  expect(await schemaFindings(text)).toBeNull();
  expect(billOfMaterials()).toBe(text);
  expect(await schemaFindings(text.replace('"library"', '"libary"'))).not.toBeNull();
});

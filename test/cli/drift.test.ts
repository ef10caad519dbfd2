import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const drift = (text: string): Promise<{ code: number; stdout: string; stderr: string }> => {
  const file = join(mkdtempSync(join(tmpdir(), 'drift-')), 'openapi.yaml');
  writeFileSync(file, text);
  return new Promise((resolve) => {
    execFile(process.execPath, ['tools/drift.mjs', file], { maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
};

test('npm run drift exits with 2 while a line has no decision, and counts these lines', async () => {
  const { code, stdout } = await drift('paths: {}\nwebhooks: {}\n');
  const operations = Object.keys(JSON.parse(readFileSync('test/contract/public.json', 'utf8')).operations);
  for (const id of operations) expect(stdout).toContain(`\n- operation ${id}\n`);
  expect(stdout).toMatch(/\n0 added, 0 changed, (\d+) dropped; \1 without a decision\n$/);
  expect(code).toBe(2);
});

test('npm run drift says in a sentence that a file is not a description', async () => {
  for (const text of ['just words', '{}', 'a: [']) {
    const { code, stderr } = await drift(text);
    expect(stderr).toContain('is not a description in OpenAPI');
    expect(code).toBe(1);
  }
});

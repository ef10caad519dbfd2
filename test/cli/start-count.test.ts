import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from '../kit/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const FLAGS = ['--port', '0', '--json', '--log', 'off'];

test('a start loads the program, two doors and one script', () => {
  const counted = execFileSync(process.execPath, [join(ROOT, 'tools/start-count.mjs')], { encoding: 'utf8' });
  const { loaded } = JSON.parse(counted) as { loaded: string[] };
  expect(loaded).toEqual(['bin/sandbox-emulator.js', 'dist/chunks/core-#.js', 'dist/chunks/door-#.js', 'dist/cli.js']);
});

test('pages, and parts that are loaded later, work in the built program', async () => {
  const { url } = await commandLine(FLAGS).ready();
  const page = async (path: string) => {
    const reply = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
    return { status: reply.status, text: await reply.text() };
  };
  const menu = /<nav.*?<\/nav>/s.exec((await page('/')).text)?.[0] ?? '';
  const paths = [...menu.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => String(path));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    const { status, text } = await page(path);
    expect([path, status, /<main/.test(text), text.includes('[object Object]')]).toEqual([path, 200, true, false]);
  }
  expect(JSON.parse((await page('/openapi.json')).text).openapi).toBe('3.1.0');
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from './kit.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
const COMMANDS = [
  ...['start', 'init', 'validate', 'scenarios', 'openapi', 'keys', 'version', 'listen', 'mcp', 'parity'],
  ...[
    'logs',
    'call',
    'trigger',
    'advance',
    'settle',
    'wait',
    'reset',
    'snapshot',
    'restore',
    'rewind',
    'capsule',
    'open',
    'fork',
    'diff',
    'why',
    'find',
  ],
  ...[
    'fault',
    'fault add',
    'fault list',
    'fault remove',
    'fault clear',
    'sandbox',
    'sandbox create',
    'sandbox list',
    'sandbox show',
    'sandbox drop',
    'coverage',
    'exam',
    'ps',
    'completion',
  ],
];

/** The page's section about a command. */
const section = (name: string): string => PAGE.split(/^## /m).find((part) => part.startsWith(`\`${name}\``)) ?? '';
/** Flags and their defaults, as the tables have them. */
const written = (name: string): [flags: string, rest: string][] =>
  [...section(name).matchAll(/^\| `(-[^`]*)` \| (.*?) \|/gm)].map((row) => [row[1] as string, row[2] as string]);
/** The first column of the help. */
const shown = (help: string): string[] =>
  [...help.matchAll(/^ {2}(-\S.*?)(?: {2,}|$)/gm)].map((row) => row[1] as string);

describe('flags of docs/cli.md and --help', () => {
  test.each(COMMANDS)('docs/cli.md and --help name the same flags of %s', async (name) => {
    // What runs without a command is shown by the program's own help, with --version.
    const { stdout } = await run(name === 'start' ? ['--help'] : [...name.split(' '), '--help']);
    const flags = shown(stdout);
    expect(flags.length).toBeGreaterThan(['version', 'fault', 'sandbox', 'completion'].includes(name) ? 0 : 1);
    expect(written(name).map(([flag]) => flag)).toEqual(flags);
  });

  test.each(COMMANDS)('docs/cli.md and --help name the same defaults of %s', async (name) => {
    const help = (await run([...name.split(' '), '--help'])).stdout.replaceAll(/\n {3,}/g, ' ');
    for (const [flags, said] of written(name)) {
      const line = help.split('\n').find((text) => text.startsWith(`  ${flags} `)) ?? '';
      const value = /\(.*default: "?([^",)]+)"?.*\)/.exec(line)?.[1];
      if (value !== undefined) expect(said.replaceAll('`', ''), flags).toBe(value);
    }
  });

  test('every command has its section in docs/cli.md, and there is no section of another', () => {
    expect([...PAGE.matchAll(/^## `(.*)`$/gm)].map((row) => row[1])).toEqual(COMMANDS);
  });

  test('start --help shows the same flags as --help, but for the version', async () => {
    const [whole, own] = await Promise.all([run(['--help']), run(['start', '--help'])]);
    expect(shown(own.stdout)).toEqual(shown(whole.stdout).filter((flags) => !flags.includes('--version')));
  });

  test('docs/cli.md lists every variable SANDBOX_EMULATOR_* of the sources, and PORT, NO_COLOR and FORCE_COLOR', () => {
    const src = join(import.meta.dirname, '../../src');
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(src, file), 'utf8'));
    for (const name of [
      ...new Set(sources.flatMap((text) => text.match(/\bSANDBOX_EMULATOR_[A-Z_]+/g) ?? [])),
      ...['PORT', 'NO_COLOR', 'FORCE_COLOR'],
    ])
      expect(PAGE).toContain(`| \`${name}\` |`);
  });
});

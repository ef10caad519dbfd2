import type { Command } from 'commander';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { commandLine } from '../../src/cli/commands.ts';
import { plainFlags } from '../../src/cli/plain.ts';
import { portFromEnvironment, START_FLAGS, type StartFlags } from '../../src/cli/start-flags.ts';

const VARIABLES = ['PORT', 'SANDBOX_EMULATOR_PORT', 'SANDBOX_EMULATOR_HOST', 'SANDBOX_EMULATOR_ALLOW_HOST'] as const;

afterEach(() => vi.unstubAllEnvs());

/** What the library reads; undefined where it refuses, or where something else than a start is meant. */
async function byLibrary(args: readonly string[]): Promise<StartFlags | undefined> {
  let read: StartFlags | undefined;
  const program = commandLine().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  const start = program.commands.find((command) => command.name() === 'start') as Command;
  start.action((flags: StartFlags, self: Command) => {
    if (self.args.length > 0) return;
    const given = self.getOptionValueSource('port');
    read = { ...flags, port: given === 'default' ? portFromEnvironment() : flags.port };
  });
  const silent = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await program.parseAsync(['node', 'sandbox-emulator', ...args]);
  } catch {
    return undefined;
  } finally {
    silent.mockRestore();
  }
  return read;
}

const PLAIN = [
  '',
  'start',
  '--port 0 --json --log off',
  'start -p 4011 -q',
  '--port=4012 --log=json',
  '--port 1 --port 2',
  '-s wallet -s sandbox.yaml --watch',
  '--webhook-url http://localhost:3000/hooks --allow-remote-webhooks',
  '--profile grid --base-path /grid/v1 --auth known --seed 7',
  '--now 2026-01-05T09:00:00Z --hold-clock --state state.json --parent-watch',
  '--allow-host a,b --allow-host c --allow-origin http://localhost:3000',
];

test.each(PLAIN)('a start with %j is read without the library, and exactly as the library reads it', async (line) => {
  const args = line.split(' ').filter(Boolean);
  const read = plainFlags(args);
  expect(read).toBeDefined();
  expect(read).toEqual(await byLibrary(args));
});

test.each([
  '--help',
  '-v',
  'listen',
  'stop',
  '--port',
  '--port x',
  '--port 65536',
  '--log loud',
  '--json=1',
  '-p0',
  '-qs wallet',
  '--state -v',
  '-- start',
  'start listen',
  '--Port 1',
  '--watch watch',
])('a start with %j is left to the library', (line) => {
  expect(plainFlags(line.split(' '))).toBeUndefined();
});

test('every flag of a start can be read without the library', () => {
  const value = { port: '1', profile: 'grid', auth: 'known', log: 'off', seed: '1', now: '2026-01-05' };
  for (const { flags } of START_FLAGS) {
    const long = flags.replace(/^.*--([a-z-]+).*$/, '$1');
    const text =
      value[long as keyof typeof value] ??
      (/url|origin/.test(long) ? 'http://localhost:3000' : long === 'base-path' ? '/v1' : 'name');
    expect([flags, plainFlags(flags.includes('<') ? [`--${long}`, text] : [`--${long}`])]).toEqual([
      flags,
      expect.anything(),
    ]);
  }
});

test('flags that are read without the library are read as the library reads them, for any words and environment', async () => {
  const names = START_FLAGS.flatMap(({ flags }) => flags.replace(/ <.*/, '').split(', '));
  const words = ['start', 'listen', 'help', '-h', '-v', '-V', '--', '-', '', '0', '4011', '-1', 'spec', 'grid', 'known']
    .concat(['off', 'json', 'wallet', 'a,b', 'http://localhost:1', '/v1', '2026-01-05', 'über', '--no-json', '-pq'])
    .concat(names.map((name) => `${name}=1`));
  const word = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...words));
  const variable = fc.constantFrom(undefined, '', '0', '4013', 'x', 'a,b');
  const line = fc.array(word, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(line, fc.tuple(variable, variable, variable, variable), async (args, values) => {
      for (const [i, name] of VARIABLES.entries()) vi.stubEnv(name, values[i]);
      const read = plainFlags(args);
      if (read) expect(read).toEqual(await byLibrary(args));
    }),
    { numRuns: 3000 },
  );
});

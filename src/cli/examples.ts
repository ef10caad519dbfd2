import type { Command } from 'commander';

/** Command lines, without the name of the program, each with its effect. */
export type Examples = readonly (readonly [command: string, what: string])[];

const EXAMPLES: Readonly<Record<string, Examples>> = {
  start: [
    ['', 'start on port 4010 with the default scenario'],
    ['--port 0 --json --parent-watch', 'as a fixture: any free port, JSON output, stops with its parent'],
    ['--seed 1 --hold-clock --now 2026-01-05T09:00:00Z', 'the same ids, order and events in every run'],
    ['-s sandbox.yaml --watch', 'your own scenario, reloaded when it changes'],
    ['--state state.json', 'continue where the last run ended'],
  ],
  init: [
    ['init', 'write sandbox.yaml'],
    ['init tests/wallet.yaml --force', 'overwrite the file'],
  ],
  validate: [
    ['validate sandbox.yaml', 'one line if it is valid; file:line:column for each mistake'],
    ['validate scenarios/*.yaml --json', 'JSON output; exit code 1 if any file has a mistake'],
  ],
  scenarios: [
    ['scenarios', 'names and descriptions'],
    ['scenarios wallet > mine.yaml', 'start from a copy'],
  ],
  openapi: [
    ['openapi > openapi.json', 'works without a running emulator'],
    ['openapi --profile grid --server http://emulator:4010', 'with the public names, for another host'],
  ],
  keys: [
    ['keys', 'the key used without --seed'],
    ['keys --seed 1 --json', 'the key used with --seed 1, as {"pem","jwk","der"}'],
  ],
  version: [['version', 'the version number only']],
  listen: [
    ['listen --register', 'listen on port 3000 and register it with the emulator on port 4010'],
    ['listen --fail-first 2 --register', 'fail twice, then watch the retries succeed'],
    ['listen --forward http://127.0.0.1:8080/hooks', 'print deliveries and pass them to your own receiver'],
    ['listen --port 0 --json', 'JSON output, one object per line'],
  ],
};

/** Returns examples of a subcommand as its help shows them. */
export const examples = (name: string): string =>
  `${examplesOf(EXAMPLES[name] ?? [])}${name === 'start' ? '\nMore: sandbox-emulator <command> --help, and docs/cli.md\n' : ''}`;

/** Adds examples to the end of a command's help. */
export const addExamples = (command: Command, examples: Examples): Command =>
  command.addHelpText('after', () => examplesOf(examples));

/** Returns examples as a help shows them. */
function examplesOf(examples: Examples): string {
  const rows = examples.map(([args, what]) => [`sandbox-emulator ${args}`.trim(), what] as const);
  const lines = rows.map(([command, what]) => `  ${command}\n      ${what}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

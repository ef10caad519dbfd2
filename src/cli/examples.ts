type Examples = readonly (readonly [command: string, what: string])[];

const EXAMPLES: Readonly<Record<string, Examples>> = {
  start: [
    ['', 'start on port 4010 with the default scenario'],
    ['--port 0 --json --parent-watch', 'as a fixture: any free port, JSON, gone with its parent'],
    ['--seed 1 --hold-clock --now 2026-01-05T09:00:00Z', 'the same ids, order and events in every run'],
    ['-s sandbox.yaml --watch', 'your own scenario, read again when it changes'],
    ['--state state.json', 'go on where the last run ended'],
  ],
  init: [
    ['init', 'write sandbox.yaml'],
    ['init tests/wallet.yaml --force', 'write over what is there'],
  ],
  validate: [
    ['validate sandbox.yaml', 'one line when it is right; file:line:column when it is not'],
    ['validate scenarios/*.yaml --json', 'for a program; exit code 1 if any has a mistake'],
  ],
  scenarios: [
    ['scenarios', 'names and what they are'],
    ['scenarios wallet > mine.yaml', 'begin with a copy of one'],
  ],
  openapi: [
    ['openapi > openapi.json', 'no emulator has to run'],
    ['openapi --profile grid --server http://emulator:4010', 'in the public names, for another host'],
  ],
  keys: [
    ['keys', 'the key of every start without a seed'],
    ['keys --seed 1 --json', 'the key of a start with --seed 1, as {"pem","jwk","der"}'],
  ],
  version: [['version', 'the number alone']],
  listen: [
    ['listen --register', 'on port 3000; the emulator on port 4010 sends there'],
    ['listen --fail-first 2 --register', 'fail twice, then watch the retries succeed'],
    ['listen --forward http://127.0.0.1:8080/hooks', 'look over the shoulder of your own receiver'],
    ['listen --port 0 --json', 'for a program: one JSON object a line'],
  ],
};

/** Examples of a subcommand as its help shows them. */
export const examples = (name: string): string =>
  `${examplesOf(EXAMPLES[name] ?? [])}${name === 'start' ? '\nMore: sandbox-emulator <command> --help, and docs/cli.md\n' : ''}`;

/** Examples as a help shows them. */
export function examplesOf(examples: Examples): string {
  const rows = examples.map(([args, what]) => [`sandbox-emulator ${args}`.trim(), what] as const);
  const lines = rows.map(([command, what]) => `  ${command}\n      ${what}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, run, taken } from './kit.ts';

const KEY = 'listen --port 0 --key';

test.each([
  ['--prot 1', "unknown option '--prot'; did you mean --port?"],
  ['--zzz', "unknown option '--zzz'; --help shows every flag"],
  ['--port 1 listen', 'the command comes first: sandbox-emulator listen ...'],
  ['--port', "option '-p, --port <n>' argument missing; --help shows every flag"],
  ['--port x', 'the port must be a whole number from 0 to 65535, not x'],
  ['--seed 1.5', 'the seed must be a whole number from 0 to 9007199254740991, not 1.5'],
  ['--profile x', '--profile <name> must be one of spec, grid, not x; --help shows every flag'],
  ['--now soon', '--now must be an ISO 8601 date-time, not soon'],
  ['--webhook-url example.com', '--webhook-url must be an http or https URL, not example.com'],
  [
    '--base-path api',
    '--base-path must look like /some/path, and not begin with a path of the emulator such as /_emulator, not api',
  ],
  ['--allow-host http://x', '--allow-host must be a name such as emulator, without scheme and port, not http://x'],
  [
    '--allow-origin localhost:3000',
    '--allow-origin must be an origin such as http://localhost:3000, not localhost:3000',
  ],
  ['--watch', '--watch needs a file to watch: give one with --scenario'],
  ['--scenario defualt', /^no scenario defualt: neither a file nor a built-in one \(.*\); did you mean default\?$/],
  ['--scenario FOLDER/none.yaml', /^no scenario .*none\.yaml: neither a file nor a built-in one/],
  ['--state FOLDER/broken.json', /^the state file .*broken\.json is not JSON: .*; it was left as it is$/],
  ['validate', "missing required argument 'file'; --help shows every flag"],
  ['validate --jsn x', "unknown option '--jsn'; did you mean --json?"],
  ['scenarios a b', "too many arguments for 'scenarios'. Expected 1 argument but got 2; --help shows every flag"],
  ['init FOLDER/broken.json/x.yaml', /^cannot write .*x\.yaml: a part of its path is a file, not a folder$/],
  ['keys --seed x', 'the seed must be a whole number from 0 to 9007199254740991, not x'],
  ['openapi --server here', '--server must be an http or https URL, not here'],
  ['listen --port TAKEN', /^port \d+ is taken; choose another with --port, or --port 0 for any free one$/],
  ['listen --answer 42', '--answer must be a whole number from 200 to 599, not 42'],
  [
    'listen --delay -1',
    '--delay must be milliseconds or a duration such as 2h, 90s, 1h30m, 7d or PT15M, at most an hour, not -1',
  ],
  ['listen --delay 2h', '--delay is too long: at most an hour, not 2h'],
  ['listen --delay 999999999999999999d', '--delay is too long: at most an hour, not 999999999999999999d'],
  [
    'fault add --delay 999999999d',
    '--delay is too long: at most 10 minutes for a call, 7 days for a webhook, not 999999999d',
  ],
  ['logs --status 4', '--status must be a status such as 404 or 4xx, not 4'],
  ['logs --lines -1', '--lines must be a whole number from 0 to 1000, not -1'],
  ['fault', 'a command is missing; --help shows every flag'],
  ['fault add --probability 2', '--probability must be from 0 to 1, not 2'],
  ['fault add --delay soon', '--delay must be a duration such as 2h, 90s, 1h30m, 7d or PT15M, not soon'],
  [
    'fault add --method FETCH',
    '--method <method> must be one of GET, POST, PUT, PATCH, DELETE, not FETCH; --help shows every flag',
  ],
  ['exam', 'name what starts a payment by --pay; --help shows every flag'],
  ['exam --pay http://example.com/pay', '--pay leads beyond this machine, to example.com; say --yes if that is meant'],
  [
    'exam --pay true --ask http://127.0.0.1:1/x',
    '--ask is a URL without {reference}, so that it would ask about no payment',
  ],
  [
    'exam --pay true --says-paid (',
    '--says-paid must be a regular expression such as paid|completed|settled|succeeded, not (',
  ],
  [
    'exam --pay true --only plain,twise --url http://127.0.0.1:1',
    /^there is no check twise; there are plain, lost-quote, .*, late$/,
  ],
  [
    'exam --pay true --url http://127.0.0.1:1',
    'no emulator answers at http://127.0.0.1:1; start one with sandbox-emulator, or name it with --url',
  ],
  ['completion tcsh', 'the shell must be one of bash, zsh, fish, not tcsh; --help shows every flag'],
  ['restore', "missing required argument 'snapshot'; --help shows every flag"],
  ['why --url here', '--url must be an http or https URL, not here'],
  [`${KEY} FOLDER/none.pem`, /^cannot read the key .*none\.pem: there is no such file or folder$/],
  [`${KEY} FOLDER/broken.json`, /^.*broken\.json holds no public key in PEM; sandbox-emulator keys prints one$/],
  [
    'listen --port 0 --register --url http://127.0.0.1:1',
    'no emulator answers at http://127.0.0.1:1; start one with sandbox-emulator, or name it with --url',
  ],
  ['--scenario \u001b[31mred', /^no scenario \\x1b\[31mred: /],
])('%s is refused with one sentence on stderr, nothing on stdout, and exit code 1', async (line, says) => {
  const path = folder();
  writeFileSync(join(path, 'broken.json'), '{"format":');
  const port = String(await taken());
  const args = line.split(' ').map((word) => word.replace('FOLDER', path).replace('TAKEN', port));
  const { code, stdout, stderr } = await run(args, { env: { SANDBOX_EMULATOR_PORT: '0' } });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  if (typeof says === 'string') expect(stderr.trimEnd()).toBe(says);
  else expect(stderr.trimEnd()).toMatch(says);
  expect(code).toBe(1);
});

test.each([
  ['strat', 'did you mean start?'],
  [
    'nothing-like-it',
    'there are start, init, validate, scenarios, openapi, keys, version, listen, mcp, parity, logs, advance, settle, wait, call, trigger, reset, snapshot, restore, rewind, capsule, open, fork, diff, why, find, fault, sandbox, coverage, exam, ps, completion, help',
  ],
  ['help rest', 'did you mean reset?'],
  ['fault ad', 'did you mean fault add?'],
  ['sandbox fork', 'there are create, list, show, drop'],
  [
    'record',
    'the control API turns calls of the log into a test: curl http://127.0.0.1:4010/_emulator/record -d \'{"requests":{"from":"req_1","to":"req_9"}}\'',
  ],
  ['mock', /^start runs the emulator: .*sandbox-emulator\S* start$/],
  ['stop', /^an emulator stops at Ctrl\+C in its terminal, or at SIGTERM; ps lists those that run: .* ps$/],
  ['test', /^exam tests how your backend copes, .*: .* exam --pay http:\/\/127\.0\.0\.1:3000\/payments$/],
  ['demo.yaml', /^a scenario file is the value of --scenario: .* --scenario demo\.yaml$/],
])(
  'the unknown command %s is refused with exit code 2 and a sentence that names the right one, even for help',
  async (line, says) => {
    const words = line.split(' ');
    const name = words[0] === 'help' ? words[1] : line;
    for (const args of [words, [...words, '--help'], ['--help', ...words]]) {
      const { code, stdout, stderr } = await run(args, {
        env: { SANDBOX_EMULATOR_PORT: '0', SANDBOX_EMULATOR_URL: '' },
      });
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      const [, hint] = new RegExp(`^there is no command ${name}; (.*)\n$`).exec(stderr) ?? [];
      if (typeof says === 'string') expect(hint).toBe(says);
      else expect(hint).toMatch(says);
    }
  },
);

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { folder, run } from './kit.ts';
import { pathWithEmulator, terminal } from './terminal.ts';

const NOWHERE = { SANDBOX_EMULATOR_URL: 'http://127.0.0.1:1' };

/** The values that may stand for the last word. */
async function values(line: string, env: Record<string, string> = NOWHERE): Promise<string[]> {
  const { code, stdout, stderr } = await run(['completion', '--words', ...line.split(' ')], { env });
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((each) => each.split('\t')[0] as string);
}

/** An emulator in which each kind of thing is there to be named. */
async function busy() {
  const emulator = await startEmulator({ port: 0, seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true });
  onTestFinished(() => emulator.close());
  const control = (path: string, body: object) =>
    fetch(`${emulator.url}/_emulator${path}`, { method: 'POST', body: JSON.stringify(body) });
  await control('/snapshots', { name: 'before-lunch' });
  await control('/faults', { match: { operation: 'createQuote' }, then: { status: 503 } });
  await emulator.sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
  await emulator.createSandbox();
  return { emulator, env: { SANDBOX_EMULATOR_URL: emulator.url } };
}

describe('completion where no emulator runs', () => {
  test.each([
    ['adv', ['advance']],
    ['fault ', ['add', 'list', 'remove', 'clear']],
    ['fault add --me', ['--method', '--message']],
    ['fault add --method P', ['POST', 'PUT', 'PATCH']],
    ['fault add --method=P', ['--method=POST', '--method=PUT', '--method=PATCH']],
    ['--prof', ['--profile']],
    ['--profile ', ['spec', 'grid']],
    ['start --auth ', ['open', 'known']],
    ['-s wal', ['wallet', ':files']],
    ['--state ', [':files']],
    ['validate ', [':files']],
    ['validate one.yaml ', [':files']],
    ['scenarios wal', ['wallet']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['help adv', ['advance']],
    ['why ', []],
    ['fault add --webhook CUSTOMER.KYC_A', ['CUSTOMER.KYC_APPROVED']],
    ['fault add --code ACCOUNT_L', ['ACCOUNT_LOCKED']],
    ['advance --url ', []],
    ['restore ', []],
    ['logs --operation create', []],
    ['nonsense ', []],
  ])('completion of %j without an emulator offers %j', async (line, found) => {
    expect(await values(line)).toEqual(found);
  });

  test('completion offers each subcommand when nothing is written yet', async () => {
    const { stdout } = await run(['--help']);
    const shown = stdout.split('Commands:\n')[1]?.split('\n\n')[0] ?? '';
    const named = [...shown.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(await values('')).toEqual(named);
  });

  test('completion offers every flag of a subcommand as its help shows it', async () => {
    const { stdout } = await run(['logs', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    expect(await values('logs -')).toEqual(flags);
  });
});

describe('completion with a running emulator', () => {
  test('completion offers operations, snapshots, requests, faults and sandboxes of a running emulator', async () => {
    const { emulator, env } = await busy();
    expect(await values('logs --operation createQ', env)).toEqual(['createQuote']);
    expect(await values('call createQ', env)).toEqual(['createQuote']);
    expect(await values('restore ', env)).toEqual(['before-lunch']);
    expect(await values('diff before-lunch --to ', env)).toEqual(['now', 'before:last', 'before-lunch']);
    expect(await values('fault remove ', env)).toEqual(['fault-1']);
    expect(await values('advance --sandbox ', env)).toEqual(['test', 'sandbox-1']);
    const { data } = (await (await fetch(`${emulator.url}/_emulator/requests`)).json()) as { data: { id: string }[] };
    expect(await values('why ', env)).toEqual(['last', ...data.map(({ id }) => id)]);
  });

  test('completion asks the emulator and the sandbox that --url and --sandbox name', async () => {
    const { emulator } = await busy();
    expect(await values(`restore --url ${emulator.url} `)).toEqual(['before-lunch']);
    expect(await values(`restore --url=${emulator.url} --sandbox sandbox-1 `)).toEqual([]);
  });

  test('completion leaves out a name that a shell would read as more than a word', async () => {
    const { emulator, env } = await busy();
    const authorization = `Basic ${Buffer.from('$(id):x').toString('base64')}`;
    await fetch(`${emulator.baseUrl}/customers`, { headers: { authorization } });
    expect(await values('advance --sandbox ', env)).toEqual(['test', 'sandbox-1']);
  });

  test('completion offers nothing where no emulator answers', async () => {
    const { env } = await busy();
    expect(await values('restore ', { ...env, SANDBOX_EMULATOR_URL: 'http://192.0.2.1:4010' })).toEqual([]);
  });
});

/** How each shell is started with nothing of the user's, and told to complete. */
const SHELLS = {
  bash: {
    start: 'bash --norc --noprofile -i',
    prompt: `PS1='ready''> '`,
    load: 'source <(sandbox-emulator completion bash)',
  },
  zsh: {
    start: 'zsh -f -i',
    prompt: `PROMPT='ready''> '`,
    load: 'autoload -U compinit; compinit -u -D; source <(sandbox-emulator completion zsh)',
  },
  fish: {
    start: 'fish --no-config -i',
    prompt: `function fish_prompt; echo -n 'ready''> '; end`,
    load: 'sandbox-emulator completion fish | source',
  },
} as const;

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('the tabulator key in %s', (name) => {
  const { start, prompt, load } = SHELLS[name];

  /** A shell that waits at its prompt with the completions loaded. */
  async function shell(env: Record<string, string>) {
    const it = terminal(start, { PATH: pathWithEmulator(), NO_COLOR: '1', ...env });
    it.type(`${prompt}\n`);
    await it.until('ready> ');
    it.type(`${load}\n`);
    await it.until('ready> ');
    return it;
  }

  test('the tabulator key completes subcommands, flags, choices and what a running emulator knows', async () => {
    const { env } = await busy();
    const it = await shell(env);
    it.type('sandbox-emulator rest\tbef\t--js\t\n');
    expect(await it.until('"mode":"held"')).toContain('{"name":"before-lunch"');
    await it.until('ready> ');
    it.type('sandbox-emulator fault add --operation createQ\t--method PO\t--status 503\n');
    await it.until('createQuote POST: status 503');
  });

  test('the tabulator key completes a value after = and an argument after a URL', async () => {
    const { emulator, env } = await busy();
    const it = await shell(env);
    it.type('sandbox-emulator fault add --operation=createQ\t --status=503\n');
    await it.until('createQuote: status 503');
    await it.until('ready> ');
    it.type(`sandbox-emulator restore --url ${emulator.url} bef\t\n`);
    await it.until('restored ');
  });

  test('the tabulator key completes files where a file is named', async () => {
    const file = join(folder(), 'a scenario of mine.yaml');
    writeFileSync(file, 'title: mine\n');
    const it = await shell(NOWHERE);
    it.type(`sandbox-emulator validate ${file.slice(0, file.indexOf(' '))}\t\n`);
    await it.until('valid\r\n');
    await it.until('ready> ');
  });
});

test('each completion script is valid for its own shell', async () => {
  for (const [name, flag] of [
    ['bash', '-n'],
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const file = join(folder(), name);
    writeFileSync(file, (await run(['completion', name])).stdout);
    expect(await promisify(execFile)(name, [flag, file])).toEqual({ stdout: '', stderr: '' });
  }
});

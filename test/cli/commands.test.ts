import { createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { template } from '../../src/cli/template.ts';
import { startEmulator } from '../../src/index.ts';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { scenarioJsonSchema } from '../../src/scenario/publish.ts';
import { commandLine } from '../kit/process.ts';
import { folder, run } from './kit.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Whether a scenario can be started from; its mistakes if not. */
async function mistakes(text: string, name = 'x.yaml'): Promise<string> {
  const file = join(folder(), name);
  writeFileSync(file, text);
  const { code, stderr } = await run(['validate', file]);
  return code === 0 ? '' : stderr;
}

describe('the command init', () => {
  test('init writes sandbox.yaml, which is valid as it is', async () => {
    const cwd = folder();
    const { code, stdout } = await run(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^wrote sandbox\.yaml; start with: (?:node \S+|npx sandbox-emulator|\S*sandbox-emulator\S*) --scenario sandbox\.yaml --watch\n$/,
    );
    expect(readFileSync(join(cwd, 'sandbox.yaml'), 'utf8')).toBe(
      template('node_modules/sandbox-emulator/scenario.schema.json'),
    );
    expect(await run(['validate', 'sandbox.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: 'sandbox.yaml: valid\n',
      stderr: '',
    });
  });

  test('init overwrites a file only with --force', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'mine.yaml'), 'title: mine\n');
    expect(await run(['init', 'mine.yaml'], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'mine.yaml is there already; --force writes over it\n',
    });
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toBe('title: mine\n');
    expect((await run(['init', 'mine.yaml', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toContain('platform:');
  });

  test('init makes the folder, and names the schema of the nearest installation as seen from there', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'node_modules/sandbox-emulator'), { recursive: true });
    writeFileSync(join(cwd, 'node_modules/sandbox-emulator/scenario.schema.json'), '{}');
    expect((await run(['init', 'tests/data/a.yaml'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'tests/data/a.yaml'), 'utf8').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../../node_modules/sandbox-emulator/scenario.schema.json',
    );
  });

  // Taking one `# ` off makes `## prose` a comment still, and `# key: value` count.
  const uncommented = (text: string): string => text.replaceAll(/^( *)# ?/gm, '$1');
  const [head, ...paragraphs] = template('x.json').split('\n\n');
  const whole = (): string => paragraphs.join('\n\n');

  test('the examples of the file that init writes are valid together', async () => {
    expect(await mistakes(`${head}\n\n${uncommented(whole())}`)).toBe('');
  });

  test('each example of the file that init writes is valid alone', async () => {
    const examples = paragraphs.filter((paragraph) => /^ *# /m.test(paragraph));
    expect(examples.length).toBeGreaterThan(10);
    const files = examples.map((example, i) => {
      const file = join(folder(), `${i}.yaml`);
      writeFileSync(
        file,
        whole().replace(example, () => uncommented(example)),
      );
      return file;
    });
    const { code, stderr } = await run(['validate', ...files]);
    expect([code, stderr]).toEqual([0, '']);
  });

  test('the file that init writes shows every key of a scenario, and their members', () => {
    const text = uncommented(whole());
    const { $defs } = scenarioJsonSchema() as {
      $defs: { Scenario: { properties: Record<string, { properties?: object }> } };
    };
    const { properties } = $defs.Scenario;
    const missing = Object.entries(properties).flatMap(([key, { properties: inner = {} }]) => [
      ...(new RegExp(`^${key}:`, 'm').test(text) ? [] : [key]),
      ...Object.keys(inner)
        .filter((name) => !new RegExp(`[ {]${name}:`).test(text))
        .map((name) => `${key}.${name}`),
    ]);
    expect(missing, 'src/cli/template.ts has no example of').toEqual(['$schema']);
  });
});

describe('the command validate', () => {
  test('validate reports every mistake of every file with line and column', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'form.yaml'), 'platform:\n  regulatd: true\n  umaDomain: 7\n');
    writeFileSync(
      join(cwd, 'sense.yaml'),
      'customers:\n  - { label: a, customerType: BUSINESS, accounts: { EUR: 1 } }\n  - label: a\n    customerType: BUSINESS\nrates:\n  USD/XXX: 2\n',
    );
    writeFileSync(join(cwd, 'good.json'), '{"platform": {"regulated": true}}');
    const { code, stdout, stderr } = await run(['validate', 'form.yaml', 'sense.yaml', 'good.json', 'none.yaml'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stdout).toBe('good.json: valid\n');
    expect(stderr.trim().split('\n')).toEqual([
      'form.yaml:2:3: unknown key regulatd; did you mean regulated?',
      expect.stringMatching(/^form\.yaml:3:3: platform\.umaDomain: /),
      'sense.yaml:2:53: customers.0 (a).accounts.EUR: the platform has no EUR',
      'sense.yaml:3:5: customers.1 (a).label: a is the label of something else',
      'sense.yaml:6:3: rates.USD/XXX: XXX is not a currency of this service',
      'none.yaml:1:1: it cannot be read: there is no such file or folder',
    ]);
  });

  test('validate --json reports the same mistakes to a program', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.yaml'), 'titel: x\n');
    writeFileSync(join(cwd, 'b.yaml'), 'title: x\n');
    const { code, stdout, stderr } = await run(['validate', 'a.yaml', 'b.yaml', '--json'], { cwd });
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual([
      {
        file: 'a.yaml',
        valid: false,
        problems: [{ line: 1, column: 1, message: 'unknown key titel; did you mean title?' }],
        count: 1,
      },
      { file: 'b.yaml', valid: true, problems: [], count: 0 },
    ]);
  });

  test('validate names the first 20 of thousands of mistakes, and counts the rest (R6)', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.yaml'), Array.from({ length: 5000 }, (_, i) => `titel${i}: x\n`).join(''));
    const { code, stderr } = await run(['validate', 'a.yaml'], { cwd });
    const lines = stderr.trimEnd().split('\n');
    expect([code, lines.length, lines.at(-1)]).toEqual([1, 21, 'a.yaml: and 4980 more mistakes']);
    expect(lines[0]).toBe('a.yaml:1:1: unknown key titel0; did you mean title?');
    const { stdout } = await run(['validate', 'a.yaml', '--json'], { cwd });
    expect(JSON.parse(stdout)[0]).toMatchObject({ count: 5000, problems: { length: 20 } });
  });

  test('validate shows control characters of a file in printable form', async () => {
    expect(await mistakes('"\\e[31mred": 1\n')).toContain('unknown key \\x1b[31mred');
  });

  test('a start names the place of a mistake in the meaning of a scenario, too', async () => {
    const file = join(folder(), 'a.yaml');
    writeFileSync(file, 'title: x\ncustomers:\n  - { customerType: BUSINESS, accounts: { EUR: 1 } }\n');
    const { code, stderr } = await run(['--port', '0', '-s', file]);
    expect([code, stderr]).toEqual([1, `${file}:3:43: customers.0.accounts.EUR: the platform has no EUR\n`]);
  });
});

describe('mistakes of a scenario file (U20)', () => {
  const BAD =
    'titel: x\nplatform:\n  regulated: maybe\n  umaDomian: x\npolicies: { customer.decide: later }\nclock: { mode: slow }\n';

  test('a start and validate list mistakes of a scenario in the order of their lines', async () => {
    const file = join(folder(), 'bad.yaml');
    writeFileSync(file, BAD);
    for (const args of [
      ['--port', '0', '-s', file],
      ['validate', file],
    ]) {
      const { code, stderr } = await run(args);
      const lines = stderr.trim().split('\n');
      expect(code).toBe(1);
      expect(lines.map((line) => Number(line.slice(file.length + 1).split(':')[0]))).toEqual([1, 3, 4, 5, 6]);
    }
  });
});

test('the version is printed by -v, -V, --version and version (U20)', async () => {
  const printed = await Promise.all([['-v'], ['-V'], ['--version'], ['version']].map((args) => run(args)));
  for (const { code, stdout, stderr } of printed)
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});

describe('the command scenarios', () => {
  test('scenarios lists each built-in scenario with its title', async () => {
    const { stdout } = await run(['scenarios']);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => line.split(/\s/)[0])).toEqual(BUILT_INS);
    for (const line of lines) expect(line).toMatch(/^\S+ {2,}\S.{10}/);
    const list = JSON.parse((await run(['scenarios', '--json'])).stdout);
    expect(list.map((each: { name: string; title: string }) => `${each.name} ${each.title}`)).toEqual(
      lines.map((line) => line.replace(/ +/, ' ')),
    );
  });

  test('scenarios prints a built-in scenario as it is written', async () => {
    const { stdout } = await run(['scenarios', 'wallet']);
    expect(stdout).toBe(readFileSync(join(ROOT, 'scenarios/wallet.yaml'), 'utf8'));
    expect(JSON.parse((await run(['scenarios', 'wallet', '--json'])).stdout).title).toMatch(/wallet/);
  });

  test('scenarios exits with 1 for an unknown name, and suggests the nearest', async () => {
    expect(await run(['scenarios', 'walet'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'no built-in scenario walet; did you mean wallet?\n',
    });
  });
});

describe('the command openapi', () => {
  test.each(['spec', 'grid'] as const)(
    'openapi prints for profile %s the document that a start serves',
    async (profile) => {
      const emulator = await startEmulator({ port: 0, profile });
      const served = (await (await fetch(`${emulator.url}/openapi.json`)).json()) as { info: { version: string } };
      await emulator.close();
      const { stdout, code } = await run(['openapi', '--profile', profile, '--server', emulator.url]);
      expect(code).toBe(0);
      const printed = JSON.parse(stdout);
      // The build writes its version in; the source has none.
      served.info.version = printed.info.version;
      expect(printed).toEqual(served);
    },
  );

  test('openapi writes the given server and base path into the document', async () => {
    const { stdout } = await run(['openapi', '--server', 'http://pay.example:1/', '--base-path', '/api']);
    expect(JSON.parse(stdout).servers).toEqual([{ url: 'http://pay.example:1/api' }]);
  });
});

describe('the command keys', () => {
  test.each([[[]], [['--seed', '7']]])('keys with %j prints the key of a start with the same flags', async (seed) => {
    const { ready } = commandLine(['--json', '--port', '0', ...seed]);
    const { webhookPublicKey, url } = await ready();
    const { stdout } = await run(['keys', ...seed]);
    expect(stdout.startsWith(webhookPublicKey)).toBe(true);
    const jwk = JSON.parse(stdout.slice(webhookPublicKey.length));
    expect(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).toBe(webhookPublicKey);
    expect(JSON.parse((await run(['keys', ...seed, '--json'])).stdout)).toEqual(
      await (await fetch(`${url}/_emulator/webhooks/key`)).json(),
    );
  });
});

describe('the flag --help', () => {
  test('--help of the program shows its subcommands, the flags of start, and examples', async () => {
    const { stdout, code } = await run(['--help']);
    expect(code).toBe(0);
    for (const word of [
      'start',
      'init',
      'validate',
      'scenarios',
      'openapi',
      'keys',
      'listen',
      '--scenario',
      'Examples:',
    ])
      expect(stdout).toContain(word);
  });

  test.each([
    ...['start', 'init', 'validate', 'scenarios', 'openapi', 'keys', 'listen', 'mcp', 'logs', 'advance', 'reset'],
    ...['snapshot', 'restore', 'fork', 'diff', 'why', 'fault', 'ps', 'completion'],
  ])('--help of %s shows examples', async (name) => {
    const { stdout, code } = await run([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n {2}sandbox-emulator${name === 'start' ? '' : ` ${name}`}`));
  });
});

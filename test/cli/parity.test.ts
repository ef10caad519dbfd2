import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../kit/port.ts';
import { commandLine } from '../kit/process.ts';
import { folder, run } from './kit.ts';

const parity = (...args: string[]) => run(['parity', ...args]);
const emulator = async (...flags: string[]) => (await commandLine(['--json', '--port', '0', ...flags]).ready()).url;

describe('against another emulator', () => {
  test('of the same profile there is no difference', async () => {
    const url = await emulator();
    const { code, stdout } = await parity('--against', url, '--steps', '60', '--seed', '5');
    expect(stdout).toMatch(/^\d+ calls in \d+ walks compared \(seed 5\): no difference\n$/);
    expect(code).toBe(0);
  });

  test('of the other profile the differences are told, each with a walk that shows it, and the exit code is 2', async () => {
    const url = await emulator('--profile', 'grid');
    const flags = [
      '--against-profile',
      'grid',
      '--only',
      'createCustomerKycLink',
      '--steps',
      '20',
      '--seed',
      '1',
      '--scenario',
      'default',
    ];
    const { code, stdout } = await parity('--against', url, ...flags, '--json');
    const { differences } = JSON.parse(stdout);
    const [link] = differences.filter(({ path }: { path: string }) => path === 'provider');
    expect([link.operation, link.kind, link.ours, link.calls]).toEqual([
      'createCustomerKycLink',
      'value',
      'KYC_PROVIDER_1',
      2,
    ]);
    expect(link.shell[1]).toMatch(/^curl -s -X POST -u "\$CREDENTIALS" "\$BASE"'\/customers\/'"\$c\d+_id"'\/kyc-link'/);
    expect(code).toBe(2);
  });

  test('asked by its API only, with credentials of a walk each, there is no difference either', async () => {
    const url = await emulator();
    const flags = [
      '--as-service',
      '--credentials',
      'walk-{n}:hush-hush',
      '--only',
      'customers',
      '--steps',
      '40',
      '--seed',
      '3',
    ];
    const { code, stdout } = await parity('--against', `${url}/2025-10-13`, ...flags);
    expect(stdout).toMatch(/ calls in \d+ walks compared \(seed 3\): no difference\n$/);
    expect(code).toBe(0);
  });
});

describe('a recording', () => {
  test('is compared again without the other side, and holds no credentials', async () => {
    const file = join(folder(), 'said.json');
    const url = await emulator();
    const flags = ['--as-service', '--credentials', 'walk-{n}:hush-hush', '--except', 'getPlatformConfig'];
    const only = ['--only', 'customers', 'apitokens', '--steps', '60', '--seed', '3'];
    expect((await parity('--against', `${url}/2025-10-13`, ...flags, ...only, '--record', file)).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('hush-hush');
    expect(text).not.toMatch(/"clientSecret":"[^‹]/);
    const again = await parity('--replay', file);
    expect(again.stdout).toMatch(/ calls in \d+ walks compared \(seed 3\): no difference\n$/);
    expect(again.code).toBe(0);
    writeFileSync(file, text.replace('"status":201', '"status":200'));
    expect((await parity('--replay', file)).code).toBe(2);
  });

  test.each([
    ['no JSON', '{', /^\S+ cannot be read as a recording: /],
    [
      'something else',
      '{"a":1}',
      /^\S+ is no recording of parity, or of another version: it has to say sandbox-emulator parity 1\n$/,
    ],
  ])('that is %s is refused in one sentence', async (_, text, sentence) => {
    const file = join(folder(), 'said.json');
    writeFileSync(file, text);
    const { code, stderr } = await parity('--replay', file);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
  });
});

describe('what cannot be done is refused in one sentence', () => {
  test.each([
    ['nobody to ask', [], 'name the other side by --against, or a recording by --replay; --help shows every flag\n'],
    [
      'credentials without a secret',
      ['--against', 'http://127.0.0.1:9', '--credentials', 'my-id'],
      '--credentials must be <id>:<secret>\n',
    ],
    [
      'credentials in the address',
      ['--against', 'http://me:hush@127.0.0.1:9'],
      '--against holds no credentials: name them by --credentials\n',
    ],
    [
      'another machine, without a word of consent',
      ['--against', 'https://sandbox.service.example', '--credentials', 'me:hush-hush'],
      'parity creates, changes and deletes things at sandbox.service.example, as me; say --yes if that is meant\n',
    ],
    [
      'no such profile',
      ['--profile', 'none'],
      '--profile <name> must be one of spec, grid, not none; --help shows every flag\n',
    ],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await parity(...args);
    expect([stdout, stderr, code]).toEqual(['', sentence, 1]);
  });

  test('a port where nobody listens', async () => {
    const port = await freePort();
    const { code, stderr } = await parity('--against', `http://127.0.0.1:${port}`);
    expect(stderr).toBe(`nothing answers at 127.0.0.1:${port} (ECONNREFUSED)\n`);
    expect(code).toBe(1);
  });

  test('a server on this machine that is no emulator, without credentials; and no redirect of it is followed', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.host} ${request.url}`);
      response
        .writeHead(302, { location: `http://localhost:${(server.address() as AddressInfo).port}/elsewhere` })
        .end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await parity('--against', `http://${host}`);
    expect(stderr).toBe(`${host} is no emulator that can be asked for sandboxes: name --credentials\n`);
    expect(asked).toEqual([`${host} /_emulator/health`]);
    expect(code).toBe(1);
  });
});

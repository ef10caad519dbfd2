import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';

/** As a program has it whose language checks no types. */
const start = (options: unknown) => startEmulator(options as object);

function circular(): object {
  const one: { self?: object } = {};
  one.self = one;
  return one;
}

test.each([
  [{ portt: 1 }, 'there is no option portt; did you mean port?'],
  [{ toString: 1 }, 'there is no option toString'],
  [{ port: 'abc' }, 'port must be a whole number from 0 to 65535, not "abc"'],
  [{ port: 65_536 }, 'port must be a whole number from 0 to 65535, not 65536'],
  [{ host: '' }, 'host must be an address to listen on, not ""'],
  [{ state: 5 }, 'state must be a file, not 5'],
  [
    { scenario: null, seed: Number.NaN },
    'scenario must be a built-in name, a file or a scenario, or a list of them, not null; seed must be a number or a text, not NaN',
  ],
  [{ profile: 'toString' }, 'profile must be spec or grid, not "toString"'],
  ...['/v1/', 'v1', '/_emulator', '/kyc/v1', '/a/../b', '/.'].map((basePath): [object, string] => [
    { basePath },
    `basePath must look like /some/path, and not begin with a path of the emulator such as /_emulator, not "${basePath}"`,
  ]),
  [{ auth: 'closed' }, 'auth must be open or known, not "closed"'],
  [{ now: 'tomorrow' }, 'now must be an ISO 8601 date-time, not "tomorrow"'],
  [{ holdClock: 'yes' }, 'holdClock must be true or false, not "yes"'],
  [{ allowRemoteWebhooks: 1 }, 'allowRemoteWebhooks must be true or false, not 1'],
  [{ webhookUrl: 'localhost:3000' }, 'webhookUrl must be an http or https URL, not "localhost:3000"'],
  [
    { allowHost: 'emulator' },
    'allowHost must be a list of names such as emulator, without scheme and port, not "emulator"',
  ],
  [{ allowOrigin: ['*'] }, 'allowOrigin must be a list of origins such as http://localhost:3000, not ["*"]'],
  [{ onBroken: 'x'.repeat(90) }, `onBroken must be a function, not "${'x'.repeat(79)}...`],
  ['demo', 'the options must be an object, not "demo"'],
])('a program that starts an emulator with %j gets a TypeError that says what is wrong', async (options, message) => {
  await expect(start(options)).rejects.toThrow(new TypeError(`startEmulator: ${message}`));
});

test.each([
  ['is circular', circular()],
  ['holds a bigint', { n: 1n }],
  ['has no JSON', { toJSON: () => undefined }],
])('a start refuses an option by its name also when its value %s', async (_, port) => {
  const message = 'startEmulator: port must be a whole number from 0 to 65535, not [object Object]';
  await expect(start({ port })).rejects.toThrow(new TypeError(message));
});

test.each([
  [{ name: 'mine' }, 'there is no option name'],
  [{ webhookurl: 'http://127.0.0.1:1' }, 'there is no option webhookurl; did you mean webhookUrl?'],
  [{ scenario: ['demo'] }, 'scenario must be a built-in name, a file or a scenario, not ["demo"]'],
  [{ seed: {} }, 'seed must be a number or a text, not {}'],
  [null, 'the options must be an object, not null'],
])('createSandbox refuses %j with a TypeError, and creates no sandbox', async (request, message) => {
  const emulator = await startEmulator({ port: 0 });
  onTestFinished(() => emulator.close());
  await expect(emulator.createSandbox(request as object)).rejects.toThrow(new TypeError(`createSandbox: ${message}`));
  const { data } = (await (await fetch(`${emulator.url}/_emulator/sandboxes`)).json()) as { data: unknown[] };
  expect(data).toHaveLength(1);
});

test('an option that a program leaves undefined counts as missing', async () => {
  const emulator = await start({ port: 0, scenario: undefined, onBroken: undefined, allowHost: undefined });
  onTestFinished(() => emulator.close());
  expect((await emulator.createSandbox({ seed: undefined, webhookUrl: undefined })).id).toBe('sandbox-1');
});

test('a program may use an empty seed and an upper-case URL scheme, as over HTTP', async () => {
  const emulator = await start({ port: 0, seed: '', webhookUrl: 'HTTP://127.0.0.1:9/hooks' });
  onTestFinished(() => emulator.close());
  expect((await emulator.createSandbox({ seed: '', webhookUrl: 'HTTP://127.0.0.1:9/hooks' })).id).toBe('sandbox-1');
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { commandLine } from '../../src/cli/commands.ts';
import { listenOptions, startOptions } from '../../src/cli/options.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import { CONTROLS } from '../../src/control/index.ts';
import { handleOf } from '../../src/handle.ts';
import { PROMPTS } from '../../src/mcp/prompts.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { kit } from '../kit/sandbox.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');
const spansOf = (file: string): string[] =>
  [...withoutBlocks(read(file)).matchAll(/`([^`]+)`/g)].map(([, span]) => String(span));

const FLAGS = new Set([...startOptions(), ...listenOptions()].map(({ long }) => long));
const COMMANDS = new Set(commandLine().commands.map((command) => command.name()));
const NAMES = new Set<string>([
  ...OPERATIONS.map(({ id }) => id),
  ...EVENTS.flatMap(({ types }) => types),
  ...TOOLS.map(({ name }) => name),
  ...PROMPTS.map(({ name }) => name),
  ...Object.keys(ERRORS),
  ...BUILT_INS,
]);
const PLACES = new Set(CONTROLS.map(({ method, path }) => `${method} /_emulator${path.replaceAll(/:(\w+)/g, '{$1}')}`));
const MAGIC = read('docs/magic-values.md');
const CONTRACT = ['docs/webhooks.md', 'docs/control-api.md', 'docs/cli.md', 'docs/fixtures.md'].map(read).join('\n');

/** Addresses that a started emulator answers at. */
const ADDRESSES = ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010/openapi.json', 'http://127.0.0.1:4010/2025-10-13'];

/** Words of other worlds, and what they are. */
const FOREIGN: Readonly<Record<string, string>> = {
  'http://127.0.0.1:4010/_emulator/mcp': 'asked in test/mcp/http.test.ts',
  'X-Service-Signature': 'a header, verified in docs/webhooks.md',
  'Idempotency-Key': 'a header of the API',
  'x-request-id': 'a header of every reply',
  '.mcp.json': 'a file of a client',
  test: 'the client id of scenario default',
  secret: 'its secret',
  'sandbox-emulator': 'the package',
  '{id, type, timestamp, data}': 'the envelope of an event',
  '{status, code, message, details}': 'the body of an error',
  'details.errors': 'a member of it',
  '{"v":"1","s":"<base64>"}': 'the value of a signature',
  '{"decision":"APPROVED"}': 'sent in test/control/wait.test.ts',
  1050: 'an amount',
};

/** Whether what stands between backticks is something that there is. */
async function isThere(span: string): Promise<boolean> {
  if (Object.hasOwn(FOREIGN, span) || NAMES.has(span) || PLACES.has(span) || ADDRESSES.includes(span)) return true;
  if (/^--/.test(span)) return span.split(/ (?=--)/).every((flag) => FLAGS.has(flag.split(' ')[0]));
  const command = /^npx sandbox-emulator (\w+)(.*)$/.exec(span);
  if (command)
    return (
      COMMANDS.has(String(command[1])) &&
      (command[2] === '' || FLAGS.has(String(command[2]).trim()) || command[2] === ' --register')
    );
  if (/^(?:docs\/)?[\w*.-]+\.md$/.test(span)) return span.includes('*') || existsSync(join(ROOT, span));
  if (/^sandbox\.[\w.]+$/.test(span)) {
    const { host, sandbox } = await kit();
    const handle: unknown = handleOf(host, sandbox, 'http://127.0.0.1:4010/2025-10-13');
    const steps = span.split('.').slice(1);
    return (
      steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], handle) !==
      undefined
    );
  }
  if (/^\d{3,6}$/.test(span)) return MAGIC.includes(`\`${span}\``);
  return span === 'startEmulator' || CONTRACT.includes(span) || MAGIC.includes(`\`${span}\``);
}

describe.each(['llms.txt', 'AGENTS.md'])('the guide %s', (file) => {
  test('a guide for coding agents has at most 200 lines', () => {
    expect(read(file).split('\n').slice(201)).toEqual([]);
  });

  test('a guide for coding agents names only flags, addresses, operations, events, tools, files and methods that exist', async () => {
    const wrong: string[] = [];
    for (const span of spansOf(file)) if (!(await isThere(span))) wrong.push(span);
    expect(wrong).toEqual([]);
  });

  test('a guide for coding agents is in the package', () => {
    expect(JSON.parse(read('package.json')).files).toContain(file);
  });
});

test.each([
  '--nothing',
  'POST /_emulator/nothing',
  'CUSTOMER.NOTHING',
  'docs/nothing.md',
  'sandbox.nothing.here',
  '099',
])('the check of the guides finds that %s is missing', async (span) => {
  expect(await isThere(span)).toBe(false);
});

test('llms.txt and docs/mcp.md name every tool, and docs/mcp.md no other', () => {
  const names = TOOLS.map(({ name }) => name);
  expect(names.filter((name) => !spansOf('llms.txt').includes(name))).toEqual([]);
  const [, table = ''] = read('docs/mcp.md').split('| Tool | What it does |\n|---|---|\n');
  expect([...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(names);
});

test('llms.txt says how many operations there are', () => {
  expect(read('llms.txt')).toContain(`${OPERATIONS.length} operations.`);
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import type { Emulator } from '../../src/public.ts';

const run = promisify(execFile);

/** How each language runs a file, and the file's name. */
const ALL: Readonly<Record<string, readonly [file: string, command: string, ...before: string[]]>> = {
  curl: ['call.sh', 'sh'],
  fetch: ['call.mjs', process.execPath],
  python: ['call.py', 'python3'],
  java: ['Call.java', 'java'],
  go: ['call.go', 'go', 'run'],
};
const isHere = (command: string): boolean =>
  command.includes('/') || (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, command)));
/** Where CI says so, every tool has to be there. */
const RUNNERS = Object.fromEntries(
  Object.entries(ALL).filter(([, [, command]]) => process.env['ALL_TOOLS'] || isHere(command)),
);

const NAMES = `it's "quoted" \\ back\tslash \u007f é 東京 😀 \u2028 $HOME \`tick\` %s`;

let emulator: Emulator;
let folder: string;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, seed: 1 });
  folder = await mkdtemp(join(tmpdir(), 'code-'));
});
afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

const CALLS: Readonly<Record<string, () => Promise<Response>>> = {
  'a body with every kind of character': () =>
    emulator.sandbox.fetch('/customers', {
      headers: { 'idempotency-key': `key ${NAMES.replaceAll(/[^ -~]/g, '')}` },
      json: {
        customerType: 'INDIVIDUAL',
        fullName: NAMES,
        platformCustomerId: null,
        nested: [true, false, { a: 1.5 }, [], {}],
      },
    }),
  'a query': () => emulator.sandbox.fetch('/customers?limit=1&platformCustomerId=a%20b%26c'),
  'a DELETE without a body': () => emulator.sandbox.fetch('/customers/Customer:none', { method: 'DELETE' }),
};

test.each(Object.keys(CALLS).flatMap((call) => Object.keys(RUNNERS).map((language) => [call, language] as const)))(
  '%s, copied as %s, sends the same call to the emulator',
  async (name, language) => {
    const answer = await (CALLS[name] as () => Promise<Response>)();
    const id = answer.headers.get('x-request-id');
    const code = await (await emulator.sandbox.fetch(`/_emulator/requests/${id}/code?as=${language}`)).text();
    const [file, command, ...before] = RUNNERS[language] as (typeof RUNNERS)[string];
    await writeFile(join(folder, file), code);
    const { stdout } = await run(command, [...before, join(folder, file)], { cwd: folder });
    const { data } = await (await emulator.sandbox.fetch('/_emulator/requests?limit=1')).json();
    const seen = async (one: string) => (await emulator.sandbox.fetch(`/_emulator/requests/${one}`)).json();
    const [sent, copied] = [await seen(String(id)), await seen(data[0].id)];
    expect(data[0].id).not.toBe(id);
    expect([copied.method, copied.path, copied.status]).toEqual([sent.method, sent.path, sent.status]);
    expect(copied.request.headers['idempotency-key']).toBe(sent.request.headers['idempotency-key']);
    const json = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));
    expect(json(copied.request.body)).toEqual(json(sent.request.body));
    expect(stdout.trim()).toMatch(/\}$/);
  },
);

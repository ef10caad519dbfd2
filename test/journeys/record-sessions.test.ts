import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chance } from '../kit/chance.ts';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { commandLine, type Ready } from '../kit/process.ts';
import { receiver } from '../kit/receiver.ts';
import { ACTS, Session } from './record-session.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** A project of a user's, with the package and its runner at hand. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sessions-'));
  await mkdir(join(project, 'node_modules'));
  await symlink(ROOT, join(project, 'node_modules/sandbox-emulator'));
  await symlink(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(project, { recursive: true }));

const HELD = {
  policies: { 'customer.decide': 'hold', 'transaction.settle': 'after PT2H' },
  platform: { accounts: { USD: 9_000_000 }, regulated: false },
};
const SCENARIOS = ['demo', HELD] as const;
const SESSIONS = 10;
/** What no recording has: the content of a CSV file, and what is about it, and faults. */
const EXPECTED = /the log does not keep files|it is about what uploadCustomersCsv|a fault (?:was added|answered it)/;
/** Those that are recorded as a script, too: cards, and a document. */
const SCRIPTS: readonly number[] = [2, 9];
/** Acts in a session. */
const LENGTH = 4;

/** The acts of a session in a random order: one that is its turn, so that each has its own, and others. */
function actsOf(i: number): string[] {
  const names = Object.keys(ACTS);
  const any = chance(1000 + i);
  const turn = [names[i % names.length], names[(i + SESSIONS) % names.length]] as string[];
  const more = Array.from({ length: LENGTH - turn.length }, () => any.of(names));
  return [more[0] as string, ...turn, ...more.slice(1)];
}

interface Sandbox {
  readonly id: string;
  readonly secret: string;
}

async function sandboxOf(ready: Ready, scenario: unknown, webhookUrl?: string): Promise<Sandbox> {
  const body = JSON.stringify({ scenario, ...(webhookUrl === undefined ? {} : { webhookUrl }) });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${ready.url}/_emulator/sandboxes`, { method: 'POST', headers, body });
  const made = (await answer.json()) as { credentials: Sandbox };
  expect(answer.ok, JSON.stringify(made)).toBe(true);
  return made.credentials;
}

test('recordings of ten random sessions pass in a fresh project, two of them also as scripts (W1, W2, G4, G5)', async () => {
  const hooks = await receiver();
  const [spec, grid] = await Promise.all(
    ['spec', 'grid'].map((profile) => commandLine(['--port', '0', '--json', '--profile', profile]).ready()),
  );
  const texts: string[] = [];
  for (let i = 0; i < SESSIONS; i += 1) {
    const isGrid = i % 3 === 2;
    const ready = (isGrid ? grid : spec) as Ready;
    const scenario = isGrid ? 'wallet' : SCENARIOS[i % 2];
    const login = await sandboxOf(ready, scenario, i % 2 === 0 ? hooks.url : undefined);
    const signatureHeader = isGrid ? 'Grid-Wallet-Signature' : 'Service-Wallet-Signature';
    const session = new Session({ ...ready, login, signatureHeader }, i);
    if (i % 2 === 0) await session.control('POST', '/clock', { mode: 'held' });
    await session.does('GET', '/config');
    if (i === 0) await leaveQuoteWaiting((...call) => session.tries(...call));
    for (const name of actsOf(i)) await (ACTS[name] as (typeof ACTS)[string])(session);
    const { data } = await session.control('GET', '/requests?limit=1000');
    const requests = { from: data.at(-1).id, to: data[0].id };
    const text: string = await session.control('POST', '/record', { requests });
    // No id but that of nobody, and no secret, stands in what is run.
    const code = text.replaceAll(/^ *\/\/.*$/gm, '');
    expect(code.match(/•••|[A-Z][A-Za-z]+:(?!00000000-)[0-9a-f]{8}-[0-9a-f]{4}-.*/g)).toBe(null);
    await writeFile(join(project, `session-${i}.test.ts`), text);
    texts.push(text);
    if (!SCRIPTS.includes(i)) continue;
    const script = join(project, `session-${i}.sh`);
    await writeFile(script, await session.control('POST', '/record', { requests, as: 'shell' }));
    const other = await sandboxOf(ready, scenario);
    const env = { ...process.env, BASE: ready.baseUrl, LOGIN: `${other.id}:${other.secret}` };
    await run('sh', [script], { env });
  }
  const vitest = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    project,
    '--testTimeout=100000',
    '--no-isolate',
  ];
  const env = { ...process.env, VITEST: undefined, NO_COLOR: '1' } as NodeJS.ProcessEnv;
  const { stdout } = await run(process.execPath, vitest, { cwd: project, env }).catch((error) => ({
    stdout: `${error.stdout}\n${error.stderr}`,
  }));
  expect(stdout).toMatch(/Tests +10 passed \(10\)/);
  // What they stand for: a step of each kind is repeated somewhere.
  const all = texts.join('\n');
  for (const part of ['sealOtp(', 'sandbox-valid-signature', '/decision`', 'jobIdOf(', '.rewind(', 'new FormData()'])
    expect(all).toContain(part);
  for (const why of ['a fault was added', 'the log does not keep files']) expect(all).toContain(why);
  const marked = all.match(/^ *\/\/ (?:Left out|This cannot be repeated|Not expected).*$/gm) ?? [];
  expect(marked.filter((line) => !EXPECTED.test(line))).toEqual([]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { backendAt, exam, type Report } from '../../src/exam/index.ts';
import type { Emulator, SandboxHandle } from '../../src/public.ts';

type Start = typeof import('../../fixtures/exam-backend.ts').startBackend;
/** A change of the reference backend's text: what stands there once, and what shall. */
export type Edit = readonly [from: string, to: string];

const SOURCE = readFileSync(join(import.meta.dirname, '../../fixtures/exam-backend.ts'), 'utf8');

/** The reference backend with some of its text changed, which has to be there exactly once. */
export async function edited(edits: readonly Edit[]): Promise<Start> {
  let text = SOURCE;
  for (const [from, to] of edits) {
    if (text.split(from).length !== 2) throw new Error(`this stands ${text.split(from).length - 1} times: ${from}`);
    text = text.replace(from, () => to);
  }
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-exam-'));
  const file = join(folder, 'backend.mjs');
  writeFileSync(file, transformSync(text, { loader: 'ts', format: 'esm' }).code);
  const { startBackend } = await import(pathToFileURL(file).href);
  rmSync(folder, { recursive: true });
  return startBackend;
}

/** The control API of a sandbox, without a socket. */
export const controlOf = (emulator: Emulator, { id }: Pick<SandboxHandle, 'id'>) => ({
  ask: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const url = new URL(`/_emulator${path}`, emulator.baseUrl);
    url.searchParams.set('sandbox', id);
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const reply = await emulator.fetch(new Request(url, init));
    const text = await reply.text();
    const value = text === '' ? undefined : JSON.parse(text);
    if (reply.status >= 400) throw Object.assign(new Error(value.message), { status: reply.status });
    return value;
  },
});

/** Examines a backend in a sandbox of its own. */
export async function examined(
  emulator: Emulator,
  start: Start,
  { only, seed, withoutAsk = false }: { only?: readonly string[]; seed?: number; withoutAsk?: boolean } = {},
): Promise<Report> {
  const sandbox = await emulator.createSandbox(seed === undefined ? {} : { seed });
  const { id, secret } = sandbox.credentials;
  const backend = await start({
    api: sandbox.baseUrl,
    credentials: `${id}:${secret}`,
    webhookKey: sandbox.webhookPublicKey,
    port: 0,
    timeoutMs: 2000,
  });
  try {
    sandbox.webhooks.sendTo(`${backend.url}/hooks`);
    const pays = `${backend.url}/payments`;
    return await exam({
      control: controlOf(emulator, sandbox),
      backend: backendAt(pays, withoutAsk ? undefined : `${pays}/{reference}`, false),
      only,
      patienceMs: 6000,
    });
  } finally {
    backend.close();
    await sandbox.drop();
  }
}

/** Results that are worked out side by side, so many at a time; the test that needs one waits for it. */
export function sideBySide<T>(works: readonly (() => Promise<T>)[], atOnce: number): Promise<T>[] {
  const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve());
  return works.map((work, i) => {
    const result = (lanes[i % atOnce] as Promise<unknown>).then(work);
    lanes[i % atOnce] = result.catch(() => {});
    return result;
  });
}

/** The names of the checks that a backend failed, and of those that were skipped with a mark. */
export const failedIn = ({ checks }: Report): string[] =>
  checks
    .filter(({ result }) => result !== 'passed')
    .map(({ check, result }) => (result === 'failed' ? check : `${check} skipped`));

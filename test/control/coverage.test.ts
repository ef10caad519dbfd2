import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENTS, machines, magicValues, OPERATIONS } from '../../src/areas.ts';
import { stateName } from '../../src/engine/machine.ts';
import { startEmulator } from '../../src/index.ts';
import { addCounts, type Counts, noCounts } from '../../src/sandbox/coverage/counts.ts';
import { readCounts, writeCounts } from '../../src/sandbox/coverage/files.ts';
import { reportOf } from '../../src/sandbox/coverage/report.ts';
import { receiver } from '../kit/receiver.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-emulator-coverage-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function counted(options: Parameters<typeof startEmulator>[0] = {}) {
  const coverage = folder();
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, coverage, ...options });
  onTestFinished(() => emulator.close());
  return { emulator, coverage };
}

describe('counts of coverage (product 8.3)', () => {
  test('coverage counts answers by status and code of every sandbox, also of a dropped one', async () => {
    const { emulator } = await counted();
    const one = await emulator.createSandbox();
    await one.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    await one.fetch('/customers', { json: { customerType: 'NOBODY' } });
    await one.drop();
    await emulator.sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Bo Li' } });
    await emulator.sandbox.fetch('/nothing-here');
    const { operations, refusals } = emulator.coverage();
    expect(operations.byName).toEqual({ createCustomer: { '201': 2, '400 INVALID_INPUT': 1 } });
    expect([operations.called, operations.of, refusals.met]).toEqual([1, OPERATIONS.length, 1]);
  });

  test('coverage counts a fault as the answer that it gave, and a dropped connection as no reply', async () => {
    const { emulator } = await counted();
    const { sandbox } = emulator;
    sandbox.faults.add({ match: { operation: 'listCustomers', times: 1 }, then: { status: 503 } });
    await sandbox.fetch('/customers');
    sandbox.faults.add({ match: { operation: 'listCustomers', times: 1 }, then: { drop: true } });
    await expect(sandbox.fetch('/customers')).rejects.toThrow();
    const { byName } = emulator.coverage().operations;
    const answers = Object.keys(byName['listCustomers'] ?? {});
    expect(answers.filter((answer) => answer.startsWith('503'))).toHaveLength(1);
    expect(answers).toContain('no reply');
  });

  test('coverage counts magic values and states, without those of the scenario', async () => {
    const { emulator } = await counted({ scenario: 'demo' });
    expect(emulator.coverage().states.byName).toEqual({});
    await emulator.sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada 002' } });
    await emulator.sandbox.clock.advance('PT1S');
    const { magic, states } = emulator.coverage();
    expect(magic.byName).toEqual({ 'fullName 002': 1 });
    expect(states.byName).toMatchObject({ 'customer PENDING': 1 });
  });

  test('coverage counts no state and no magic value of a refused call', async () => {
    const { emulator } = await counted();
    await emulator.sandbox.fetch('/customers', { json: { customerType: 'NOBODY', fullName: 'Ada 002' } });
    const { magic, states, events } = emulator.coverage();
    expect([magic.byName, states.byName, events.byName]).toEqual([{}, {}, {}]);
  });

  test('coverage counts an event once it is delivered, or when it is emitted without a receiver', async () => {
    const hooks = await receiver();
    const { emulator } = await counted();
    const { sandbox } = emulator;
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    await sandbox.clock.settle({ within: 'PT1M' });
    expect(emulator.coverage().events.byName).toEqual({ 'CUSTOMER.KYC_APPROVED': 1 });
    sandbox.webhooks.sendTo(hooks.url);
    sandbox.faults.add({ match: { webhook: 'CUSTOMER.*', times: 2 }, then: { status: 503 } });
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Bo Li' } });
    await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', {
      within: 'PT1H',
      where: ({ data }) => data.fullName === 'Bo Li',
    });
    expect(emulator.coverage().events.byName).toEqual({ TEST: 1, 'CUSTOMER.KYC_APPROVED': 2 });
  });

  test('coverage counts states and magic values after a reset, a rewind and a restore as before', async () => {
    const { emulator } = await counted();
    const { sandbox } = emulator;
    const make = async () => {
      const made = await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada 002' } });
      await sandbox.clock.advance('PT1S');
      return made;
    };
    await make();
    await sandbox.reset();
    const made = await make();
    await sandbox.rewind(made.headers.get('x-request-id') as string);
    await make();
    await sandbox.restore(await sandbox.snapshot());
    await make();
    const { magic, states } = emulator.coverage();
    expect(magic.byName).toEqual({ 'fullName 002': 4 });
    expect(states.byName).toEqual({ 'customer REJECTED': 4, 'internal account ACTIVE': 12 });
  });

  test('coverage is refused with 409 when it is not turned on', async () => {
    const emulator = await startEmulator({ port: 0 });
    onTestFinished(() => emulator.close());
    expect(() => emulator.coverage()).toThrow('coverage is not counted');
    const { status } = await emulator.sandbox.fetch('/_emulator/coverage');
    expect(status).toBe(409);
  });
});

describe('gaps of coverage (product 8.3)', () => {
  test('the gaps of coverage begin with operations that were called and never failed', () => {
    const counts: Counts = {
      ...noCounts(),
      operations: { createCustomer: { '201': 1, '400 INVALID_INPUT': 1 }, createQuote: { '201': 3 } },
    };
    const { never } = reportOf(counts, 'spec');
    expect(never[0]).toMatchObject({ kind: 'failure', name: 'createQuote' });
    expect(never[1]).toMatchObject({ kind: 'refusal', name: 'createCustomer' });
    expect(never[1]?.answers).not.toContain('400 INVALID_INPUT');
    const kinds = [...new Set(never.map(({ kind }) => kind))];
    expect(kinds).toEqual(['failure', 'refusal', 'event', 'magic', 'state', 'operation']);
  });

  test('every name that coverage counts is declared', async () => {
    const { emulator, coverage } = await counted({ scenario: 'demo' });
    const types = EVENTS.flatMap((group) => group.types);
    const { sandbox } = emulator;
    for (const event of types) await sandbox.fetch('/_emulator/trigger', { json: { event } });
    await sandbox.clock.settle({ within: 'P30D' });
    for (const suffix of ['001', '002', '003'])
      await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: `Ada ${suffix}` } });
    const { states, events } = emulator.coverage();
    await emulator.close();
    const { counts } = await readCounts([coverage]);
    const every = machines().flatMap((one) => one.transitions.map(({ to }) => stateName(one, to)));
    expect(Object.keys(counts.magic).filter((name) => !magicValues().includes(name))).toEqual([]);
    expect(Object.keys(counts.states).filter((name) => !every.includes(name))).toEqual([]);
    expect(Object.keys(counts.events).filter((name) => !types.includes(name))).toEqual([]);
    expect(states.met).toBeGreaterThan(25);
    expect(events.met).toBeGreaterThan(25);
  });

  test('coverage of profile spec leaves out events and states that only profile grid has', () => {
    const spec = reportOf(noCounts(), 'spec');
    const grid = reportOf(noCounts(), 'grid');
    expect(grid.events.of).toBeGreaterThan(spec.events.of);
    expect(grid.states.of).toBeGreaterThan(spec.states.of);
  });
});

describe('coverage files of several processes (product 8.3)', () => {
  test('coverage files add up to what one process would have counted', async () => {
    const path = folder();
    const whole = noCounts();
    for (let i = 0; i < 20; i += 1) {
      const counts: Counts = {
        operations: { [`operation${i % 3}`]: { '201': i, [`40${i % 5} CODE`]: 1 } },
        events: { [`EVENT.${i % 4}`]: i },
        magic: { [`field 00${i % 7}`]: 2 },
        states: { toString: 1 },
      };
      addCounts(whole, counts);
      await writeCounts(path, counts, 'spec');
    }
    expect(readdirSync(path)).toHaveLength(20);
    expect(await readCounts([path])).toEqual({ files: 20, profile: 'spec', counts: whole });
    expect(whole.states).toEqual({ toString: 20 });
  });

  test('an emulator writes its coverage file once, when it closes', async () => {
    const { emulator, coverage } = await counted();
    await emulator.sandbox.fetch('/customers');
    await Promise.all([emulator.close(), emulator.close()]);
    const { files, counts } = await readCounts([coverage]);
    expect([files, counts.operations]).toEqual([1, { listCustomers: { '200': 1 } }]);
  });

  test('a coverage file that cannot be counted is refused with one sentence that names it', async () => {
    const path = folder();
    const file = (name: string, text: string) => {
      writeFileSync(join(path, name), text);
      return [join(path, name)];
    };
    await expect(readCounts([path])).rejects.toThrow(`there is no coverage file in ${path}`);
    await expect(readCounts([join(path, 'none')])).rejects.toThrow('there is no file or folder');
    await expect(readCounts(file('a.json', '{"format":1,'))).rejects.toThrow('a.json is not a coverage file');
    await expect(readCounts(file('b.json', '{"format":2}'))).rejects.toThrow('written by a newer version');
    await expect(readCounts(file('c.json', '{"name":"foreign"}'))).rejects.toThrow('c.json is not a coverage file');
    await expect(readCounts(file('d.json', 'null'))).rejects.toThrow('d.json is not a coverage file');
    await writeCounts(path, noCounts(), 'spec');
    await writeCounts(path, noCounts(), 'grid');
    await expect(readCounts([path])).rejects.toThrow('count them apart');
  });

  test('a coverage folder that cannot be written to is refused at the start', async () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '');
    await expect(startEmulator({ port: 0, coverage: path })).rejects.toThrow(`cannot write coverage to ${path}`);
  });
});

test('the sample reports of docs/coverage.md and docs/cli.md have the totals of this build and matching percentages', () => {
  const { operations, events, magic, states } = reportOf(noCounts(), 'spec');
  const totals: Readonly<Record<string, number>> = {
    operations: operations.of,
    events: events.of,
    'magic values': magic.of,
    states: states.of,
  };
  for (const page of ['docs/coverage.md', 'docs/cli.md']) {
    const lines = readFileSync(page, 'utf8').matchAll(
      /^(operations|events|magic values|states) +(\d+) of (\d+) +([\d.]+) %/gm,
    );
    const seen = [...lines].map(([, part = '', met, of, share]) => [part, met, of, share]);
    expect(seen.length, page).toBeGreaterThan(0);
    for (const [part = '', met, of, share] of seen) {
      const total = totals[part] as number;
      expect([page, part, of, share]).toEqual([page, part, String(total), ((100 * Number(met)) / total).toFixed(1)]);
    }
  }
});

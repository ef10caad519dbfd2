import { describe, expect, test } from 'vitest';
import { lineOf, run } from '../cli/kit.ts';
import { terminal } from '../cli/terminal.ts';
import { freePort } from '../kit/port.ts';
import { client, commandLine, type Ready } from '../kit/process.ts';
import { receiver } from '../kit/receiver.ts';

const ESCAPE = '\u001b';
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller 002', birthDate: '1991-05-04' };

/** An emulator on the real command line with its clock held or running, and the subcommands that ask it. */
async function started(clock: 'held' | 'live', ...flags: string[]) {
  const still = clock === 'held' ? ['--hold-clock', '--now', '2026-01-05T09:00:00Z'] : [];
  const process = commandLine(['--json', '--port', '0', '--seed', '1', '-s', 'unregulated', ...still, ...flags]);
  const event: Ready = await process.ready();
  const env = { SANDBOX_EMULATOR_URL: event.url };
  return {
    process,
    event,
    env,
    call: client(event),
    ask: (...args: string[]) => run(args, { env }),
  };
}

describe.each(['held', 'live'] as const)('a day at the terminal, with the clock %s', (clock) => {
  test('a user sets up an experiment at the terminal, makes it fail, has it explained, compares it and takes it back', async () => {
    const hooks = await receiver();
    const { call, ask } = await started(clock, '--webhook-url', hooks.url);
    expect((await ask('snapshot', 'before')).stdout).toMatch(
      /^saved as before; now 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
    );

    expect((await ask('fault', 'add', '--operation', 'createCustomer', '--status', '503', '--times', '1')).stdout).toBe(
      'fault-1  createCustomer, once: status 503  met 0, fired 0\n',
    );
    expect((await call('POST', '/customers', ADA)).status).toBe(503);
    const broken = await ask('why', 'last');
    expect(broken.stdout).toContain('503 POST   /2025-10-13/customers');
    expect(broken.stdout).toMatch(/\n {2}outcome {3}refused: .*\n(?:.*\n)*? {2}fault {5}fault-1/);
    expect((await ask('fault', 'list')).stdout).toBe(
      'fault-1  createCustomer, once: status 503  met 1, fired 1, spent\n',
    );
    expect((await ask('fault', 'remove', 'fault-1')).stdout).toBe('fault-1 removed\n');

    const made = await call('POST', '/customers', ADA);
    expect(made.status).toBe(201);
    const { stdout: log } = await ask('logs', '--json', '--status', '2xx');
    const { id, magic } = JSON.parse(log);
    expect(magic).toEqual(['fullName ends in 002: reject']);
    const ran = await ask('advance', '7d');
    if (clock === 'held') expect(ran.stdout).toContain('2026-01-05 09:00:02 reject customer Ada Keller 002\n');
    const led = (await ask('why', id)).stdout;
    expect(led).toContain('  magic     fullName ends in 002: reject\n');
    expect(led).toContain('  job       customer.decide done');
    expect(led).toContain('  webhook   CUSTOMER.KYC_REJECTED delivered, 1 try');

    const changed = await ask('diff');
    expect(changed.stdout).toContain(`Customers\n  + Ada Keller 002 ${made.body.id}\n`);
    await ask('snapshot', 'after');
    expect((await call('PATCH', `/customers/${made.body.id}`, { fullName: 'Ada Lind' })).status).toBe(200);
    const patched = (await ask('diff', 'after')).stdout;
    expect(patched).toContain(`  ~ Ada Lind ${made.body.id}\n`);
    expect(patched).toContain('fullName: Ada Keller 002 -> Ada Lind\n');

    const copy = JSON.parse((await ask('fork', '--json')).stdout);
    expect((await ask('restore', 'before')).stdout).toMatch(/^restored before; now /);
    expect((await call('GET', '/customers')).body.data).toEqual([]);
    const [{ sandboxes }] = JSON.parse((await ask('ps', '--json')).stdout);
    expect(sandboxes.map((one: { id: string; customers: number }) => [one.id, one.customers])).toEqual([
      ['test', 0],
      [copy.id, 1],
    ]);
    expect((await ask('reset', '--sandbox', copy.id)).stdout).toMatch(/^reset to the scenario; now /);
    const [after] = JSON.parse((await ask('ps', '--json')).stdout);
    expect(after.sandboxes[1].customers).toBe(0);
  });

  test('every subcommand prints colours on a terminal, none in a pipe and none with NO_COLOR', async () => {
    const { call, ask, env } = await started(clock);
    await call('POST', '/customers', ADA);
    await call('GET', '/customers/Customer:1');
    await ask('snapshot', 'before');
    await ask('fault', 'add', '--drop', '--operation', 'createQuote');
    for (const line of [
      'logs',
      'advance 1h',
      'snapshot',
      'snapshot more',
      'diff before',
      'why last',
      'fault list',
      'fork',
      'ps',
      'reset',
    ]) {
      const command = `"${process.execPath}" bin/sandbox-emulator.js ${line}`;
      const shown = terminal(command, env);
      expect(await shown.ended, shown.shown()).toBe(0);
      expect(shown.shown(), line).toContain(`${ESCAPE}[`);
      const sober = terminal(command, { ...env, NO_COLOR: '1' });
      expect(await sober.ended, sober.shown()).toBe(0);
      expect(sober.shown(), line).not.toContain(ESCAPE);
      if (line === 'reset') await ask('snapshot', 'before');
      const piped = await ask(...line.split(' '));
      expect([piped.code, piped.stderr], line).toEqual([0, '']);
      expect(piped.stdout, line).not.toContain(ESCAPE);
    }
  });

  test('names from other users are printed without control characters', async () => {
    const { event, ask } = await started(clock);
    const mine = client({ ...event, credentials: { id: 'a\u001b[2Jb', secret: 'x' } });
    await mine('GET', '/customers/%1b%5B2J');
    for (const args of [['ps'], ['logs', '--sandbox', 'a\u001b[2Jb'], ['why', '--sandbox', 'a\u001b[2Jb']])
      expect((await ask(...args)).stdout).not.toContain(ESCAPE);
  });
});

describe('the command logs -f', () => {
  test.each(['held', 'live'] as const)(
    'logs -f prints the past and each request as it happens, outlives the emulator and ends with SIGINT, the clock %s',
    async (clock) => {
      const port = String(await freePort());
      const first = await started(clock, '--port', port);
      await first.call('GET', '/customers/Customer:1');
      const log = commandLine(['logs', '-f', '--url', first.event.url]);
      await lineOf(log, (line) => line.includes('404 GET'));
      await first.call('POST', '/customers', ADA);
      expect(await lineOf(log, (line) => line.includes('POST'))).toMatch(
        /^\d\d:\d\d:\d\d\.\d{3} 201 POST {3}\/2025-10-13\/customers \d+\.\d ms {2}test {2}req_\d+/,
      );
      first.process.child.kill('SIGTERM');
      await lineOf(log, (line) => line === `lost the emulator at ${first.event.url}; waiting for it`);
      const second = await started(clock, '--port', port);
      await lineOf(log, (line) => line === `the emulator at ${first.event.url} is there again`);
      await second.call('DELETE', '/customers/Customer:2');
      await lineOf(log, (line) => line.includes('404 DELETE'));
      log.child.kill('SIGINT');
      expect([await log.ended, log.out.stderr]).toEqual([0, '']);
      expect(log.out.stdout.split('\n').filter((line) => line.includes('404 GET'))).toHaveLength(1);
    },
  );

  test.each(['held', 'live'] as const)(
    'logs -f prints a reset, and each try of a webhook once, the clock %s',
    async (clock) => {
      const hooks = await receiver();
      hooks.react = () => ({ status: 418 });
      const { call, ask, event } = await started(clock, '--webhook-url', hooks.url);
      const log = commandLine([
        'logs',
        '-f',
        '--json',
        '--webhooks',
        '--operation',
        'createCustomer',
        '--url',
        event.url,
      ]);
      await call('POST', '/customers', ADA);
      await lineOf(log, (line) => line.includes('"request"'));
      await call('GET', '/customers');
      await ask('advance', '8s');
      const second = await lineOf(log, (line) => line.includes('"attempt":2'));
      expect(JSON.parse(second)).toMatchObject({ event: 'delivery', type: 'CUSTOMER.KYC_REJECTED', status: 418 });
      await ask('reset');
      await lineOf(log, (line) => line === '{"event":"reset"}');
      log.child.kill('SIGINT');
      expect(await log.ended).toBe(0);
      const kinds = log.out.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(kinds.filter(({ event }) => event === 'request').map(({ operation }) => operation)).toEqual([
        'createCustomer',
      ]);
      // A clock that runs may come to the third before the reset does.
      const tries = kinds.filter(({ event }) => event === 'delivery').map(({ attempt }) => attempt);
      expect(tries.slice(0, 2)).toEqual([1, 2]);
      expect(tries).toEqual(tries.map((_, i) => i + 1));
      if (clock === 'held') expect(tries).toHaveLength(2);
    },
  );

  test.each(['held', 'live'] as const)(
    'logs -f ends silently when its reader is closed, the clock %s',
    async (clock) => {
      const { call, event } = await started(clock);
      const log = commandLine(['logs', '-f', '--url', event.url]);
      await call('GET', '/customers/Customer:1');
      await lineOf(log, (line) => line.includes('404 GET'));
      log.child.stdout?.destroy();
      // A pipe says that it is closed at the next write, and not before.
      let over = false;
      void log.ended.then(() => {
        over = true;
      });
      while (!over) await call('GET', '/customers/Customer:1');
      expect([await log.ended, log.out.stderr]).toEqual([0, '']);
    },
  );

  test.each(['held', 'live'] as const)('logs -f of an unknown sandbox exits with 2, the clock %s', async (clock) => {
    const { ask } = await started(clock);
    expect(await ask('logs', '-f', '--sandbox', 'nobody')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'there is no sandbox nobody\n',
    });
  });
});

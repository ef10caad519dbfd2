import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import type { Customer } from '../../src/areas/customers/row.ts';
import type { World } from '../../src/engine/world.ts';
import { defineScenario, startEmulator } from '../../src/index.ts';
import type { EmulatorOptions } from '../../src/public.ts';
import { stateFile } from '../../src/sandbox/state-file.ts';
import { readByLine } from '../../src/sandbox/state-read.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';

/** Where a state file may be; gone when the test is. */
function place(): { file: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { file: join(folder, 'state.json'), folder };
}

const started = async (options: EmulatorOptions) => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: '2026-01-05T09:00:00Z', ...options });
  onTestFinished(() => emulator.close().catch(() => {}));
  return emulator;
};
type Started = Awaited<ReturnType<typeof started>>;
const makeCustomer = async ({ sandbox }: Started) =>
  (await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } })).json();

/** A good state, as text. */
async function good(): Promise<string> {
  const { file } = place();
  const emulator = await started({ state: file });
  await makeCustomer(emulator);
  await emulator.close();
  return readFileSync(file, 'utf8');
}

describe('invalid state files', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the test breaks the state on purpose
  const spoiled = async (how: (state: any) => void): Promise<string> => {
    const state = JSON.parse(await good());
    how(state);
    return JSON.stringify(state);
  };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const tableOf = (state: any, name: string) => state.tables.find((t: { name: string }) => t.name === name);

  test.each<[string, () => Promise<string>, RegExp]>([
    ['null', async () => 'null', /has format undefined/],
    ['empty', async () => '', /is not JSON/],
    ['cut short', async () => (await good()).slice(0, -200), /is not JSON/],
    ['newer', () => spoiled((s) => (s.format = 2)), /has format 2, this program reads format 1/],
    ['without a clock', () => spoiled((s) => delete s.clock), /does not fit: clock/],
    [
      'at the end of time',
      () => spoiled((s) => (s.clock.now = '9999-06-01T00:00:00.000Z')),
      /does not fit: clock\.now/,
    ],
    ['without a platform', () => spoiled((s) => (s.tables = [])), /does not fit: platform: it has no row, not one/],
    ['with text for rows', () => spoiled((s) => (tableOf(s, 'customers').rows = 'none')), /does not fit: tables/],
    [
      'with an id twice',
      () => spoiled((s) => twice(tableOf(s, 'customers'))),
      /customers\.Customer:[\w-]+: an id stands in it twice/,
    ],
    ['with a table twice', () => spoiled((s) => s.tables.push(tableOf(s, 'customers'))), /a table stands in it twice/],
    [
      'with a position far off, which would take all memory',
      () => spoiled((s) => Object.assign(tableOf(s, 'customers'), { seqs: [2 ** 45], next: 2 ** 45 + 1 })),
      /no table has ever had/,
    ],
    [
      'with positions that its rows lack',
      () => spoiled((s) => Object.assign(tableOf(s, 'customers'), { seqs: [0, 1] })),
      /rows and their positions do not match/,
    ],
    [
      'with a job that is none',
      () => spoiled((s) => s.tables.push({ name: 'jobs', next: 1, rows: [{ id: 'Job:1', dueAt: 'soon' }] })),
      /jobs\.Job:1\.id: not of the form Job:<uuid>/,
    ],
    ['with a policy that is none', () => spoiled((s) => (s.settings.policies = { x: 'maybe' })), /settings\.policies/],
  ])('a state file (%s) is refused with a sentence and left as it is', async (_, textOf, says) => {
    const { file, folder } = place();
    const text = await textOf();
    writeFileSync(file, text);
    await expect(startEmulator({ port: 0, state: file })).rejects.toThrow(says);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  const twice = (table: { rows: unknown[]; next: number }) => {
    table.rows.push(table.rows[0]);
    table.next += 1;
  };

  test('a folder in place of the state file is refused at the start', async () => {
    const { file } = place();
    mkdirSync(file);
    await expect(startEmulator({ port: 0, state: file })).rejects.toThrow(/state file .* is a folder, not a file/);
  });

  test('a restore in a program refuses an invalid state and changes nothing', async () => {
    const emulator = await started({});
    const { id } = await makeCustomer(emulator);
    await expect(emulator.sandbox.restore({ format: 1 } as never)).rejects.toThrow(/clock/);
    expect((await emulator.sandbox.fetch(`/customers/${id}`)).status).toBe(200);
    const changed = await emulator.sandbox.snapshot();
    changed.clock = { ...changed.clock, now: 'soon' };
    await expect(emulator.sandbox.restore(changed)).rejects.toThrow(/clock\.now/);
    changed.clock = { ...changed.clock, now: '2026-02-01T00:00:00.000Z' };
    await emulator.sandbox.restore(changed);
    expect(emulator.sandbox.clock.now()).toBe('2026-02-01T00:00:00.000Z');
    const written = JSON.parse(JSON.stringify(await emulator.sandbox.snapshot()));
    await emulator.sandbox.restore(written);
    expect((await emulator.sandbox.fetch(`/customers/${id}`)).status).toBe(200);
  });
});

describe('saves of a state file', () => {
  test('a save that cannot replace the state file leaves nothing else behind', async () => {
    const { file, folder } = place();
    const emulator = await started({ state: file });
    mkdirSync(file);
    await expect(emulator.save()).rejects.toThrow(/cannot write the state file .*; it was left as it was/);
    expect(readdirSync(folder)).toEqual(['state.json']);
    rmSync(file, { recursive: true });
    await emulator.save();
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe(1);
  });

  test('a save on a full disk fails with ENOSPC and leaves the old state file', async () => {
    if (!existsSync('/dev/full')) return;
    const { file, folder } = place();
    writeFileSync(file, await good());
    const emulator = await started({ state: file });
    const before = readFileSync(file, 'utf8');
    // Whatever it will be called beside the file, there is no room for it.
    for (let n = 0; n < 200; n += 1) symlinkSync('/dev/full', `${file}.${process.pid}.${n}.tmp`);
    await makeCustomer(emulator);
    await expect(emulator.save()).rejects.toThrow(/ENOSPC/);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(folder)).toHaveLength(200);
    for (const name of readdirSync(folder)) if (name !== 'state.json') rmSync(join(folder, name));
    await emulator.save();
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });

  test('a new state file is private, an existing one keeps its permissions, and a link stays a link', async () => {
    const { file, folder } = place();
    const emulator = await started({ state: file });
    await emulator.save();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o640);
    await emulator.save();
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const link = join(folder, 'link.json');
    symlinkSync(file, link);
    const other = await started({ state: link });
    const { id } = await makeCustomer(other);
    await other.save();
    expect(readFileSync(file, 'utf8')).toContain(id);
    expect(readdirSync(folder).sort()).toEqual(['link.json', 'state.json']);
  });
});

describe('starts from a state file', () => {
  test('the options of a start apply beside its state file: webhook URL, remote webhooks, credentials and a held clock', async () => {
    const { file } = place();
    const first = await started({ state: file, holdClock: false, allowRemoteWebhooks: true });
    await first.close();
    const hooks = await receiver();
    const scenario = [
      'default',
      defineScenario({ credentials: [{ id: 'acme', secret: 'top', permissions: ['MANAGE', 'VIEW', 'TRANSACT'] }] }),
    ];
    const second = await started({ state: file, webhookUrl: hooks.url, scenario, holdClock: true });
    expect(second.sandbox.clock.state().mode).toBe('held');
    await makeCustomer(second);
    await second.sandbox.webhooks.settle();
    expect(hooks.types()).toEqual(['CUSTOMER.KYC_APPROVED']);
    await second.sandbox.fetch('/config', { method: 'PATCH', json: { webhookEndpoint: 'https://far.invalid/x' } });
    const endpoint = await (await second.sandbox.fetch('/_emulator/webhooks/endpoint')).json();
    expect(endpoint.unsent).toContain('--allow-remote-webhooks');
    const tokens = (await (await second.sandbox.fetch('/tokens')).json()).data.map(
      (t: { clientId: string }) => t.clientId,
    );
    expect(tokens).toContain('acme');
  });

  test('a held start begins at the very moment of a file that was saved with a running clock, however long it loads', async () => {
    const { file } = place();
    const first = await started({ state: file, holdClock: false, scenario: { generate: { customers: 500 } } });
    await makeCustomer(first);
    await first.close();
    const { clock } = JSON.parse(readFileSync(file, 'utf8'));
    expect(clock.mode).toBe('live');
    const second = await started({ state: file });
    expect(second.sandbox.clock.state()).toEqual({ ...clock, mode: 'held' });
  });

  test('a credential has the permissions of this start, also in the list of tokens', async () => {
    const { file } = place();
    const acme = (...permissions: ('VIEW' | 'TRANSACT' | 'MANAGE')[]) =>
      defineScenario({ credentials: [{ id: 'acme', secret: 'top', permissions }] });
    const first = await started({ state: file, scenario: acme('MANAGE', 'VIEW', 'TRANSACT') });
    await makeCustomer(first);
    await first.close();
    const second = await started({ state: file, scenario: acme('VIEW') });
    const { data } = await (await second.sandbox.fetch('/tokens')).json();
    expect(data).toMatchObject([{ clientId: 'acme', permissions: ['VIEW'] }]);
  });

  test.each([
    ['added', [['a'], ['a', 'b'], ['a', 'b', 'c']]],
    [
      'replaced',
      [
        ['a', 'b'],
        ['a', 'c'],
        ['a', 'd'],
      ],
    ],
    ['taken back and added', [['a'], ['a', 'b'], ['a'], ['a', 'c'], ['a', 'b', 'c']]],
  ])('credentials %s start after start, at one moment under a seed, are tokens of their own', async (_, starts) => {
    const { file } = place();
    const known = new Map<string, string>();
    for (const ids of starts) {
      const it = await started({
        state: file,
        scenario: { credentials: ids.map((id) => ({ id, secret: 's' })) },
      });
      await makeCustomer(it);
      const { data } = await (await it.sandbox.fetch('/tokens')).json();
      expect(data.map(({ clientId }: { clientId: string }) => clientId).sort()).toEqual(ids);
      for (const { id, clientId } of data) known.set(id, clientId);
      await it.close();
    }
    expect([...known.values()].sort()).toEqual([...new Set(starts.flat())].sort());
  });

  test('a state is put into one start after another, each with a credential more, at one moment under a seed', async () => {
    let state: unknown;
    for (const ids of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      const it = await started({ scenario: { credentials: ids.map((id) => ({ id, secret: 's' })) } });
      const path = '/_emulator/state';
      if (state !== undefined) expect((await it.sandbox.fetch(path, { method: 'PUT', json: state })).status).toBe(200);
      expect((await (await it.sandbox.fetch('/tokens')).json()).data).toHaveLength(ids.length);
      state = await (await it.sandbox.fetch(path)).json();
      await it.close();
    }
  });

  test('paused deliveries are still paused after a start from a state file', async () => {
    const { file } = place();
    const hooks = await receiver();
    const first = await started({ state: file, webhookUrl: hooks.url });
    await first.sandbox.fetch('/_emulator/webhooks/pause', { method: 'POST' });
    await makeCustomer(first);
    await first.close();
    const second = await started({ state: file });
    await second.sandbox.clock.advance('P1D');
    expect(hooks.received).toEqual([]);
    await second.sandbox.fetch('/_emulator/webhooks/resume', { method: 'POST' });
    await second.sandbox.webhooks.settle();
    expect(hooks.types()).toEqual(['CUSTOMER.KYC_APPROVED']);
  });

  test('two emulators that save to one state file leave one whole state', async () => {
    const { file } = place();
    const [one, two] = [await started({ state: file }), await started({ state: file })];
    await makeCustomer(one);
    await Promise.all([one.save(), two.save(), one.save(), two.save()]);
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe(1);
  });
});

describe('the place of a state file', () => {
  test.each([
    ['a folder that is not there', (folder: string) => join(folder, 'none', 'state.json'), /ENOENT/],
    ['a file where a folder should be', (folder: string) => join(folder, 'file', 'state.json'), /ENOTDIR/],
  ])('a state file in %s is refused at the start (R4)', async (_, fileIn, says) => {
    const { folder } = place();
    writeFileSync(join(folder, 'file'), '');
    const start = startEmulator({ port: 0, state: fileIn(folder) });
    await expect(start).rejects.toThrow(/the state file .*state\.json: /);
    await expect(start).rejects.toThrow(says);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('a start removes the temporary files of interrupted saves beside its state file, and nothing else (R10)', async () => {
    const { file, folder } = place();
    // More than any system counts to: no process has it.
    const dead = 0x7fffffff;
    const kept = ['state.json.1.1.tmp', 'state.json.tmp', 'other.json.99.1.tmp', `state.json.${dead}.tmp`];
    for (const name of [...kept, `state.json.${dead}.7.tmp`, `state.json.${process.pid}.7777.tmp`])
      writeFileSync(join(folder, name), 'half');
    const emulator = await started({ state: file });
    expect(readdirSync(folder).sort()).toEqual([...kept].sort());
    await emulator.save();
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe(1);
  });
});

describe('state files that are not a file (X9)', () => {
  test('a state file with an empty name is refused', async () => {
    await expect(startEmulator({ port: 0, state: '' })).rejects.toThrow(/state/);
    await expect(stateFile('').load()).rejects.toThrow('the state file has no name; nothing would be saved');
  });

  test.each<[string, (file: string) => void, string]>([
    ['a folder', (file) => void mkdirSync(file), 'is a folder, not a file; nothing would be saved'],
    ['a link to a device', (file) => symlinkSync('/dev/null', file), 'is a device, not a file; nothing would be saved'],
    [
      'a link to nothing',
      (file) => symlinkSync('nowhere', file),
      'is a link that leads to no file; it was left as it is',
    ],
    ['a link in a circle', (file) => symlinkSync(file, file), 'is a link that leads to no file; it was left as it is'],
  ])('a state file that is %s is refused at the start and left as it is', async (_, make, sentence) => {
    const { file, folder } = place();
    make(file);
    const { mode } = lstatSync(file);
    await expect(startEmulator({ port: 0, state: file })).rejects.toThrow(`the state file ${file} ${sentence}`);
    expect([lstatSync(file).mode, readdirSync(folder)]).toEqual([mode, ['state.json']]);
  });

  test('a state file whose name ends with a slash is refused at the start', async () => {
    const { folder } = place();
    await expect(startEmulator({ port: 0, state: `${folder}/none/` })).rejects.toThrow(
      /none\/ is a folder by its name/,
    );
  });
});

describe('state files that cannot be replaced, such as a mount (X9)', () => {
  const busy = () => Promise.reject(Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' }));

  test('a state file that cannot be replaced is written in place, and nothing is left beside it', async () => {
    const { file, folder } = place();
    writeFileSync(file, `${await good()}${' '.repeat(1_000_000)}`, { mode: 0o640 });
    const { ino } = statSync(file);
    const { world } = (await kit({ scenario: 'wallet' })).sandbox;
    await stateFile(file, undefined, busy).save(world);
    expect([statSync(file).ino, statSync(file).mode & 0o777]).toEqual([ino, 0o640]);
    expect(readdirSync(folder)).toEqual(['state.json']);
    expect((await stateFile(file).load())?.state).toEqual(world.snapshot());
  });

  test('a failed save of a state file that cannot be replaced leaves the state beside it, and the error says where', async () => {
    const { file, folder } = place();
    const { world } = (await kit({})).sandbox;
    // A folder in its place cannot be written into, whoever asks.
    mkdirSync(file);
    const saved = stateFile(file, undefined, busy).save(world);
    await expect(saved).rejects.toThrow(/^cannot write the state file .*; what was to be saved is in .*\.tmp$/);
    const beside = readdirSync(folder).find((name) => name.endsWith('.tmp')) as string;
    expect(JSON.parse(readFileSync(join(folder, beside), 'utf8')).format).toBe(1);
  });
});

test('saves that wait for one under way are one, with the state that is present then', async () => {
  const { file } = place();
  let [replaced, release] = [0, (): void => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const kept = stateFile(file, undefined, async (beside, target) => {
    replaced += 1;
    if (replaced === 1) await held;
    renameSync(beside, target);
  });
  const worlds = await Promise.all(['unregulated', 'wallet', 'agents'].map((scenario) => kit({ scenario })));
  const [first, second, third] = worlds.map((it) => it.sandbox.world) as [World, World, World];
  const saves = [kept.save(first)];
  while (replaced === 0) await new Promise((resolve) => setImmediate(resolve));
  saves.push(kept.save(second), kept.save(third));
  release();
  await Promise.all(saves);
  expect([replaced, (await kept.load())?.state]).toEqual([2, third.snapshot()]);
});

describe('the other sandboxes of a process', () => {
  const as = (emulator: Started, login: string) => {
    const headers = {
      authorization: `Basic ${Buffer.from(login).toString('base64')}`,
      'content-type': 'application/json',
    };
    const call = (path: string, body?: object) =>
      fetch(emulator.baseUrl + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    return {
      make: async (fullName: string) => (await call('/customers', { customerType: 'INDIVIDUAL', fullName })).status,
      names: async (): Promise<string[]> => {
        const { data } = (await (await call('/customers')).json()) as { data: { fullName: string }[] };
        return data.map((customer) => customer.fullName);
      },
      token: async () =>
        (await (await call('/tokens', { name: 'ci', permissions: ['VIEW'] })).json()) as Record<string, string>,
      status: async () => (await call('/customers')).status,
    };
  };

  test('other sandboxes that were written to are saved in the state file, and come back with their logins (R4)', async () => {
    const { file } = place();
    const first = await started({ state: file });
    await as(first, 'alice:any').make('Ada Keller');
    await as(first, 'bob:any').names();
    const token = await as(first, 'alice:any').token();
    const made = await first.createSandbox({ scenario: { title: 'of its own' }, seed: 'mine' });
    const login = `${made.credentials.id}:${made.credentials.secret}`;
    await as(first, login).make('Ben Ito');
    const fork = await made.fork();
    await as(first, `${fork.credentials.id}:${fork.credentials.secret}`).make('Cy Novak');
    await first.close();
    expect(JSON.parse(readFileSync(file, 'utf8')).sandboxes.map((s: { id: string }) => s.id)).toEqual([
      'alice',
      made.id,
      fork.id,
    ]);

    const second = await started({ state: file });
    expect(await as(second, 'alice:any').names()).toEqual(['Ada Keller']);
    expect(await as(second, `${token['clientId']}:${token['clientSecret']}`).names()).toEqual(['Ada Keller']);
    expect(await as(second, login).names()).toEqual(['Ben Ito']);
    expect(await as(second, `${fork.credentials.id}:${fork.credentials.secret}`).names()).toEqual([
      'Cy Novak',
      'Ben Ito',
    ]);
    expect(await as(second, `${made.id}:wrong`).status()).toBe(401);
    const another = await second.createSandbox();
    expect([made.id, fork.id]).not.toContain(another.id);
    expect((await as(second, 'alice:any').make('Dan Roy')) < 300).toBe(true);
    await second.close();

    const third = await started({ state: file, auth: 'known' });
    expect(await as(third, 'alice:any').status()).toBe(401);
    expect(await as(third, login).names()).toEqual(['Ben Ito']);
    const { sandboxes } = JSON.parse(readFileSync(file, 'utf8'));
    expect(await readByLine(file)).toMatchObject({ sandboxes: JSON.parse(JSON.stringify(sandboxes)) });
  });

  test('another sandbox keeps the webhook endpoint that its platform has set or cleared, over its own URL and that of the start', async () => {
    const { file } = place();
    const first = await started({ state: file });
    const endpoint = async (
      it: Started,
      { id, secret }: { id: string; secret: string },
      webhookEndpoint?: string | null,
    ) => {
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const change =
        webhookEndpoint === undefined ? {} : { method: 'PATCH', body: JSON.stringify({ webhookEndpoint }) };
      const reply = await fetch(`${it.baseUrl}/config`, { headers, ...change });
      return ((await reply.json()) as { webhookEndpoint?: string }).webhookEndpoint;
    };
    const [one, two] = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two'];
    const set = await first.createSandbox({ id: 'set', webhookUrl: one });
    const cleared = await first.createSandbox({ id: 'cleared', webhookUrl: one });
    const kept = await first.createSandbox({ id: 'kept', webhookUrl: one });
    const fork = await kept.fork();
    await endpoint(first, set.credentials, two);
    await endpoint(first, cleared.credentials, null);
    await endpoint(first, fork.credentials, two);
    const all = [set, cleared, kept, fork].map(({ credentials }) => credentials);
    const before = await Promise.all(all.map((login) => endpoint(first, login)));
    expect(before).toEqual([two, undefined, one, two]);
    await first.close();
    const second = await started({ state: file });
    expect(await Promise.all(all.map((login) => endpoint(second, login)))).toEqual(before);
    await second.close();
    const third = await started({ state: file, webhookUrl: 'http://127.0.0.1:9/flag' });
    expect(await Promise.all(all.map((login) => endpoint(third, login)))).toEqual(before);
  });

  test('other sandboxes draw the same ids after a restart and a reset as without the restart', async () => {
    const made = async (restarts: boolean) => {
      const { file } = place();
      let it = await started({ state: file });
      const logins = [
        await it.createSandbox(),
        await (await it.createSandbox({ id: 'own' })).fork(),
        await it.sandbox.fork(),
      ];
      for (const { credentials } of logins) await as(it, `${credentials.id}:${credentials.secret}`).make('Ada');
      if (restarts) {
        await it.close();
        it = await started({ state: file });
      }
      const ids: string[] = [];
      for (const { id, credentials } of logins) {
        await fetch(`${it.url}/_emulator/reset?sandbox=${id}`, { method: 'POST' });
        const authorization = `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`;
        const headers = { authorization, 'content-type': 'application/json' };
        const body = '{"customerType":"INDIVIDUAL"}';
        const reply = await fetch(`${it.baseUrl}/customers`, { method: 'POST', headers, body });
        ids.push(((await reply.json()) as { id: string }).id);
      }
      await it.close();
      return ids;
    };
    const ids = await made(false);
    expect(new Set(ids).size).toBe(3);
    expect(await made(true)).toEqual(ids);
  });

  test('another sandbox that was only read is saved once a due job changed it or a wait skipped its time', async () => {
    const it = await kit({ scenario: 'demo' });
    const read = (login: string) => it.call('GET', '/customers', undefined, { as: login });
    const saved = () => [...it.host.saved()].map(({ id }) => id);
    for (const name of ['ann', 'bob', 'cem']) expect((await read(`${name}:any`)).status).toBe(200);
    expect(saved()).toEqual([]);
    const bob = [...it.host.sandboxes].find(({ id }) => id === 'bob');
    expect(await bob?.world.scheduler.advanceBy(3_600_000)).not.toEqual([]);
    expect(saved()).toEqual(['bob']);
    await it.control('GET', '/webhooks/wait?sandbox=cem&type=CARD.STATE_CHANGE&within=PT1S');
    expect(saved()).toEqual(['bob', 'cem']);
  });

  test('a start is refused when it gives away the login of a saved sandbox, or that sandbox has a bad row (R4, H7)', async () => {
    const { file } = place();
    const first = await started({ state: file });
    await as(first, 'alice:any').make('Ada Keller');
    await first.close();
    const credentials = ['test', 'alice'].map((id) => ({ id, secret: 's' }));
    await expect(startEmulator({ port: 0, state: file, scenario: { credentials } })).rejects.toThrow(
      /sandbox alice: the login alice belongs to another sandbox/,
    );
    const state = JSON.parse(readFileSync(file, 'utf8'));
    tableIn(state.sandboxes[0].state, 'customers').rows[0].kycStatus = 'MAYBE';
    writeFileSync(file, JSON.stringify(state));
    await expect(startEmulator({ port: 0, state: file })).rejects.toThrow(
      /does not fit: sandbox alice: [\s\S]*customers\.Customer:[\w-]+\.kycStatus/,
    );
  });

  test('a state file of the first release loads although it has no other sandboxes (R4)', async () => {
    const { file } = place();
    copyFileSync(join(import.meta.dirname, 'states/first-spec.state'), file);
    const emulator = await started({ state: file });
    const { totalCount } = await (await emulator.sandbox.fetch('/customers')).json();
    expect(totalCount).toBeGreaterThan(5);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the test breaks the state on purpose
const tableIn = (state: any, name: string) => state.tables.find((t: { name: string }) => t.name === name);

describe('a state as text', () => {
  test('a state file has one row per line', async () => {
    const before = (await good()).split('\n');
    const { file } = place();
    const emulator = await started({ state: file });
    await makeCustomer(emulator);
    await makeCustomer(emulator);
    await emulator.close();
    const after = readFileSync(file, 'utf8').split('\n');
    const rows = (lines: string[]) => lines.filter((line) => line.startsWith('{"id":"Customer:')).length;
    expect([rows(before), rows(after)]).toEqual([1, 2]);
    expect(JSON.parse(after.join('\n')).format).toBe(1);
  });

  test('a state file that is read line by line equals the whole, with gaps, quotes and every table', async () => {
    const it = await kit({ scenario: 'demo' });
    const { id } = (await it.post('/customers', { customerType: 'BUSINESS', platformCustomerId: ']}\n"{,' })).body;
    await it.control('POST', '/faults', { match: {}, then: { status: 503 } });
    await it.control('DELETE', '/faults');
    await it.del(`/customers/${id}`);
    const { file } = place();
    const { world } = it.sandbox;
    await stateFile(file).save(world);
    const whole = JSON.parse(readFileSync(file, 'utf8'));
    expect(whole).toEqual(JSON.parse(JSON.stringify(world.snapshot())));
    expect(await readByLine(file)).toEqual(whole);
    expect((await it.control('GET', '/state')).body).toEqual(whole);
    expect(await stateFile(file, 10).load()).toEqual(await stateFile(file).load());
  });

  test('a state file holds its rows exactly, of any length and with any characters', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    it.oddRows();
    const texts = ['a', 'é€\u{1f600}\ud800"\\\u0000'.repeat(300), '€'.repeat(400_000), 'x'.repeat(900_000)];
    for (let i = 0; i < 1500; i += 1) {
      const platformCustomerId = `${i} ${i % 400 === 7 ? texts[Math.floor(i / 400)] : texts[i % 2]}`;
      world.rows(CUSTOMERS).insert({ id: world.newId('Customer'), platformCustomerId } as Customer);
    }
    const { file } = place();
    await stateFile(file).save(world);
    const { tables, ...head } = world.snapshot();
    const lines = tables.map(({ rows, ...table }) => {
      const each = rows.map((row) => JSON.stringify(row)).join(',\n');
      return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${each}\n]}`;
    });
    const whole = `${JSON.stringify(head).slice(0, -1)},"tables":[\n${lines.join(',\n')}\n]}\n`;
    expect(readFileSync(file, 'utf8') === whole).toBe(true);
  });

  test('a state file that is cut off anywhere is refused', async () => {
    const text = await good();
    const { file } = place();
    for (const end of [0, 1, text.indexOf('\n') + 1, text.length >> 1, text.length - 3]) {
      writeFileSync(file, text.slice(0, end));
      await expect(stateFile(file, 0).load(), String(end)).rejects.toThrow(/is not JSON|has format undefined/);
    }
  });
});

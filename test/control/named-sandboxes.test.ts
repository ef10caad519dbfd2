import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { kit } from '../kit/sandbox.ts';

/** Resolves when a sandbox has been dropped; looking is not a call of it. */
async function dropped(host: { sandboxes: Iterable<{ id: string }> }, id: string): Promise<void> {
  while ([...host.sandboxes].some((one) => one.id === id)) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a sandbox with a chosen id and secret is called with them, and refuses another secret with 401', async () => {
  const { call, control } = await kit();
  const made = await control('POST', '/sandboxes', { id: 'pr-42', secret: 'ours', idle: 'P7D' });
  expect(made.body).toMatchObject({ id: 'pr-42', credentials: { id: 'pr-42', secret: 'ours' }, idle: 'P7D' });
  expect(made.body.inspectorUrl).toMatch(/\/\?sandbox=pr-42$/);
  expect((await call('GET', '/config', undefined, { as: 'pr-42:ours' })).status).toBe(200);
  expect((await call('GET', '/config', undefined, { as: 'pr-42:theirs' })).status).toBe(401);
});

test('a sandbox under the id of an existing sandbox or login is refused with 409', async () => {
  const { control, call } = await kit();
  await call('GET', '/config', undefined, { as: 'visitor:x' });
  await control('POST', '/sandboxes', { id: 'mine' });
  for (const id of ['mine', 'visitor', 'test'])
    expect(await control('POST', '/sandboxes', { id })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test('of three sandboxes with one id that are created at once, one succeeds', async () => {
  const { control } = await kit();
  const answers = await Promise.all(
    [1, 2, 3].map(() => control('POST', '/sandboxes', { id: 'one', scenario: 'demo' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test.each([
  [{ id: 'a b' }, 'id'],
  [{ id: '..' }, 'id'],
  [{ id: '' }, 'id'],
  [{ id: 'x', secret: '' }, 'secret'],
  [{ id: 'x', idle: 'soon' }, 'idle'],
  [{ id: 'x', idle: '0s' }, 'idle'],
  [{ id: 'x', idle: '366d' }, 'idle'],
])(
  'a sandbox with %j is refused with 400 and not created, by the control API and by a program',
  async (body, field) => {
    const { control, host } = await kit();
    const before = host.count;
    const { status, body: refusal } = await control('POST', '/sandboxes', body);
    expect([status, refusal.details.errors[0].field]).toEqual([400, field]);
    expect(host.count).toBe(before);
    const emulator = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => emulator.close());
    await expect(emulator.createSandbox(body)).rejects.toThrow(new RegExp(`\\b${field} must `));
  },
);

test('a sandbox is dropped after its idle time without a call, also with a held clock, unless somebody watches it', async () => {
  const { host } = await kit({ holdClock: true });
  const watched = await host.create({ id: 'watched', idle: '50ms' });
  const leave = watched.stream.listen(() => {});
  await host.create({ id: 'alone', idle: '50ms' });
  await host.create({ id: 'forever' });
  await dropped(host, 'alone');
  expect([...host.sandboxes].map(({ id }) => id)).toEqual(['test', 'watched', 'forever']);
  leave();
  await dropped(host, 'watched');
  expect(host.find('watched')).toBe(undefined);
  expect(host.find('forever')).toBeDefined();
});

test('calls of the API, of controls and of pages restart the idle time of a sandbox, and a list of sandboxes does not', async () => {
  const { host, call, control } = await kit();
  const sandbox = await host.create({ id: 'mine', secret: 's', idle: '1d' });
  const begunAnew = async (use: () => Promise<unknown>): Promise<boolean> => {
    sandbox.calledAt = 0;
    await use();
    return sandbox.calledAt > 0;
  };
  expect(await begunAnew(() => call('GET', '/config', undefined, { as: 'mine:s' }))).toBe(true);
  expect(await begunAnew(() => control('GET', '/clock?sandbox=mine'))).toBe(true);
  expect(await begunAnew(() => control('POST', '/reset?sandbox=mine'))).toBe(true);
  const page = new Request('http://127.0.0.1/?sandbox=mine', { headers: { accept: 'text/html' } });
  expect(await begunAnew(() => host.fetch(page))).toBe(true);
  expect(await begunAnew(() => control('GET', '/sandboxes'))).toBe(false);
  expect(await begunAnew(() => call('GET', '/config'))).toBe(false);
});

test('the idle time of a sandbox is saved with it', async () => {
  const { host } = await kit();
  await host.create({ id: 'mine', idle: 'P7D' });
  expect([...host.saved()].map(({ id, idle }) => [id, idle])).toEqual([['mine', 'P7D']]);
});

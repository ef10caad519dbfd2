import { expect, test } from 'vitest';
import { effort } from '../kit/effort.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ROWS = effort(1500, 4000);
const MANY = { generate: { customers: ROWS, transactions: ROWS, days: 30 } };
const TEST = { id: 'test', secret: 'secret' };

/** A process whose scenario can be changed, and a client id in it with its right secret, if it has one. */
interface Stage {
  readonly it: Kit;
  readonly file: { credentials?: object[]; generate?: object };
  readonly id: string;
  readonly secret: string;
  /** Everything that is under way. */
  readonly doing: readonly Promise<unknown>[];
}

async function stage(file: Stage['file'], begin: (it: Kit) => Promise<unknown>, isFilled = true): Promise<Stage> {
  const it = await kit({ scenario: file });
  const doing = begin(it);
  if (isFilled) await doing;
  else while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { it, file, id: 'x', secret: 'right', doing: [doing] };
}

const create = (scenario: object) => (it: Kit) =>
  it.control('POST', '/sandboxes', { id: 'x', secret: 'right', scenario });
const firstCall = (it: Kit) => it.overlapping('GET', '/customers', undefined, { as: 'x:right' });

async function token(isDeleted: boolean): Promise<Stage> {
  const file = {};
  const it = await kit({ scenario: file });
  const made = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
  if (isDeleted) expect((await it.del(`/tokens/${made.id}`)).status).toBe(204);
  return { it, file, id: made.clientId, secret: made.clientSecret, doing: [] };
}

/** What a client id may be, or be about to be. */
const NAMES: Record<string, () => Promise<Stage>> = {
  'a created sandbox': () => stage({}, create({})),
  'a sandbox that is being created': () => stage({}, create(MANY), false),
  'the sandbox of a first call': () => stage({}, firstCall),
  'the sandbox that a first call is opening': () => stage(MANY, firstCall, false),
  'a login of the scenario': () => stage({ credentials: [TEST, { id: 'x', secret: 'right' }] }, async () => {}),
  'a login that a reload is adding': async () => {
    const begun = await stage({}, async () => {});
    Object.assign(begun.file, MANY, { credentials: [TEST, { id: 'x', secret: 'right' }] });
    const doing = begun.it.host.reload();
    while (begun.it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return { ...begun, doing: [doing] };
  },
  'a token': () => token(false),
  'a deleted token': () => token(true),
  nothing: () => stage({}, async () => {}),
};

const isDone = async (doing: Promise<unknown>): Promise<string> => doing.then(() => 'done', String);
const call = (it: Kit, as: string) => it.overlapping('GET', '/customers', undefined, { as });

/** What somebody does with the id, as the status of its reply or a word. */
const USES: Record<string, (stage: Stage) => Promise<number | string>> = {
  create: async ({ it, id }) => (await it.control('POST', '/sandboxes', { id, secret: 'other' })).status,
  fork: async ({ it, id }) => (await it.control('POST', '/sandboxes/test/fork', { name: id })).status,
  'call right': async ({ it, id, secret }) => (await call(it, `${id}:${secret}`)).status,
  'call wrong': async ({ it, id }) => (await call(it, `${id}:wrong`)).status,
  read: async ({ it, id }) => (await it.control('GET', `/clock?sandbox=${id}`)).status,
  change: async ({ it, id }) => (await it.control('POST', `/clock?sandbox=${id}`, { advance: '1s' })).status,
  reload: async ({ it, id, file }) => {
    file.credentials = [TEST, { id, secret: 'third' }];
    return isDone(it.host.reload());
  },
};

const CREATED = 'Error: credentials: there is a sandbox x that was created; drop it, or choose another id';
const TABLE: Record<string, (number | string)[]> = {
  'a created sandbox': [409, 409, 200, 401, 200, 200, CREATED],
  'a sandbox that is being created': [409, 409, 200, 401, 404, 200, CREATED],
  'the sandbox of a first call': [409, 409, 200, 200, 200, 200, 'done'],
  'the sandbox that a first call is opening': [409, 409, 200, 200, 404, 200, 'done'],
  'a login of the scenario': [409, 409, 200, 401, 200, 200, 'done'],
  'a login that a reload is adding': [409, 409, 200, 401, 404, 200, 'done'],
  'a token': [409, 409, 200, 401, 200, 200, 'done'],
  'a deleted token': [409, 409, 401, 401, 200, 200, 'done'],
  nothing: [200, 200, 200, 200, 404, 200, 'done'],
};

const CELLS = Object.entries(TABLE).flatMap(([name, cells]) =>
  Object.keys(USES).map((use, nth) => [use, name, cells[nth] as number | string] as const),
);

test.each(CELLS)(
  'the use "%s" of a client id that is %s ends with %s, and the id leads to one sandbox',
  async (use, name, expected) => {
    const begun = await (NAMES[name] as (typeof NAMES)[string])();
    const { it, id, secret } = begun;
    expect(await (USES[use] as (typeof USES)[string])(begun)).toBe(expected);
    expect(await Promise.all(begun.doing.map(isDone))).toEqual(begun.doing.map(() => 'done'));
    const ids = [...it.host.sandboxes].map((sandbox) => sandbox.id);
    expect(ids.filter((one) => one === id).length).toBe(it.host.find(id)?.id === id ? 1 : 0);
    expect(new Set(ids).size).toBe(ids.length);
    const isReloaded = use === 'reload' && expected === 'done';
    const right = isReloaded ? 'third' : use === 'create' && expected === 200 ? 'other' : secret;
    if (name === 'nothing' && use === 'fork') return;
    expect((await call(it, `${id}:${right}`)).status).toBe(name === 'a deleted token' && !isReloaded ? 401 : 200);
    if (isReloaded) expect([(await call(it, `${id}:${secret}`)).status, it.host.find(id)]).toEqual([401, it.sandbox]);
  },
);

test('a sandbox without a chosen id gets none that another call is creating', async () => {
  const it = await kit();
  const chosen = it.control('POST', '/sandboxes', { id: 'sandbox-1', secret: 's', scenario: MANY });
  while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await it.control('POST', '/sandboxes', {})).body.id).toBe('sandbox-2');
  expect((await chosen).status).toBe(200);
  expect([...it.host.sandboxes].map(({ id }) => id)).toEqual(['test', 'sandbox-2', 'sandbox-1']);
});

test('a login that one reload added is not there after a second reload, which began during the first and lacks it', async () => {
  const file: Stage['file'] = {};
  const it = await kit({ scenario: file, auth: 'known' });
  // The earlier one has fewer rows, so that it ends first.
  Object.assign(file, { generate: { customers: ROWS }, credentials: [TEST, { id: 'x', secret: 's' }] });
  const earlier = it.host.reload();
  while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
  Object.assign(file, { generate: { customers: 4 * ROWS }, credentials: [TEST] });
  const later = it.host.reload();
  await earlier;
  expect(it.host.find('x')).toBe(it.sandbox);
  await later;
  expect([(await call(it, 'x:s')).status, it.host.find('x')]).toEqual([401, undefined]);
});

test('a token id that somebody wrote into the scenario as a login is not drawn again', async () => {
  const tokenBeside = async (id: string) => {
    const it = await kit({ scenario: { credentials: [TEST, { id, secret: 'pinned' }] } });
    return { it, token: (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body };
  };
  const { clientId } = (await tokenBeside('other')).token;
  const { it, token } = await tokenBeside(clientId);
  expect(token.clientId).not.toBe(clientId);
  expect((await call(it, `${token.clientId}:${token.clientSecret}`)).status).toBe(200);
  expect((await call(it, `${clientId}:pinned`)).status).toBe(200);
});

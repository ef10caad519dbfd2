import { expect, test } from 'vitest';
import { JOB_KINDS } from '../../src/areas.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const SCENARIO = { policies: { 'customer.decide': 'after 2s', 'transaction.settle': 'hold' } };

/** The policy of one kind of work now, and by the scenario. */
async function policyOf({ control }: Kit, kind: string): Promise<[now: string, scenario: string]> {
  const { data } = (await control('GET', '/policies')).body;
  const { policy, scenario } = data.find((one: { kind: string }) => one.kind === kind);
  return [policy, scenario];
}

test('the list of policies names every kind of work whose moment can be chosen', async () => {
  const it = await kit({ scenario: SCENARIO });
  const { status, body } = await it.control('GET', '/policies');
  expect(status).toBe(200);
  const kinds = [...JOB_KINDS].filter(([, { policy }]) => policy !== undefined).map(([kind]) => kind);
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
  expect(await policyOf(it, 'customer.decide')).toEqual(['after 2s', 'after 2s']);
  expect(await policyOf(it, 'transaction.refund')).toEqual(['at once', 'at once']);
});

test('a policy that is changed applies to work that begins later, and null restores that of the scenario', async () => {
  const it = await kit({ scenario: SCENARIO });
  const customer = async () =>
    (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' })).body;
  const first = await customer();
  const { status, body } = await it.control('PUT', '/policies', { 'customer.decide': 'hold' });
  expect([status, body]).toEqual([200, (await it.control('GET', '/policies')).body]);
  await customer();
  const due = () => it.sandbox.world.scheduler.jobs.rows();
  expect([...due()].map(({ dueAt }) => dueAt === null)).toEqual([false, true]);
  expect(await policyOf(it, 'customer.decide')).toEqual(['hold', 'after 2s']);
  await it.control('PUT', '/policies', { 'customer.decide': null });
  expect(await policyOf(it, 'customer.decide')).toEqual(['after 2s', 'after 2s']);
  expect(await policyOf(it, 'transaction.settle')).toEqual(['hold', 'hold']);
  await it.advance('2s');
  expect((await it.get(`/customers/${first.id}`)).body.kycStatus).toBe('APPROVED');
});

test('a policy that is changed and restored leaves the settings as they were', async () => {
  const it = await kit({ scenario: SCENARIO });
  const before = JSON.stringify(it.sandbox.world.snapshot().settings);
  await it.control('PUT', '/policies', { 'transaction.settle': 'at once', 'transaction.refund': 'hold' });
  await it.control('PUT', '/policies', { 'transaction.refund': null, 'transaction.settle': null });
  expect(JSON.parse(JSON.stringify(it.sandbox.world.snapshot().settings))).toEqual(JSON.parse(before));
});

test('a reset returns to the policies of the scenario, and a snapshot and a fork keep those of their moment', async () => {
  const it = await kit({ scenario: SCENARIO });
  await it.control('PUT', '/policies', { 'customer.decide': 'hold' });
  await it.control('POST', '/snapshots', { name: 'held' });
  const fork = await it.host.fork(it.sandbox);
  expect(fork.world.policy('customer.decide')).toBe('hold');
  await it.control('POST', '/reset');
  expect(await policyOf(it, 'customer.decide')).toEqual(['after 2s', 'after 2s']);
  await it.control('POST', '/snapshots/held/restore');
  expect(await policyOf(it, 'customer.decide')).toEqual(['hold', 'after 2s']);
});

test('a rewind returns to the policies of its moment', async () => {
  const it = await kit({ scenario: SCENARIO });
  await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' });
  await it.control('PUT', '/policies', { 'customer.decide': 'hold' });
  await it.control('POST', '/requests/last/rewind');
  expect(await policyOf(it, 'customer.decide')).toEqual(['after 2s', 'after 2s']);
});

test('a delivery policy ends a pause, and a later resume does not bring an older policy back', async () => {
  const it = await kit({ scenario: { policies: { 'webhook.deliver': 'after 1s' } } });
  await it.control('POST', '/webhooks/pause');
  expect(await policyOf(it, 'webhook.deliver')).toEqual(['hold', 'after 1s']);
  await it.control('PUT', '/policies', { 'webhook.deliver': 'after 3s' });
  await it.control('POST', '/webhooks/pause');
  await it.control('POST', '/webhooks/resume');
  expect(await policyOf(it, 'webhook.deliver')).toEqual(['after 3s', 'after 1s']);
  await it.control('PUT', '/policies', { 'webhook.deliver': 'hold' });
  await it.control('POST', '/webhooks/resume');
  expect(await policyOf(it, 'webhook.deliver')).toEqual(['at once', 'after 1s']);
});

test('a policy for an unknown kind is refused with 400 and the nearest kind or a list, and so is an empty body', async () => {
  const it = await kit();
  const messageOf = async (sent?: object) => {
    const { status, body } = await it.control('PUT', '/policies', sent);
    return [status, body.message];
  };
  const kinds = [...JOB_KINDS].filter(([, { policy }]) => policy !== undefined).map(([kind]) => kind);
  expect(await messageOf({ 'transaction.setle': 'hold' })).toEqual([
    400,
    'request: unknown key "transaction.setle"; did you mean transaction.settle?',
  ]);
  expect(await messageOf({ policies: { 'transaction.settle': 'hold' } })).toEqual([
    400,
    `request: unknown key "policies"; there are ${kinds.slice(0, 6).join(', ')} and ${kinds.length - 6} more: docs/control-api.md`,
  ]);
  const none = [400, `request: must name a kind of work, such as ${kinds[0]}`];
  expect([await messageOf(), await messageOf({})]).toEqual([none, none]);
});

test("an unknown member of a control's body is refused with the nearest name, or with those that exist", async () => {
  const it = await kit();
  const messageOf = async (path: string, sent: object) => (await it.control('POST', path, sent)).body.message;
  expect(await messageOf('/clock', { advnce: '1h' })).toMatch(/unknown key "advnce"; did you mean advance\?$/);
  expect(await messageOf('/snapshots', { zzzzzzzz: 1, name: 'a' })).toBe(
    'request: unknown key "zzzzzzzz"; there is name',
  );
  expect(await messageOf('/faults', { match: { operaton: 'createQuote' }, then: { status: 503 } })).toMatch(
    /^match: unknown key "operaton"; did you mean operation\?$/,
  );
});

test.each([
  [{ 'transaction.setle': 'hold' }, 'transaction.setle'],
  [{ 'quote.expire': 'hold' }, 'quote.expire'],
  [{ 'transaction.settle': 'later' }, 'transaction.settle'],
  [{ 'transaction.settle': 'after 9999999d' }, 'transaction.settle'],
  [['hold'], ''],
])('policies %j are refused with 400, and nothing is changed', async (sent, said) => {
  const it = await kit({ scenario: SCENARIO });
  const { status, text } = await it.control('PUT', '/policies', sent);
  expect(status).toBe(400);
  expect(text).toContain(said);
  expect(await policyOf(it, 'transaction.settle')).toEqual(['hold', 'hold']);
});

test('a saved state has its policies in one order, however they were changed, and restored ones leave no trace', async () => {
  const settings = async (...changes: [method: string, path: string, body?: object][]) => {
    const policies = {
      'transaction.settle': 'after 1s',
      'customer.decide': 'hold',
      'webhook.deliver': 'after 2s',
    } as const;
    const it = await kit({ scenario: [{ policies, limits: { kycLinkHours: 3 } }] });
    for (const change of changes) expect((await it.control(...change)).status).toBe(200);
    return JSON.stringify((await it.control('GET', '/state')).body.settings);
  };
  const put = (policies: object): [string, string, object] => ['PUT', '/policies', policies];
  const before = await settings();
  expect(await settings(put({ 'customer.decide': 'at once' }), put({ 'customer.decide': null }))).toBe(before);
  expect(await settings(put({ 'transaction.refund': 'hold' }), put({ 'transaction.refund': null }))).toBe(before);
  expect(await settings(['POST', '/webhooks/pause', {}], ['POST', '/webhooks/resume', {}])).toBe(before);
  const [one, other] = [{ 'customer.decide': 'at once' }, { 'transaction.refund': 'hold' }];
  expect(await settings(put(one), put(other))).toBe(await settings(put(other), put(one)));
});

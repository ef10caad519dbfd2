import { describe, expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const HELD = { policies: { 'customer.decide': 'hold' } };

const record = async (it: Kit, body: object = {}): Promise<string> => {
  const { status, text } = await it.control('POST', '/record', {
    requests: { from: 'req_1', to: latest(it) },
    ...body,
  });
  expect(status, text).toBe(200);
  return text;
};

const statusOf = async (it: Kit, id: string): Promise<string> => (await it.get(`/customers/${id}`)).body.kycStatus;

describe('acts by hand in a recording (W2)', () => {
  test('a recording repeats a decision by hand at its moment, with the id as a variable (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.advance('PT5M');
    await it.control('POST', `/customers/${id}/decision`, { decision: 'REJECTED' });
    expect(await statusOf(it, id)).toBe('REJECTED');
    const text = await record(it);
    expect(text).toContain("await sandbox.clock.advanceTo('2026-01-05T09:05:00.000Z');");
    expect(text).toMatch(
      /sandbox\.fetch\(`\/_emulator\/customers\/\$\{customerId\}\/decision`, \{ json: \{ decision: 'REJECTED' \} \}\)/,
    );
    expect(text).not.toContain('cannot be repeated');
  });

  test('a recording repeats the run of a held job, which it finds by its kind and its subject (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.post('/customers', { ...ADA, email: 'other@example.com' });
    const { data } = (await it.control('GET', '/jobs')).body;
    const job = data.find((one: { about?: string }) => one.about === id);
    await it.control('POST', `/jobs/${job.id}/run`);
    expect(await statusOf(it, id)).toBe('APPROVED');
    const text = await record(it);
    expect(text).toContain(`await jobIdOf('${job.kind}', customerId, 0)`);
    expect(text).not.toContain(job.id);
    expect(text).not.toContain('cannot be repeated');
  });

  test('a recording repeats a rewind to a request that the recorded test made itself (W2)', async () => {
    const it = await kit();
    await it.post('/customers', ADA);
    const second = await it.post('/customers', { ...ADA, email: 'other@example.com' });
    await it.control('POST', `/requests/${second.headers.get('x-request-id')}/rewind`);
    expect((await it.get('/customers')).body.data).toHaveLength(1);
    const text = await record(it);
    expect(text).toContain("await sandbox.rewind(String(answer2.headers.get('x-request-id')));");
    expect(text).not.toContain('cannot be repeated');
  });

  test('a recording of single calls leaves out a decision about something else (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    const other = (await it.post('/customers', { ...ADA, email: 'other@example.com' })).body.id;
    await it.control('POST', `/customers/${other}/decision`, { decision: 'REJECTED' });
    await it.get(`/customers/${id}`);
    expect(await record(it, { requests: ['req_1', latest(it)] })).not.toContain('/decision');
    expect(await record(it)).toContain('/decision');
  });

  test('a recording leaves out a decision by hand after the last call (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.get('/customers');
    await it.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
    expect(await record(it)).not.toContain('/decision');
  });

  test('a recording leaves out a decision that was refused (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.control('POST', `/customers/${id}/decision`, { decision: 'MAYBE' });
    await it.get('/customers');
    expect(await record(it)).not.toContain('/decision');
  });

  test('a recording names in a comment an act that it cannot repeat (W2)', async () => {
    const it = await kit();
    await it.control('POST', '/snapshots', { name: 'empty' });
    await it.post('/customers', ADA);
    await it.control('POST', '/snapshots/empty/restore');
    await it.get('/customers');
    expect(await record(it)).toContain('// After req_1, snapshot empty was restored; no recording repeats that');
  });

  test('a recorded script repeats a decision by hand (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
    await it.get(`/customers/${id}`);
    const text = await record(it, { as: 'shell' });
    expect(text).toContain(`"$origin"'/_emulator/customers/'"$customerId"'/decision'"$sandbox"`);
  });

  test('a reset empties the acts by hand in the request log (W2)', async () => {
    const it = await kit({ scenario: HELD });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.control('POST', `/customers/${id}/decision`, { decision: 'APPROVED' });
    expect(it.sandbox.requestLog.acts).toHaveLength(1);
    await it.control('POST', '/reset');
    expect(it.sandbox.requestLog.acts).toEqual([]);
  });
});

describe('events that a recording expects (G5)', () => {
  test('a recording expects an event after its call, and after the moment at which a job emitted it (G5)', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'after PT10M' } } });
    const { id } = (await it.post('/customers', ADA)).body;
    await it.advance('PT10M');
    await it.get(`/customers/${id}`);
    const text = await record(it);
    const expected = 'await sandbox.webhooks.waitFor(';
    expect(it.events().length).toBeGreaterThan(0);
    expect(text.split(expected).length - 1).toBe(it.events().length);
    const moved = text.indexOf("advanceTo('2026-01-05T09:10:00.000Z')");
    const [last] = it.events().slice(-1);
    expect(moved).toBeLessThan(text.indexOf(`${expected}'${last?.type}', {`));
    expect(moved).toBeGreaterThan(0);
    expect(text).toContain('where: (event) => JSON.stringify(event).includes(customerId),');
  });

  test('a recording moves the clock once more for an event after the last call (G5)', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'after PT10M' } } });
    await it.post('/customers', ADA);
    await it.advance('PT10M');
    const text = await record(it);
    expect(text).toContain("advanceTo('2026-01-05T09:10:00.000Z')");
    expect(text.split('webhooks.waitFor(').length - 1).toBe(it.events().length);
  });
});

test('the moments of a recording never go back, although overlapping calls are logged in the order of their replies (G5)', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  await it.advance('PT1M');
  await it.post('/customers', { ...ADA, email: 'other@example.com' });
  const [second, first] = [...it.sandbox.requestLog.newest()] as { at: string }[];
  [second, first].forEach((entry, i) => {
    if (entry) entry.at = `2026-01-05T09:0${i + 1}:00.000Z`;
  });
  const moments = [...(await record(it)).matchAll(/advanceTo\('([^']+)'\)/g)].map(([, at]) => at);
  expect(moments).toEqual([...moments].sort());
  expect(moments.at(-1)).toBe('2026-01-05T09:02:00.000Z');
});

describe('ids that only a webhook shows, in a recording (G4)', () => {
  const purchase = async (): Promise<Kit> => {
    const it = await kit({ scenario: 'cards' });
    const { data: cards } = (await it.get('/cards')).body;
    const card = cards.find((one: { state: string }) => one.state === 'ACTIVE');
    const merchant = { descriptor: 'CAFE', mcc: '5812', country: 'US' };
    const sent = { amount: 2500, currency: { code: 'USD' }, merchant };
    await it.post(`/sandbox/cards/${card.id}/simulate/authorization`, sent);
    const cleared = { cardTransactionId: it.events('CARD_TRANSACTION.AUTHORIZED')[0]?.data.id, amount: 2500 };
    expect((await it.post(`/sandbox/cards/${card.id}/simulate/clearing`, cleared)).status).toBe(202);
    return it;
  };

  test('a recorded test takes an id that only a webhook shows from the event (G4)', async () => {
    const text = await record(await purchase());
    expect(text).toMatch(
      /const (event\d+_\d+) = await sandbox\.webhooks\.waitFor\('CARD_TRANSACTION\.AUTHORIZED'\);\n {2}const cardTransactionId: string = JSON\.parse\(JSON\.stringify\(\1\)\)\.data\.id;/,
    );
    expect(text).toContain('{ cardTransactionId, amount: 2500 }');
    expect(text).not.toMatch(/cannot be repeated|was created by/);
  });

  test('a recording takes an id from an event also where an act by hand needs it before the next call (G4)', async () => {
    const it = await purchase();
    const card = (await it.get('/cards')).body.data.find((one: { state: string }) => one.state === 'ACTIVE');
    const merchant = { descriptor: 'CAFE', mcc: '5812', country: 'US' };
    const sent = { amount: 1000, currency: { code: 'USD' }, merchant };
    await it.post(`/sandbox/cards/${card.id}/simulate/authorization`, sent);
    const { data: jobs } = (await it.control('GET', '/jobs')).body;
    const [, second] = it.events('CARD_TRANSACTION.AUTHORIZED');
    const job = jobs.find(
      (one: { kind: string; about: string }) => one.kind === 'card.hold' && one.about === second?.data.id,
    );
    expect((await it.control('POST', `/jobs/${job.id}/run`)).status).toBe(200);
    await it.get('/cards');
    const text = await record(it);
    expect(text).toContain(`jobIdOf('${job.kind}', cardTransactionId2, 0)`);
    expect(text).not.toMatch(/cannot be repeated|was made/);
  });

  test('a recorded script takes an id that only a webhook shows from the event (G4)', async () => {
    const text = await record(await purchase(), { as: 'shell' });
    expect(text).toContain(
      `next_event CARD_TRANSACTION.AUTHORIZED\ncardTransactionId=$(jq -r '.payload.data.id' "$reply")\n`,
    );
    expect(text).toMatch(/"\$origin\/_emulator\/webhooks\/wait\$sandbox&type=\$1\$\{after:\+&after=\$after\}"/);
  });
});

test('a recording with a receiver has a placeholder for its URL, not the URL of its author (G4)', async () => {
  const it = await kit({ webhookUrl: 'http://127.0.0.1:4999/mine' });
  await it.post('/customers', ADA);
  const text = await record(it);
  expect([text.includes('webhookUrl: "http://127.0.0.1:9/"'), text.includes('4999')]).toEqual([true, false]);
});

describe('trial runs of a recording (W1, G5)', () => {
  test('a trial run of a recording marks the call that cannot be repeated, with the reason (W1, G5)', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', ADA)).body;
    await it.control('POST', '/snapshots', { name: 'one' });
    await it.del(`/customers/${id}`);
    await it.control('POST', '/snapshots/one/restore');
    await it.get(`/customers/${id}`);
    const text = await record(it);
    const why = 'its reply differs at isDeleted: true here, not false';
    expect(text).toContain(`// getCustomerById (req_3) cannot be repeated as it is: ${why}`);
    expect(text).toContain(`  // This cannot be repeated as it is: ${why}`);
    const at = text.indexOf('// This cannot be repeated as it is');
    expect(at).toBeGreaterThan(text.indexOf('  // getCustomerById'));
    expect(at).toBeLessThan(text.indexOf('const answer3'));
  });

  test('a line separator in a reply does not end the comment that quotes it in a recording (W1, G5)', async () => {
    const it = await kit();
    const address = { line1: 'Elm St', postalCode: '98402', country: 'US' };
    const { id } = (await it.post('/customers', { ...ADA, address })).body;
    await it.control('POST', '/snapshots', { name: 'one' });
    const odd = { ...address, line1: 'Elm\u2028process.exit(1)\u2029//' };
    expect((await it.patch(`/customers/${id}`, { customerType: 'INDIVIDUAL', address: odd })).status).toBe(200);
    await it.control('POST', '/snapshots/one/restore');
    await it.get(`/customers/${id}`);
    const text = await record(it);
    expect(text).toContain('// This cannot be repeated as it is: its reply differs at address.line1: ');
    const comments = text.split('\n').filter((line) => line.trim().startsWith('//'));
    expect(comments.filter((line) => /[\u2028\u2029]/.test(line))).toEqual([]);
  });

  test('a trial run of a recording leaves no trace: no request is counted, no sandbox stays and no webhook is sent (W1, G5)', async () => {
    const hooks = await receiver();
    const it = await kit({ webhookUrl: hooks.url, scenario: { policies: { 'customer.decide': 'after 1h' } } });
    await it.post('/customers', ADA);
    await it.advance('PT1H');
    await it.get('/customers');
    const sent = hooks.types();
    const before = JSON.stringify(it.sandbox.world.snapshot());
    const made = [...it.host.sandboxes].length;
    await record(it);
    expect(JSON.stringify(it.sandbox.world.snapshot())).toBe(before);
    expect([...it.host.sandboxes]).toHaveLength(made);
    expect((await it.get('/customers')).headers.get('x-request-id')).toBe('req_3');
    expect(hooks.types()).toEqual(sent);
  });

  test('a recording of a scenario with many rows has no trial run, and a comment says so (W1, G5)', async () => {
    const it = await kit({ scenario: { generate: { customers: 5001 } }, compares: false });
    await it.get('/config');
    expect(await record(it)).toContain('// No trial run was made: the scenario has ');
  });
});

test('a recording expects only statuses and ids when that is requested (G5)', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  await it.get(`/customers/${id}`);
  const [whole, ids] = [await record(it), await record(it, { expect: 'status and ids' })];
  expect([whole.includes('toMatchObject({ id: customerId })'), whole.includes("kycStatus: 'APPROVED'")]).toEqual([
    false,
    true,
  ]);
  expect(ids).toContain('toMatchObject({ id: customerId })');
  expect(ids).not.toContain('kycStatus');
});

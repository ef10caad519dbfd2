import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

const ROOT = join(import.meta.dirname, '../..');

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const CREATE = { id: 'createCustomer', body: ADA };

async function started(options: Parameters<typeof kit>[0] = {}) {
  const it = await kit(options);
  return { it, ...(await agent(it)) };
}

describe('the tools', () => {
  test('the tools are these 17, each with a sentence, a schema whose members are described, and what it may change', async () => {
    const { client } = await started();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['overview', 'find_operation', 'describe_operation', 'call_operation', 'why', 'replay', 'read_state'],
      ...[
        'webhooks',
        'clock',
        'decide',
        'play',
        'faults',
        'snapshots',
        'scenario',
        'record',
        'sent_codes',
        'read_docs',
      ],
    ]);
    const bare = tools.filter(({ title, description = '' }) => !title || !/^[A-Z].{60,}\.$/.test(description));
    expect(bare.map(({ name }) => name)).toEqual([]);
    const undescribed = tools.flatMap(({ name, inputSchema: { properties = {} } }) =>
      Object.entries(properties)
        .filter(([, member]) => !(member as { description?: string }).description)
        .map(([member]) => `${name}.${member}`),
    );
    expect(undescribed).toEqual([]);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      ...['overview', 'find_operation', 'describe_operation', 'why', 'read_state', 'record', 'sent_codes', 'read_docs'],
    ]);
  });

  test('the tools take at most 21,500 characters together, the shapes of their answers included', async () => {
    const { client } = await started();
    const text = JSON.stringify((await client.listTools()).tools);
    expect(text.slice(21_500)).toBe('');
  });

  test('a tool refuses an unknown member with an answer, not with an error of the protocol', async () => {
    const { use } = await started();
    await expect(use('clock', { advance: '1h' })).rejects.toThrow('unknown key "advance"');
  });

  test('a tool that gets an unknown member names its own members, and the one that is near', async () => {
    const { client, use } = await started();
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const all = Object.keys(inputSchema.properties ?? {}).join(', ');
      await expect(use(name, { zzzzzz: 1 })).rejects.toThrow(
        new RegExp(`unknown key "zzzzzz"; there are ${all}(?:,|$)`),
      );
    }
    const saidOf = (tool: string, sent: object) =>
      use(tool, { ...sent }).then(
        () => 'taken',
        ({ message }: Error) => message.replace(/^.*for tool \w+: /, ''),
      );
    expect(await saidOf('find_operation', { words: 'refund' })).toBe(
      'unknown key "words"; there are query, area, limit, skip, sandbox',
    );
    expect(await saidOf('find_operation', { qery: 'refund' })).toBe(
      'unknown key "qery"; did you mean query? There are query, area, limit, skip, sandbox',
    );
    expect(await saidOf('read_docs', { query: 1, p: 'time', q: 'x' })).toBe(
      'query: must be a string, not a number, unknown keys "p", "q"; there are query, page, line, sandbox',
    );
  });

  test("a tool passes on the emulator's own sentence of a refusal", async () => {
    const { use } = await started();
    await expect(use('clock', { act: 'advance', by: 'soon' })).rejects.toThrow(/^400 INVALID_INPUT: advance: /);
    await expect(use('describe_operation', { id: 'createQuot' })).rejects.toThrow(
      '404 REFERENCE_NOT_FOUND: there is no operation createQuot; did you mean createQuote?',
    );
    await expect(use('overview', { sandbox: 'nobody' })).rejects.toThrow('there is no sandbox nobody');
  });

  test('call_operation says that a call was not made where its operation or its parameters are wrong, and where to look', async () => {
    const { it, use } = await started();
    await expect(use('call_operation', { id: 'getCustomerById' })).rejects.toThrow(
      /^the call was not made: params\.customerId: is missing: the path is \/customers\/\{customerId\}; next: describe_operation \{id: "getCustomerById"\} shows what it takes, with an example that is valid now$/,
    );
    await expect(use('call_operation', { id: 'getCustomer' })).rejects.toThrow(
      /^the call was not made: there is no operation getCustomer; did you mean \w+\?; next: find_operation finds one by words$/,
    );
    expect((await it.control('GET', '/requests')).body.data).toEqual([]);
  });

  test('a tool says what its act needs', async () => {
    const { use } = await started();
    const lacking = { clock: 'advance', faults: 'remove', snapshots: 'restore', webhooks: 'wait', scenario: 'load' };
    const said: string[] = [];
    for (const [tool, act] of Object.entries(lacking))
      await use(tool, { act }).catch((error: Error) => said.push(error.message));
    expect(said).toEqual([
      'advance needs by, such as "1h"',
      'remove needs id',
      'restore needs name',
      'wait needs type, such as CUSTOMER.KYC_APPROVED',
      'load needs text or name',
    ]);
  });
});

describe('the tool overview', () => {
  test('overview shows what the code under test is configured with', async () => {
    const { use } = await started();
    expect(await use('overview')).toMatchObject({
      sandbox: 'test',
      baseUrl: 'http://127.0.0.1:4010/2025-10-13',
      credentials: { clientId: 'test', clientSecret: 'secret', scheme: 'HTTP Basic' },
      inspector: 'http://127.0.0.1:4010/?sandbox=test',
      profile: 'spec',
      clock: { now: '2026-01-05T09:00:00.000Z', mode: 'held', speed: 1 },
      webhooks: { url: null },
      lastRequests: [],
    });
  });
});

describe('find_operation, describe_operation and call_operation', () => {
  test.each([
    ['create a quote', 'createQuote'],
    ['fund an account', 'sandboxFundInternalAccount'],
    ['delete customer', 'deleteCustomerById'],
    ['issue a card', 'createCard'],
    ['exchange rates', 'getExchangeRates'],
  ])('find_operation with "%s" finds %s first', async (query, id) => {
    const { use } = await started();
    expect((await use('find_operation', { query })).operations[0].id).toBe(id);
  });

  test.each([
    ['why was my last call refused', 'Why a request was refused', 'the tool why does this; '],
    ['Why did it fail?', 'Why a request was refused', 'the tool why does this; '],
    ['advance the clock', 'Clock', 'the tool clock does this; '],
    ['make a payment fail', 'Magic values', 'read_docs {page: "docs/magic-values"} says more; '],
  ])(
    'find_operation answers "%s" with the topic "%s" before every operation, and says how',
    async (query, name, next) => {
      const { use } = await started();
      const answer = await use('find_operation', { query });
      expect([Object.keys(answer)[0], answer.also[0].name]).toEqual(['also', name]);
      expect(answer.next.startsWith(next), answer.next).toBe(true);
      expect(await use('find_operation', { query, skip: 1 })).not.toHaveProperty('also');
    },
  );

  test('find_operation puts no tool before an operation that its own summary describes', async () => {
    const { use } = await started();
    const first = await Promise.all(
      OPERATIONS.map(
        async ({ summary }) => Object.keys(await use('find_operation', { query: summary.slice(0, 200) }))[0],
      ),
    );
    expect(OPERATIONS.filter((_, i) => first[i] !== 'operations').map(({ summary }) => summary)).toEqual([]);
  });

  test('find_operation lists the areas without words, and the operations of an area a page at a time', async () => {
    const { use } = await started();
    const { areas, total } = await use('find_operation');
    const cards = OPERATIONS.filter(({ tag }) => tag === 'Cards').length;
    expect([total, areas.Cards]).toEqual([OPERATIONS.length, cards]);
    const first = await use('find_operation', { area: 'Cards', limit: 3 });
    const rest = await use('find_operation', { area: 'Cards', limit: 3, skip: 3 });
    expect([first.total, first.operations.length, rest.operations.length]).toEqual([cards, 3, cards - 3]);
  });

  test('describe_operation outlines the body, and shows at a path what the outline shortens', async () => {
    const { use } = await started();
    const told = await use('describe_operation', { id: 'createCustomerExternalAccount' });
    expect(told.body['customerId?']).toMatch(/^string/);
    expect(told.body.accountInfo).toMatch(/^one of: .*\bEUR_ACCOUNT\b/);
    const part = await use('describe_operation', { id: told.id, path: 'body.accountInfo.EUR_ACCOUNT' });
    expect(part.schema).toMatchObject({ accountType: '"EUR_ACCOUNT"', 'swiftCode?': expect.stringMatching(/^string/) });
    const reply = await use('describe_operation', { id: told.id, path: 'replies.201.id' });
    expect(reply.schema).toMatch(/^string/);
    await expect(use('describe_operation', { id: told.id, path: 'body.nothing' })).rejects.toThrow(
      'there is no body.nothing; there is currency, platformAccountId,',
    );
  });

  test('call_operation returns status, body and request, whether the call succeeds or is refused', async () => {
    const { use } = await started();
    const made = await use('call_operation', CREATE);
    expect([made.status, made.body.fullName]).toEqual([201, 'Ada Keller']);
    const refused = await use('call_operation', { id: 'createCustomer', body: { customerType: 'PERSON' } });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(refused.next).toContain(`why {request: "${refused.requestId}"}`);
  });
});

describe('the next step after a call (G8)', () => {
  const pays = async (host: Awaited<ReturnType<typeof started>>, accountNumber: string) => {
    const { it } = host;
    const [from] = (await it.get('/platform/internal-accounts')).body.data;
    const to = await it.post('/platform/external-accounts', {
      currency: 'USD',
      accountInfo: {
        ...{ accountType: 'USD_ACCOUNT', accountNumber, routingNumber: '021000021' },
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Keller' },
      },
    });
    return {
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.body.id },
      ...{ lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100 },
    };
  };
  const funded = { scenario: { platform: { accounts: { USD: 5000 }, currencies: [{ code: 'USD' as const }] } } };

  test('the next step after a quote is to execute it, and after a payment to advance the clock', async () => {
    const host = await started({ scenario: { ...funded.scenario, policies: { 'transaction.settle': 'after 1h' } } });
    const made = await host.use('call_operation', { id: 'createQuote', body: await pays(host, '123456789501') });
    expect(made.next).toContain('executeQuote');
    const paid = await host.use('call_operation', { id: 'executeQuote', params: { quoteId: made.body.id } });
    expect(paid.next).toContain('clock {act: "advance"');
  });

  test('the next step after a card authorization with 202 is not a signature', async () => {
    const host = await started({ scenario: 'cards' });
    const [card] = (await host.it.get('/cards')).body.data;
    const done = await host.use('call_operation', {
      id: 'sandboxSimulateCardAuthorization',
      params: { id: card.id },
      body: { amount: 100, currency: { code: 'USD' } },
    });
    expect(done.next).not.toContain('waits for a signature');
  });

  test('the next step after an execution that failed later names that event, and the magic value that chose it', async () => {
    const host = await started(funded);
    const made = await host.use('call_operation', { id: 'createQuote', body: await pays(host, '123456789005') });
    const paid = await host.use('call_operation', { id: 'executeQuote', params: { quoteId: made.body.id } });
    await host.it.settle();
    const { next } = await host.use('why', { request: paid.requestId });
    expect(next).toMatch(
      /^it was done, and later ended in OUTGOING_PAYMENT\.FAILED: webhooks \{act: "read", id: "[^"]+"\} says why/,
    );
  });
});

describe('the tool why', () => {
  test('why explains the last refusal, with the rule and every bad field', async () => {
    const { use } = await started();
    await use('call_operation', { id: 'createCustomer', body: { ...ADA, email: 'nobody' } });
    await use('call_operation', CREATE);
    const told = await use('why');
    expect(told).toMatchObject({
      operation: 'createCustomer',
      status: 400,
      why: { outcome: 'refused', fields: [{ field: 'email' }] },
      sent: { headers: { authorization: '•••' } },
    });
    expect(told.next).toContain('describe_operation {id: "createCustomer"}');
  });

  test('why names the fault or the magic value that caused a reply', async () => {
    const { use } = await started();
    await use('faults', { act: 'add', fault: { match: { operation: 'createCustomer' }, then: { status: 503 } } });
    await use('call_operation', CREATE);
    expect((await use('why')).next).toContain('faults {act: "clear"}');
    await use('faults', { act: 'clear' });
    const { requestId } = await use('call_operation', { ...CREATE, body: { ...ADA, fullName: 'Ada Keller 002' } });
    expect((await use('why', { request: requestId })).magic).toHaveLength(1);
  });

  test('why says that there is no request, or that nothing was refused', async () => {
    const { use } = await started();
    await expect(use('why')).rejects.toThrow('this sandbox has received no request yet');
    const { requestId } = await use('call_operation', CREATE);
    await expect(use('why')).rejects.toThrow(`request: "${requestId}" explains the newest`);
  });
});

describe('the tool read_state', () => {
  test('read_state counts tables, pages rows, and shows one resource or a part of it', async () => {
    const { use } = await started();
    for (const name of ['Ada', 'Bo', 'Cem'])
      await use('call_operation', { id: 'createCustomer', body: { ...ADA, fullName: name } });
    const { tables } = await use('read_state');
    expect(tables.find(({ name }: { name: string }) => name === 'customers').rows).toBe(3);
    const first = await use('read_state', { table: 'customers', limit: 2 });
    const rest = await use('read_state', { table: 'customers', limit: 2, cursor: first.nextCursor });
    const names = [...first.rows, ...rest.rows].map(({ fullName }: { fullName: string }) => fullName);
    expect(names).toEqual(['Cem', 'Bo', 'Ada']);
    const { id } = rest.rows[0];
    expect(await use('read_state', { id, path: 'resource.fullName' })).toMatchObject({ 'resource.fullName': 'Ada' });
    await expect(use('read_state', { id, path: 'nothing' })).rejects.toThrow('it has table, resource, decisions');
  });

  test.each([
    ['read_state', { table: 'customers' }, 'rows'],
    ['read_state', { table: 'customers', limit: 50 }, 'rows'],
    ['webhooks', { act: 'list', limit: 50 }, 'events'],
  ] as const)('%s %j: nextCursor leads to every one of its %s', async (name, request, member) => {
    const { it, use } = await started();
    const fullName = 'Ada '.repeat(24).trim();
    for (let i = 0; i < 60; i += 1) await it.overlapping('POST', '/customers', { ...ADA, fullName });
    await it.settle();
    const found: string[] = [];
    let cursor: string | undefined;
    let total: number;
    do {
      const page = await use(name, { ...request, ...(cursor ? { cursor } : {}) });
      total = page.totalCount;
      found.push(...page[member].map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(total).toBeGreaterThanOrEqual(60);
    expect([new Set(found).size, found.length]).toEqual([total, total]);
  });

  test('read_state shortens rows that do not fit, and says how to see one in full', async () => {
    const { use } = await started({ scenario: 'demo' });
    const { rows, next } = await use('read_state', { table: 'transactions' });
    expect([JSON.stringify(rows).slice(8000), rows.length > 5]).toEqual(['', true]);
    expect(next).toContain('id shows one in full');
  });
});

describe('the tool webhooks', () => {
  test('webhooks sets an endpoint, waits for an event, reads it and sends it again', async () => {
    const { use } = await started();
    const hooks = await receiver();
    expect((await use('webhooks', { act: 'set_endpoint', url: hooks.url })).endpoint).toEqual({ url: hooks.url });
    const { body } = await use('call_operation', CREATE);
    const wanted = { act: 'wait', type: 'CUSTOMER.KYC_APPROVED', subject: body.id };
    const { event, next } = await use('webhooks', wanted);
    expect([event.state, event.tries, event.payload.data.id]).toEqual(['DELIVERED', [200], body.id]);
    expect(next).toBe('the receiver accepted it');
    const again = await use('webhooks', { act: 'redeliver', id: event.id });
    expect(again.event.tries).toEqual([200, 200]);
    const { events } = await use('webhooks', { type: 'CUSTOMER.KYC_APPROVED' });
    expect(events).toHaveLength(1);
    await expect(use('webhooks', { ...wanted, after: event.id, seconds: 0 })).rejects.toThrow('was emitted');
  });
});

test('webhooks triggers an event by the calls that lead to it', async () => {
  const { use } = await started();
  const { event, calls } = await use('webhooks', { act: 'trigger', type: 'CUSTOMER.KYC_APPROVED' });
  expect([event, calls.at(-1).status]).toEqual(['CUSTOMER.KYC_APPROVED', 201]);
});

describe('the tool clock', () => {
  test('clock reads and advances with the jobs that are due, moves to a moment, runs at a speed and holds', async () => {
    const { use } = await started({ scenario: { policies: { 'customer.decide': 'after 1h' } } });
    await use('call_operation', CREATE);
    const { upcoming } = await use('clock');
    expect(upcoming.map(({ at }: { at: string }) => at)).toEqual(['2026-01-05T10:00:00.000Z']);
    const { now, ranTotal } = await use('clock', { act: 'advance', by: '2h' });
    expect([now, ranTotal]).toEqual(['2026-01-05T11:00:00.000Z', 1]);
    const moved = await use('clock', { act: 'move_to', to: '2026-01-06T00:00:00Z' });
    expect(moved.now).toBe('2026-01-06T00:00:00.000Z');
    expect(await use('clock', { act: 'run', speed: 60 })).toMatchObject({ mode: 'live', speed: 60 });
    expect(await use('clock', { act: 'hold' })).toMatchObject({ mode: 'held' });
  });

  test('clock runs one job now', async () => {
    const { use } = await started({ scenario: { policies: { 'customer.decide': 'after 1h' } } });
    const { body } = await use('call_operation', CREATE);
    const { upcoming } = await use('clock');
    expect((await use('clock', { act: 'run_job', job: upcoming[0].id })).upcomingTotal).toBe(0);
    expect(await use('read_state', { id: body.id, path: 'resource.kycStatus' })).toMatchObject({
      'resource.kycStatus': 'APPROVED',
    });
  });
});

describe('the tool decide', () => {
  test('decide lists what can be decided now, and decides it', async () => {
    const { use } = await started({ scenario: { policies: { 'customer.decide': 'hold' } } });
    const { id } = (await use('call_operation', CREATE)).body;
    const { choices } = await use('decide', { id });
    expect(choices.map(({ label }: { label: string }) => label)).toEqual(['Approve', 'Reject']);
    expect((await use('decide', { id, answer: choices[1].body })).resource.kycStatus).toBe('REJECTED');
    expect((await use('decide', { id })).choices).toEqual([]);
    await expect(use('decide', { id, name: 'outcome', answer: {} })).rejects.toThrow(
      'there is no decision outcome; there is decision',
    );
  });
});

describe('the tool faults', () => {
  test('faults adds a fault, which fires, is counted and is removed', async () => {
    const { use } = await started();
    const fault = { match: { operation: 'createCustomer', times: 1 }, then: { status: 503 } };
    const { added } = await use('faults', { act: 'add', fault });
    expect((await use('call_operation', CREATE)).status).toBe(503);
    expect((await use('call_operation', CREATE)).status).toBe(201);
    expect((await use('faults')).faults).toMatchObject([{ id: added.id, fired: 1, spent: true }]);
    expect((await use('faults', { act: 'remove', id: added.id })).faults).toEqual([]);
  });
});

describe('the tool snapshots', () => {
  test('snapshots keeps the state, compares with it, restores it and resets', async () => {
    const { use } = await started();
    await use('snapshots', { act: 'keep', name: 'before' });
    const { body } = await use('call_operation', CREATE);
    const { diff } = await use('snapshots', { act: 'diff', name: 'before' });
    expect(JSON.stringify(diff)).toContain(body.id);
    await use('snapshots', { act: 'restore', name: 'before' });
    await expect(use('read_state', { id: body.id })).rejects.toThrow(`there is no ${body.id}`);
    expect((await use('snapshots')).snapshots).toMatchObject([{ name: 'before' }]);
    expect(await use('snapshots', { act: 'reset' })).toMatchObject({ clock: { mode: 'held' } });
  });

  test('snapshots forks the sandbox, and any tool reaches the fork by its id', async () => {
    const { use } = await started();
    const { sandbox } = await use('snapshots', { act: 'fork' });
    await use('call_operation', { ...CREATE, sandbox });
    const [here, there] = [await use('overview'), await use('overview', { sandbox })];
    expect([here.rows.customers, there.rows.customers, there.sandbox]).toEqual([undefined, 1, sandbox]);
  });

  test('snapshots rewinds to the state before a request, and forks that state without a change to the sandbox', async () => {
    const { use } = await started();
    const { requestId, body } = await use('call_operation', CREATE);
    const { sandbox } = await use('snapshots', { act: 'fork_before', request: requestId });
    expect((await use('overview', { sandbox })).rows.customers).toBeUndefined();
    expect((await use('overview')).rows.customers).toBe(1);
    await use('snapshots', { act: 'rewind', request: requestId });
    await expect(use('read_state', { id: body.id })).rejects.toThrow(`there is no ${body.id}`);
  });
});

describe('the tool scenario', () => {
  test('scenario checks a text, and loads a valid one into a sandbox of its own', async () => {
    const { use } = await started();
    expect(await use('scenario', { act: 'check', text: 'platform:\n  regulatd: true' })).toMatchObject({
      valid: false,
      problems: [{ line: 2, column: 3, message: 'unknown key regulatd; did you mean regulated?' }],
    });
    const text = 'customers:\n  - { customerType: INDIVIDUAL, fullName: Ada Keller }\n';
    expect(await use('scenario', { act: 'check', text })).toMatchObject({ valid: true });
    const { sandbox } = await use('scenario', { act: 'load', text, seed: 'one' });
    expect((await use('overview', { sandbox })).rows.customers).toBe(1);
    expect((await use('scenario', { act: 'load', name: 'wallet' })).sandbox).toBe('sandbox-2');
    await expect(use('scenario', { act: 'load', name: 'walet' })).rejects.toThrow('did you mean wallet?');
    expect((await use('scenario')).scenarios.payouts).toMatch(/\w/);
  });
});

describe('the tools replay and record', () => {
  test('replay sends a request again with another body, in a fork, and compares both replies', async () => {
    const { use } = await started();
    const { requestId } = await use('call_operation', { id: 'createCustomer', body: { customerType: 'PERSON' } });
    const told = await use('replay', { request: requestId, body: ADA });
    expect([told.original.status, told.replayed.status]).toEqual([400, 201]);
    expect((await use('overview')).rows.customers).toBeUndefined();
  });

  test('record writes calls as a test, a long one in pieces that make the whole', async () => {
    const { it, use } = await started();
    const ids: string[] = [];
    for (let i = 0; i < 60; i += 1) ids.push((await use('call_operation', CREATE)).requestId);
    const requests = { from: ids[0], to: ids[59] };
    const whole = await it.control('POST', '/record', { requests, as: 'vitest' });
    const pieces: string[] = [];
    let line = 0;
    do {
      const { text, next } = await use('record', { requests, line });
      pieces.push(text);
      line = Number(/^line: (\d+)/.exec(next)?.[1] ?? 0);
    } while (line > 0);
    expect(pieces.length).toBe(2);
    expect(pieces.join('\n')).toBe(whole.text);
  });
});

describe('the tool sent_codes', () => {
  test('sent_codes has the code that a person would read on a phone', async () => {
    const { use } = await started({ scenario: 'contact-verification' });
    expect((await use('sent_codes')).codes).toEqual([]);
    const { id } = (
      await use('call_operation', {
        ...CREATE,
        body: { ...ADA, email: 'ada@keller.example', phoneNumber: '+491701234' },
      })
    ).body;
    await use('call_operation', { id: 'sendCustomerEmailVerification', params: { customerId: id } });
    expect((await use('sent_codes', { subject: id })).codes).toMatchObject([
      { to: 'ada@keller.example', code: '123456' },
    ]);
  });
});

describe('bodies as text', () => {
  test.each(['call_operation', 'replay'])(
    'a body of %s is declared as an object, and taken as its JSON text, too (G2)',
    async (name) => {
      const { client, use } = await started();
      const { tools } = await client.listTools();
      expect(tools.find((one) => one.name === name)?.inputSchema.properties?.['body']).toMatchObject({
        type: 'object',
      });
      const { body } = await use('call_operation', { ...CREATE, body: JSON.stringify(ADA) });
      expect(body).toMatchObject(ADA);
      if (name === 'call_operation') return;
      const replayed = await use('replay', { request: 'req_1', body: JSON.stringify({ ...ADA, fullName: 'Bo Berg' }) });
      expect(JSON.stringify(replayed)).toContain('Bo Berg');
    },
  );
});

test('webhooks waits for a type alone and returns the newest event, with its age and the number of all (G3)', async () => {
  const { it, use } = await started();
  const first = (await it.post('/customers', ADA)).body;
  await it.control('POST', '/clock', { advance: 'PT10M' });
  const second = (await it.post('/customers', ADA)).body;
  await it.control('POST', '/clock', { advance: 'PT1M' });
  const told = await use('webhooks', { act: 'wait', type: 'CUSTOMER.KYC_APPROVED' });
  expect(told).toMatchObject({ event: { subject: second.id }, matches: 2 });
  expect(told.age).toMatch(/^\d+ virtual seconds$/);
  const about = await use('webhooks', { act: 'wait', type: 'CUSTOMER.KYC_APPROVED', subject: first.id });
  expect(about.event.subject).toBe(first.id);
});

test.each([
  ['advance the clock', 'Clock', 'clock'],
  ['verify webhook signature', 'Verify the signature of a webhook', undefined],
  ['approve a pending customer', 'Decide on a customer', 'decide'],
  ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE', undefined],
])(
  'find_operation with "%s" also names what is not an operation, with the tool that does it',
  async (query, name, by) => {
    const { use } = await started();
    const [first] = (await use('find_operation', { query })).also;
    expect([first.name, first.tool]).toEqual([name, by]);
    expect(first.ways.length).toBeGreaterThan(0);
  },
);

test('find_operation names the areas when nothing is found (G1)', async () => {
  const { use } = await started();
  const { operations, areas } = await use('find_operation', { query: 'xyzzyplugh' });
  expect([operations, Object.keys(areas).includes('Cards')]).toEqual([[], true]);
});

describe('the tool read_docs (G6)', () => {
  const PLAIN: readonly (readonly [question: string, page: string])[] = [
    ['magic values of bank accounts', 'docs/magic-values'],
    ['which amount makes a payment fail', 'docs/magic-values'],
    ['verify the signature of a webhook', 'docs/webhooks'],
    ['list of event types', 'docs/events'],
    ['error codes and what each means', 'docs/errors'],
    ['hold the clock and move it', 'docs/time'],
    ['make a call fail with 503', 'docs/faults'],
    ['columns of the CSV import', 'docs/bulk'],
    ['upload customers csv', 'docs/bulk'],
    ['export a test from calls', 'docs/control-api'],
    ['why was my request refused', 'docs/control-api'],
    ['simulate a declined card', 'docs/magic-values'],
    ['run in docker', 'docs/executable'],
    ['sign with a wallet', 'docs/wallet'],
    ['write a scenario file', 'docs/scenarios'],
    ['return a card purchase', 'docs/cards'],
    ['pytest fixture', 'docs/fixtures'],
    ['several emulators behind a proxy', 'docs/scale'],
  ];

  test.each(PLAIN)('read_docs finds "%s" in %s', async (query, page) => {
    const { use } = await agent(await kit());
    const { sections } = await use('read_docs', { query });
    expect(sections.map((one: { page: string }) => one.page)).toContain(page);
  });

  test.each([
    ['make a payment fail', 'docs/magic-values'],
    ['verify webhook signature', 'docs/webhooks'],
    ['advance the clock', 'docs/time'],
    ['resend a webhook', 'docs/webhooks'],
    ['approve a pending customer', 'docs/control-api'],
    ['why was my payment rejected', 'docs/control-api'],
    ['undo the last call', 'docs/state'],
    ['inject an error', 'docs/faults'],
  ])('read_docs finds "%s" first in a section of %s', async (query, page) => {
    const { use } = await agent(await kit());
    expect((await use('read_docs', { query })).sections[0].page).toBe(page);
  });

  test('read_docs names every page, and reads one to its end in pieces', async () => {
    const { use } = await agent(await kit());
    const { pages } = await use('read_docs');
    expect(pages['docs/cli']).toBe(/^# (.+)$/m.exec(readFileSync(join(ROOT, 'docs/cli.md'), 'utf8'))?.[1]);
    let [text, line] = ['', 0];
    for (;;) {
      const piece = await use('read_docs', { page: 'cli', line });
      text += `${text === '' ? '' : '\n'}${piece.text}`;
      line += piece.text.split('\n').length;
      if (piece.next === undefined) break;
    }
    expect(text).toBe(readFileSync(join(ROOT, 'docs/cli.md'), 'utf8'));
  });

  test('read_docs refuses an unknown page, and finds no section for unknown words', async () => {
    const { use } = await agent(await kit());
    await expect(use('read_docs', { page: 'nothing' })).rejects.toThrow('there is no page nothing');
    expect((await use('read_docs', { query: 'xyzzyq' })).sections).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { OPERATIONS, TABLES } from '../../src/areas.ts';
import { CONTROLS } from '../../src/control/index.ts';
import { decisions, EXPECTATIONS, LANGUAGES, RECORDINGS } from '../../src/sandbox/commands/index.ts';
import { OF_A_CALL } from '../../src/scenario/bounds.ts';
import { choicesOf, decidable, type Filled, FULL, type Sent, tooLong, wellFilled } from '../kit/well-filled.ts';

type Sends = (filled: Filled) => Promise<Sent> | Sent;

const MIB = 1024 * 1024;
const LONG = 'x'.repeat(200);
const numbered = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i));
/** An object with as many members as a body may have, of which none is known. */
const MANY = Object.fromEntries(numbered(9000, (i) => [`member${i}`, 'x'.repeat(80)]) as [string, string][]);
const CUSTOMERS = {
  customers: numbered(2500, (i) => ({ label: `c${i}`, customerType: 'INDIVIDUAL', fullName: 'Ada Keller' })),
};
/** As many as fit, with the least that they need. */
const SMALL = { customers: numbered(20_000, (i) => ({ label: `c${i}`, customerType: 'BUSINESS' })) };
const CUSTOMERS_TEXT = `customers:\n${numbered(1300, (i) => `- {label: c${i}, customerType: BUSINESS}`).join('\n')}\n`;
const PDF = { name: 'a.pdf', type: 'application/pdf' };
const BODY = { customerType: 'INDIVIDUAL', fullName: 'x'.repeat(FULL) };

const latest = ({ requests }: Filled) => requests[0] as string;
const large = ({ requests }: Filled) => requests[100] as string;
const events = ({ sandbox }: Filled) => [...sandbox.world.rows(TABLES.get('webhooks') as never).rows()];
const eventOf = (filled: Filled, at: number) => events(filled).at(at) as unknown as { id: string; type: string };
const payment = ({ sandbox }: Filled) =>
  [...sandbox.world.rows(TABLES.get('transactions') as never).rows()][0] as never;
const inCopy =
  (sent: Omit<Sent, 'of'>): Sends =>
  async (filled) => ({ ...sent, of: (await filled.copy()).id });

/** The largest that each control takes, by its method and path; several where there are several ways to be large. */
const LARGEST: Readonly<Record<string, readonly Sends[]>> = {
  'GET /health': [() => ({ path: '/health' })],
  'GET /coverage': [() => ({ path: '/coverage', status: 409 })],
  'GET /capsule': [() => ({ path: '/capsule' })],
  'GET /running': [() => ({ path: '/running', query: { limit: 10_000 } })],
  'GET /operations': [
    () => ({ path: '/operations', query: { q: 'a '.repeat(100), area: 'x'.repeat(100) } }),
    () => ({ path: '/operations' }),
  ],
  'GET /operations/:id': OPERATIONS.map(({ id }) => () => ({ path: `/operations/${id}` })),
  'POST /operations/:id/call': [
    () => ({ path: '/operations/createCustomer/call', body: { body: BODY } }),
    () => ({ path: '/operations/createCustomer/call', body: { body: MANY } }),
    () => ({ path: '/operations/createCustomer/call', body: { body: numbered(90_000, () => 1) } }),
    () => ({ path: '/operations/createCustomer/call', body: { headers: MANY } }),
    () => ({
      path: '/operations/uploadDocument/call',
      body: { body: { file: { ...PDF, base64: 'A'.repeat(13 * MIB) } } },
    }),
    () => ({
      path: '/operations/uploadDocument/call',
      body: { body: { file: { ...PDF, text: 'A'.repeat(15 * MIB) } } },
    }),
    () => ({
      path: '/operations/uploadCustomersCsv/call',
      body: { body: { file: { name: 'a.csv', type: 'text/csv', text: 'a,b\n'.repeat(MIB / 2) } } },
    }),
  ],
  'GET /trigger': [() => ({ path: '/trigger' })],
  'POST /trigger': [
    inCopy({ path: '/trigger', body: { event: 'OUTGOING_PAYMENT.COMPLETED' } }),
    inCopy({ path: '/trigger', body: { event: 'CUSTOMER.KYC_APPROVED', set: MANY }, status: 400 }),
    inCopy({ path: '/trigger', body: { event: LONG }, status: 400 }),
  ],
  'GET /openapi.json': [() => ({ path: '/openapi.json' })],
  'GET /sandboxes': [() => ({ path: '/sandboxes' })],
  'POST /sandboxes': [
    () => ({ path: '/sandboxes', body: { scenario: CUSTOMERS, seed: LONG } }),
    () => ({ path: '/sandboxes', body: { scenario: { generate: { customers: 5000, transactions: 5000 } } } }),
    () => ({ path: '/sandboxes', body: { scenario: SMALL } }),
    () => ({ path: '/sandboxes', body: { scenario: { ...SMALL, transactions: [{}] } }, status: 400 }),
    () => ({ path: '/sandboxes', body: { scenario: MANY }, status: 400 }),
    () => ({ path: '/sandboxes', body: { scenario: { customers: numbered(90_000, () => ({})) } }, status: 400 }),
    () => ({ path: '/sandboxes', body: { scenario: { customers: numbered(90_000, () => 1) } }, status: 400 }),
  ],
  'GET /sandbox': [() => ({ path: '/sandbox' })],
  'GET /sandboxes/:id': [({ sandbox }) => ({ path: `/sandboxes/${sandbox.id}` })],
  'POST /sandboxes/:id/fork': [({ sandbox }) => ({ path: `/sandboxes/${sandbox.id}/fork` })],
  'DELETE /sandboxes/:id': [async ({ copy }) => ({ path: `/sandboxes/${(await copy()).id}`, status: 204 })],
  'GET /scenarios': [() => ({ path: '/scenarios' })],
  'POST /scenarios/check': [
    () => ({ path: '/scenarios/check', body: { text: CUSTOMERS_TEXT } }),
    () => ({ path: '/scenarios/check', body: { text: 'x'.repeat(OF_A_CALL.characters) } }),
    () => ({ path: '/scenarios/check', body: { text: JSON.stringify(CUSTOMERS).slice(0, OF_A_CALL.characters) } }),
  ],
  'POST /reset': [inCopy({ path: '/reset' })],
  'GET /state': [() => ({ path: '/state' })],
  'PUT /state': [
    async (filled) => ({
      path: '/state',
      of: (await filled.copy()).id,
      raw: await filled.send('GET', { path: '/state' }),
    }),
    // As a client writes it that has read it as JSON.
    async (filled) => ({
      path: '/state',
      of: (await filled.copy()).id,
      raw: JSON.stringify(JSON.parse(await filled.send('GET', { path: '/state' }))),
    }),
    async (filled) => ({
      path: '/state',
      of: (await filled.copy()).id,
      raw: (await filled.send('GET', { path: '/state' })).replaceAll('"status":', '"wrong":'),
      status: 400,
    }),
    inCopy({ path: '/state', raw: `[${'1,'.repeat(5 * FULL)}1]`, status: 400 }),
    inCopy({ path: '/state', raw: `{"format":"${'x'.repeat(40 * FULL)}"}`, status: 400 }),
    inCopy({ path: '/state', raw: '[{"a":'.repeat(5 * FULL), status: 400 }),
  ],
  'GET /tables': [() => ({ path: '/tables' })],
  'GET /tables/:name': [...TABLES.keys()].map((name) => () => ({ path: `/tables/${name}`, query: { limit: 100 } })),
  'GET /resources/:id': [
    (filled) => ({ path: `/resources/${(payment(filled) as { id: string }).id}` }),
    ({ sandbox }) => ({ path: `/resources/${decidable(sandbox, decisions[0] as never).id}` }),
  ],
  'GET /snapshots': [() => ({ path: '/snapshots' })],
  'POST /snapshots': [inCopy({ path: '/snapshots', body: { name: 'x'.repeat(100) } })],
  'POST /snapshots/:name/restore': [
    async ({ copy, send }) => {
      const { id: of } = await copy();
      await send('POST', { path: '/snapshots', body: { name: 'a' }, of });
      await send('POST', { path: '/clock', body: { advance: '1d' }, of });
      return { path: '/snapshots/a/restore', of };
    },
  ],
  'DELETE /snapshots/:name': [
    async ({ send }) => {
      await send('POST', { path: '/snapshots', body: { name: 'gone' } });
      return { path: '/snapshots/gone', status: 204 };
    },
  ],
  'GET /compare': [
    () => ({ path: '/compare', query: { from: 'before', limit: 10_000 } }),
    async ({ copy }) => ({
      path: '/compare',
      query: { from: 'before', to: `sandbox:${(await copy()).id}`, limit: 10_000 },
    }),
  ],
  'GET /snapshots/:name/diff': [
    () => ({ path: '/snapshots/before/diff', query: { limit: 10_000 } }),
    async ({ send }) => {
      await send('POST', { path: '/snapshots', body: { name: 'now' } });
      return { path: '/snapshots/now/diff', query: { to: 'before', limit: 10_000 } };
    },
  ],
  'GET /clock': [() => ({ path: '/clock' })],
  'POST /clock': [
    ...['live', 'held'].map((mode) => inCopy({ path: '/clock', body: { mode, speed: 1000 } })),
    async ({ crowd }) => ({ path: '/clock', body: { advance: '2h' }, of: await crowd('jobs') }),
    async ({ crowd }) => ({ path: '/clock', body: { settle: '2h' }, of: await crowd('jobs') }),
    async ({ crowd }) => ({ path: '/clock', body: { to: '2026-01-06T00:00:00Z' }, of: await crowd('jobs') }),
  ],
  'GET /jobs': [async ({ crowd }) => ({ path: '/jobs', of: await crowd('jobs') })],
  'POST /jobs/:id/run': [
    async ({ crowd, host }) => {
      const of = await crowd('jobs');
      const job = [...host.named(of).world.scheduler.jobs.rows()].find(({ kind }) => kind === 'customer.decide');
      return { path: `/jobs/${job?.id}/run`, of };
    },
  ],
  'GET /codes': [() => ({ path: '/codes', query: { limit: 100, subject: LONG } })],
  'GET /wallet-key': [() => ({ path: '/wallet-key' })],
  'GET /webhooks': [
    () => ({ path: '/webhooks', query: { limit: 100 } }),
    async ({ crowd }) => ({ path: '/webhooks', query: { limit: 100, type: LONG }, of: await crowd('events') }),
  ],
  'GET /webhooks/key': [() => ({ path: '/webhooks/key' })],
  'PUT /webhooks/endpoint': [
    async ({ crowd }) => ({ path: '/webhooks/endpoint', body: { url: null }, of: await crowd('events') }),
    inCopy({ path: '/webhooks/endpoint', body: { url: `http://127.0.0.1:9/${'x'.repeat(FULL)}` } }),
  ],
  'GET /webhooks/endpoint': [() => ({ path: '/webhooks/endpoint' })],
  'POST /webhooks/pause': [async ({ crowd }) => ({ path: '/webhooks/pause', of: await crowd('events') })],
  'POST /webhooks/resume': [async ({ crowd }) => ({ path: '/webhooks/resume', of: await crowd('events') })],
  'POST /webhooks/step': [async ({ crowd }) => ({ path: '/webhooks/step', of: await crowd('events') })],
  'GET /webhooks/wait': [
    (filled) => ({ path: '/webhooks/wait', query: { type: eventOf(filled, -1).type, timeoutMs: 0 } }),
    (filled) => ({
      path: '/webhooks/wait',
      query: { type: LONG, subject: LONG, after: eventOf(filled, 0).id, timeoutMs: 0 },
      status: 404,
    }),
  ],
  'GET /webhooks/:id/request': [(filled) => ({ path: `/webhooks/${eventOf(filled, -1).id}/request` })],
  'GET /webhooks/:id': [(filled) => ({ path: `/webhooks/${eventOf(filled, -1).id}` })],
  'POST /webhooks/:id/redeliver': [
    async ({ crowd, host }) => {
      const of = await crowd('events');
      const [{ id }] = [
        ...host
          .named(of)
          .world.rows(TABLES.get('webhooks') as never)
          .rows(),
      ] as unknown as [{ id: string }];
      return { path: `/webhooks/${id}/redeliver`, of };
    },
  ],
  'GET /requests': [
    () => ({ path: '/requests', query: { limit: 1000 } }),
    () => ({ path: '/requests', query: { limit: 1000, operation: LONG, status: 404 } }),
  ],
  'GET /requests/:id': [
    (filled) => ({ path: `/requests/${latest(filled)}` }),
    (filled) => ({ path: `/requests/${large(filled)}` }),
    ({ importing }) => ({ path: `/requests/${importing}` }),
  ],
  'GET /requests/:id/code': LANGUAGES.map((as) => (filled) => ({
    path: `/requests/${large(filled)}/code`,
    query: { as },
  })),
  'POST /requests/:id/rewind': [
    async (filled) => {
      await filled.overlapping('POST', '/customers', {
        customerType: 'BUSINESS',
        businessInfo: { legalName: 'North Pier' },
      });
      return { path: '/requests/last/rewind' };
    },
  ],
  'POST /requests/:id/fork': [
    ({ importing }) => ({ path: `/requests/${importing}/fork` }),
    (filled) => ({ path: `/requests/${latest(filled)}/fork` }),
  ],
  'POST /requests/:id/replay': ['now', 'before', 'fork'].flatMap((against) => [
    (filled: Filled) => ({
      path: `/requests/${large(filled)}/replay`,
      body: { against, body: BODY, headers: { 'x-long': LONG } },
    }),
    (filled: Filled) => ({ path: `/requests/${large(filled)}/replay`, body: { against, body: MANY } }),
  ]),
  'POST /record': [
    ...RECORDINGS.flatMap((as) =>
      EXPECTATIONS.map((expect) => ({ requests }: Filled) => ({
        path: '/record',
        body: { requests: requests.slice(21, 981), as, expect },
      })),
    ),
    ({ requests }) => ({
      path: '/record',
      body: { requests: { from: requests[980] ?? requests.at(-1), to: requests[21] } },
    }),
  ],
  'GET /events': [() => ({ path: '/events', endless: true })],
  'GET /faults': [() => ({ path: '/faults' })],
  'POST /faults': [
    async ({ copy }) => ({
      path: '/faults',
      of: (await copy()).id,
      body: { match: { path: `/${'*a'.repeat(99)}` }, then: { status: 503, message: 'x'.repeat(500) } },
    }),
    async ({ copy }) => ({
      path: '/faults',
      of: (await copy()).id,
      body: { match: { webhook: '*'.repeat(100) }, then: { drop: true } },
    }),
  ],
  'DELETE /faults': [inCopy({ path: '/faults', status: 204 })],
  'DELETE /faults/:id': [inCopy({ path: '/faults/fault-100', status: 204 })],
  'GET /policies': [() => ({ path: '/policies' })],
  'PUT /policies': [
    inCopy({ path: '/policies', body: { 'transaction.settle': 'hold' } }),
    inCopy({ path: '/policies', body: MANY, status: 400 }),
  ],
  'GET /transactions/:id': [(filled) => ({ path: `/transactions/${(payment(filled) as { id: string }).id}` })],
  'GET /ledger': [
    () => ({ path: '/ledger', query: { limit: 100 } }),
    () => ({ path: '/ledger', query: { limit: 100, cause: LONG } }),
    async ({ copy }) => ({ path: '/ledger', query: { limit: 100 }, of: (await copy()).id }),
  ],
  'GET /ledger/check': [
    () => ({ path: '/ledger/check' }),
    async ({ copy }) => ({ path: '/ledger/check', of: (await copy()).id }),
  ],
  'GET /ledger/accounts/:id': [
    async ({ copy }) => ({
      path: '/ledger/accounts/outside:payout:USD',
      query: { limit: 100 },
      of: (await copy()).id,
    }),
  ],
  ...Object.fromEntries(
    decisions.map((one) => [
      `POST /${one.table.name}/:id/${one.name}`,
      [
        async ({ copy }: Filled) => {
          const sandbox = await copy();
          const { id, body } = decidable(sandbox, one);
          return { path: `/${one.table.name}/${id}/${one.name}`, body, of: sandbox.id };
        },
      ],
    ]),
  ),
};

/** Controls by the first part of their path, so that no test of them takes long. */
const groups = [...new Set(CONTROLS.map(({ path }) => path.split('/')[1] as string))];
const inGroup = (name: string) => CONTROLS.filter(({ path }) => path.split('/')[1] === name);
/** Those that take little. */
const LIGHT = groups.filter((name) => !['operations', 'sandboxes', 'state', 'record', 'requests'].includes(name));

test.each([...groups.filter((name) => !LIGHT.includes(name)).map((name) => [name]), LIGHT])(
  'controls such as /%s block no other call with the largest input that they take',
  async (...names) => {
    const filled = await wellFilled();
    const slow: string[] = [];
    const unsent: string[] = [];
    for (const { method, path, body, query } of names.flatMap(inGroup)) {
      const name = `${method} ${path}`;
      const sends = LARGEST[name] ?? [];
      const seen = new Set<string>();
      for (const [i, sending] of sends.entries()) {
        const ms = await tooLong(async () => {
          const sent = await sending(filled);
          for (const [member, value] of Object.entries({ ...sent.query, ...(sent.body as object | undefined) }))
            seen.add(`${member}=${value}`);
          return filled.ready(method, sent);
        });
        if (ms !== undefined) slow.push(`${name}, input ${i}: ${ms} ms`);
      }
      const choices = [...choicesOf(body?.()), ...choicesOf(query?.())];
      if (sends.length === 0) unsent.push(name);
      if (!isDecision(path))
        unsent.push(...choices.filter((one) => !seen.has(one)).map((one) => `${name} with ${one}`));
    }
    expect(unsent, 'nothing is sent here to these: say what the largest is that they take').toEqual([]);
    expect(slow).toEqual([]);
  },
);

/** What a decision is, changes little of what it costs. */
const isDecision = (path: string): boolean =>
  decisions.some(({ table, name }) => path === `/${table.name}/:id/${name}`);

import { expect, test } from 'vitest';
import { TABLES } from '../../src/areas.ts';
import { documents } from '../../src/mcp/resources.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { decisions, EXPECTATIONS, RECORDINGS } from '../../src/sandbox/commands/index.ts';
import { OF_A_CALL } from '../../src/scenario/bounds.ts';
import { choicesOf, decidable, type Filled, FULL, type Sent, tooLong, wellFilled } from '../kit/well-filled.ts';

type Given = Readonly<Record<string, unknown>>;
type Gives = (filled: Filled) => Promise<Given> | Given;
/** What a tool refuses, and it is an answer all the same. */
const refused = (gives: Gives): { gives: Gives } => ({ gives });

const LONG = 'x'.repeat(100);
const LIST = { limit: 50 };
const MANY = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`member${i}`, 'x'.repeat(80)]));
const BODY = { customerType: 'INDIVIDUAL', fullName: 'x'.repeat(FULL) };
const CUSTOMERS = Array.from({ length: 1300 }, (_, i) => `- {label: c${i}, customerType: BUSINESS}`).join('\n');

const rowOf = ({ sandbox }: Filled, table: string, at = 0) =>
  [...sandbox.world.rows(TABLES.get(table) as never).rows()].at(at) as unknown as { id: string; type: string };
const large = ({ requests }: Filled) => requests[100] as string;
const inCopy =
  (given: Given): Gives =>
  async ({ copy }) => ({ ...given, sandbox: (await copy()).id });
const inCrowd =
  (waiting: 'jobs' | 'events', given: Given): Gives =>
  async ({ crowd }) => ({ ...given, sandbox: await crowd(waiting) });

/** The largest that each tool takes, by its name; every act of it. */
const LARGEST: Readonly<Record<string, readonly (Gives | { gives: Gives })[]>> = {
  overview: [() => ({})],
  find_operation: [
    () => ({ query: 'a '.repeat(100), limit: 50 }),
    () => ({ query: 'customer', limit: 50 }),
    () => ({}),
  ],
  describe_operation: [() => ({ id: 'createQuote' }), () => ({ id: 'createCustomer', path: 'body' })],
  call_operation: [
    () => ({ id: 'createCustomer', body: BODY }),
    () => ({ id: 'createCustomer', body: MANY }),
    refused(() => ({ id: 'createCustomer', body: Array(90_000).fill(1) })),
    () => ({ id: 'listCustomers', query: { limit: 100 } }),
    refused(() => ({ id: 'listCustomers', params: MANY })),
    refused(() => ({ id: 'createCustomer', query: MANY, body: {} })),
  ],
  why: [() => ({}), (filled) => ({ request: large(filled) }), ({ importing }) => ({ request: importing })],
  replay: ['now', 'before', 'fork'].map((against) => (filled) => ({ request: large(filled), against, body: BODY })),
  read_state: [
    () => ({}),
    ...[...TABLES.keys()].map((table) => () => ({ table, ...LIST })),
    (filled: Filled) => ({ id: rowOf(filled, 'transactions').id }),
  ],
  webhooks: [
    () => ({ act: 'list', ...LIST }),
    inCrowd('events', { act: 'list', type: LONG, ...LIST }),
    (filled) => ({ act: 'read', id: rowOf(filled, 'webhooks', -1).id }),
    (filled) => ({ act: 'wait', type: rowOf(filled, 'webhooks', -1).type, seconds: 0 }),
    refused(inCrowd('events', { act: 'wait', type: LONG, seconds: 0 })),
    async (filled) => {
      const sandbox = await filled.crowd('events');
      return {
        act: 'redeliver',
        id: rowOf({ ...filled, sandbox: filled.host.named(sandbox) }, 'webhooks').id,
        sandbox,
      };
    },
    inCopy({ act: 'trigger', type: 'OUTGOING_PAYMENT.COMPLETED' }),
    refused(inCopy({ act: 'trigger', type: 'CUSTOMER.KYC_APPROVED', set: MANY })),
    inCrowd('events', { act: 'set_endpoint', url: `http://127.0.0.1:9/${'x'.repeat(1900)}` }),
  ],
  clock: [
    inCrowd('jobs', { act: 'read' }),
    inCrowd('jobs', { act: 'advance', by: '2h' }),
    inCrowd('jobs', { act: 'settle', by: '2h' }),
    inCrowd('jobs', { act: 'move_to', to: '2026-01-06T00:00:00Z' }),
    inCopy({ act: 'hold' }),
    inCopy({ act: 'run', speed: 1000 }),
    async ({ crowd, host }) => {
      const sandbox = await crowd('jobs');
      return { act: 'run_job', job: [...host.named(sandbox).world.scheduler.jobs.rows()][0]?.id, sandbox };
    },
  ],
  decide: decisions.map((one) => async ({ copy }) => {
    const sandbox = await copy();
    const { id, body } = decidable(sandbox, one);
    return { id, answer: body, name: one.name, sandbox: sandbox.id };
  }),
  play: [
    ...['email', 'sms', 'oidc', 'passkey', 'app'].map((how) =>
      refused(() => ({ as: 'wallet', act: 'log_in', of: LONG, with: how })),
    ),
    ...['passkey', 'authenticator', 'card network'].map((as) => refused(() => ({ as, act: 'authorize', of: LONG }))),
    refused(() => ({ as: 'wallet', act: 'call', call: { id: 'createCustomer', body: MANY } })),
  ],
  faults: [
    () => ({ act: 'list' }),
    inCopy({ act: 'add', fault: { match: { path: `/${'*a'.repeat(99)}` }, then: { status: 503 } } }),
    refused(inCopy({ act: 'add', fault: { match: MANY, then: { status: 503 } } })),
    inCopy({ act: 'remove', id: 'fault-100' }),
    inCopy({ act: 'clear' }),
  ],
  snapshots: [
    () => ({ act: 'list' }),
    inCopy({ act: 'keep', name: LONG }),
    () => ({ act: 'diff', name: 'before' }),
    inCopy({ act: 'fork' }),
    ({ importing }) => ({ act: 'fork_before', request: importing }),
    inCopy({ act: 'reset' }),
    async ({ copy, send }) => {
      const { id: sandbox } = await copy();
      await send('POST', { path: '/snapshots', body: { name: 'a' }, of: sandbox });
      return { act: 'restore', name: 'a', sandbox };
    },
    async (filled) => {
      await filled.overlapping('POST', '/customers', { customerType: 'BUSINESS' });
      return { act: 'rewind', request: 'last' };
    },
  ],
  scenario: [
    () => ({ act: 'list' }),
    () => ({ act: 'check', text: `customers:\n${CUSTOMERS}\n` }),
    () => ({ act: 'check', text: 'x'.repeat(OF_A_CALL.characters) }),
    refused(() => ({ act: 'check', text: 'x'.repeat(1_000_000) })),
    () => ({ act: 'load', text: `customers:\n${CUSTOMERS}\n`, seed: LONG }),
  ],
  record: RECORDINGS.flatMap((as) =>
    EXPECTATIONS.map((expect) => ({ requests }) => ({ requests: requests.slice(21, 981), as, expect })),
  ),
  read_docs: [() => ({}), () => ({ query: LONG }), () => ({ page: 'docs/cli' })],
  sent_codes: [() => ({ ...LIST, subject: LONG }), () => LIST],
};

const message = (method: string, params: object): Sent => ({
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
});

test('no tool and no document keeps other calls waiting, whatever its input', async () => {
  const filled = await wellFilled();
  const slow: string[] = [];
  const walk = async (name: string, ask: () => Promise<Sent> | Sent, isRefused = false) => {
    const ms = await tooLong(async () => {
      const send = filled.ready('POST', await ask());
      return async () => {
        const { error, result } = JSON.parse((await send()).toString());
        expect([error, result?.isError ?? false], `${name}: ${JSON.stringify(result)?.slice(0, 300)}`).toEqual([
          undefined,
          isRefused,
        ]);
      };
    });
    if (ms !== undefined) slow.push(`${name}: ${ms} ms`);
  };
  const unasked: string[] = [];
  for (const { name, input } of TOOLS) {
    const all = LARGEST[name] ?? [];
    const seen = new Set<string>();
    for (const [i, one] of all.entries()) {
      const gives = typeof one === 'function' ? one : one.gives;
      const ask = async () => {
        const given = await gives(filled);
        for (const [member, value] of Object.entries(given)) seen.add(`${member}=${value}`);
        return message('tools/call', { name, arguments: given });
      };
      await walk(`${name}, input ${i}`, ask, typeof one !== 'function');
    }
    if (all.length === 0) unasked.push(name);
    unasked.push(
      ...choicesOf(input())
        .filter((one) => !seen.has(one))
        .map((one) => `${name} with ${one}`),
    );
  }
  expect(unasked, 'nothing is asked here of these: say what the largest is that they take').toEqual([]);
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
    await walk(method, () => message(method, {}));
  for (const { uri } of await documents()) await walk(uri, () => message('resources/read', { uri }));
  await walk('operation', () => message('resources/read', { uri: 'sandbox-emulator://operations/createQuote' }));
  expect(slow).toEqual([]);
});

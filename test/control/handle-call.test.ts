import { expect, onTestFinished, test } from 'vitest';
import { handleOf } from '../../src/handle.ts';
import { createApp } from '../../src/http/app.ts';
import { type Api, defineScenario, type SandboxHandle } from '../../src/index.ts';
import type { HostOptions, ProfileName } from '../../src/public.ts';
import { Host } from '../../src/sandbox/host.ts';

/** A sandbox in a program's hands, in a process without a socket; and a control of it. */
async function started<P extends ProfileName = 'spec'>(options: HostOptions & { profile?: P } = {}) {
  const host = await Host.start({ seed: 1, ...options });
  onTestFinished(() => host.close());
  createApp(host);
  const origin = 'http://127.0.0.1:4010';
  const sandbox: unknown = handleOf(host, host.default, `${origin}${host.basePath}`);
  const decide = async (id: string) => {
    const headers = { 'content-type': 'application/json', host: '127.0.0.1:4010' };
    const init = { method: 'POST', headers, body: '{"decision":"APPROVED"}' };
    return (await host.fetch(new Request(`${origin}/_emulator/customers/${id}/decision`, init))).status;
  };
  return { sandbox: sandbox as SandboxHandle<P>, decide };
}

const PERSON = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } as const;
const BUSINESS = {
  customerType: 'BUSINESS',
  businessInfo: { legalName: 'Keller Ltd', country: 'US', taxId: '12-3456789', incorporatedOn: '2020-01-01' },
} as const;

async function made(sandbox: SandboxHandle<ProfileName> | SandboxHandle, body: Api.CustomerCreateRequest) {
  const answer = await (sandbox as SandboxHandle).call('createCustomer', { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

test('a program calls an operation of a sandbox by its id, with path parameters and a query', async () => {
  const { sandbox } = await started();
  const id = await made(sandbox, PERSON);
  const read = await sandbox.call('getCustomerById', { params: { customerId: id } });
  expect(read).toMatchObject({ status: 200, body: { id, fullName: 'Ada Keller' } });
  const listed = await sandbox.call('listCustomers', { query: { limit: 5, region: undefined } });
  expect(listed).toMatchObject({ status: 200, body: { totalCount: 1 } });
});

test("a refusal resolves a program's call with its status and body", async () => {
  const { sandbox } = await started();
  const wrong = await sandbox.call('createCustomer', { body: {} as never });
  expect(wrong).toMatchObject({ status: 400, body: { status: 400, code: 'INVALID_INPUT' } });
  const unknown = await sandbox.call('getCustomerById', { params: { customerId: 'Customer:1' } });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
});

test('a reply without a body has a null body, and the request id of the log', async () => {
  const { sandbox } = await started();
  const token = await sandbox.call('createToken', { body: { name: 'reader', permissions: ['VIEW'] } });
  if (token.status !== 201) throw new Error(JSON.stringify(token.body));
  const gone = await sandbox.call('deleteTokenById', { params: { tokenId: token.body.id } });
  expect([gone.status, gone.body, gone.headers['x-request-id']]).toEqual([204, null, gone.requestId]);
});

test("a program's call rejects without a reply, and for an unknown operation or parameter", async () => {
  const { sandbox } = await started();
  await expect(sandbox.call('createCustomr' as string)).rejects.toThrow('did you mean createCustomer?');
  await expect(sandbox.call('listCustomers', { query: { limt: 5 } as never })).rejects.toThrow();
  sandbox.faults.add({ match: { operation: 'listCustomers' }, then: { drop: true } });
  await expect(sandbox.call('listCustomers')).rejects.toThrow('listCustomers');
});

test('an operation that requires an Idempotency-Key gets a new one at each call; a given key is sent, and gets the first reply again', async () => {
  const { sandbox } = await started({ scenario: { clock: { mode: 'held' } } });
  const register = () => sandbox.call('registerStablecoin', { body: {} as never });
  const keys = [await register(), await register()].map(
    (answer) => (answer as { idempotencyKey?: string }).idempotencyKey,
  );
  expect([typeof keys[0], new Set(keys).size]).toEqual(['string', 2]);
  const customerId = await made(sandbox, BUSINESS);
  const link = () =>
    sandbox.call('createCustomerKycLink', {
      params: { customerId },
      headers: { 'Idempotency-Key': 'one', 'X-Trace': undefined },
    });
  const [first, again] = [await link(), await link()];
  expect(again.body).toEqual(first.body);
});

test('a call gets another key than one that a client has taken from an example and sent itself', async () => {
  const { sandbox } = await started({ scenario: { clock: { mode: 'held' } } });
  const customerId = await made(sandbox, BUSINESS);
  const link = async (headers: Record<string, string> = {}) => {
    const sent = { params: { customerId }, headers, keyed: true } as never;
    return ((await sandbox.call('createCustomerKycLink', sent)) as { idempotencyKey?: string }).idempotencyKey;
  };
  const first = (await link()) as string;
  const next = first.replace(/^key-(\d+)/, (_, number) => `key-${Number(number) + 1}`);
  expect(await link({ 'Idempotency-Key': next })).toBe(next);
  expect([first, next]).not.toContain(await link());
});

test('calls on a held clock never get a key again, also after a day has dropped the first answers, and in a fork', async () => {
  const { sandbox } = await started({ scenario: { clock: { mode: 'held' } } });
  const customerId = await made(sandbox, BUSINESS);
  const keys: (string | undefined)[] = [];
  const links = async (of: SandboxHandle) => {
    for (let i = 0; i < 15; i += 1) {
      const answer = await of.call('createCustomerKycLink', { params: { customerId }, keyed: true } as never);
      keys.push((answer as { idempotencyKey?: string }).idempotencyKey);
    }
  };
  await links(sandbox);
  await sandbox.clock.advance('P2D');
  await links(sandbox);
  expect(new Set(keys).size).toBe(30);
  const fork = await sandbox.fork();
  await links(fork);
  expect(new Set(keys.slice(15)).size).toBe(30);
});

test.each(['spec', 'grid'] as const)(
  'a customer event has the customerType that its event type names, profile %s',
  async (profile) => {
    const scenario = { policies: { 'customer.decide': 'hold' } };
    const { sandbox, decide } = await started({ profile, scenario });
    expect(await decide(await made(sandbox, PERSON))).toBe(200);
    expect((await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED')).data.customerType).toBe('INDIVIDUAL');
    expect(await decide(await made(sandbox, BUSINESS))).toBe(200);
    expect((await sandbox.webhooks.waitFor('CUSTOMER.KYB_APPROVED')).data.customerType).toBe('BUSINESS');
  },
);

test('defineScenario returns its scenario, which an emulator then starts with', async () => {
  const scenario = defineScenario({ clock: { mode: 'held' } });
  expect(scenario).toEqual({ clock: { mode: 'held' } });
  expect((await started({ scenario })).sandbox.clock.state().mode).toBe('held');
});

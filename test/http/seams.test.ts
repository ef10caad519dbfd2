import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { signing, walletSignature } from '../../src/areas/signing/index.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { fail } from '../../src/contract/errors.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import {
  type Authorizer,
  inOrder,
  type Operation,
  type OperationContext,
  operationsOf,
  type PrincipalOf,
  reply,
} from '../../src/declare/operation.ts';
import { createApp } from '../../src/http/app.ts';
import { describeAll } from '../../src/http/openapi.ts';
import { type ClientKey, clientKey, proof, refused, walletKit } from '../kit/wallet.ts';

const operation = operationsOf('Test');
const Said = () => z.strictObject({ said: z.string() });
const Sent = () => z.object({ amount: z.int() });
const said = (text: string) => reply(200, { said: text });

/** The tokens of two agents, in the sandbox named `test` alone. */
const principalOf: PrincipalOf = ({ id }, token) =>
  id === 'test' && token.startsWith('token-') ? { kind: 'agent', agentId: token.slice(6) } : undefined;

/** A person confirms with a code what a 202 of its own shape told them: the amount. */
const confirmed: Authorizer<OperationContext<{ amount: number }>, unknown, unknown, string | undefined> = {
  replies: { 202: () => z.strictObject({ amount: z.int(), challengeId: z.string() }) },
  refuses: ['CONFLICT'],
  offeredIn: () => ({ ...confirmed, headers: [{ name: 'Sca-Code', description: 'The code' }] }),
  read: (context) => context.header('sca-code'),
  decide: ({ body, world }, code) => {
    if (code === undefined)
      return { challenge: reply(202, { amount: body.amount, challengeId: world.newId('ScaChallenge') }) };
    if (code !== '123456') fail('CONFLICT', 'the code is wrong');
    return {};
  },
};

async function seams(change: (op: Operation) => Operation = (op) => op) {
  const it = await walletKit();
  const { key } = await it.login();
  const counts = { load: 0, check: 0, wait: 0 };
  const signedBy = (keys: readonly ClientKey[]) => (_ask: OperationContext, _loaded: unknown, publicKey: string) =>
    keys.some((one) => one.compressed === publicKey) ? undefined : 'another key';
  const operations = [
    operation({
      id: 'getAgentMe',
      endpoint: 'GET /agents/me',
      summary: 'Who I am',
      auth: 'bearer',
      replies: { 200: Said },
      read: ({ principal }) => said(principal.kind === 'agent' ? principal.agentId : principal.kind),
    }),
    operation({
      id: 'redeemAgentDeviceCode',
      endpoint: 'POST /agents/device-codes/{code}/redeem',
      summary: 'A code is all there is',
      auth: 'none',
      example: { params: { code: '0000' } },
      isFor: (world, { code }) => world.rows(CUSTOMERS).find('platformCustomerId', code as string) !== undefined,
      replies: { 200: Said },
      refuses: ['USER_NOT_FOUND'],
      load: ({ world, params }) =>
        world.rows(CUSTOMERS).find('platformCustomerId', params.code) ?? fail('USER_NOT_FOUND', 'unknown code'),
      write: ({ world, principal }) => said(`${world.id} ${principal.kind}`),
    }),
    operation({
      id: 'createDelegatedKey',
      endpoint: 'POST /auth/delegated-keys',
      summary: 'Two challenges, three calls',
      body: Sent,
      example: { body: { amount: 1 } },
      replies: { 200: Said },
      authorize: walletSignature({
        legs: 2,
        stash: ({ world }: OperationContext, loaded: { n: number }, _waited: string, before) =>
          before
            ? { made: `${before.kept['first']} ${world.newId('DelegatedKey').split(':')[0]}` }
            : { first: `${loaded.n}` },
        payload: (_ask, _loaded, waited, stashed) => `${waited} ${stashed['made'] ?? stashed['first']}`,
        rejectKey: signedBy([key]),
      }),
      load: () => ({ n: ++counts.load }),
      check: () => {
        counts.check += 1;
      },
      wait: async () => `waited ${++counts.wait}`,
      write: (_ask, _loaded, _waited, { challenge }) => said(String(challenge?.kept['made'])),
    }),
    operation({
      id: 'agentCreateTransferOut',
      endpoint: 'POST /agents/me/transfer-out',
      summary: 'Signed, then confirmed',
      auth: 'bearer',
      idempotency: 'optional',
      body: Sent,
      example: { body: { amount: 1 } },
      replies: { 200: Said },
      authorize: inOrder(
        walletSignature({
          payload: ({ body }: OperationContext<{ amount: number }>) => `pay ${body.amount}`,
          rejectKey: signedBy([key]),
        }),
        confirmed,
      ),
      load: () => ({ n: ++counts.load }),
      write: ({ world, principal }) => said(`${principal.kind} paid ${world.newId('Transaction').split(':')[0]}`),
    }),
    operation({
      id: 'listDelegatedKeys',
      endpoint: 'GET /auth/delegated-keys',
      summary: 'Basic, as most',
      replies: { 200: Said },
      read: ({ principal }) => said(principal.kind),
    }),
  ].map(change);
  const app = createApp(it.host, [...OPERATIONS, ...operations], [principalOf]);
  const call = async (
    method: string,
    path: string,
    authorization?: string,
    more: Record<string, string> = {},
    body?: unknown,
  ) => {
    const response = await app.request(`http://127.0.0.1:4010${it.host.basePath}${path}`, {
      method,
      headers: { ...(authorization ? { authorization } : {}), 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) };
  };
  const [login] = it.sandbox.credentials;
  const basic = `Basic ${Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64')}`;
  return { it, key, call, basic, counts, operations };
}

describe('authentication schemes of operations', () => {
  test('a bearer operation answers the agent that the token stands for', async () => {
    const { call } = await seams();
    expect(await call('GET', '/agents/me', 'Bearer token-a')).toMatchObject({ status: 200, body: { said: 'a' } });
  });

  test.each([
    ['no credentials', undefined],
    ['Basic credentials', 'Basic dGVzdDpzZWNyZXQ='],
    ['an unknown token', 'Bearer x'],
  ])('a bearer operation refuses %s with 401 and asks for Bearer', async (_, authorization) => {
    const { call } = await seams();
    const answer = await call('GET', '/agents/me', authorization);
    expect([answer.status, answer.body.code, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'UNAUTHORIZED',
      'Bearer realm="sandbox-emulator"',
    ]);
  });

  test("an agent's token on a Basic operation is refused with 401 and asks for Basic", async () => {
    const { call, basic } = await seams();
    const answer = await call('GET', '/auth/delegated-keys', 'Bearer token-a');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="sandbox-emulator"']);
    expect((await call('GET', '/auth/delegated-keys', basic)).body).toEqual({ said: 'platform' });
  });

  test('an operation without credentials runs in the sandbox that its declaration finds', async () => {
    const { it, call } = await seams();
    const other = await it.host.fork(it.host.default);
    const [customer] = [...it.sandbox.world.rows(CUSTOMERS).rows()];
    if (!customer) throw new Error('a customer is there');
    other.world.rows(CUSTOMERS).put({ ...customer, platformCustomerId: 'code-1' });
    expect(await call('POST', '/agents/device-codes/code-1/redeem')).toMatchObject({
      status: 200,
      body: { said: `${other.id} anonymous` },
    });
    const unknown = await call('POST', '/agents/device-codes/code-2/redeem', 'Basic nonsense');
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([404, null]);
  });
});

describe('authorizers', () => {
  test('an authorizer can require two signatures in turn, the second over the result of the first', async () => {
    const { call, basic, key, counts } = await seams();
    const leg = (headers: Record<string, string> = {}) =>
      call('POST', '/auth/delegated-keys', basic, headers, { amount: 1 });
    const first = await leg();
    expect([first.status, first.body.payloadToSign]).toEqual([202, 'waited 1 2']);
    const second = await leg(await proof(key, first));
    expect([second.status, second.body.payloadToSign]).toEqual([202, 'waited 2 2 DelegatedKey']);
    expect(refused(await leg(await proof(key, first)))).toEqual([401, 'UNAUTHORIZED', 'Request-Id was used before']);
    const third = await leg(await proof(key, second));
    expect([third.status, third.body]).toEqual([200, { said: '2 DelegatedKey' }]);
    expect(counts).toMatchObject({ load: 6, check: 6, wait: 3 });
  });

  test('a second authorizer decides after the first with its own 202, and proofs are used up when both have granted', async () => {
    const { call, key } = await seams();
    const pay = (headers: Record<string, string> = {}, amount = 5) =>
      call('POST', '/agents/me/transfer-out', 'Bearer token-a', { 'idempotency-key': 'k', ...headers }, { amount });
    const first = await pay();
    expect([first.status, first.body.payloadToSign]).toEqual([202, 'pay 5']);
    const signature = await proof(key, first);
    const second = await pay(signature);
    expect([second.status, second.body]).toEqual([
      202,
      { amount: 5, challengeId: expect.stringMatching(/^ScaChallenge:/) },
    ]);
    expect((await pay({ ...signature, 'sca-code': '000000' })).status).toBe(409);
    const third = await pay({ ...signature, 'sca-code': '123456' });
    expect([third.status, third.body]).toEqual([200, { said: 'agent paid Transaction' }]);
    expect((await pay({ ...signature, 'sca-code': '123456' })).text).toBe(third.text);
  });

  test('a challenge of one agent is unknown to another, and each has its own Idempotency-Key', async () => {
    const { call, key } = await seams();
    const pay = (agent: string, headers: Record<string, string>) =>
      call(
        'POST',
        '/agents/me/transfer-out',
        `Bearer token-${agent}`,
        { 'idempotency-key': 'k', ...headers },
        { amount: 5 },
      );
    const first = await pay('a', {});
    const signed = { ...(await proof(key, first)), 'sca-code': '123456' };
    expect(refused(await pay('b', signed))).toEqual([401, 'UNAUTHORIZED', 'Request-Id is unknown']);
    expect((await pay('a', signed)).status).toBe(200);
    expect((await pay('b', {})).status).toBe(202);
    expect((await pay('a', {})).status).toBe(200);
  });
});

test('rows are loaded and checked again only after a wait that happened', async () => {
  const { call, basic, counts } = await seams((op) => (op.wait ? { ...op, wait: () => 'nothing' } : op));
  const first = await call('POST', '/auth/delegated-keys', basic, {}, { amount: 1 });
  expect([first.status, first.body.payloadToSign]).toEqual([202, 'nothing 1']);
  expect(counts).toMatchObject({ load: 1, check: 1 });
});

test('the OpenAPI document has the schemes, headers, challenges and refusals that operations and authorizers declare', async () => {
  const { operations } = await seams();
  // biome-ignore lint/suspicious/noExplicitAny: a document
  const { paths, components } = describeAll(PROFILES.spec, operations) as any;
  expect(Object.keys(components.securitySchemes).sort()).toEqual(['BasicAuth', 'BearerAuth']);
  expect(paths['/agents/me'].get.security).toEqual([{ BearerAuth: [] }]);
  expect(paths['/auth/delegated-keys'].get.security).toBeUndefined();
  const redeem = paths['/agents/device-codes/{code}/redeem'].post;
  expect([redeem.security, Object.keys(redeem.responses)]).toEqual([[], ['200', '404', '500']]);
  const pay = paths['/agents/me/transfer-out'].post;
  expect(pay.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'Service-Wallet-Signature',
    'Request-Id',
    'Sca-Code',
    'Idempotency-Key',
  ]);
  expect(Object.keys(pay.responses)).toEqual(['200', '202', '400', '401', '409', '500']);
});

describe('signed retries', () => {
  const looks = async (callOf: (it: Awaited<ReturnType<typeof walletKit>>) => [string, string, unknown]) => {
    const it = await walletKit();
    const { key } = await it.login();
    const [method, path, body] = callOf(it);
    const headers = await proof(key, await it.call(method, path, body));
    const { world } = it.sandbox;
    const lookedUp = vi.spyOn(world.rows(signing.tables[0] as NonNullable<(typeof signing.tables)[0]>), 'get');
    const transactions = vi.spyOn(world, 'transact');
    const status = (await it.call(method, path, body, { headers })).status;
    return { status, lookedUp: lookedUp.mock.calls.length, transactions: transactions.mock.calls.length };
  };

  test('a signed retry for a tied contact reads its challenge once and writes in one transaction', async () => {
    const change = { email: 'new@example.com' };
    expect(await looks((it) => ['PATCH', `/customers/${it.customerId}`, change])).toEqual({
      status: 200,
      lookedUp: 1,
      transactions: 1,
    });
  });

  test('a signed retry that waits for cryptography reads its challenge before and after the wait', async () => {
    const sent = { clientPublicKey: clientKey().uncompressed };
    expect(await looks((it) => ['POST', `/internal-accounts/${it.accountId}/export`, sent])).toEqual({
      status: 200,
      lookedUp: 2,
      transactions: 1,
    });
  });
});

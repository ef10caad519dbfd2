import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { individual } from '../areas/onboarding/material.ts';
import { kit } from '../kit/sandbox.ts';

describe('GET /_emulator/operations', () => {
  test('the list of operations names every operation with its area and summary', async () => {
    const it = await kit();
    const { body } = await it.control('GET', '/operations');
    expect(body.data.length).toBe(OPERATIONS.length);
    expect(body.data.find(({ id }: { id: string }) => id === 'createQuote')).toEqual({
      id: 'createQuote',
      method: 'POST',
      path: '/quotes',
      area: 'Cross-Currency Transfers',
      summary: expect.any(String),
      built: true,
      calls: 0,
    });
  });

  test('the list of operations is searched by words in any order, the best match first, and by area (G1)', async () => {
    const it = await kit();
    const ids = async (query: string) =>
      (await it.control('GET', `/operations?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect((await ids('q=quote+execute&area=cross-currency+transfers'))[0]).toBe('executeQuote');
    expect((await ids('q=cards+reveal'))[0]).toBe('revealCard');
    expect((await ids('q=capture'))[0]).toBe('sandboxSimulateCardClearing');
    expect(await ids('q=xyzzyplugh')).toEqual([]);
  });
});

describe('GET /_emulator/operations/{id}', () => {
  test('GET /_emulator/operations/{id} shows the parameters and replies of an operation', async () => {
    const it = await kit();
    const { status, body } = await it.control('GET', '/operations/getExchangeRates');
    expect(status).toBe(200);
    expect(body).toMatchObject({ method: 'GET', path: '/exchange-rates', auth: 'basic', idempotent: 'no' });
    expect(body.parameters.map(({ name }: { name: string }) => name)).toContain('sourceCurrency');
    expect(body.replies.map((one: { status: number }) => one.status)).toEqual([200, 400, 401, 403, 500]);
  });

  test('GET /_emulator/operations/{id} refuses an unknown operation with 404 and the nearest name', async () => {
    const it = await kit();
    const answer = await it.control('GET', '/operations/createQuot');
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe('there is no operation createQuot; did you mean createQuote?');
  });

  test('GET /_emulator/operations/{id} leaves no reference in the schemas of any operation, under either profile', async () => {
    for (const profile of ['spec', 'grid'] as const) {
      const it = await kit({ profile });
      for (const { id } of OPERATIONS) {
        const answer = await it.control('GET', `/operations/${id}`);
        expect(answer.status, id).toBe(200);
        expect(answer.text.includes('"$ref"'), id).toBe(false);
      }
    }
  });
});

describe('POST /_emulator/operations/{id}/call', () => {
  test('a call of a device code by its operation id redeems it in the sandbox that the call names, a fork too', async () => {
    const it = await kit({ scenario: 'agents' });
    const { body: other } = await it.control('POST', '/sandboxes', { scenario: 'agents' });
    const { body: fork } = await it.control('POST', `/sandboxes/${it.sandbox.id}/fork`);
    for (const { id } of [fork, other, it.sandbox]) {
      const call = (operation: string, sent: object) =>
        it.control('POST', `/operations/${operation}/call?sandbox=${id}`, sent);
      const code = 'SERVICE-AGENT-RENT-2026';
      const { body: redeemed } = await call('redeemAgentDeviceCode', { params: { code } });
      expect(redeemed.status).toBe(200);
      const { body: read } = await call('getAgentById', { params: { agentId: redeemed.body.agentId } });
      expect(read.body).toMatchObject({ id: redeemed.body.agentId, isConnected: true });
      const entry = await it.control('GET', `/requests/${redeemed.requestId}?sandbox=${id}`);
      expect(entry.body.operation).toBe('redeemAgentDeviceCode');
    }
  });

  test.each([
    ['getAgentMe', {}, 401],
    ['agentListTransactions', { headers: { Authorization: 'Bearer sat_0000' } }, 401],
    ['redeemAgentDeviceCode', { params: { code: 'UNKNOWN' } }, 404],
  ])('a call of %s that no principal makes is logged in the sandbox that the call names', async (id, sent, status) => {
    const it = await kit();
    const { body: other } = await it.control('POST', '/sandboxes');
    const { body } = await it.control('POST', `/operations/${id}/call?sandbox=${other.id}`, sent);
    expect(body.status).toBe(status);
    const entry = await it.control('GET', `/requests/${body.requestId}?sandbox=${other.id}`);
    expect(entry.body).toMatchObject({ operation: id, status });
    expect((await it.control('GET', '/requests')).body.data).toEqual([]);
  });

  test('a call of an operation uses the credentials of the sandbox and returns the reply', async () => {
    const it = await kit();
    const made = await it.control('POST', '/operations/createCustomer/call', { body: individual });
    expect(made.status).toBe(200);
    expect(made.body.status).toBe(201);
    const read = await it.control('POST', '/operations/getCustomerById/call', {
      params: { customerId: made.body.body.id },
    });
    expect(read.body.body.fullName).toBe(individual.fullName);
    expect((await it.control('GET', `/requests/${read.body.requestId}`)).body.operation).toBe('getCustomerById');
  });

  test('a call of an operation sends query parameters', async () => {
    const it = await kit();
    for (const fullName of ['Ada Keller', 'Omar Diaz']) await it.post('/customers', { ...individual, fullName });
    const { body } = await it.control('POST', '/operations/listCustomers/call', { query: { limit: 1 } });
    expect(body.status).toBe(200);
    expect(body.body.totalCount).toBe(2);
    expect(body.body.data.length).toBe(1);
  });

  test('a call of an operation sends a file as a form', async () => {
    const it = await kit();
    const file = { name: 'people.csv', type: 'text/csv', text: 'platformCustomerId,customerType,fullName\n' };
    const { body } = await it.control('POST', '/operations/uploadCustomersCsv/call', { body: { file } });
    expect(body.status).toBe(202);
  });

  test('a call of an operation is refused with 400 for wrong parameters, and the refusal names the right ones', async () => {
    const it = await kit();
    const answer = await it.control('POST', '/operations/getCustomerById/call', {
      params: { id: 'x' },
      query: { limt: 1 },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details.errors).toEqual([
      { field: 'params.customerId', message: 'is missing: the path is /customers/{customerId}' },
      { field: 'params.id', message: 'getCustomerById has no such parameter; there is customerId' },
      { field: 'query.limt', message: 'getCustomerById has no such parameter; there is none' },
    ]);
  });

  test.each([
    ['a header with a line break', 'listCustomers', { headers: { x: 'a\nb' } }, 'headers.x'],
    ['a header beyond Latin-1', 'listCustomers', { headers: { x: '\u2603' } }, 'headers.x'],
    ['a header with a NUL', 'listCustomers', { headers: { x: '\0' } }, 'headers.x'],
    ['a body for a GET', 'listCustomers', { body: {} }, 'body'],
    ['half a surrogate pair in the path', 'getCustomerById', { params: { customerId: '\ud800' } }, 'params.customerId'],
  ])('a call of an operation with %s is refused with 400 and not sent to the API', async (_, id, sent, field) => {
    const it = await kit();
    const { status, body } = await it.control('POST', `/operations/${id}/call`, sent);
    expect([status, body.details?.errors.map((error: { field: string }) => error.field)]).toEqual([400, [field]]);
    expect(it.sandbox.requestLog.calls.get(id)).toBe(undefined);
  });

  test('a call of an operation that the API refuses is answered with 200, with the refusal in it', async () => {
    const it = await kit();
    const { status, body } = await it.control('POST', '/operations/createCustomer/call', { body: {} });
    expect([status, body.status, body.body.code]).toEqual([200, 400, 'INVALID_INPUT']);
  });

  test('a call of an operation is refused with 503 when a fault closes the connection', async () => {
    const it = await kit();
    await it.control('POST', '/faults', { match: { operation: 'listCustomers' }, then: { drop: true } });
    const answer = await it.control('POST', '/operations/listCustomers/call', {});
    expect(answer.status).toBe(503);
    expect(answer.body.message).toBe('listCustomers got no reply: fetch failed: a fault closed the connection');
  });

  test('a call of an operation sends an Idempotency-Key where the operation requires one', async () => {
    const it = await kit();
    const body = { provider: 'STABLECOIN_PROVIDER_1', apiClientId: 'one', apiClientSecret: 'sesame' };
    const link = async () =>
      (await it.control('POST', '/operations/linkStablecoinProviderAccount/call', { body })).body.status;
    expect(await link()).toBe(201);
  });

  test('two examples of one moment, and a call between them, have three Idempotency-Keys', async () => {
    const it = await kit();
    const path = '/operations/linkStablecoinProviderAccount';
    const example = async () => (await it.control('GET', path)).body.example;
    const examples = [await example(), await example()];
    const { headers, ...bare } = examples[0];
    const sent = [bare, ...examples].map(async (one) => (await it.control('POST', `${path}/call`, one)).body);
    const keys = (await Promise.all(sent)).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.slice(1)).toEqual(examples.map((one) => one.headers['Idempotency-Key']));
    expect(new Set(keys).size).toBe(3);
  });
});

test.each([{ text: 1 }, { text: {} }, { base64: 1 }, { text: 'a', name: 7 }, {}, null])(
  'a call of an upload with the file %j is refused with 400 that names the file',
  async (file) => {
    const it = await kit();
    const { status, body } = await it.control('POST', '/operations/uploadDocument/call', { body: { file } });
    expect([status, body.details.errors[0].field]).toEqual([400, 'body.file']);
  },
);

import { describe, expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { kit, refusal } from '../kit/sandbox.ts';

describe('the request log', () => {
  test('the request log is newest first, is filtered by operation and status, and carries the id of each reply', async () => {
    const { get, post, control } = await kit();
    await get('/config');
    const refused = await post('/customers', { customerType: 'INDIVIDUAL', birthDate: 'x' });
    const made = await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ann Lee 002' });
    const list = async (query = '') =>
      (await control('GET', `/requests${query}`)).body.data.map((line: { id: string }) => line.id);
    expect(await list()).toHaveLength(3);
    expect(await list('?operation=createCustomer')).toEqual([
      made.headers.get('x-request-id'),
      refused.headers.get('x-request-id'),
    ]);
    expect(await list('?status=400')).toEqual([refused.headers.get('x-request-id')]);
    expect(await list('?limit=1')).toEqual([made.headers.get('x-request-id')]);
    for (const query of ['?limit=0', '?limit=x', '?status=abc'])
      expect(refusal(await control('GET', `/requests${query}`)).status).toBe(400);
  });

  test('the log of one request shows what was sent and answered, why, and what it caused', async () => {
    const { post, control, events, sandbox } = await kit();
    const made = await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ann Lee 002' });
    const one = (await control('GET', `/requests/${made.headers.get('x-request-id')}`)).body;
    expect(one).toMatchObject({
      method: 'POST',
      path: '/2025-10-13/customers',
      operation: 'createCustomer',
      status: 201,
      magic: ['fullName ends in 002: reject'],
      request: { body: '{"customerType":"INDIVIDUAL","fullName":"Ann Lee 002"}' },
      reply: { body: made.text },
      why: { outcome: 'done' },
      caused: { webhooks: [{ id: events()[0]?.id, type: 'CUSTOMER.KYC_REJECTED', state: 'UNSENT', attempts: 0 }] },
    });
    expect(sandbox.id).toBe('test');
    const refused = await post('/customers', { customerType: 'INDIVIDUAL', umaAddress: 'x' });
    expect((await control('GET', `/requests/${refused.headers.get('x-request-id')}`)).body).toMatchObject({
      code: 'INVALID_UMA_ADDRESS',
      why: {
        outcome: 'refused',
        code: 'INVALID_UMA_ADDRESS',
        rule: expect.stringMatching(/^spec 2\.8/),
        section: 'spec 2.8',
        seen: 'x',
      },
      caused: { webhooks: [], jobs: [] },
    });
    expect(refusal(await control('GET', '/requests/req_0')).status).toBe(404);
  });

  test('the log of a request masks credentials, identifiers and one-time codes, also in a body that is cut short', async () => {
    const { post, control } = await kit();
    const pad = 'x'.repeat(16_370);
    for (const body of [
      '{"identifier":"123-45-6789","code":"654321","otp" : "111111"}',
      '{"code":654321,"identifier":123456789}',
      `{"pad":"${pad}","identifier":"123-45-6789"}`.replace(pad, 'x'.repeat(16_384 - 30)),
      '{"identifier":"123-45-67\\"89"}',
      '{"identifier":"123-45-6789',
    ])
      await post('/customers', undefined, { raw: body, headers: { 'content-type': 'application/json' } });
    for (const { id } of (await control('GET', '/requests')).body.data) {
      const one = await control('GET', `/requests/${id}`);
      expect(one.body.request.headers.authorization).toBe('•••');
      for (const secret of ['123-45', '123456789', '654321', '111111', Buffer.from('test:secret').toString('base64')])
        expect(one.body.request.body + JSON.stringify(one.body.request.headers), secret).not.toContain(secret);
    }
  });

  test('the log of a request does not mask the code of an error or of a currency', async () => {
    const { post, get, control } = await kit();
    const refused = await post('/customers', {});
    const listed = await get('/platform/internal-accounts', { currency: 'USD' });
    const body = async (answer: typeof refused) =>
      (await control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body.reply.body;
    expect(await body(refused)).toContain('"code":"INVALID_INPUT"');
    expect(await body(listed)).toContain('"code":"USD"');
  });

  test('the request log keeps the last 1,000 requests, with long bodies cut', async () => {
    const { get, post, control, sandbox } = await kit();
    await post('/customers', { customerType: 'INDIVIDUAL', pad: 'x'.repeat(100_000) });
    const [first] = sandbox.requestLog.newest();
    expect(first?.body.length).toBeLessThan(17_000);
    for (let i = 0; i < 1005; i += 1) await get('/config');
    expect([...sandbox.requestLog.newest()]).toHaveLength(1000);
    expect((await control('GET', '/requests?limit=1000')).body.data).toHaveLength(1000);
    expect(refusal(await control('GET', '/requests/req_1')).status).toBe(404);
  });

  test('each sandbox has its own request log', async () => {
    const { call, control } = await kit();
    await call('GET', '/config', undefined, { as: 'other:x' });
    expect((await control('GET', '/requests')).body.data).toEqual([]);
    expect((await control('GET', '/requests?sandbox=other')).body.data).toHaveLength(1);
  });
});

describe('webhooks', () => {
  test('the list of webhooks is newest first, filtered by type and paged, and one webhook is found by its id', async () => {
    const { post, control } = await kit();
    for (const customerType of ['INDIVIDUAL', 'BUSINESS', 'INDIVIDUAL']) await post('/customers', { customerType });
    const list = async (query: string) => (await control('GET', `/webhooks${query}`)).body;
    const all = await list('');
    expect(all.data.map((d: { type: string }) => d.type)).toEqual([
      'CUSTOMER.KYC_APPROVED',
      'CUSTOMER.KYB_APPROVED',
      'CUSTOMER.KYC_APPROVED',
    ]);
    expect((await list('?type=CUSTOMER.KYB_APPROVED')).totalCount).toBe(1);
    const first = await list('?limit=2');
    expect(first.hasMore).toBe(true);
    expect((await list(`?limit=2&cursor=${first.nextCursor}`)).data).toEqual(all.data.slice(2));
    const [event] = all.data;
    expect((await control('GET', `/webhooks/${event.id}`)).body).toEqual(event);
    expect(event.payload).toMatchObject({ id: event.id, type: event.type, data: { customerType: 'INDIVIDUAL' } });
    expect(refusal(await control('GET', '/webhooks/none')).status).toBe(404);
    expect(refusal(await control('POST', '/webhooks/none/redeliver')).status).toBe(404);
    expect(refusal(await control('POST', `/webhooks/${event.id}/redeliver`))).toMatchObject({
      status: 400,
      code: 'WEBHOOK_ENDPOINT_NOT_SET',
    });
  });

  test('a webhook endpoint gets one TEST event when a control sets it, and none when it stays the same or is removed (U10)', async () => {
    const { control, settle, get } = await kit();
    const hooks = await receiver();
    expect((await control('PUT', '/webhooks/endpoint', { url: hooks.url })).body).toEqual({ url: hooks.url });
    await settle();
    expect(hooks.received.map(({ event }) => event.type)).toEqual(['TEST']);
    await control('PUT', '/webhooks/endpoint', { url: hooks.url });
    expect((await get('/config')).body.webhookEndpoint).toBe(hooks.url);
    expect((await control('PUT', '/webhooks/endpoint', { url: null })).body).toEqual({ url: null });
    expect((await control('GET', '/webhooks/endpoint')).body).toEqual({ url: null });
    expect((await control('GET', '/webhooks')).body.totalCount).toBe(1);
    for (const body of [{}, { url: 'x' }, { url: 7 }, { url: 'file:///etc/passwd' }])
      expect(refusal(await control('PUT', '/webhooks/endpoint', body)).status).toBe(400);
  });
});

import { describe, expect, test } from 'vitest';
import { receiver, signedBy } from '../../kit/receiver.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

describe('POST /sandbox/webhooks/test, 200', () => {
  test("a test webhook sends one signed TEST event before the reply, which shows the receiver's answer", async () => {
    const hooks = await receiver();
    hooks.react = () => ({ status: 202, body: 'taken' });
    const { post, control } = await kit({ webhookUrl: hooks.url });
    const { status, body } = await post('/sandbox/webhooks/test');
    expect([status, body]).toEqual([200, { url: hooks.url, response_status: 202, response_body: 'taken' }]);
    expect(hooks.received).toHaveLength(1);
    const [delivery] = hooks.received;
    expect(delivery?.event).toEqual({
      id: expect.stringMatching(/^Webhook:/),
      type: 'TEST',
      timestamp: '2026-01-05T09:00:00.000Z',
      data: {},
    });
    if (delivery) expect(signedBy((await control('GET', '/webhooks/key')).body.pem, delivery)).toBe(true);
  });

  test.each([
    ['/{tenant}|a^b', '/%7Btenant%7D%7Ca%5Eb'],
    ['/größe?q=ö x', '/gr%C3%B6%C3%9Fe?q=%C3%B6%20x'],
    ['/100%[1]#part', '/100%25%5B1%5D'],
    ['/a%20b?c=d', '/a%20b?c=d'],
  ])('the answer to a test webhook for %s shows the URI that was requested', async (path, shown) => {
    const hooks = await receiver();
    const { origin } = new URL(hooks.url);
    const { post } = await kit({ webhookUrl: `${origin}${path}` });
    const { status, body } = await post('/sandbox/webhooks/test');
    expect([status, body['url']]).toEqual([200, `${origin}${shown}`]);
  });

  test('each test webhook has its own id, and its request body is ignored', async () => {
    const hooks = await receiver();
    const { call } = await kit({ webhookUrl: hooks.url });
    for (const raw of ['{"url":"http://elsewhere.example"}', '{'])
      expect((await call('POST', '/sandbox/webhooks/test', undefined, { raw })).status).toBe(200);
    expect(new Set(hooks.received.map(({ event }) => event.id)).size).toBe(2);
  });
});

describe('POST /sandbox/webhooks/test, 400', () => {
  test('a test webhook is refused with 400 WEBHOOK_ENDPOINT_NOT_SET without an endpoint', async () => {
    const { post } = await kit();
    expect(refusal(await post('/sandbox/webhooks/test'))).toMatchObject({
      status: 400,
      code: 'WEBHOOK_ENDPOINT_NOT_SET',
    });
  });

  test('a test webhook is refused with 400 and sent once when the receiver refuses it or is down', async () => {
    const hooks = await receiver();
    const { post, advance } = await kit({ webhookUrl: hooks.url });
    for (const status of [500, 409, 302]) {
      hooks.react = () => status;
      const answer = await post('/sandbox/webhooks/test');
      expect(refusal(answer)).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
      expect(answer.body.details).toMatchObject({ url: hooks.url, response_status: status });
    }
    await hooks.kill();
    const answer = await post('/sandbox/webhooks/test');
    expect(answer.body).toMatchObject({
      code: 'WEBHOOK_DELIVERY_ERROR',
      details: { error: expect.stringContaining('ECONNREFUSED') },
    });
    await hooks.revive();
    await advance('P8D');
    expect(hooks.received).toHaveLength(3);
  });

  test('a refused test webhook leaves the ids of later rows as they are, and its own id is not used again (R10)', async () => {
    const hooks = await receiver();
    const [tested, quiet] = [await kit({ webhookUrl: hooks.url }), await kit({ webhookUrl: hooks.url })];
    hooks.react = () => 500;
    for (let i = 0; i < 2; i += 1) expect((await tested.post('/sandbox/webhooks/test')).status).toBe(400);
    expect(new Set(hooks.received.map(({ event }) => event.id)).size).toBe(2);
    const make = async ({ post }: typeof tested) => (await post('/customers', { customerType: 'BUSINESS' })).body;
    expect(await make(tested)).toEqual(await make(quiet));
  });

  test('a test webhook reaches a receiver that was restarted at the first attempt', async () => {
    const hooks = await receiver();
    const { post } = await kit({ webhookUrl: hooks.url });
    for (let i = 0; i < 3; i += 1) {
      expect((await post('/sandbox/webhooks/test')).status).toBe(200);
      await hooks.kill();
      await hooks.revive();
    }
  });
});

describe('POST /sandbox/webhooks/test, 401 and 403', () => {
  test('a test webhook is refused with 401 without credentials, and with 403 without VIEW', async () => {
    const { post } = await kit({ scenario: { credentials: [{ id: 'm', secret: 's', permissions: ['MANAGE'] }] } });
    expect((await post('/sandbox/webhooks/test', undefined, { as: null })).status).toBe(401);
    expect((await post('/sandbox/webhooks/test')).status).toBe(403);
  });
});

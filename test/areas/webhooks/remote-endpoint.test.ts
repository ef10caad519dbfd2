import { describe, expect, test } from 'vitest';
import type { HostOptions } from '../../../src/public.ts';
import { receiver } from '../../kit/receiver.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

// The name can never be resolved (RFC 2606): nothing could leave this machine even if the rule failed.
const REMOTE = 'https://hooks.invalid/in';
const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Obi', birthDate: '1990-01-02', email: 'ada@example.com' };
const scenario = ['default', { platform: { webhookUrl: REMOTE } }];

/** An emulator whose endpoint is on another machine, set in each way there is; the query names the sandbox. */
const ROADS: Readonly<Record<string, (options?: HostOptions) => Promise<{ it: Kit; sandbox: string; as?: string }>>> = {
  'PATCH /config': async (options = {}) => {
    const it = await kit(options);
    await it.patch('/config', { webhookEndpoint: REMOTE });
    return { it, sandbox: '' };
  },
  'PUT /_emulator/webhooks/endpoint': async (options = {}) => {
    const it = await kit(options);
    expect((await it.control('PUT', '/webhooks/endpoint', { url: REMOTE })).status).toBe(200);
    return { it, sandbox: '' };
  },
  'a scenario': async (options = {}) => ({ it: await kit({ ...options, scenario: scenario as never }), sandbox: '' }),
  'POST /_emulator/sandboxes': async (options = {}) => {
    const it = await kit(options);
    const { body } = await it.control('POST', '/sandboxes', { webhookUrl: REMOTE });
    return { it, sandbox: `?sandbox=${body.id}`, as: `${body.credentials.id}:${body.credentials.secret}` };
  },
  'a fork': async (options = {}) => {
    const it = await kit(options);
    await it.patch('/config', { webhookEndpoint: REMOTE });
    const { body } = await it.control('POST', `/sandboxes/${it.sandbox.id}/fork`);
    return { it, sandbox: `?sandbox=${body.id}`, as: `${body.credentials.id}:${body.credentials.secret}` };
  },
  'PUT /_emulator/state': async (options = {}) => {
    const other = await kit({ allowRemoteWebhooks: true, scenario: scenario as never });
    const { text } = await other.control('GET', '/state');
    const it = await kit(options);
    expect((await it.control('PUT', '/state', JSON.parse(text))).status).toBe(200);
    return { it, sandbox: '' };
  },
};

const roads = Object.keys(ROADS);
const newest = async (it: Kit, sandbox: string) =>
  (await it.control('GET', `/webhooks${sandbox}${sandbox ? '&' : '?'}type=CUSTOMER.KYC_APPROVED`)).body.data[0];

describe('an endpoint on another machine (C4, C5)', () => {
  test.each(roads)(
    'a remote endpoint set by %s is shown, and its deliveries are UNSENT with the reason (C4, C5)',
    async (road) => {
      const { it, sandbox, as } = await (ROADS[road] as (typeof ROADS)[string])();
      const shown = await it.control('GET', `/webhooks/endpoint${sandbox}`);
      expect(shown.body).toEqual({ url: REMOTE, unsent: expect.stringContaining('--allow-remote-webhooks') });
      await it.overlapping('POST', '/customers', ada, as ? { as } : {});
      await it.control('POST', `/clock${sandbox}`, { advance: 'PT1M' });
      const delivery = await newest(it, sandbox);
      expect(delivery).toMatchObject({ state: 'UNSENT', attempts: [], unsentReason: shown.body.unsent });
      const again = await it.control('POST', `/webhooks/${delivery.id}/redeliver${sandbox}`);
      expect(refusal(again)).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
      expect(again.body.message).toContain(shown.body.unsent);
      expect((await newest(it, sandbox)).attempts).toEqual([]);
      const tested = await it.overlapping('POST', '/sandbox/webhooks/test', undefined, as ? { as } : {});
      expect(refusal(tested)).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
    },
  );

  test.each(roads.filter((road) => !road.startsWith('PUT /_emulator/state')))(
    'a remote endpoint set by %s receives deliveries with --allow-remote-webhooks (C4, C5)',
    async (road) => {
      const { it, sandbox, as } = await (ROADS[road] as (typeof ROADS)[string])({ allowRemoteWebhooks: true });
      await it.overlapping('POST', '/customers', ada, as ? { as } : {});
      await it.control('POST', `/clock${sandbox}`, { advance: 'PT1S' });
      const { attempts, unsentReason } = await newest(it, sandbox);
      expect([attempts.length, unsentReason]).toEqual([1, undefined]);
    },
  );

  test('a remote endpoint that the start options name receives deliveries, also when it is set again later (C4)', async () => {
    const it = await kit({ webhookUrl: REMOTE });
    await it.post('/customers', ada);
    await it.settle();
    expect((await newest(it, '')).attempts).toHaveLength(1);
    await it.control('PUT', '/webhooks/endpoint', { url: 'https://other.invalid/' });
    expect((await it.control('GET', '/webhooks/endpoint')).body.unsent).toBeDefined();
    await it.control('PUT', '/webhooks/endpoint', { url: REMOTE });
    expect((await it.control('GET', '/webhooks/endpoint')).body).toEqual({ url: REMOTE });
  });

  test('a delivery that was queued before the endpoint became remote turns UNSENT (C4)', async () => {
    const hooks = await receiver();
    hooks.react = () => 500;
    const it = await kit({ webhookUrl: hooks.url });
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.settle();
    await it.patch('/config', { webhookEndpoint: REMOTE });
    await it.advance('P1D');
    const delivery = await newest(it, '');
    expect(delivery).toMatchObject({ state: 'UNSENT', unsentReason: expect.stringContaining(REMOTE) });
    expect(delivery.attempts).toHaveLength(1);
  });

  test.each(['http://10.255.255.1:3000/', 'HTTP://10.255.255.1:3000', 'http://10.255.255.1:3000/#x'])(
    'an endpoint written as %s is the one that --webhook-url names without its slash (C4)',
    async (url) => {
      const it = await kit({ webhookUrl: 'http://10.255.255.1:3000' });
      expect((await it.control('PUT', '/webhooks/endpoint', { url })).body).toEqual({ url });
      const other = await it.control('PUT', '/webhooks/endpoint', { url: 'http://10.255.255.1:3000/in' });
      expect(other.body.unsent).toContain('--allow-remote-webhooks');
    },
  );

  test('the request log shows beside an event why it is UNSENT (C4)', async () => {
    const it = await kit();
    await it.patch('/config', { webhookEndpoint: REMOTE });
    const { data } = (await it.control('GET', '/requests')).body;
    const { body } = await it.control('GET', `/requests/${data[0].id}`);
    expect(body.caused.webhooks).toMatchObject([
      { type: 'TEST', state: 'UNSENT', reason: expect.stringContaining('--allow-remote-webhooks') },
    ]);
  });

  test('a UMA payment is refused at once with WEBHOOK_DELIVERY_ERROR while the endpoint is remote (C4)', async () => {
    const it = await kit();
    const { body: bo } = await it.post('/customers', { ...ada, fullName: 'Bo Lind', umaAddress: '$bo@pay.example' });
    await it.patch('/config', { webhookEndpoint: REMOTE });
    const answer = await it.post('/sandbox/uma/receive', {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      customerId: bo.id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 100,
    });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
  });

  test.each([
    'http://example.com/',
    'http://10.0.0.1/',
    'http://127.0.0.1.example.com/',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost@evil.example/',
  ])('the webhook endpoint %s counts as another machine (C4)', async (url) => {
    const it = await kit();
    expect((await it.control('PUT', '/webhooks/endpoint', { url })).body.unsent).toContain('is not on this machine');
  });

  test.each(['http://localhost:3000/', 'http://127.0.0.1:3000/', 'https://127.1.2.3/', 'http://[::1]:3000/'])(
    'the webhook endpoint %s counts as this machine (C4)',
    async (url) => {
      const it = await kit();
      expect((await it.control('PUT', '/webhooks/endpoint', { url })).body).toEqual({ url });
    },
  );
});

test.each(['0.0.0.0', '[::]'])(
  'an endpoint at %s, which servers print as their address, is reached on this machine',
  async (host) => {
    const hooks = await receiver();
    const url = hooks.url.replace('127.0.0.1', host);
    const it = await kit({ webhookUrl: hooks.url });
    expect((await it.control('PUT', '/webhooks/endpoint', { url })).body).toEqual({ url });
    if (host === '[::]') return;
    await it.post('/customers', ada);
    await it.settle();
    expect((await newest(it, '')).state).toBe('DELIVERED');
  },
);

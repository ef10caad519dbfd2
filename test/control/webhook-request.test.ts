import { expect, test } from 'vitest';
import { verifyWebhook } from '../../src/testkit/index.ts';
import { kit } from '../kit/sandbox.ts';

test.each([
  ['spec', 'x-service-signature'],
  ['grid', 'x-grid-signature'],
] as const)(
  'the request of a webhook under profile %s shows URL, body and a signature that verifies',
  async (profile, name) => {
    const it = await kit({ profile, webhookUrl: 'http://127.0.0.1:9/hooks' });
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' });
    const [event] = (await it.control('GET', '/webhooks')).body.data;
    const { status, body } = await it.control('GET', `/webhooks/${event.id}/request`);
    const { pem } = (await it.control('GET', '/webhooks/key')).body;
    expect(status).toBe(200);
    expect([body.url, Object.keys(body.headers)]).toEqual(['http://127.0.0.1:9/hooks', [name]]);
    expect(JSON.parse(body.body)).toEqual(event.payload);
    expect(verifyWebhook(pem, body.headers[name], body.body)).toBe(true);
    expect(verifyWebhook(pem, body.headers[name], `${body.body} `)).toBe(false);
  },
);

test('the request of an unknown webhook is refused with 404', async () => {
  const it = await kit();
  expect((await it.control('GET', '/webhooks/Webhook:none/request')).status).toBe(404);
});

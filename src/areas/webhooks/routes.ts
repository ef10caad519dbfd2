import { fail } from '../../contract/errors.ts';
import { uriOf } from '../../contract/uri.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { attempt, endpointOf } from './rules.ts';
import { TestWebhookResponse } from './schema.ts';

const operation = operationsOf('Sandbox');

export const routes = [
  operation({
    id: 'sendTestWebhook',
    endpoint: 'POST /sandbox/webhooks/test',
    summary: 'Send one TEST event now and show what the receiver answered',
    permission: 'VIEW',
    replies: { 200: TestWebhookResponse },
    refuses: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
    wait: async ({ world }) => {
      const url = endpointOf(world);
      // Drawn outside the id stream: it has left the machine even if the receiver refuses, and a refused call changes
      // nothing.
      const id = world.passingId('Webhook');
      const event = { id, type: 'TEST', timestamp: world.clock.iso(), subject: id, data: {} };
      return { url, ...(await attempt(world, event, url)) };
    },
    write: (_ask, _none, { url, tried }) => {
      const ok = tried.status !== undefined && tried.status >= 200 && tried.status < 300;
      if (!ok)
        fail(
          'WEBHOOK_DELIVERY_ERROR',
          `the test webhook was not accepted: ${tried.error ?? `status ${tried.status}`}`,
          {
            details: { url, response_status: tried.status, error: tried.error },
          },
        );
      return reply(200, { url: uriOf(url), response_status: tried.status, response_body: tried.body });
    },
  }),
];

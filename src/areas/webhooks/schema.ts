import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment } from '../../contract/shapes.ts';

/** Returns the schema of a webhook on the wire (spec 6). */
export const envelope = (types: readonly [string, ...string[]], data: z.ZodType) =>
  z.strictObject({
    id: z.string().describe('Webhook:<uuid>; the same on every delivery of one event'),
    type: z.enum(types),
    timestamp: Moment(),
    data,
  });

export const TestWebhookResponse = named('TestWebhookResponse', () =>
  z.strictObject({
    url: z.url().optional(),
    response_status: z.int(),
    response_body: z.string().optional(),
  }),
);

/** The data of a TEST event. */
export const NoData = lazy(() => z.strictObject({}));

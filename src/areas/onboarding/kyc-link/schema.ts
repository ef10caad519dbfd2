import * as z from 'zod';
import { lazy, named } from '../../../contract/lazy.ts';
import { Moment } from '../../../contract/shapes.ts';
import { secret } from '../../../engine/secrets.ts';

const MUST = 'must be a URL that starts with https:// (or http:// for local development)';

/** An absolute http or https URL whose host is a plain name or address, because it is put into a security header. */
export const RedirectUri = lazy(() =>
  z
    .url({
      protocol: /^https?$/,
      hostname: /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i,
      error: MUST,
    })
    .max(2048)
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), MUST)
    .refine((text) => !URL.canParse(text) || new URL(text).href.length <= 8000, 'too long once it is encoded'),
);

export const KycLinkCreate = named('KycLinkCreateRequest', () =>
  z.object({
    redirectUri: RedirectUri()
      .optional()
      .describe('Where the customer is sent after the hosted flow; https, or http for local development'),
  }),
);

/** A hosted link (spec 2.2). */
export const KycLinkShape = named('KycLinkResponse', () =>
  z.strictObject({
    kycUrl: z.url().describe('Single use, until expiresAt'),
    expiresAt: Moment(),
    provider: z.enum(['KYC_PROVIDER_1']).meta({ id: 'KycProvider' }),
    token: secret(z.string()).optional().describe("For the provider's SDK; leads to the same updates as the URL"),
  }),
);

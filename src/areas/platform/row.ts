import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { Platform } from './rules.ts';
import {
  CardTokenization2faConfig,
  ContactRules,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
} from './schema.ts';

/** The platform as it is kept. */
export const PlatformRow = rowShape<Platform>()(() =>
  z.strictObject({
    id: IdOf('PlatformConfig'),
    umaDomain: z.string().min(1),
    regulated: z.boolean(),
    webhookEndpoint: z.url({ protocol: /^https?$/ }).optional(),
    currencies: z.array(PlatformCurrencyConfig().strict()),
    contactVerification: ContactRules(),
    invitations: z.boolean().optional(),
    requireEndUserTerms: z.boolean(),
    verification: z.strictObject({ identifier: z.boolean(), proofOfAddress: z.boolean(), goodStanding: z.boolean() }),
    embeddedWallet: EmbeddedWalletConfig().strict().optional(),
    cardTokenization: CardTokenization2faConfig().strict().optional(),
    fees: z.array(FeeConfig().strict()),
    oidc: z.strictObject({
      verifySignatures: z.boolean(),
      jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
      issuers: z.array(z.string()),
    }),
    // States of 2026 say it; whether anything is sent beyond this machine is the running emulator's to know.
    remoteWebhooks: z.boolean().exactOptional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

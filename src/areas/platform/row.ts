import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import {
  CardTokenization2faConfig,
  ContactRules,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
} from './schema.ts';

/** The stored row of the platform. */
export const PlatformRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('PlatformConfig'),
    umaDomain: z.string().min(1),
    regulated: z.boolean(),
    webhookEndpoint: z.url({ protocol: /^https?$/ }).optional(),
    currencies: z.array(PlatformCurrencyConfig().strict()),
    /** The channels to verify: for every customer, or by country, where `default` stands for all others. */
    contactVerification: ContactRules(),
    invitations: z.boolean().optional(),
    /** False if no issuer is set up, so there are no cards. */
    cards: z.boolean().optional(),
    /** True if customers must record their consent before they get accounts and move money. */
    requireEndUserTerms: z.boolean(),
    /** The requirements of a verification that differ between jurisdictions. */
    verification: z.strictObject({
      /** True if individuals need `idType` and `identifier`. */
      identifier: z.boolean(),
      /** True if individuals need a proof of address; businesses always do. */
      proofOfAddress: z.boolean(),
      /** True if businesses need a certificate of good standing. */
      goodStanding: z.boolean(),
    }),
    embeddedWallet: EmbeddedWalletConfig().strict().optional(),
    cardTokenization: CardTokenization2faConfig().strict().optional(),
    fees: z.array(FeeConfig().strict()),
    /**
     * The rules for OIDC tokens (spec 5.1 rule 3): their claims, and their signatures if the platform wants them
     * verified.
     */
    oidc: z.strictObject({
      verifySignatures: z.boolean(),
      /** The JSON Web Key Set for verifying signatures. */
      jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
      /** Issuers beyond those that the service knows. */
      issuers: z.array(z.string()),
    }),
    // States of 2026 have it; the running emulator decides whether anything is sent beyond this machine.
    remoteWebhooks: z.boolean().exactOptional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** The platform, one row per world. */
export type Platform = RowOf<typeof PlatformRow>;
export type CurrencyConfig = Platform['currencies'][number];

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

/** The platform as it is kept. */
export const PlatformRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('PlatformConfig'),
    umaDomain: z.string().min(1),
    regulated: z.boolean(),
    webhookEndpoint: z.url({ protocol: /^https?$/ }).optional(),
    currencies: z.array(PlatformCurrencyConfig().strict()),
    /** The channels to be verified: of everybody, or by the customer's country, where `default` stands for all others. */
    contactVerification: ContactRules(),
    invitations: z.boolean().optional(),
    /** `false`: no issuer is set up, so there are no cards. */
    cards: z.boolean().optional(),
    /** Customers must record their consent before they get accounts and move money. */
    requireEndUserTerms: z.boolean(),
    /** The requirements of a verification, where jurisdictions differ. */
    verification: z.strictObject({
      /** `idType` and `identifier` of individuals. */
      identifier: z.boolean(),
      /** A proof of address of individuals; businesses always bring one. */
      proofOfAddress: z.boolean(),
      /** A certificate of good standing of businesses. */
      goodStanding: z.boolean(),
    }),
    embeddedWallet: EmbeddedWalletConfig().strict().optional(),
    cardTokenization: CardTokenization2faConfig().strict().optional(),
    fees: z.array(FeeConfig().strict()),
    /**
     * The rules for OIDC tokens (spec 5.1 rule 3): their claims, and their signatures where the platform wants them
     * checked.
     */
    oidc: z.strictObject({
      verifySignatures: z.boolean(),
      /** JSON Web Key Set that signatures are checked against. */
      jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
      /** Issuers beyond the ones that the service knows. */
      issuers: z.array(z.string()),
    }),
    // States of 2026 say it; whether anything is sent beyond this machine is the running emulator's to know.
    remoteWebhooks: z.boolean().exactOptional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** The platform, one row a world. */
export type Platform = RowOf<typeof PlatformRow>;
export type CurrencyConfig = Platform['currencies'][number];

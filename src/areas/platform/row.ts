import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import {
  CardTokenization2faConfig,
  ContactRules,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
} from './schema.ts';

export type CurrencyConfig = Infer<typeof PlatformCurrencyConfig>;

/** Which of the data that only some jurisdictions want is asked of this platform's customers. */
export interface VerificationRules {
  /** `idType` and `identifier` of individuals. */
  readonly identifier: boolean;
  /** A proof of address of individuals; businesses always bring one. */
  readonly proofOfAddress: boolean;
  /** A certificate of good standing of businesses. */
  readonly goodStanding: boolean;
}

/** A channel by which a provider reaches a customer. */
export type ContactChannel = 'email' | 'phone';

/** The channels to be verified: of everybody, or by the customer's country, where `default` stands for all others. */
export type ChannelRules = readonly ContactChannel[] | Readonly<Record<string, readonly ContactChannel[]>>;

/** How OIDC tokens are judged (spec 5.1 rule 3): by their claims, and by their signatures where that is asked for. */
export interface OidcRules {
  readonly verifySignatures: boolean;
  /** JSON Web Key Set that signatures are checked against. */
  readonly jwks?: unknown;
  /** Issuers beyond the ones that the service knows. */
  readonly issuers: readonly string[];
}

/** The platform, one row a world. */
export interface Platform extends Row {
  readonly umaDomain: string;
  readonly regulated: boolean;
  readonly webhookEndpoint?: string | undefined;
  readonly currencies: readonly CurrencyConfig[];
  readonly contactVerification: ChannelRules;
  readonly invitations?: boolean | undefined;
  /** Customers must record their consent before they get accounts and move money. */
  readonly requireEndUserTerms: boolean;
  /** What a verification asks for, where jurisdictions differ. */
  readonly verification: VerificationRules;
  readonly embeddedWallet?: Infer<typeof EmbeddedWalletConfig> | undefined;
  readonly cardTokenization?: Infer<typeof CardTokenization2faConfig> | undefined;
  readonly fees: readonly Infer<typeof FeeConfig>[];
  /** How tokens of OAuth credentials are judged. */
  readonly oidc: OidcRules;
  readonly createdAt: string;
  readonly updatedAt: string;
}

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

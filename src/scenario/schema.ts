import * as z from 'zod';
import { CUSTOMER_INFO_FIELDS } from '../areas/platform/index.ts';
import { FaultRule } from '../kernel/faults.ts';
import { lazy } from '../kernel/lazy.ts';
import { CURRENCIES } from '../kernel/money.ts';
import { isPolicy, type Policy } from '../kernel/policy.ts';

const Code = () => z.enum([...CURRENCIES.keys()] as [string, ...string[]]);

/** Kinds of delayed work that a policy may name. */
export const POLICY_KINDS = [
  'customer.decide',
  'verification.decide',
  'bulk.import',
  'external-account.activate',
  'external-account.liveness',
  'transaction.process',
  'transaction.settle',
  'transaction.refund',
  'transaction.return',
  'transaction.onchain',
  'webhook.deliver',
] as const;

const CurrencySeed = () =>
  z.strictObject({
    code: Code().describe('Currency code'),
    minAmount: z.int().min(0).optional().describe('Smallest amount in minor units'),
    maxAmount: z.int().min(0).optional().describe('Largest amount in minor units'),
    providerRequiredCustomerFields: z
      .array(z.enum(CUSTOMER_INFO_FIELDS))
      .optional()
      .describe('What a customer who is to use this currency must supply'),
    providerRequiredCounterpartyCustomerFields: z.array(z.enum(CUSTOMER_INFO_FIELDS)).optional(),
    enabledTransactionTypes: z
      .array(z.enum(['INCOMING', 'OUTGOING']))
      .min(1)
      .optional(),
  });

/** A limit by the currency that is sent, or by corridor. */
const PerCorridor = (what: string) =>
  z
    .record(
      z
        .string()
        .regex(/^[A-Z]{3,4}(\/[A-Z]{3,4})?$/, 'must be a currency such as USD, or a corridor such as USD/MXN')
        .refine((key) => key.split('/').every((code) => CURRENCIES.has(code)), 'names an unknown currency'),
      z.int().min(0),
    )
    .optional()
    .describe(`${what}: minor units, by sending currency (USD) or by corridor (USD/MXN); no limit without`);

/** A scenario file: where a sandbox starts. Every key is optional; one that is not here is an error. */
export const Scenario = lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional(),
      title: z.string().optional().describe('One line for people'),
      platform: z
        .strictObject({
          regulated: z.boolean().default(false).describe('true: customers are created APPROVED and tell nothing'),
          umaDomain: z.string().default('pay.example').describe("Domain of the customers' UMA addresses"),
          webhookUrl: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe('Where webhooks go'),
          contactVerification: z
            .array(z.enum(['email', 'phone']))
            .default([])
            .describe('Channels that the provider requires to be verified'),
          invitations: z.boolean().default(true).describe('false: POST /invitations is not configured'),
          requireEndUserTerms: z
            .boolean()
            .default(false)
            .describe('true: no accounts and no money movement before endUserTermsConsent is recorded'),
          counterpartyRules: z
            .boolean()
            .default(false)
            .describe('true: wallets say whose they are, and self-custody has to be proven before large payments'),
          verification: z
            .strictObject({
              identifier: z.boolean().default(true).describe('Ask individuals for idType and identifier'),
              proofOfAddress: z.boolean().default(false).describe('Ask individuals for a proof of address'),
              goodStanding: z.boolean().default(false).describe('Ask businesses for a certificate of good standing'),
            })
            .prefault({})
            .describe('What POST /verifications asks for, where jurisdictions differ'),
          verifyOidcSignatures: z
            .boolean()
            .default(false)
            .describe('true: OIDC tokens must be signed by a key of oidcJwks, as in production'),
          oidcJwks: z
            .looseObject({ keys: z.array(z.looseObject({})) })
            .optional()
            .describe('JSON Web Key Set of the issuers'),
          oidcIssuers: z.array(z.string()).default([]).describe('Issuers beyond those that the service knows'),
          currencies: z
            .array(CurrencySeed())
            .min(1)
            .default([{ code: 'USD' }, { code: 'USDC' }, { code: 'USDB' }])
            .describe('What customers can hold; each gets an internal account'),
        })
        .prefault({}),
      policies: z
        .strictObject(
          Object.fromEntries(
            POLICY_KINDS.map((kind) => [
              kind,
              z
                .string()
                .refine(isPolicy, 'must be "at once", "hold" or "after <ISO 8601 duration>"')
                .transform((text) => text as Policy)
                .optional()
                .describe('at once | after PT2S | hold'),
            ]),
          ),
        )
        .default({})
        .describe('When work of a kind happens'),
      limits: z
        .strictObject({
          webhookTimeoutSeconds: z
            .number()
            .min(0.05)
            .max(300)
            .optional()
            .describe('Real seconds a webhook receiver has to answer'),
          challengesPerMinute: z
            .int()
            .min(0)
            .optional()
            .describe('Login challenges a wallet credential and minute; 20, and 0 turns the limit off'),
          sessionSeconds: z.number().min(1).optional().describe('Virtual seconds a wallet session lasts; 900'),
          challengeSeconds: z.number().min(1).optional().describe('Virtual seconds to answer a challenge; 300'),
          quoteSeconds: z.number().min(1).optional().describe('Virtual seconds a quote can be executed; 300'),
          transactionSize: PerCorridor('Most that one payment may send'),
          dailyVolume: PerCorridor('Most that leaves on one UTC day of the virtual clock'),
          kycLinkHours: z
            .number()
            .min(0.01)
            .max(8760)
            .optional()
            .describe('Virtual hours a hosted link can be used; 24'),
        })
        .default({}),
      clock: z
        .strictObject({
          now: z
            .union([z.iso.datetime({ offset: true }), z.date().transform((d) => d.toISOString())])
            .optional()
            .describe('Where the virtual clock starts'),
          mode: z.enum(['live', 'held']).optional().describe('held: it moves only when told'),
        })
        .default({}),
      credentials: z
        .array(
          z.strictObject({
            id: z.string().regex(/^[^:\s]{1,200}$/, 'must have no colon and no space'),
            secret: z.string().min(1),
            permissions: z.array(z.enum(['VIEW', 'TRANSACT', 'MANAGE'])).default(['VIEW', 'TRANSACT', 'MANAGE']),
          }),
        )
        .min(1)
        .default([{ id: 'test', secret: 'secret', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }])
        .describe('Tokens of this platform; the first names the sandbox'),
      customers: z
        .array(
          z
            .looseObject({
              label: z.string().optional().describe('A name for use elsewhere in this file'),
              customerType: z.enum(['INDIVIDUAL', 'BUSINESS']),
              accounts: z.partialRecord(Code(), z.int().min(0)).optional().describe('Opening balances in minor units'),
            })
            .describe('Further members as in POST /customers'),
        )
        .default([]),
      externalAccounts: z
        .array(
          z
            .looseObject({
              label: z.string().optional().describe('A name for use elsewhere in this file'),
              customer: z.string().optional().describe('Label of a customer; absent: of the platform'),
              currency: Code(),
              accountInfo: z.looseObject({ accountType: z.string() }),
            })
            .describe('Further members as in POST /customers/external-accounts'),
        )
        .default([]),
      rates: z
        .record(z.string().regex(/^[A-Z]{3,4}\/[A-Z]{3,4}$/, 'must be a pair such as USD/EUR'), z.number().positive())
        .default({})
        .describe('Units of the second currency for one of the first; every other pair keeps the fixed rate'),
      generate: z
        .strictObject({
          customers: z.int().min(0).max(2_000_000).optional(),
          transactions: z.int().min(0).max(2_000_000).optional().describe('Past payments, to the customers in turn'),
        })
        .default({})
        .describe('Rows to make up, from the seed'),
      faults: z.array(FaultRule()).default([]).describe('What shall go wrong, as in POST /_emulator/faults'),
    })
    .meta({ id: 'Scenario', title: 'sandbox-emulator scenario' }),
);

export type Scenario = z.output<ReturnType<typeof Scenario>>;

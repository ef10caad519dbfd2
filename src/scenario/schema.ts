import * as z from 'zod';
import { ContactRules, CUSTOMER_INFO_FIELDS, FeeConfig, UmaDomain } from '../areas/platform/index.ts';
import { ScaPolicy } from '../areas/sca/index.ts';
import { ANY_FAILURE, LATER_OUTCOMES } from '../areas/transactions/index.ts';
import { JOB_KINDS, LIMITS, SEEDS } from '../areas.ts';
import { Delay, Duration } from '../contract/duration.ts';
import { parseDuration } from '../contract/duration-text.ts';
import { FaultRule } from '../contract/faults.ts';
import { lazy } from '../contract/lazy.ts';
import { KnownCurrency } from '../contract/money.ts';
import { PolicyText } from '../contract/policy.ts';
import { label, pinnedId, type SeedEntry } from '../declare/seed.ts';

/** The statuses of a payment of the past. */
export const HISTORY_STATUSES = ['COMPLETED', 'PROCESSING', 'PENDING', 'FAILED', 'RETURNED', 'REJECTED'] as const;

/** The forms of a policy. */
const POLICIES = 'at once | after 2s (any duration, also ISO 8601: after PT2S) | hold';

const CurrencySeed = () =>
  z
    .strictObject({
      code: KnownCurrency().describe('Currency code'),
      minAmount: z.int().min(0).optional().describe('Smallest amount in minor units'),
      maxAmount: z.int().min(0).optional().describe('Largest amount in minor units'),
      providerRequiredCustomerFields: z
        .array(z.enum(CUSTOMER_INFO_FIELDS))
        .optional()
        .describe('What a customer who is to use this currency must supply'),
      providerRequiredCounterpartyCustomerFields: z
        .array(z.enum(CUSTOMER_INFO_FIELDS))
        .optional()
        .describe('What must be known of the other side of a payment in this currency'),
      enabledTransactionTypes: z
        .array(z.enum(['INCOMING', 'OUTGOING']))
        .min(1)
        .optional()
        .describe('Directions in which it can be used; both'),
    })
    .refine(({ minAmount = 0, maxAmount = minAmount }) => minAmount <= maxAmount, {
      path: ['minAmount'],
      message: 'more than maxAmount',
    });

/** Names each row of a list whose member a row before it has. */
const distinct =
  <T extends object>(member: keyof T & string, taken: (value: T[keyof T]) => string | undefined) =>
  (rows: readonly T[], context: z.RefinementCtx): void => {
    const seen = new Set<unknown>();
    for (const [i, row] of rows.entries()) {
      const message = seen.has(row[member]) ? taken(row[member]) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [i, member], message });
      seen.add(row[member]);
    }
  };

/** Opening balances in minor units, by currency. */
const Balances = () => z.partialRecord(KnownCurrency(), z.int().min(0)).optional();

const CredentialSeed = () =>
  z.discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('SMS_OTP').describe('A code by SMS') })
      .describe("A code to the customer's phoneNumber"),
    z
      .strictObject({
        type: z.literal('OAUTH').describe('A login with an OIDC provider'),
        iss: z.string().min(1).describe('Issuer, as in its tokens'),
        aud: z.string().min(1).describe('Audience: the client id of the app with the provider'),
        sub: z.string().min(1).describe('Subject: who the customer is to the provider'),
        email: z.string().optional().describe('Email address that the provider knows'),
      })
      .describe('An account with an OIDC provider'),
  ]);

/** A payment of the past; one that is PROCESSING may go on after the start. */
const TransactionSeed = () =>
  z.strictObject({
    label: z.string().optional().describe('For people'),
    type: z.enum(['OUTGOING', 'INCOMING']).default('OUTGOING').describe('Whether money leaves or arrives'),
    customer: z.string().optional().describe("Label of the customer whose account it is; absent: the platform's"),
    amount: z.int().min(1).describe('Minor units that leave, or that come in'),
    currency: KnownCurrency().describe('Currency of the internal account'),
    to: z.string().optional().describe('Label of an external account that it went to'),
    from: z.string().optional().describe('Label of the external account that paid it'),
    uma: z.string().optional().describe('UMA address of the other side, in place of an external account'),
    status: z.enum(HISTORY_STATUSES).default('COMPLETED').describe('Status of the payment'),
    reason: z.enum(ANY_FAILURE).optional().describe('Why it failed'),
    outcome: z.enum(LATER_OUTCOMES).optional().describe('Of a PROCESSING payment: how it goes on by itself; COMPLETED'),
    in: Delay()
      .optional()
      .describe('Of a PROCESSING payment: how long after the start of the clock it goes on, as 6h or P2D'),
    ago: Duration().optional().describe('How long before the start of the clock, as 2h, 3d or PT2H; 0s'),
    description: z.string().max(500).optional().describe('What the payment is for'),
  });

/** The lists of the areas, by key. */
const seedLists = (): Record<never, never> =>
  Object.fromEntries(SEEDS.map(({ key, entry, about }) => [key, z.array(entry()).default([]).describe(about)]));

/** Returns the schema of a share of a whole, from 0 to 1. */
const share = (about: string) => z.number().min(0).max(1).optional().describe(about);

/** A scenario file: the initial state of a sandbox. Every key is optional; an unknown one is an error. */
export const Scenario = lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional().describe('Where this schema is, for editors'),
      title: z.string().optional().describe('One line for people'),
      platform: z
        .strictObject({
          regulated: z.boolean().default(false).describe('true: customers are created APPROVED and have no events'),
          umaDomain: UmaDomain().default('pay.example').describe("Domain of the customers' UMA addresses"),
          webhookUrl: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe('Endpoint URL; beyond this machine with --allow-remote-webhooks only'),
          contactVerification: ContactRules()
            .default([])
            .describe(
              "Channels that the provider requires to be verified: a list for everybody, or lists by the customer's region (else the country of the address) and default",
            ),
          cards: z.boolean().optional().describe('false: no card issuer is set up, so that cards answer 501'),
          invitations: z.boolean().default(true).describe('false: POST /invitations is not configured'),
          requireEndUserTerms: z
            .boolean()
            .default(false)
            .describe('true: no accounts and no money movement before endUserTermsConsent is recorded'),
          counterpartyRules: z
            .boolean()
            .default(false)
            .describe('true: wallets say whose they are, and self-custody has to be proven before large payments'),
          sca: ScaPolicy()
            .optional()
            .describe('Strong customer authentication of customers of some regions; without it, of nobody'),
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
            .looseObject({ keys: z.array(z.looseObject({})).describe('Public keys, each a JSON Web Key') })
            .optional()
            .describe('JSON Web Key Set of all issuers; a key with the member issuer signs for that one alone'),
          oidcIssuers: z.array(z.string()).default([]).describe('Issuers beyond those that the service knows'),
          accounts: Balances().describe("Opening balances of the platform's own accounts, in minor units"),
          fees: z.array(FeeConfig()).default([]).describe('What the platform takes, as in PATCH /config feeConfigs'),
          currencies: z
            .array(CurrencySeed())
            .min(1)
            .superRefine(distinct('code', () => 'listed twice'))
            .default([{ code: 'USD' }, { code: 'USDC' }, { code: 'USDB' }])
            .describe('What customers can hold; each gets an internal account'),
        })
        .prefault({})
        .describe('The platform itself: whether it is regulated, its currencies, fees and webhook URL'),
      policies: z
        .strictObject(
          Object.fromEntries(
            [...JOB_KINDS]
              .filter(([, { policy }]) => policy)
              .map(([kind, { policy }]) => [
                kind,
                PolicyText()
                  .optional()
                  .describe(`${POLICIES}${policy === 'at once' ? '' : `; ${policy} unless it is set`}`),
              ]),
          ),
        )
        .default({})
        .describe('When work of a kind happens'),
      limits: z
        .strictObject(Object.fromEntries(LIMITS.map(({ name, shape }) => [name, shape()])))
        .default({})
        .describe('How much, how often and how long'),
      clock: z
        .strictObject({
          now: z
            .union([
              z.iso.datetime({ offset: true }),
              z
                .date()
                .meta({ tsType: 'Date' })
                .transform((d) => d.toISOString()),
            ])
            .optional()
            .describe('Where the virtual clock starts'),
          mode: z.enum(['live', 'held']).optional().describe('held: it moves only when you advance it'),
        })
        .default({})
        .describe('Where the virtual clock starts, and whether it moves by itself'),
      credentials: z
        .array(
          z.strictObject({
            id: z
              .string()
              .regex(/^[^:\s]{1,200}$/, 'must have no colon and no space')
              .describe('Token id: the user of Basic authentication'),
            secret: z.string().min(1).describe('Its password'),
            permissions: z
              .array(z.enum(['VIEW', 'TRANSACT', 'MANAGE']))
              .default(['VIEW', 'TRANSACT', 'MANAGE'])
              .describe('What it may do; everything'),
          }),
        )
        .min(1)
        .superRefine(distinct('id', (id) => `${id} is the id of another credential`))
        .default([{ id: 'test', secret: 'secret', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }])
        .describe('Tokens of this platform; the first names the sandbox'),
      customers: z
        .array(
          z
            .looseObject({
              label: label(),
              id: pinnedId('Customer'),
              customerType: z.enum(['INDIVIDUAL', 'BUSINESS']).describe('A person or a business'),
              kycStatus: z
                .enum(['APPROVED', 'PENDING', 'REJECTED'])
                .optional()
                .describe('Where the verification stands; PENDING waits for POST /_emulator/customers/{id}/decision'),
              accounts: Balances().describe('Opening balances in minor units, before the payments of the past'),
              accountIds: z
                .partialRecord(KnownCurrency(), pinnedId('InternalAccount'))
                .optional()
                .describe('Ids of its accounts that are the same whatever the seed, by currency'),
              credentials: z
                .array(CredentialSeed())
                .superRefine(distinct('type', (type) => (type === 'SMS_OTP' ? 'a wallet has one SMS_OTP' : undefined)))
                .optional()
                .describe('Ways to log in to the wallet, besides the code by email that it is born with'),
            })
            .describe('Further members as in POST /customers')
            .meta({ tsRest: 'CustomerCreateRequest' }),
        )
        .default([])
        .describe('Customers that are there from the start'),
      externalAccounts: z
        .array(
          z
            .looseObject({
              label: label(),
              id: pinnedId('ExternalAccount'),
              customer: z.string().optional().describe('Label of a customer; absent: of the platform'),
              currency: KnownCurrency().describe('Currency code'),
              trusted: z
                .boolean()
                .optional()
                .describe('true: a customer who has to authenticate strongly pays it without a challenge'),
              accountInfo: z
                .looseObject({ accountType: z.string().describe('Kind of account, such as US_ACCOUNT') })
                .describe('The account itself, as in POST /customers/external-accounts')
                .meta({ tsType: 'ExternalAccountCreateInfoOneOf' }),
            })
            .describe('Further members as in POST /customers/external-accounts')
            .meta({ tsRest: "Omit<ExternalAccountCreateRequest, 'accountInfo' | 'currency' | 'customerId'>" }),
        )
        .default([])
        .describe('Bank accounts and wallets elsewhere that are there from the start'),
      ...seedLists(),
      transactions: z.array(TransactionSeed()).default([]).describe('Payments of the past; they send no events'),
      rates: z
        .record(
          z.string().regex(/^[A-Z]{3,4}\/[A-Z]{3,4}$/, 'must be a pair such as USD/EUR'),
          z.number().positive().max(1e10),
        )
        .default({})
        .describe(
          'Units of the second currency for one of the first; the reverse follows, and after a rate of USD each pair through USD',
        ),
      generate: z
        .strictObject({
          customers: z.int().min(0).max(2_000_000).optional().describe('Customers, each with accounts'),
          transactions: z
            .int()
            .min(0)
            .max(5_000_000)
            .optional()
            .describe('Past payments, to the made-up customers in turn'),
          days: z.int().min(0).max(3650).optional().describe('Days of the past over which they are spread; 0'),
          businesses: share('Share of the customers that are businesses; 0'),
          pending: share('Share of the customers whose check is not decided; they have no payments'),
          outgoing: share('Share of the payments that go to bank accounts; the rest comes in'),
          failed: share('Share of the payouts that a bank refuses; their money comes back'),
          cards: share('Share of the payments that are made by card, in USD'),
        })
        .refine(({ outgoing = 0, cards = 0 }) => outgoing + cards <= 1, {
          path: ['cards'],
          message: 'outgoing and cards are more than 1 together',
        })
        .default({})
        .describe('Rows to make up, from the seed'),
      live: z
        .strictObject({
          paymentsPerHour: z
            .number()
            .min(0.01)
            .max(3600)
            .describe('Payments per hour of the virtual clock, on average'),
          keep: Delay().default('P7D').describe('How long they stay; later their postings are part of a sum'),
        })
        .optional()
        .describe('Traffic by itself, from the seed, on the virtual clock'),
      resetEvery: Delay()
        .refine((text) => (parseDuration(text) ?? 1000) >= 1000, 'must be a second or longer')
        .optional()
        .describe('Virtual time after which the sandbox starts over by itself, such as P1D'),
      faults: z.array(FaultRule()).max(1000).default([]).describe('What shall go wrong, as in POST /_emulator/faults'),
    })
    .meta({ id: 'Scenario', title: 'sandbox-emulator scenario' }),
);

export type Scenario = z.output<ReturnType<typeof Scenario>>;

/** Returns the entries of a scenario in the list of an area; none in a scenario that an earlier build completed. */
export const seedsIn = (scenario: Scenario, key: string): readonly SeedEntry[] => Reflect.get(scenario, key) ?? [];

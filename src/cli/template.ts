import { JOB_KINDS, LIMITS, SEEDS } from '../areas.ts';

const policies = [...JOB_KINDS].flatMap(([kind, { policy }]) => (policy ? [`#   ${kind}: ${policy}`] : []));
const limits = LIMITS.map(({ name, standard = '{ USD: 10000000, USD/MXN: 500000 }' }) => `#   ${name}: ${standard}`);
// One paragraph with the accounts before them, because lists refer to each other's labels.
const lists = SEEDS.map(({ key, about, example }) => `## ${about}\n# ${key}:\n#   - ${example}\n`).join('#\n');

/**
 * Returns the scenario that `init` writes. Prose follows `##`, optional content follows `#`. Without one `# ` on every
 * line below the head it is a valid scenario, too, and so it is with any one paragraph uncommented.
 */
export const template = (schema: string): string => `# yaml-language-server: $schema=${schema}

## Where a sandbox of sandbox-emulator starts. Every key is optional; an unknown one is an error.
## Lines with one # are examples: take "# " away, with the space, and they count.
##   sandbox-emulator --scenario <this file> --watch     start over whenever this file changes
##   sandbox-emulator validate <this file>               every mistake with line and column

title: My sandbox

platform:
  ## true: customers are created APPROVED and have no events
  regulated: false
  ## the domain of the customers' UMA addresses
  umaDomain: pay.example
  ## what customers can hold; each gets an account in it. USDB is the wallet currency
  currencies:
    - { code: USD }
    - { code: USDB }
    # - { code: EUR, minAmount: 100, maxAmount: 10000000 }
    # - { code: MXN, providerRequiredCustomerFields: [FULL_NAME, BIRTH_DATE] }

  ## opening balances of the platform itself, in minor units
  # accounts: { USD: 1000000 }

  ## what the platform takes, as in PATCH /config
  # fees:
  #   - feeType: CROSS_CURRENCY_TRANSACTION
  #     sourceCurrency: USD
  #     variableFeeBps: 25
  #     fixedFee: { amount: 50, currency: USD }

  ## where webhooks go; --webhook-url wins
  # webhookUrl: http://127.0.0.1:3000/hooks

  ## channels that must be verified before a customer can be: of everybody, or by country
  # contactVerification: { DE: [email, phone], default: [] }

  ## no accounts and no payments before the customer has taken the terms
  # requireEndUserTerms: true

  ## customers of these countries authenticate strongly before they pay; sca: {} is the European Economic Area
  # sca: { regions: [DE, FR], requireSession: true }

  ## wallets say whose they are, and self-custody is proven before large payments
  # counterpartyRules: true

  ## false: POST /invitations is not configured
  # invitations: false

  ## false: no card issuer is set up, so that cards answer 501
  # cards: false

  ## what POST /verifications asks for
  # verification: { identifier: true, proofOfAddress: true, goodStanding: false }

  ## OIDC tokens must be signed by one of these keys, and may come from these issuers, too
  # verifyOidcSignatures: true
  # oidcIssuers: [https://issuer.example]
  # oidcJwks: { keys: [] }

## the tokens of this platform; the first names the sandbox
credentials:
  - { id: test, secret: secret, permissions: [VIEW, TRANSACT, MANAGE] }
  # - { id: reader, secret: reader, permissions: [VIEW] }

## members as in POST /customers, and opening balances in minor units; the label is for use in this file
customers:
  - label: ada
    customerType: INDIVIDUAL
    platformCustomerId: ada
    fullName: Ada Keller
    email: ada@example.com
    phoneNumber: "+12065550147"
    endUserTermsConsent:
      { acceptedAt: 2026-01-02T10:00:00Z, ipAddress: 192.0.2.1, termsVersion: V1, acceptanceMethod: CHECKBOX }
    accounts: { USD: 125000, USDB: 5000000 }
  # - { label: bo, customerType: INDIVIDUAL, fullName: Bo Lind, email: bo@example.com, phoneNumber: "+12065550149", kycStatus: PENDING }
  # - label: shop
  #   customerType: BUSINESS
  #   businessInfo: { legalName: Corner Shop Ltd }
  #   email: shop@example.com
  #   phoneNumber: "+12065550148"

## members as in POST /customers/external-accounts; the owner by label, the platform where there is none
# externalAccounts:
#   - label: ada-bank
#     customer: ada
#     currency: USD
#     accountInfo:
#       accountType: USD_ACCOUNT
#       paymentRails: [ACH]
#       accountNumber: "123456789501"
#       routingNumber: "021000021"
#       beneficiary: { beneficiaryType: INDIVIDUAL, fullName: Ada Keller, birthDate: 1990-02-03, nationality: US }
#
## payments of the past; they are dated, and send no events. One that is PROCESSING may go on by itself
# transactions:
#   - { type: INCOMING, customer: ada, currency: USD, amount: 4500, uma: $friend@wallet.example, ago: P2D }
#   - { customer: ada, currency: USD, amount: 900, to: ada-bank, status: PROCESSING, outcome: COMPLETED, in: 6h, ago: 1h }
#
${lists}
## when work of a kind happens: at once, after a duration (2s, 1h30m, PT2S), or hold until somebody says so
# policies:
${policies.join('\n')}

## how long things last and how often they may happen
# limits:
${limits.join('\n')}

## the virtual clock: where it starts, and whether it moves by itself; --now and --hold-clock win
# clock: { now: 2026-01-05T09:00:00Z, mode: held }

## units of the second currency for one of the first
# rates: { USD/EUR: 0.92 }

## what shall go wrong, as in POST /_emulator/faults: with API calls, and with webhooks
# faults:
#   - { match: { method: POST, path: /quotes, times: 1 }, then: { status: 500 } }
#   - { match: { webhook: CUSTOMER.* }, probability: 0.1, then: { duplicate: true } }

## payments by themselves, on the virtual clock; they go after a while, and balances stay
# live: { paymentsPerHour: 20, keep: P7D }

## start over by itself, on the virtual clock
# resetEvery: P1D

## rows to make up, from the seed
# generate: { customers: 100, transactions: 500, days: 30, businesses: 0.2, pending: 0.05, outgoing: 0.5, failed: 0.03, cards: 0.2 }
`;

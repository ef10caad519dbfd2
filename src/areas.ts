import { accountFacts, accountRoutes, accountTables, openAccounts } from './areas/accounts/index.ts';
import { bulkFacts, bulkJobs, bulkRoutes, bulkTables } from './areas/bulk/index.ts';
import { codeTables } from './areas/codes/index.ts';
import { contactRoutes } from './areas/contact/index.ts';
import { credentialRoutes, credentialTables } from './areas/credentials/index.ts';
import {
  awaitsTerms,
  CUSTOMERS,
  customerFacts,
  customerJobs,
  customerRoutes,
  customerTables,
  openFor,
} from './areas/customers/index.ts';
import { directoryRoutes } from './areas/directories/index.ts';
import {
  externalAccountFacts,
  externalAccountJobs,
  externalAccountRoutes,
  externalAccountTables,
} from './areas/external-accounts/index.ts';
import { invitationFacts, invitationRoutes, invitationTables } from './areas/invitations/index.ts';
import { lookupRoutes } from './areas/lookups/index.ts';
import { onboardingFacts, onboardingJobs, onboardingRoutes, onboardingTables } from './areas/onboarding/index.ts';
import { type ConfigChange, type Platform, platformRoutes, platformTables } from './areas/platform/index.ts';
import { quoteJobs, quoteRoutes, quoteTables } from './areas/quotes/index.ts';
import { rateRoutes, rateTables } from './areas/rates/index.ts';
import { sandboxRoutes } from './areas/sandbox/index.ts';
import { sessionRoutes, sessionTables } from './areas/sessions/index.ts';
import { signingTables } from './areas/signing/index.ts';
import { tokenRoutes, tokenTables } from './areas/tokens/index.ts';
import { transactionFacts, transactionJobs, transactionRoutes, transactionTables } from './areas/transactions/index.ts';
import { transferRoutes } from './areas/transfers/index.ts';
import { walletRoutes } from './areas/wallets/index.ts';
import {
  endpointChanged,
  onFact,
  webhookFacts,
  webhookJobs,
  webhookRoutes,
  webhookTables,
} from './areas/webhooks/index.ts';
import type { FactGroup } from './kernel/facts.ts';
import { FIRST_ANSWERS } from './kernel/first-answers.ts';
import type { JobKind } from './kernel/job.ts';
import { BALANCES, POSTINGS } from './kernel/ledger.ts';
import type { Operation, PrincipalOf } from './kernel/operation.ts';
import { JOBS } from './kernel/scheduler.ts';
import type { Row, TableToken } from './kernel/table.ts';
import type { World, WorldParts } from './kernel/world.ts';

/** One part of the API: what it offers, and the work it does later. */
export interface Area {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Who the access tokens that it hands out stand for. */
  readonly principalOf?: PrincipalOf;
  readonly tables?: readonly TableToken<Row>[];
  readonly jobs?: Readonly<Record<string, JobKind>>;
  readonly facts?: readonly FactGroup[];
}

/** The accounts that a newly configured currency asks for: the platform's, and those of every customer. */
function openMissing(world: World, platform: Platform): void {
  openAccounts(world);
  for (const customer of [...world.rows(CUSTOMERS).rows()])
    if (!customer.isDeleted && !awaitsTerms(platform, customer)) openFor(world, customer);
}

/** What follows elsewhere from a changed configuration; the platform, being lowest, asks nobody. */
const configChanged: ConfigChange = (world, before, after) => {
  const known = new Set(before.currencies.map((c) => c.currencyCode));
  if (after.currencies.some((c) => !known.has(c.currencyCode))) openMissing(world, after);
  endpointChanged(world, before, after);
};

/** Every area, lower first. The order IS the import rule: an area may enter only those above it in this list. */
export const AREAS: readonly Area[] = [
  { name: 'platform', operations: platformRoutes(configChanged), tables: platformTables },
  { name: 'tokens', operations: tokenRoutes, tables: tokenTables },
  { name: 'accounts', operations: accountRoutes, tables: accountTables, facts: accountFacts },
  { name: 'codes', operations: [], tables: codeTables },
  { name: 'signing', operations: [], tables: signingTables },
  { name: 'sessions', operations: sessionRoutes, tables: sessionTables },
  { name: 'credentials', operations: credentialRoutes, tables: credentialTables },
  { name: 'wallets', operations: walletRoutes },
  { name: 'customers', operations: customerRoutes, tables: customerTables, jobs: customerJobs, facts: customerFacts },
  { name: 'contact', operations: contactRoutes },
  {
    name: 'onboarding',
    operations: onboardingRoutes,
    tables: onboardingTables,
    jobs: onboardingJobs,
    facts: onboardingFacts,
  },
  { name: 'bulk', operations: bulkRoutes, tables: bulkTables, jobs: bulkJobs, facts: bulkFacts },
  {
    name: 'external-accounts',
    operations: externalAccountRoutes,
    tables: externalAccountTables,
    jobs: externalAccountJobs,
    facts: externalAccountFacts,
  },
  { name: 'rates', operations: rateRoutes, tables: rateTables },
  { name: 'lookups', operations: lookupRoutes },
  { name: 'invitations', operations: invitationRoutes, tables: invitationTables, facts: invitationFacts },
  { name: 'directories', operations: directoryRoutes },
  {
    name: 'transactions',
    operations: transactionRoutes,
    tables: transactionTables,
    jobs: transactionJobs,
    facts: transactionFacts,
  },
  { name: 'quotes', operations: quoteRoutes, tables: quoteTables, jobs: quoteJobs },
  { name: 'transfers', operations: transferRoutes },
  { name: 'webhooks', operations: webhookRoutes, tables: webhookTables, jobs: webhookJobs, facts: webhookFacts },
  { name: 'sandbox', operations: sandboxRoutes },
];

/** Every kind of delayed work. */
export const JOB_KINDS: ReadonlyMap<string, JobKind> = new Map(
  AREAS.flatMap((area) => Object.entries(area.jobs ?? {})),
);

const DECLARED: readonly TableToken<Row>[] = [
  ...[JOBS, POSTINGS, BALANCES, FIRST_ANSWERS],
  ...AREAS.flatMap((area) => area.tables ?? []),
];

/** Every table that a world may have, the kernel's own first. */
export const TABLES: ReadonlyMap<string, TableToken<Row>> = new Map(DECLARED.map((table) => [table.name, table]));

/** Every event that is told, by group. */
export const FACTS: readonly FactGroup[] = AREAS.flatMap((area) => area.facts ?? []);

/** What a world needs of the areas. */
export const PARTS: WorldParts = {
  handlers: new Map([...JOB_KINDS].map(([kind, { run }]) => [kind, run])),
  onFact,
  deliveryRules: new Map(FACTS.flatMap(({ delivery = {} }) => Object.entries(delivery))),
};

/** Every operation that is built. */
export const OPERATIONS: readonly Operation[] = AREAS.flatMap((area) => area.operations);

/** Who access tokens stand for, by the areas that hand them out. */
export const PRINCIPALS: readonly PrincipalOf[] = AREAS.flatMap((area) => area.principalOf ?? []);

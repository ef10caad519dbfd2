import { accountFacts, accountRoutes, openAccounts } from './areas/accounts/index.ts';
import { bulkFacts, bulkJobs, bulkRoutes } from './areas/bulk/index.ts';
import { contactRoutes } from './areas/contact/index.ts';
import { credentialRoutes } from './areas/credentials/index.ts';
import {
  awaitsTerms,
  CUSTOMERS,
  customerFacts,
  customerJobs,
  customerRoutes,
  openFor,
} from './areas/customers/index.ts';
import { directoryRoutes } from './areas/directories/index.ts';
import { externalAccountFacts, externalAccountJobs, externalAccountRoutes } from './areas/external-accounts/index.ts';
import { invitationFacts, invitationRoutes } from './areas/invitations/index.ts';
import { lookupRoutes } from './areas/lookups/index.ts';
import { onboardingFacts, onboardingJobs, onboardingRoutes } from './areas/onboarding/index.ts';
import { type ConfigChange, type Platform, platformRoutes } from './areas/platform/index.ts';
import { quoteJobs, quoteRoutes } from './areas/quotes/index.ts';
import { rateRoutes } from './areas/rates/index.ts';
import { sandboxRoutes } from './areas/sandbox/index.ts';
import { sessionRoutes } from './areas/sessions/index.ts';
import { tokenRoutes } from './areas/tokens/index.ts';
import { transactionFacts, transactionJobs, transactionRoutes } from './areas/transactions/index.ts';
import { transferRoutes } from './areas/transfers/index.ts';
import { walletRoutes } from './areas/wallets/index.ts';
import { endpointChanged, onFact, webhookFacts, webhookJobs, webhookRoutes } from './areas/webhooks/index.ts';
import type { FactGroup } from './kernel/facts.ts';
import type { Operation } from './kernel/operation.ts';
import type { JobHandler } from './kernel/scheduler.ts';
import type { World, WorldParts } from './kernel/world.ts';

/** One part of the API: what it offers, and the work it does later. */
export interface Area {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly jobs?: Readonly<Record<string, JobHandler>>;
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
  { name: 'platform', operations: platformRoutes(configChanged) },
  { name: 'tokens', operations: tokenRoutes },
  { name: 'accounts', operations: accountRoutes, facts: accountFacts },
  { name: 'codes', operations: [] },
  { name: 'signing', operations: [] },
  { name: 'sessions', operations: sessionRoutes },
  { name: 'credentials', operations: credentialRoutes },
  { name: 'wallets', operations: walletRoutes },
  { name: 'customers', operations: customerRoutes, jobs: customerJobs, facts: customerFacts },
  { name: 'contact', operations: contactRoutes },
  { name: 'onboarding', operations: onboardingRoutes, jobs: onboardingJobs, facts: onboardingFacts },
  { name: 'bulk', operations: bulkRoutes, jobs: bulkJobs, facts: bulkFacts },
  {
    name: 'external-accounts',
    operations: externalAccountRoutes,
    jobs: externalAccountJobs,
    facts: externalAccountFacts,
  },
  { name: 'rates', operations: rateRoutes },
  { name: 'lookups', operations: lookupRoutes },
  { name: 'invitations', operations: invitationRoutes, facts: invitationFacts },
  { name: 'directories', operations: directoryRoutes },
  { name: 'transactions', operations: transactionRoutes, jobs: transactionJobs, facts: transactionFacts },
  { name: 'quotes', operations: quoteRoutes, jobs: quoteJobs },
  { name: 'transfers', operations: transferRoutes },
  { name: 'webhooks', operations: webhookRoutes, jobs: webhookJobs, facts: webhookFacts },
  { name: 'sandbox', operations: sandboxRoutes },
];

/** What a world needs of the areas. */
export const PARTS: WorldParts = {
  handlers: new Map(AREAS.flatMap((area) => Object.entries(area.jobs ?? {}))),
  onFact,
};

/** Every operation that is built. */
export const OPERATIONS: readonly Operation[] = AREAS.flatMap((area) => area.operations);

/** Every event that is told, by group. */
export const FACTS: readonly FactGroup[] = AREAS.flatMap((area) => area.facts ?? []);

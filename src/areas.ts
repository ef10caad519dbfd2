import { accountFacts, accountRoutes, openMissingAccounts } from './areas/accounts/index.ts';
import { contactRoutes } from './areas/contact/index.ts';
import { awaitsTerms, CUSTOMERS, customerFacts, customerJobs, customerRoutes } from './areas/customers/index.ts';
import { onboardingFacts, onboardingJobs, onboardingRoutes } from './areas/onboarding/index.ts';
import { type ConfigChange, platformRoutes } from './areas/platform/index.ts';
import { sandboxRoutes } from './areas/sandbox/index.ts';
import { tokenRoutes } from './areas/tokens/index.ts';
import { endpointChanged, onFact, webhookFacts, webhookJobs, webhookRoutes } from './areas/webhooks/index.ts';
import type { FactGroup } from './kernel/facts.ts';
import type { Operation } from './kernel/operation.ts';
import type { JobHandler } from './kernel/scheduler.ts';
import type { WorldParts } from './kernel/world.ts';

/** One part of the API: what it offers, and the work it does later. */
export interface Area {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  readonly facts?: readonly FactGroup[];
}

/** What follows elsewhere from a changed configuration; the platform, being lowest, asks nobody. */
const configChanged: ConfigChange = (world, before, after) => {
  const known = new Set(before.currencies.map((c) => c.currencyCode));
  if (after.currencies.some((c) => !known.has(c.currencyCode)))
    openMissingAccounts(
      world,
      [...world.rows(CUSTOMERS).rows()].filter((c) => !c.isDeleted && !awaitsTerms(after, c)).map((c) => c.id),
    );
  endpointChanged(world, before, after);
};

/** Every area, lower first. The order IS the import rule: an area may enter only those above it in this list. */
export const AREAS: readonly Area[] = [
  { name: 'platform', operations: platformRoutes(configChanged) },
  { name: 'tokens', operations: tokenRoutes },
  { name: 'accounts', operations: accountRoutes, facts: accountFacts },
  { name: 'customers', operations: customerRoutes, jobs: customerJobs, facts: customerFacts },
  { name: 'contact', operations: contactRoutes },
  { name: 'onboarding', operations: onboardingRoutes, jobs: onboardingJobs, facts: onboardingFacts },
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

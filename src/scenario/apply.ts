import { accountsOf, fund, openAccounts } from '../areas/accounts/index.ts';
import { CustomerCreate, createCustomer } from '../areas/customers/index.ts';
import { openPlatform } from '../areas/platform/index.ts';
import type { World } from '../kernel/world.ts';
import { ScenarioError } from './error.ts';
import { generateCustomers } from './generate.ts';
import type { Scenario } from './schema.ts';

/** Fill a new world. What a scenario puts in place is history: it sends no events. */
export function applyScenario(
  world: World,
  scenario: Scenario,
  options: { webhookUrl?: string | undefined; remoteWebhooks: boolean },
): void {
  const { platform } = scenario;
  world.quietly(() => {
    openPlatform(world, {
      ...platform,
      webhookUrl: options.webhookUrl ?? platform.webhookUrl,
      remoteWebhooks: options.remoteWebhooks,
      oidc: {
        verifySignatures: platform.verifyOidcSignatures,
        jwks: platform.oidcJwks,
        issuers: platform.oidcIssuers,
      },
    });
    openAccounts(world);
    scenario.customers.forEach((seed, i) => {
      addCustomer(world, seed, i);
    });
    generateCustomers(world, scenario.generate.customers ?? 0);
  });
  world.settings = { policies: definedOnly(scenario.policies), limits: definedOnly(scenario.limits) };
}

const definedOnly = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined));

function addCustomer(world: World, seed: Scenario['customers'][number], i: number): void {
  const { label, accounts = {}, ...body } = seed;
  const parsed = CustomerCreate().safeParse(body);
  if (!parsed.success)
    throw new ScenarioError(
      'scenario',
      parsed.error.issues.map((issue) => ({
        line: 1,
        column: 1,
        message: `customers.${i}.${issue.path.join('.')}: ${issue.message}`,
      })),
    );
  const customer = createCustomer(world, parsed.data);
  const opened = accountsOf(world, customer.id);
  for (const [currency, amount] of Object.entries(accounts)) {
    const account = opened.find((a) => a.currency === currency);
    if (!account)
      throw new ScenarioError('scenario', [
        { line: 1, column: 1, message: `customers.${i}.accounts: the platform has no ${currency}` },
      ]);
    if (amount !== undefined && amount > 0) fund(world, account.id, amount);
  }
}

import { accountsOf, fund, openAccounts } from '../areas/accounts/index.ts';
import { CustomerCreate, createCustomer } from '../areas/customers/index.ts';
import {
  createExternalAccount,
  ExternalAccountCreate,
  setCounterpartyRules,
} from '../areas/external-accounts/index.ts';
import { openPlatform } from '../areas/platform/index.ts';
import { fixRates } from '../areas/rates/index.ts';
import { Failure } from '../kernel/errors.ts';
import { CURRENCIES } from '../kernel/money.ts';
import type { World } from '../kernel/world.ts';
import { ScenarioError, type ScenarioProblem } from './error.ts';
import { generateCustomers, generateTransactions } from './generate.ts';
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
    setCounterpartyRules(world, platform.counterpartyRules);
    const mistakes = new Mistakes();
    mistakes.note(() => setRates(world, scenario.rates));
    const labels = new Map<string, string | undefined>();
    scenario.customers.forEach((seed, i) => {
      const id = mistakes.note(() => addCustomer(world, seed, i));
      mistakes.note(() => label(labels, seed.label, id, `customers.${i}`));
    });
    scenario.externalAccounts.forEach((seed, i) => {
      const id = mistakes.note(() => addExternalAccount(world, seed, labels, i));
      mistakes.note(() => label(labels, seed.label, id, `externalAccounts.${i}`));
    });
    mistakes.refuse();
    generateCustomers(world, scenario.generate.customers ?? 0);
    generateTransactions(world, scenario.generate.transactions ?? 0);
  });
  world.settings = { policies: definedOnly(scenario.policies), limits: flatLimits(scenario.limits) };
}

/** Limits by name; one of several members is `<name>.<member>`. */
const flatLimits = (limits: Scenario['limits']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(definedOnly(limits)).flatMap(([name, most]) =>
      typeof most === 'number'
        ? [[name, most] as const]
        : Object.entries(most).map(([member, one]) => [`${name}.${member}`, one] as const),
    ),
  );

const definedOnly = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined));

/** Refuse a scenario whose shape is right and whose sense is not. */
const nonsense = (...messages: string[]): never => {
  throw new ScenarioError(
    'scenario',
    messages.map((message) => ({ line: 1, column: 1, message })),
  );
};

/** Gathers what is wrong, so that somebody who writes a scenario is told everything at once. */
class Mistakes {
  readonly #problems: ScenarioProblem[] = [];

  /** Do a piece of it; nothing comes of a piece that is wrong. */
  note<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      this.#problems.push(...error.problems);
      return undefined;
    }
  }

  refuse(): void {
    if (this.#problems.length > 0) throw new ScenarioError('scenario', this.#problems);
  }
}

/** A label names one thing: a reference must not be a matter of luck. Without an id, the thing was wrong itself. */
function label(
  labels: Map<string, string | undefined>,
  name: string | undefined,
  id: string | undefined,
  where: string,
): void {
  if (name === undefined) return;
  if (labels.has(name)) nonsense(`${where}.label: ${name} is the label of something else`);
  labels.set(name, id);
}

function setRates(world: World, rates: Scenario['rates']): void {
  for (const pair of Object.keys(rates))
    for (const code of pair.split('/'))
      if (!CURRENCIES.has(code)) nonsense(`rates.${pair}: ${code} is not a currency of this service`);
  fixRates(world, rates);
}

/** An account elsewhere, as its creation would make it; the owner goes by label. */
function addExternalAccount(
  world: World,
  seed: Scenario['externalAccounts'][number],
  labels: ReadonlyMap<string, string | undefined>,
  i: number,
): string | undefined {
  const { label: _, customer, ...body } = seed;
  const customerId = customer === undefined ? undefined : labels.get(customer);
  if (customer !== undefined && customerId === undefined) {
    if (labels.has(customer)) return undefined;
    nonsense(`externalAccounts.${i}.customer: no customer has the label ${customer}`);
  }
  const parsed = ExternalAccountCreate().safeParse({ ...body, customerId });
  if (!parsed.success)
    return nonsense(
      ...parsed.error.issues.map((issue) => `externalAccounts.${i}.${issue.path.join('.')}: ${issue.message}`),
    );
  return refusedAt(`externalAccounts.${i}`, () => createExternalAccount(world, parsed.data)).id;
}

/** Do what the API would do; what it refuses is a mistake in the scenario, and where. */
function refusedAt<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return nonsense(`${where}: ${error.message}`);
  }
}

function addCustomer(world: World, seed: Scenario['customers'][number], i: number): string {
  const { label: _, accounts = {}, ...body } = seed;
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
  const customer = refusedAt(`customers.${i}`, () => createCustomer(world, parsed.data));
  const opened = accountsOf(world, customer.id);
  for (const [currency, amount] of Object.entries(accounts)) {
    const account = opened.find((a) => a.currency === currency);
    if (!account)
      throw new ScenarioError('scenario', [
        { line: 1, column: 1, message: `customers.${i}.accounts: the platform has no ${currency}` },
      ]);
    if (amount !== undefined && amount > 0) fund(world, account.id, amount);
  }
  return customer.id;
}

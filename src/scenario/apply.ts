import type * as z from 'zod';
import { ACCOUNTS, accountsOf, fund, openAccounts } from '../areas/accounts/index.ts';
import { addCredential } from '../areas/credentials/index.ts';
import { CUSTOMERS, type Customer, CustomerCreate, createCustomer, personName } from '../areas/customers/index.ts';
import {
  createExternalAccount,
  EXTERNAL_ACCOUNTS,
  ExternalAccountCreate,
  setCounterpartyRules,
} from '../areas/external-accounts/index.ts';
import { beginTraffic, startOverAfter } from '../areas/live/index.ts';
import { configuredCurrency, openPlatform } from '../areas/platform/index.ts';
import { fixRates } from '../areas/rates/index.ts';
import { plantTrust, setScaPolicy } from '../areas/sca/index.ts';
import { SEEDS } from '../areas.ts';
import { parseDuration } from '../contract/duration-text.ts';
import { CURRENCIES } from '../contract/money.ts';
import { present } from '../contract/shapes.ts';
import type { Labels, Seed, SeedEntry } from '../declare/seed.ts';
import { LATEST } from '../engine/clock.ts';
import { isResource } from '../engine/resource.ts';
import type { Settings } from '../engine/settings.ts';
import type { Steps } from '../engine/slices.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import {
  invalid,
  type LeftOut,
  type NameOf,
  type Owner,
  PLATFORM,
  refusedAt,
  ScenarioChecker,
  withLabels,
} from './checker.ts';
import { ScenarioError } from './error.ts';
import { generateCustomers } from './generate/customers.ts';
import type { Payee } from './generate/payee.ts';
import { generateTransactions } from './generate/payments.ts';
import { addPast, agoOf } from './history.ts';
import { type Scenario, seedsIn } from './schema.ts';
import { issuesIn, objectText, sentenceAbout } from './sentence.ts';
import { verified } from './verified.ts';

interface Options extends LeftOut {
  webhookUrl?: string | undefined;
}

/** The plan that a scenario leads to. It is immutable, and many lives begin from the same one. */
interface Plan {
  /** The number of rows to create. */
  readonly rows: number;
  /** True if it creates nothing but a platform. */
  readonly isBare: boolean;
  readonly settings: Settings;
}
const plans = new WeakMap<Scenario, Plan>();

function planOf(scenario: Scenario): Plan {
  const known = plans.get(scenario);
  if (known) return known;
  const { customers, externalAccounts, transactions, generate, rates, faults, platform } = scenario;
  const named = [customers, externalAccounts, transactions, ...SEEDS.map(({ key }) => seedsIn(scenario, key))];
  const listed = named.reduce((sum, { length }) => sum + length, 0);
  const rows = listed + (generate.customers ?? 0) + (generate.transactions ?? 0);
  const more = [rates, faults, platform.accounts ?? {}];
  const plan = {
    rows,
    isBare: rows === 0 && more.every((each) => Object.keys(each).length === 0),
    settings: { policies: present(scenario.policies), limits: flatLimits(scenario.limits) },
  };
  plans.set(scenario, plan);
  return plan;
}

/** Returns the number of rows in a scenario, which measures the work of filling a world. */
export const rowsOf = (scenario: Scenario): number => planOf(scenario).rows;

/**
 * Fills a new world. The content of a scenario is history: it emits no events, and payments of the past have their
 * dates.
 */
export function* applyScenario(world: World, scenario: Scenario, options: Options): Steps {
  try {
    yield* putInPlace(world, scenario, options);
  } catch (error) {
    throw error instanceof ScenarioError ? withLabels(error, scenario) : error;
  }
}

function* putInPlace(world: World, scenario: Scenario, options: Options): Steps {
  const start = world.clock.mark();
  const { now } = start;
  const { isBare, settings } = planOf(scenario);
  checkTime(scenario, now);
  // Time stands still until it is done, however many slices that takes.
  world.clock.restore({ ...start, mode: 'held' });
  if (isBare) world.withoutEvents(() => openAt(world, scenario, options));
  else yield* quietly(world, fill(world, scenario, options, now));
  world.clock.restore(start);
  begin(world, scenario);
  world.settings = { policies: { ...settings.policies }, limits: { ...settings.limits } };
}

/** Starts the scheduled work of a live scenario and of regular resets. */
function begin(world: World, { live, resetEvery }: Scenario): void {
  if (live) beginTraffic(world, live.paymentsPerHour, parseDuration(live.keep) ?? 0);
  if (resetEvery !== undefined) startOverAfter(world, parseDuration(resetEvery) ?? 0);
}

/** Yields the same steps, each without events. */
function* quietly(world: World, steps: Steps): Steps {
  for (;;) {
    let step: IteratorResult<number, void> | undefined;
    world.withoutEvents(() => {
      step = steps.next();
    });
    if (!step || step.done) return;
    yield step.value;
  }
}

function* fill(world: World, scenario: Scenario, options: Options, now: number): Steps {
  const pinned = pinnedIn(scenario);
  for (const id of pinned) world.pin(id);
  const checker = new ScenarioChecker(namesIn(world, pinned), options);
  openPast(world, scenario, now);
  const isOpen = checker.note(() => {
    openAt(world, scenario, options);
    return true;
  });
  // It refused the fees: the rest is checked without them.
  if (!isOpen) openAt(world, { ...scenario, platform: { ...scenario.platform, fees: [] } }, options);
  checker.noteMoney(PLATFORM, () => deposit(world, undefined, scenario.platform.accounts, 'platform.accounts'));
  checker.note(() => setRates(world, scenario.rates));
  for (const [i, seed] of scenario.customers.entries()) {
    const where = `customers.${i}`;
    const id = checker.note(() => addCustomer(world, seed, where));
    checker.label('customer', seed.label, id, where);
    yield 1;
  }
  for (const [i, seed] of scenario.externalAccounts.entries()) {
    const where = `externalAccounts.${i}`;
    const id = checker.note(() => addExternalAccount(world, seed, where, checker));
    checker.label('external account', seed.label, id, where);
    yield 1;
  }
  if (scenario.generate.customers) checker.refuse();
  const generated = yield* generateCustomers(world, scenario.generate);
  const payees = checker.note(() => payeesOf(world, scenario, generated)) ?? [];
  yield* history(world, scenario, payees, now, checker);
  for (const seed of SEEDS)
    for (const [i, entry] of seedsIn(scenario, seed.key).entries()) {
      const where = `${seed.key}.${i}`;
      const id = checker.note(() =>
        checker.paidBy(ownerOf(scenario, entry), where, () => plant(world, seed, entry, where, checker)),
      );
      checker.label(kindOf(seed.table), entry.label, id, where);
      yield 1;
    }
  checker.refuse();
}

/** Returns the ids that the file itself has. */
function pinnedIn(scenario: Scenario): Set<string> {
  const { customers, externalAccounts } = scenario;
  const entries: SeedEntry[] = [customers, externalAccounts, ...SEEDS.map(({ key }) => seedsIn(scenario, key))].flat();
  const accounts = customers.flatMap(({ accountIds }) => Object.values(accountIds ?? {}));
  return new Set([...entries.map(({ id }) => id), ...accounts].filter((id) => id !== undefined));
}

/** Returns the author's name for a row: the id that the file itself has, otherwise a label or a name. */
function namesIn(world: World, written: ReadonlySet<string>): NameOf {
  return (id, labelOf) => (written.has(id) ? undefined : nameOf(world, id, labelOf));
}

/** Returns the label of a row or the name of a customer; an account is named by its currency and its owner. */
function nameOf(world: World, id: string, labelOf: (id: string) => string | undefined): string | undefined {
  const account = world.rows(ACCOUNTS).get(id);
  if (!account) return labelOf(id) ?? personName(world, id);
  const { customerId, currency } = account;
  return customerId === undefined
    ? `the platform's ${currency} account`
    : `the ${currency} account of ${nameOf(world, customerId, labelOf) ?? customerId}`;
}

/** Returns the word of labels for the rows of a table. */
const kindOf = (table: TableToken<Row>): string => (isResource(table) ? table.one.toLowerCase() : table.name);

/** Puts an entry of an area's list in place, at once. */
function plant(
  world: World,
  { table, plant }: Seed,
  entry: SeedEntry,
  where: string,
  checker: ScenarioChecker,
): string {
  taken(world.rows(table), entry.id, where);
  const labels: Labels = {
    idOf: (of, name, member) => checker.idOf(kindOf(of), name, `${where}.${member}`),
    refuse: (member, message) => invalid([`${where}.${member}`, message]),
  };
  return plant(world, entry, labels);
}

/** Returns the owner of the money that an entry of an area's list moves: its customer, or its agent's. */
function ownerOf(scenario: Scenario, entry: SeedEntry): Owner {
  const { customer, agent } = entry as { customer?: string; agent?: string };
  const principal = agent === undefined ? undefined : seedsIn(scenario, 'agents').find(({ label }) => label === agent);
  return customer ?? (principal ? ownerOf(scenario, { ...principal, agent: undefined } as SeedEntry) : PLATFORM);
}

/** Returns limits by name; one of several members is `<name>.<member>`. */
const flatLimits = (limits: Scenario['limits']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(present(limits)).flatMap(([name, most]) =>
      typeof most === 'number'
        ? [[name, most] as const]
        : Object.entries(most).map(([member, one]) => [`${name}.${member}`, one] as const),
    ),
  );

const DAY_MS = 86_400_000;

/** Refuses dates before 1970, which ids cannot express, and after the end of the clock. */
function checkTime({ transactions, generate }: Scenario, now: number): void {
  const start = () => new Date(now).toISOString();
  if (now < 0 || now > LATEST) invalid(['clock.now', `${start()} is not between 1970 and the end of 9998`]);
  const most = () => `at most ${Math.max(0, Math.floor(now / DAY_MS) - 1)} days, for the clock starts at ${start()}`;
  const tooEarly = (where: string, ago: number): [string, string][] =>
    ago > 0 && ago + DAY_MS > now ? [[where, `reaches back before 1970; ${most()}`]] : [];
  const wrong = transactions.flatMap((past, i) => tooEarly(`transactions.${i}.ago`, agoOf(past)));
  if (generate.transactions) wrong.push(...tooEarly('generate.days', (generate.days ?? 0) * DAY_MS));
  if (wrong.length > 0) invalid(...wrong);
}

/** Starts the clock a day before the first payment of the past, so that every customer precedes it. */
function openPast(world: World, { transactions, generate }: Scenario, now: number): void {
  const oldest = Math.max(0, ...transactions.map(agoOf), generate.transactions ? (generate.days ?? 0) * DAY_MS : 0);
  if (oldest > 0)
    world.clock.restore({ now: new Date(now - oldest - DAY_MS).toISOString(), mode: 'held', speed: world.clock.speed });
}

/**
 * Returns the payees of made-up payments: the made-up customers, otherwise an account of the platform without a balance
 * in the file. A balance that the file states stays as it is.
 */
function payeesOf(world: World, { generate, platform }: Scenario, generated: readonly Customer[]): Payee[] {
  const payees = generated.flatMap((customer) => {
    const [account] = accountsOf(world, customer.id);
    return account ? [{ customer, account }] : [];
  });
  if (payees.length > 0 || !generate.transactions || generated.length > 0) return payees;
  const [account] = accountsOf(world).filter(
    ({ currency }) => Reflect.get(platform.accounts ?? {}, currency) === undefined,
  );
  return account
    ? [{ account }]
    : invalid([
        'generate.transactions',
        'there is nobody to pay, because the file says what every account holds; add generate.customers',
      ]);
}

/** Puts payments of the past in place in order of time, evenly mixed with made-up ones. */
function* history(
  world: World,
  { transactions, generate }: Scenario,
  payees: readonly Payee[],
  now: number,
  checker: ScenarioChecker,
): Steps {
  const named = transactions
    .map((past, i) => ({ past, at: now - agoOf(past), where: `transactions.${i}` }))
    .sort((a, b) => a.at - b.at);
  const upTo = (at: number): void => {
    for (let next = named[0]; next && next.at <= at; next = named[0]) {
      const { past, where } = next;
      named.shift();
      world.clock.moveTo(next.at);
      const owner = past.customer ?? PLATFORM;
      const add = () => checker.paidBy(owner, where, () => addPast(world, past, checker, where));
      if (past.type === 'INCOMING') checker.noteMoney(owner, add);
      else checker.note(add);
    }
  };
  const count = payees.length > 0 ? (generate.transactions ?? 0) : 0;
  const span = (generate.days ?? 0) * DAY_MS;
  yield* generateTransactions(world, payees, { ...generate, transactions: count }, now, (i) => {
    if (span === 0) return;
    const at = now - span + Math.floor((span * i) / count);
    upTo(at);
    world.clock.moveTo(at);
  });
  upTo(now);
  world.clock.moveTo(now);
}

const openAt = (world: World, scenario: Scenario, options: Options): void =>
  refusedAt('platform', () => open(world, scenario, options));

function open(world: World, { platform }: Scenario, options: Options): void {
  openPlatform(world, {
    ...platform,
    webhookUrl: options.webhookUrl ?? platform.webhookUrl,
    oidc: { verifySignatures: platform.verifyOidcSignatures, jwks: platform.oidcJwks, issuers: platform.oidcIssuers },
  });
  openAccounts(world);
  setCounterpartyRules(world, platform.counterpartyRules);
  setScaPolicy(world, platform.sca);
}

function setRates(world: World, rates: Scenario['rates']): void {
  for (const pair of Object.keys(rates))
    for (const code of pair.split('/'))
      if (!CURRENCIES.has(code)) invalid([`rates.${pair}`, `${code} is not a currency of this service`]);
  fixRates(world, rates);
}

/** Adds an external account, as its creation would; the file names the owner by label. */
function addExternalAccount(
  world: World,
  seed: Scenario['externalAccounts'][number],
  where: string,
  checker: ScenarioChecker,
): string {
  const { label: _, id, customer, trusted = false, ...body } = seed;
  const customerId =
    customer === undefined ? undefined : checker.note(() => checker.idOf('customer', customer, `${where}.customer`));
  const sent = { ...body, customerId };
  const parsed = ExternalAccountCreate().safeParse(sent, { error: objectText });
  if (!parsed.success) return invalid(...issuesOf(parsed.error, sent, where));
  if (customer !== undefined && customerId === undefined) return invalid();
  taken(world.rows(EXTERNAL_ACCOUNTS), id, where);
  if (trusted && customerId === undefined) invalid([`${where}.trusted`, 'only an account of a customer is trusted']);
  const account = refusedAt(where, () => createExternalAccount(world, parsed.data, id));
  if (trusted && customerId !== undefined) plantTrust(world, customerId, account.id);
  return account.id;
}

function addCustomer(world: World, seed: Scenario['customers'][number], where: string): string {
  const { label: _, id: pinned, accounts, accountIds, credentials = [], kycStatus, ...body } = seed;
  const parsed = CustomerCreate().safeParse(body, { error: objectText });
  if (!parsed.success)
    return invalid(...issuesOf(parsed.error, body, where), ...unconfigured(world, accounts, `${where}.accounts`));
  taken(world.rows(CUSTOMERS), pinned, where);
  for (const account of Object.values(accountIds ?? {})) taken(world.rows(ACCOUNTS), account, where, 'accountIds');
  const create = () => createCustomer(world, parsed.data, pinned, accountIds);
  const { id } = refusedAt(where, () => verified(world, kycStatus, create));
  for (const credential of credentials) addLogin(world, id, credential, `${where}.credentials`);
  deposit(world, id, accounts, `${where}.accounts`);
  return id;
}

type Wrong = readonly [where: string, message: string];

/** Returns the issues of a schema in an entry at a place. */
const issuesOf = ({ issues }: z.ZodError, entry: object, where: string): Wrong[] =>
  issuesIn(issues).map((issue) => [[where, ...issue.path].join('.'), sentenceAbout(issue, entry)]);

/** Refuses a pinned id that another row has. */
function taken(rows: { get(id: string): unknown }, id: string | undefined, where: string, member = 'id'): void {
  if (id !== undefined && rows.get(id)) invalid([`${where}.${member}`, `${id} is taken`]);
}

function deposit(
  world: World,
  customerId: string | undefined,
  balances: Readonly<Record<string, number | undefined>> = {},
  where: string,
): void {
  const opened = accountsOf(world, customerId);
  const wrong: [string, string][] = [];
  for (const [currency, amount] of Object.entries(balances)) {
    const account = opened.find((a) => a.currency === currency);
    if (!account) wrong.push([`${where}.${currency}`, lacking(world, currency)]);
    else if (amount !== undefined && amount > 0) fund(world, account.id, amount);
  }
  if (wrong.length > 0) invalid(...wrong);
}

/** Returns the balances in currencies that the platform does not have. */
const unconfigured = (world: World, balances: object = {}, where: string): [string, string][] =>
  Object.keys(balances)
    .filter((currency) => !configuredCurrency(world, currency))
    .map((currency) => [`${where}.${currency}`, lacking(world, currency)]);

/** Returns why there is no account in a currency. */
const lacking = (world: World, currency: string): string =>
  configuredCurrency(world, currency)
    ? `there is no account in ${currency} yet: platform.requireEndUserTerms wants the customer's endUserTermsConsent first`
    : `the platform has no ${currency}`;

type CredentialSeed = NonNullable<Scenario['customers'][number]['credentials']>[number];

/** Adds a credential to the wallet of a customer. */
function addLogin(world: World, customerId: string, seed: CredentialSeed, where: string): void {
  const wallet = accountsOf(world, customerId).find((account) => account.type === 'EMBEDDED_WALLET');
  if (!wallet) invalid([where, 'the customer has no wallet; the platform needs USDB']);
  if (seed.type === 'OAUTH') {
    const { iss, aud, sub, email } = seed;
    addCredential(world, wallet.id, { type: 'OAUTH', nickname: email ?? sub, oauth: { iss, aud, sub } });
    return;
  }
  const phone = world.rows(CUSTOMERS).get(customerId)?.phoneNumber;
  if (phone === undefined) invalid([where, 'SMS_OTP needs a phoneNumber']);
  addCredential(world, wallet.id, { type: 'SMS_OTP', nickname: phone });
}

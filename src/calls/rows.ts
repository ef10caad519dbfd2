import { createHash } from 'node:crypto';
import { ACCOUNTS, accountsOf, type InternalAccount } from '../areas/accounts/index.ts';
import { CUSTOMERS, type Customer, hasRequired } from '../areas/customers/index.ts';
import {
  EXTERNAL_ACCOUNTS,
  type ExternalAccount,
  isWallet,
  PLATFORM_KEY,
  suffixOf,
} from '../areas/external-accounts/index.ts';
import { platformOf } from '../areas/platform/index.ts';
import { factorsOf, requiresSca } from '../areas/sca/index.ts';
import { TABLES } from '../areas.ts';
import { type Fits, type Match, type Pair, type Row, type SampleName, type Scene, suits } from '../declare/example.ts';
import type { TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { BANKS, BENEFICIARY, filled, SAMPLES, WALLET } from './samples.ts';

/** The most rows that are searched for one that fits. */
const MOST = 2000;
/** The least balance of an account that pays in an example, in minor units. */
const ENOUGH = 10_000;

const tokenOf = (table: string): TableToken<Row> => TABLES.get(table) as unknown as TableToken<Row>;
const asRow = <R extends { readonly id: string }>(row: R | undefined) => row as unknown as Row | undefined;

/** The rows of a world that an example can use, and a record of those that it lacks. */
export class Rows implements Scene {
  readonly world: World;
  #needs: string | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** The operation that makes the first missing thing. */
  get needs(): string | undefined {
    return this.#needs;
  }

  get now(): number {
    return this.world.clock.now();
  }

  get platform(): Readonly<Record<string, unknown>> {
    return { ...platformOf(this.world) };
  }

  get currency(): string {
    const codes = platformOf(this.world).currencies.map(({ currencyCode }) => currencyCode);
    return codes.includes('USD') ? 'USD' : (codes.find((code) => code in BANKS) ?? codes[0] ?? 'USD');
  }

  nth(table: string): number {
    return this.world.rows(tokenOf(table)).size + 1;
  }

  text(pattern: string, table: string): string {
    return filled(pattern, this.nth(table));
  }

  sample(name: SampleName): unknown {
    return SAMPLES[name](this.nth('customers'));
  }

  /** Three digits that no other account of a bank has. */
  get #digits(): string {
    return String((this.nth('external-accounts') - 1) % 1000).padStart(3, '0');
  }

  bankEnding(suffix: string): object {
    const currency = String(this.pairOf()?.from['currency'] ?? this.currency);
    return { currency, accountInfo: { ...BANKS[currency]?.(this.#digits, suffix), beneficiary: BENEFICIARY } };
  }

  bank(): object {
    const info = BANKS[this.currency]?.(this.#digits);
    if (!info) return { currency: 'USDC', ownershipType: 'THIRD_PARTY', accountInfo: WALLET };
    return { currency: this.currency, accountInfo: { ...info, beneficiary: BENEFICIARY } };
  }

  /** The sandbox does not check the token's signature unless a scenario requires it. */
  idToken(identity: object, clientKey?: string): string {
    const seconds = Math.floor(this.now / 1000);
    const nonce = clientKey === undefined ? {} : { nonce: createHash('sha256').update(clientKey).digest('hex') };
    const claims = { ...identity, iat: seconds, exp: seconds + 300, ...nonce };
    const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return `${parts.join('.')}.sandbox-signature`;
  }

  lacks(maker: string): string {
    this.#needs ??= maker;
    return `<id from ${maker}>`;
  }

  newest(table: string, match: Match = {}, fits: Fits = () => true): Row | undefined {
    let looked = 0;
    for (const row of this.world.rows(tokenOf(table)).newest()) {
      looked += 1;
      if (looked > MOST) return undefined;
      if (suits(row, match, this) && fits(row, this)) return row;
    }
    return undefined;
  }

  row(table: string, match: Match, maker: string, fits: Fits = () => true, isSuited?: Fits): Row {
    const suited = isSuited && this.newest(table, match, (row) => fits(row, this) && isSuited(row, this));
    return suited ?? this.newest(table, match, fits) ?? { id: this.lacks(maker) };
  }

  choose([first]: readonly unknown[]): unknown {
    return first;
  }

  tokenOf({ id }: Row): string {
    return `<access token of ${id}>`;
  }

  anyone(): string {
    return this.who()?.id ?? this.row('customers', { isDeleted: false }, 'createCustomer').id;
  }

  /** Returns a customer who may move money in the currency of examples, preferably without a challenge, or able to answer it. */
  who(match: Match = {}, fits: Fits = () => true): Row | undefined {
    let challenged: Customer | undefined;
    let stuck: Customer | undefined;
    let looked = 0;
    for (const customer of this.world.rows(CUSTOMERS).newest()) {
      looked += 1;
      if (looked > MOST) break;
      if (customer.isDeleted || customer.kycStatus !== 'APPROVED') continue;
      const row = asRow(customer) as Row;
      if (!suits(row, match, this) || !fits(row, this)) continue;
      if (platformOf(this.world).requireEndUserTerms && !customer.endUserTermsConsent) continue;
      if (!hasRequired(this.world, customer, this.currency)) continue;
      if (!requiresSca(this.world, customer)) return row;
      if (challenged) continue;
      if (factorsOf(this.world, customer).length > 0) challenged = customer;
      else stuck ??= customer;
    }
    return asRow(challenged ?? stuck);
  }

  concerned(): string {
    const isOne: Fits = (row) => requiresSca(this.world, row as unknown as Customer);
    const canProve: Fits = (row) => isOne(row, this) && factorsOf(this.world, row as unknown as Customer).length > 0;
    const found = this.newest('customers', { isDeleted: false }, canProve);
    return (found ?? this.newest('customers', { isDeleted: false }, isOne))?.id ?? this.lacks('createCustomer');
  }

  isConcerned(customerId: unknown): boolean {
    const customer = this.world.rows(CUSTOMERS).get(customerId as string);
    return customer !== undefined && !customer.isDeleted && requiresSca(this.world, customer);
  }

  isThere(customerId: unknown): boolean {
    const customer = this.world.rows(CUSTOMERS).get(customerId as string);
    return customer !== undefined && !customer.isDeleted;
  }

  accountOf(customerId: unknown, currency = this.currency): Row | undefined {
    return asRow(this.#accountOf(customerId, currency));
  }

  #accountOf(customerId: unknown, currency: string): InternalAccount | undefined {
    if (customerId === undefined) return undefined;
    return accountsOf(this.world, customerId as string).find(
      (one) => one.type !== 'EMBEDDED_WALLET' && one.status === 'ACTIVE' && one.currency === currency,
    );
  }

  balance(accountId: string): number {
    return balanceOf(this.world, accountId).available;
  }

  wallet(): string {
    const found = [...this.world.rows(ACCOUNTS).newest()].find(
      ({ type, ownerDeleted }) => type === 'EMBEDDED_WALLET' && !ownerDeleted,
    );
    return found?.id ?? this.lacks('createCustomer');
  }

  /** Returns the external accounts of an owner that can be paid, and whose payments complete normally. */
  #banks(owner: string): ExternalAccount[] {
    return this.world
      .rows(EXTERNAL_ACCOUNTS)
      .all('owner', owner)
      .filter((one) => one.status === 'ACTIVE' && !one.isDeleted && !isWallet(one) && !/^00\d$/.test(suffixOf(one)))
      .reverse();
  }

  #pairOf(customerId: string, owner: string): Pair | undefined {
    for (const to of this.#banks(owner)) {
      const from = this.#accountOf(customerId, to.currency);
      if (from && this.balance(from.id) >= ENOUGH) return { from: asRow(from) as Row, to: asRow(to) as Row };
    }
    return undefined;
  }

  pairOf(match?: Match): Pair | undefined {
    const own = this.who(match, ({ id }) => this.#pairOf(id, id) !== undefined);
    if (own) return this.#pairOf(own.id, own.id);
    const payer = match ? undefined : this.who({}, ({ id }) => this.#pairOf(id, PLATFORM_KEY) !== undefined);
    return payer && this.#pairOf(payer.id, PLATFORM_KEY);
  }

  pair(match?: Match): Pair | undefined {
    const pair = this.pairOf(match);
    if (pair) return pair;
    const next = this.who(match);
    if (!next) this.lacks('createCustomer');
    else this.lacks(this.#banks(next.id).length === 0 ? 'createCustomerExternalAccount' : 'sandboxFundInternalAccount');
    return undefined;
  }
}

import { ACCOUNTS, accountsOf, type InternalAccount } from '../../areas/accounts/index.ts';
import { CUSTOMERS, type Customer } from '../../areas/customers/index.ts';
import { EXTERNAL_ACCOUNTS, type ExternalAccount, isWallet, suffixOf } from '../../areas/external-accounts/index.ts';
import { platformOf } from '../../areas/platform/index.ts';
import { requiresSca } from '../../areas/sca/index.ts';
import { TABLES } from '../../areas.ts';
import type { TableToken } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { BANKS } from './samples.ts';

/** A row of any table. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };
/** What members of a row have to be. */
export type Match = Readonly<Record<string, unknown>>;

/** Rows that are looked at in search of one that fits. */
const MOST = 2000;
/** What an account holds at least that pays in an example, in minor units. */
export const ENOUGH = 10_000;

/** Where money comes from and where it goes. */
export interface Pair {
  readonly from: InternalAccount;
  readonly to: ExternalAccount;
}

const tokenOf = (table: string): TableToken<Row> => TABLES.get(table) as unknown as TableToken<Row>;

/** What a world has for an example, and what it lacks. */
export class Facts {
  readonly world: World;
  #needs: string | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** The operation that makes the first thing that was missing. */
  get needs(): string | undefined {
    return this.#needs;
  }

  /** Notes that an operation has to be called first, and returns what stands for the id that it will answer. */
  lacks(operation: string): string {
    this.#needs ??= operation;
    return `<id from ${operation}>`;
  }

  /** The newest row that fits. */
  newest(table: string, match: Match = {}, fits: (row: Row) => boolean = () => true): Row | undefined {
    const asked = Object.entries(match);
    let looked = 0;
    for (const row of this.world.rows(tokenOf(table)).newest()) {
      looked += 1;
      if (looked > MOST) return undefined;
      if (asked.every(([name, value]) => row[name] === value) && fits(row)) return row;
    }
    return undefined;
  }

  /** The same; where there is none, one that stands for what an operation will make. */
  row(table: string, maker: string, match?: Match, fits?: (row: Row) => boolean): Row {
    return this.newest(table, match, fits) ?? { id: this.lacks(maker) };
  }

  id(table: string, maker: string, match?: Match, fits?: (row: Row) => boolean): string {
    return this.row(table, maker, match, fits).id;
  }

  /** A customer who may move money; one of whom no strong authentication is asked before others. */
  who(fits: (customer: Customer) => boolean = () => true): Customer | undefined {
    let concerned: Customer | undefined;
    let looked = 0;
    for (const customer of this.world.rows(CUSTOMERS).newest()) {
      looked += 1;
      if (looked > MOST) break;
      if (customer.isDeleted || customer.kycStatus !== 'APPROVED' || !fits(customer)) continue;
      if (platformOf(this.world).requireEndUserTerms && !customer.endUserTermsConsent) continue;
      if (!requiresSca(this.world, customer)) return customer;
      concerned ??= customer;
    }
    return concerned;
  }

  /** Somebody whom strong customer authentication concerns. */
  concerned(fits: (customer: Customer) => boolean = () => true): string {
    const found = this.newest('customers', { isDeleted: false }, (row) => {
      const customer = row as unknown as Customer;
      return requiresSca(this.world, customer) && fits(customer);
    });
    return found?.id ?? this.lacks('createCustomer');
  }

  isConcerned(id: string): boolean {
    const customer = this.world.rows(CUSTOMERS).get(id);
    return customer !== undefined && !customer.isDeleted && requiresSca(this.world, customer);
  }

  /** How many rows a table has. */
  count(table: string): number {
    return this.world.rows(tokenOf(table)).size;
  }

  customerId(): string {
    return this.who()?.id ?? this.lacks('createCustomer');
  }

  /** The currency of examples: dollars where the platform has them. */
  get currency(): string {
    const codes = platformOf(this.world).currencies.map(({ currencyCode }) => currencyCode);
    return codes.includes('USD') ? 'USD' : (codes.find((code) => code in BANKS) ?? codes[0] ?? 'USD');
  }

  balance(id: string): number {
    return balanceOf(this.world, id).available;
  }

  /** The account of a customer that pays: in the currency of examples, else any that holds enough. */
  accountOf(customerId: string | undefined, currency = this.currency): InternalAccount | undefined {
    if (customerId === undefined) return undefined;
    const plain = accountsOf(this.world, customerId).filter(
      ({ type, status }) => type !== 'EMBEDDED_WALLET' && status === 'ACTIVE',
    );
    return plain.find((one) => one.currency === currency);
  }

  /** An embedded wallet. */
  wallet(fits: (account: InternalAccount) => boolean = () => true): string {
    const found = [...this.world.rows(ACCOUNTS).newest()].find(
      (one) => one.type === 'EMBEDDED_WALLET' && !one.ownerDeleted && fits(one),
    );
    return found?.id ?? this.lacks('createCustomer');
  }

  /** The accounts elsewhere that can be paid, and end as payments usually do. */
  banks(customerId: string | undefined): ExternalAccount[] {
    if (customerId === undefined) return [];
    return this.world
      .rows(EXTERNAL_ACCOUNTS)
      .all('owner', customerId)
      .filter((one) => one.status === 'ACTIVE' && !one.isDeleted && !isWallet(one) && !/^00\d$/.test(suffixOf(one)))
      .reverse();
  }

  /** An account with money and a bank account of the same customer in the same currency, of the newest who has both. */
  pairOf(fits: (customer: Customer) => boolean = () => true): Pair | undefined {
    const found = (customer: Customer): Pair | undefined => {
      for (const to of this.banks(customer.id)) {
        const from = this.accountOf(customer.id, to.currency);
        if (from && this.balance(from.id) >= ENOUGH) return { from, to };
      }
      return undefined;
    };
    const owner = this.who((one) => fits(one) && found(one) !== undefined);
    return owner && found(owner);
  }

  /** The same; where there is none, notes what the customer lacks whom the next calls would be about. */
  pair(fits: (customer: Customer) => boolean = () => true): Pair | undefined {
    const pair = this.pairOf(fits);
    if (pair) return pair;
    const next = this.who(fits);
    if (!next) this.lacks('createCustomer');
    else this.lacks(this.banks(next.id).length === 0 ? 'createCustomerExternalAccount' : 'sandboxFundInternalAccount');
    return undefined;
  }
}

import * as z from 'zod';
import { OPERATIONS, TABLES } from '../../areas.ts';
import { isObject } from '../../contract/json.ts';
import { PROFILES } from '../../contract/profile.ts';
import {
  ingredientsOf,
  literalsOf,
  type Match,
  type Pair,
  type Row,
  resolved,
  type SampleName,
  type Scene,
} from '../../declare/example.ts';
import type { Operation } from '../../declare/operation.ts';
import { membersIn, type Schema } from '../document.ts';
import { operationNamed, pathNames } from '../operation.ts';
import { ADDRESSES, BANKS, BENEFICIARY, filled, SAMPLES } from '../samples.ts';
import type { Builder, Details } from './builder.ts';
import { type Call, type Form, type Json, OIDC, RUN, ref, unique } from './plan.ts';

/** The header that carries a wallet's signature, under the name that each side uses. */
export const SIGNATURE = '@wallet-signature';
const SIGNED = { [SIGNATURE]: 'sandbox-valid-signature' };
const NO_REQUEST = 'Request:00000000-0000-7000-8000-000000000000';

/** A row that a call made: the members known before any call is sent, and references to the reply. */
interface Made {
  readonly maker: string;
  readonly table: string;
  readonly row: Row;
  /** True if it was made as the example says. */
  readonly isPlain: boolean;
}

/** Values that no reply of their maker shows; another call finds them. */
const FOUND_BY: Readonly<
  Record<string, { readonly by: string; readonly path: string; readonly params: readonly string[] }>
> = {
  'transactions sandboxSimulateCardAuthorization': { by: 'listTransactions', path: 'data.0.id', params: [] },
  'transactions sandboxSimulateCardFinancialAuthorization': { by: 'listTransactions', path: 'data.0.id', params: [] },
  'transactions sandboxSimulateCardReturn': { by: 'listTransactions', path: 'data.0.id', params: [] },
  'sca-factors confirmScaFactorEnrollment': {
    by: 'listScaFactors',
    path: 'factors.1.credentialId',
    params: ['customerId'],
  },
};

/** The operation that makes the rows of a table, as its resource declares it. */
const MAKERS = new Map(
  [...TABLES.values()].flatMap((table) => {
    const { name, made } = table as unknown as { name: string; made?: string };
    return made === undefined ? [] : [[made, name] as const];
  }),
);

/** Endings of account numbers with a meaning in the sandbox; most are the one without. */
const ENDINGS = ['789', '789', '789', '002', '003', '004', '005', '102', '103', '104', '105', '106', '107'];
const CURRENCIES = [...Object.keys(BANKS), ...Object.keys(ADDRESSES)];
const PAUSES = ['5s', '10s', '1m'];
const LIMITS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { limit: '1' },
  { limit: '1' },
  { limit: '2' },
  { limit: '100' },
];

/** Returns the member that names a row of a table: `externalAccountId` for `external-accounts`. */
const idIn = (table: string): string =>
  `${table.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/s$/, '')}Id`;

const membersOf = new Map<string, ReadonlySet<string>>();
/** Returns the members that the body of an operation may have: a row lacks those that its body leaves out. */
function bodyMembers(id: string): ReadonlySet<string> {
  let members = membersOf.get(id);
  if (!members) {
    const body = OPERATIONS.find((one) => one.id === id)?.body;
    const schema = body ? (z.toJSONSchema(body(), { io: 'input', unrepresentable: 'any' }) as Schema) : {};
    membersOf.set(id, (members = new Set(membersIn(schema))));
  }
  return members;
}

/** Returns whether a row matches, as far as a walk knows it. */
const fitsKnown = ({ row, maker }: Made, known: Match): boolean =>
  Object.entries(known).every(
    ([name, value]) => row[name] === value || (!(name in row) && !bodyMembers(maker).has(name)),
  );

/** Returns whether no member differs from the wish. */
const isAsWished = (value: Readonly<Record<string, unknown>>, wish: Match): boolean =>
  Object.entries(wish).every(([name, wanted]) => {
    const one = value[name] ?? wanted;
    return isObject(one) && isObject(wanted) ? isAsWished(one, wanted) : one === wanted;
  });

const isSigned = ({ authorize }: Operation): boolean => {
  const { spec } = PROFILES;
  return authorize?.offeredIn(spec).headers.some(({ name }) => name === spec.walletSignatureHeader) ?? false;
};

/**
 * Returns whether a member passes from a row to those made for it: ids, and values that examples declare with
 * `knownAs`.
 */
const isPassedOn = (name: string): boolean => /(?:Id$|^is[A-Z])/.test(name);

/** Returns the members of a row that calls about it may need: its ids and plain values. */
const plainIn = (value: unknown): Record<string, unknown> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([, one]) => ['string', 'number', 'boolean'].includes(typeof one) || Array.isArray(one),
        ),
      )
    : {};

/**
 * Examples made from the replies of a walk that is planned before any call is sent: each row is one that a call of the
 * walk makes, and its members are references to replies. A call that is made for another follows its example; the drawn
 * numbers vary the call aimed at.
 */
export class Replies implements Scene {
  readonly currency = 'USD';
  readonly platform = {};
  // No moment that an example names has passed.
  readonly now = Date.UTC(2099, 0, 1);
  readonly #walk: Builder;
  readonly #made: Made[] = [];
  #wish: Match = {};
  #aimed = false;
  #used: Readonly<Record<string, unknown>> = {};

  constructor(walk: Builder) {
    this.#walk = walk;
  }

  /**
   * Plans a call of an operation, with the calls that it needs, and mostly those that follow from its reply. Returns
   * the call.
   */
  aim(id: string): Call | undefined {
    const { call } = this.#call(id, {}, true);
    return this.#walk.callOf(call.split('|')[0] as string);
  }

  nth(): number {
    return this.#walk.number();
  }

  text(pattern: string): string {
    return filled(pattern, this.nth(), `{{${RUN}}}`);
  }

  sample(name: SampleName): unknown {
    return SAMPLES[name](`${this.nth()}{{${RUN}}}`);
  }

  bank(): object {
    if (this.#wish['ownershipType']) return this.#bank('USDC');
    return this.#bank(this.#aimed ? this.#walk.of(['USD', ...CURRENCIES]) : String(this.#wish['currency'] ?? 'USD'));
  }

  #bank(currency: string): object {
    const addresses = ADDRESSES[currency];
    if (addresses) {
      const ownershipType = this.#walk.of(['FIRST_PARTY', 'THIRD_PARTY']);
      return { currency, ownershipType, accountInfo: this.#walk.of(addresses) };
    }
    const digits = String(this.nth() % 1000).padStart(3, '0');
    const info = currency === 'USD' ? BANKS[currency]?.(digits, this.#walk.of(ENDINGS)) : BANKS[currency]?.(digits);
    return { currency, accountInfo: { ...info, beneficiary: BENEFICIARY } };
  }

  bankEnding(): object {
    return this.bank();
  }

  idToken(): string {
    return OIDC;
  }

  choose(values: readonly unknown[]): unknown {
    const first = this.#aimed ? this.#walk.below(values.length) : 0;
    for (let n = 0; n < values.length; n += 1) {
      const value = resolved(this, values[(first + n) % values.length]);
      if (isObject(value) && !isAsWished(value, this.#wish)) continue;
      this.#used = { ...this.#used, ...plainIn(value) };
      return value;
    }
    return resolved(this, values[first]);
  }

  newest(table: string, match: Match = {}): Row | undefined {
    const found = this.#some(table, undefined, literalsOf(match, this));
    return found && this.#use(table, found);
  }

  row(table: string, match: Match, maker: string): Row {
    const known = literalsOf(match, this);
    if (table === 'accounts') return this.#account(this.who().id, String(known['currency'] ?? 'USD'));
    if (table === 'credentials' && known['type'] === 'EMAIL_OTP') return this.#firstCredential();
    // If any row will do, any operation may have made it.
    const by = Object.keys(match).length === 0 ? undefined : maker;
    return this.#use(table, this.#some(table, by, known) ?? this.#make(table, maker, known));
  }

  lacks(maker: string): string {
    return this.#make(MAKERS.get(maker) ?? maker, maker, {}).id;
  }

  anyone(): string {
    return this.#use(
      'customers',
      this.#some('customers', undefined, {}) ?? this.#make('customers', 'createCustomer', {}),
    ).id;
  }

  /** Returns a customer who may do everything: a new one has all that the rules require. */
  who(match: Match = {}): Row {
    const id = match['id'] ?? this.#wish['customerId'];
    if (id !== undefined) return this.#use('customers', { id: String(id) });
    const isWhole = ({ isPlain, row }: Made) =>
      isPlain && row['customerType'] === 'INDIVIDUAL' && row['region'] === 'US';
    const found = this.#some('customers', undefined, {}, isWhole);
    return this.#use('customers', found ?? this.#make('customers', 'createCustomer', { customerType: 'INDIVIDUAL' }));
  }

  concerned(): string {
    const found = this.#some(
      'customers',
      undefined,
      { region: 'SE' },
      ({ isPlain, row }) => isPlain && row['region'] === 'SE',
    );
    return this.#use('customers', found ?? this.#make('customers', 'createCustomer', { region: 'SE' })).id;
  }

  isConcerned(): boolean {
    return true;
  }

  isThere(): boolean {
    return true;
  }

  tokenOf(agent: Row): string {
    return String(agent['accessToken'] ?? 'none');
  }

  /** Returns the email credential that every new wallet has. */
  #firstCredential(): Row {
    return { id: ref(this.#walk.call('listAuthCredentials', { query: { accountId: this.wallet() } }), 'data.0.id') };
  }

  accountOf(customerId: unknown, currency = 'USD'): Row {
    const account = this.#account(customerId, currency);
    return this.#walk.once(4) ? account : this.#funded(account);
  }

  balance(): number {
    return Number.POSITIVE_INFINITY;
  }

  wallet(): string {
    const account = this.#account(this.who().id, 'USDB');
    const { id } = this.#walk.below(2) === 0 ? this.#funded(account) : account;
    this.#used = { ...this.#used, accountId: id };
    return id;
  }

  pairOf(): undefined {
    return undefined;
  }

  pair(match: Match = {}): Pair {
    const isPlatform = (match['id'] ?? this.#wish['customerId']) === undefined && this.#walk.below(2) === 0;
    const owner = isPlatform ? undefined : this.who(match).id;
    const currency = this.#walk.of(['USD', 'USD', 'USD', 'EUR', 'USDC', 'MXN', 'INR']);
    return { from: this.accountOf(owner, this.#walk.once(8) ? currency : 'USD'), to: this.#bankOf(owner, currency) };
  }

  /** Returns an account of a customer or of the platform, known or listed. */
  #account(owner: unknown, currency: string): Row {
    const known = { owner: owner ?? 'platform', currency };
    const found = this.#some('accounts', undefined, known);
    if (found) return found;
    const call =
      owner === undefined
        ? this.#walk.call('listPlatformInternalAccounts', { query: { currency } })
        : this.#walk.call('listCustomerInternalAccounts', { query: { customerId: String(owner), currency } });
    return this.#keep('accounts', 'none', {
      ...known,
      type: currency === 'USDB' ? 'EMBEDDED_WALLET' : 'INTERNAL',
      id: ref(call, 'data.0.id'),
      ...(owner ? { customerId: owner } : {}),
    });
  }

  #funded(account: Row): Row {
    if (this.#some('funds', undefined, { account: account.id }) === undefined) {
      const amount = account['currency'] === 'USD' ? 500_000 : 50_000_000;
      const call = this.#walk.call('sandboxFundInternalAccount', {
        params: { accountId: account.id },
        body: { amount },
      });
      this.#keep('funds', 'none', { id: call, account: account.id });
    }
    return account;
  }

  #bankOf(owner: string | undefined, currency: string): Row {
    const known = { currency, ...(owner === undefined ? {} : { customerId: owner }) };
    const maker = owner === undefined ? 'createPlatformExternalAccount' : 'createCustomerExternalAccount';
    return this.#some('external-accounts', maker, known) ?? this.#make('external-accounts', maker, known);
  }

  #use(table: string, row: Row): Row {
    const ids = Object.fromEntries(Object.entries(row).filter(([name]) => isPassedOn(name)));
    this.#used = { ...ids, ...this.#used, [idIn(table)]: row.id };
    return row;
  }

  /** Returns one of the rows of a table that fit as far as is known, most often the latest. */
  #some(
    table: string,
    maker: string | undefined,
    known: Match,
    is: (made: Made) => boolean = () => true,
  ): Row | undefined {
    const wished = { ...known, ...this.#wished(table) };
    const found = this.#made.filter(
      (made) => made.table === table && (maker ?? made.maker) === made.maker && fitsKnown(made, wished) && is(made),
    );
    if (found.length === 0) return undefined;
    return (this.#walk.once(3) ? this.#walk.of(found) : (found.at(-1) as Made)).row;
  }

  /** Returns the members that a row must have if it is made for a row of another table. */
  #wished(table: string): Match {
    const { [idIn(table)]: id, ...others } = this.#wishedIds;
    return id === undefined ? others : { id };
  }

  get #wishedIds(): Match {
    return Object.fromEntries(Object.entries(this.#wish).filter(([name]) => isPassedOn(name)));
  }

  #keep(table: string, maker: string, row: Row, isPlain = true): Row {
    this.#made.push({ table, maker, row, isPlain });
    return row;
  }

  #make(table: string, maker: string, wish: Match): Row {
    const { call, about } = this.#call(maker, { ...this.#wishedIds, ...wish }, false);
    const made = this.#made.findLast((one) => one.table === table && one.maker === maker && one.row['call'] === call);
    if (made) return made.row;
    const found = FOUND_BY[`${table} ${maker}`];
    if (!found) return this.#keep(table, maker, { ...about, ...wish, call, id: ref(call) });
    const query = Object.fromEntries(found.params.map((name) => [name, String(about[name])]));
    const id = ref(this.#walk.call(found.by, { query }), found.path);
    return this.#keep(table, maker, { ...about, ...wish, call, id });
  }

  /**
   * Calls an operation by its example. Returns the call's name for later references, and the known members of what it
   * makes.
   */
  #call(id: string, wish: Match, isAimed: boolean): { call: string; about: Readonly<Record<string, unknown>> } {
    const outer = [this.#wish, this.#aimed, this.#used] as const;
    [this.#wish, this.#aimed, this.#used] = [wish, isAimed, {}];
    const operation = operationNamed(id);
    const details = this.#details(operation);
    const call = this.#sent(operation, details);
    const about = {
      ...this.#used,
      ...details.params,
      ...details.query,
      ...plainIn(details.body),
      ...plainIn(details.form?.fields),
    };
    for (const [table, members] of Object.entries({ ...this.#own(id), ...operation.makes })) {
      const shown = Object.entries(members).map(([name, path]) => [
        name,
        path.startsWith('{') ? details.params?.[path.slice(1, -1)] : ref(call, path),
      ]);
      this.#keep(table, id, { ...about, call, id: ref(call), ...Object.fromEntries(shown) } as Row, !isAimed);
    }
    [this.#wish, this.#aimed, this.#used] = outer;
    return { call, about };
  }

  #own(id: string): Operation['makes'] {
    const table = MAKERS.get(id);
    return table === undefined ? {} : { [table]: {} };
  }

  #details(operation: Operation): Details {
    const { params, query, headers, body } = ingredientsOf(this, operation.example);
    const { Authorization, ...others } = headers as Record<string, string>;
    const named = Object.fromEntries(pathNames(operation).map((name) => [name, String(params?.[name])]));
    const isKeyed = operation.idempotency === 'required' || (operation.idempotency && this.#walk.below(2) === 0);
    const key = isKeyed ? { 'Idempotency-Key': unique(`k${this.#walk.number()}-`) } : {};
    const as = operation.auth === 'none' ? 'none' : (Authorization?.replace('Bearer ', '') ?? 'platform');
    const filters = operation.query ? this.#filters(operation) : {};
    const details: Details = {
      params: named,
      query: { ...filters, ...(query as Record<string, string>) },
      headers: { ...key, ...others },
      as,
    };
    if (body === undefined || (operation.bodyOptional && this.#aimed && this.#walk.once(4))) return details;
    if (operation.upload) return { ...details, form: formOf(body) };
    return { ...details, body: isObject(body) ? this.#asWished(body) : (body as Json) };
  }

  /** Returns a body with the plain members that the later call wants. */
  #asWished(body: Readonly<Record<string, unknown>>): Json {
    const wanted = Object.entries(this.#wish).filter(
      ([name]) => typeof body[name] === 'string' && !name.endsWith('Id'),
    );
    return { ...body, ...Object.fromEntries(wanted) } as Json;
  }

  /** Returns the query of a list: a page, and sometimes one of its filters. */
  #filters({ query }: Operation): Record<string, string> {
    const shape = query?.().shape ?? {};
    const page = 'limit' in shape ? this.#walk.of(LIMITS) : {};
    const names = Object.keys(shape).filter((name) => name !== 'limit' && name !== 'cursor');
    if (!this.#aimed || this.#walk.once(3)) return page;
    const filters = names.flatMap((name) => {
      const row = name.endsWith('Id') ? this.#made.findLast((made) => idIn(made.table) === name)?.row.id : undefined;
      const values = row === undefined ? valuesFor(name, shape[name] as z.ZodType) : [row];
      return values.length === 0 ? [] : [[name, values] as const];
    });
    if (filters.length === 0) return page;
    const [name, values] = this.#walk.of(filters);
    return { ...page, [name]: this.#walk.of(values) };
  }

  /**
   * Sends a call, and mostly the signed retries of a wallet; for a list, sometimes the next page. Time may pass
   * afterwards.
   */
  #sent(operation: Operation, details: Details): string {
    const { id, method } = operation;
    const walk = this.#walk;
    const isOwners = isSigned(operation);
    // Signed at once, as if the payload had been in a quote all along.
    if (isOwners && this.#aimed && walk.once(5))
      return walk.call(id, { ...details, headers: { ...details.headers, ...SIGNED, 'Request-Id': NO_REQUEST } });
    let call = walk.call(id, details);
    if (isOwners && !(this.#aimed && walk.once(5)))
      for (let leg = 0; leg < 2; leg += 1) {
        const request = this.#aimed && walk.once(8) ? NO_REQUEST : ref(call, 'requestId');
        const retry = walk.call(id, { ...details, headers: { ...SIGNED, 'Request-Id': request } });
        call = `${call}|${retry}`;
      }
    const limit = Number(details.query?.['limit'] ?? 100);
    if ('cursor' in (operation.query?.().shape ?? {}) && this.#aimed && (limit < 100 ? !walk.once(4) : walk.once(8)))
      walk.call(id, { ...details, query: { ...details.query, cursor: ref(call, 'nextCursor') } });
    if (method !== 'GET' && walk.below(2) === 0) walk.pause(walk.of(PAUSES));
    return call;
  }
}

/** Returns values for a filter: those that its schema names, or a moment long ago. */
function valuesFor(name: string, shape: z.ZodType): readonly string[] {
  let values = valuesOf.get(shape);
  if (!values) valuesOf.set(shape, (values = namedIn(name, shape)));
  return values;
}
const valuesOf = new WeakMap<z.ZodType, readonly string[]>();

function namedIn(name: string, shape: z.ZodType): string[] {
  const named: unknown[] = [];
  const find = (schema: unknown): void => {
    if (!isObject(schema)) return;
    if (Array.isArray(schema['enum'])) named.push(...schema['enum']);
    for (const one of [...Object.values(schema), ...((schema['anyOf'] as unknown[] | undefined) ?? [])]) find(one);
  };
  find(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }));
  if (named.length > 0) return named.map(String);
  if (/[Dd]ate|Before$|After$/.test(name)) return ['2020-01-01T00:00:00Z'];
  return /[Cc]urrency/.test(name) ? ['USD', 'EUR'] : /country|region/i.test(name) ? ['US', 'DE'] : [];
}

function formOf(body: unknown): Form {
  const { file, ...fields } = body as { file: { name: string; type: string; text: string } };
  const { name, type, text } = file;
  return { fields: fields as Readonly<Record<string, string>>, file: { name, type, content: text } };
}

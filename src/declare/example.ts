/** A row of any table, or a stand-in for one that does not exist yet. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Conditions on members of a row: values, or tests such as `ahead`. */
export type Match = Readonly<Record<string, unknown>>;

/** A condition that members alone cannot express. It is checked against rows only: replies do not show every member. */
export type Fits = (row: Row, the: Scene) => boolean;

/** The parts of a call, as the specification names them; a file is `{name, type, text}`. */
export interface Ingredients {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Variations: where calls are drawn at random, one of these, or none, is laid over the example. */
  readonly vary?: readonly Ingredients[];
}

/** The source and the destination of a payment: accounts of one customer in one currency. */
export interface Pair {
  readonly from: Row;
  readonly to: Row;
}

/** Samples that examples share, defined in `src/calls/samples.ts`. */
export type SampleName =
  | 'address'
  | 'person'
  | 'firm'
  | 'unknownFirm'
  | 'waitingFirm'
  | 'rejectedFirm'
  | 'owner'
  | 'scan'
  | 'customers.csv'
  | 'wallet'
  | 'clientKey'
  | 'merchant';

/** The amount that examples move, in minor units. */
export const AMOUNT = 2500;

/** The source of values for examples: the rows of a world, or the replies of a walk so far. */
export interface Scene {
  /** The currency of examples: USD if the platform has it. */
  readonly currency: string;
  /** The platform's configuration, as far as it is known. */
  readonly platform: Readonly<Record<string, unknown>>;
  /** The present time, in milliseconds. */
  readonly now: number;
  /** Returns the number that the next row of a table will have. */
  nth(table: string): number;
  /** Returns a text with `{n}` replaced by the number of the table's next row, and `{nnnn}` by its last four digits. */
  text(pattern: string, table: string): string;
  sample(name: SampleName): unknown;
  /** Returns a bank account, or a wallet if the platform has no currency with bank accounts. */
  bank(): object;
  /**
   * Returns a bank account in a currency that a customer can pay in; its last three digits choose the outcome of
   * payments.
   */
  bankEnding(suffix: string): object;
  /** Returns a token of an identity provider, bound to a client key if one is given. */
  idToken(identity: object, clientKey?: string): string;
  /** Returns one of the values: the first one in an example. */
  choose(values: readonly unknown[]): unknown;
  /** Returns the newest row that fits. */
  newest(table: string, match?: Match, fits?: Fits): Row | undefined;
  /**
   * Returns a row that fits, preferably one that suits; if there is none, a stand-in for the one that `maker` will
   * make.
   */
  row(table: string, match: Match, maker: string, fits?: Fits, isSuited?: Fits): Row;
  /** Notes that an operation must be called first, and returns a stand-in for the id that it will return. */
  lacks(maker: string): string;
  /** Returns the access token of an agent, or a stand-in for it. */
  tokenOf(agent: Row): string;
  /** Returns the id of a customer, preferably of one who may move money. */
  anyone(): string;
  /** Returns a customer who may move money. */
  who(match?: Match, fits?: Fits): Row | undefined;
  /** Returns the id of a customer who is subject to strong customer authentication. */
  concerned(): string;
  /** Returns whether a customer is subject to strong customer authentication. */
  isConcerned(customerId: unknown): boolean;
  /** Returns whether a customer exists and has not been deleted. */
  isThere(customerId: unknown): boolean;
  /** Returns a customer's account to pay from, in the currency of examples unless another is named. */
  accountOf(customerId: unknown, currency?: string): Row | undefined;
  /** Returns the available balance of an account, in minor units. */
  balance(accountId: string): number;
  /** Returns the id of an embedded wallet. */
  wallet(): string;
  /**
   * Returns an account with money and a bank account of the same customer. If no customer is named and none has both,
   * the bank account is one of the platform.
   */
  pairOf(match?: Match): Pair | undefined;
  /** Does the same; if there is no such pair, notes the call that is lacking. */
  pair(match?: Match): Pair | undefined;
}

/** A value that a scene works out when an example is requested. */
class Word {
  readonly of: (the: Scene) => unknown;

  constructor(of: (the: Scene) => unknown) {
    this.of = of;
  }
}

/** A test that a member of a row must pass; a plain value in its place must be equal. */
class Test {
  readonly passes: (value: unknown, the: Scene) => boolean;
  /** Makes a value that passes, if one can be made. */
  readonly make: ((the: Scene) => unknown) | undefined;

  constructor(passes: Test['passes'], make?: Test['make']) {
    this.passes = passes;
    this.make = make;
  }
}

/** A member, the id by default, of a row that fits; if there is none, of the row that `maker` makes. */
export const a = (table: string, match: Match, maker: string, { fits, member = 'id' }: Chosen = {}): Word =>
  new Word((the) => {
    const row = the.row(table, match, maker, fits);
    return row[member] ?? row.id;
  });
interface Chosen {
  readonly fits?: Fits | undefined;
  readonly member?: string;
}

/** A member, the id by default, of a customer who may move money. */
export const who = (match: Match = {}, { fits, member = 'id' }: Chosen = {}): Word =>
  new Word((the) => the.who(match, fits)?.[member] ?? the.lacks('createCustomer'));

/** The id of a customer, preferably of one who may move money. */
export const anyone = new Word((the) => the.anyone());

/** The id of a customer who is subject to strong customer authentication. */
export const concerned = new Word((the) => the.concerned());

/** The id of an embedded wallet. */
export const wallet = new Word((the) => the.wallet());

/** The currency and the details of a bank account. */
export const bank = new Word((the) => the.bank());

/** The same, with a number whose ending chooses a special outcome of payments. */
export const bankEnding = (suffix: string): Word => new Word((the) => the.bankEnding(suffix));

/** A member of an account whose owner can pay from it to a bank account. */
export const payer = (member: string): Word => new Word((the) => the.pairOf()?.from[member]);

/** The currency of examples. */
export const currency = new Word((the) => the.currency);

/** A member of the platform's configuration. */
export const configured = (member: string): Word => new Word((the) => the.platform[member]);

/** A text that no other row of a table has: `{n}` is the number of the next row, `{nnnn}` its last four digits. */
export const text = (pattern: string, table: string): Word => new Word((the) => the.text(pattern, table));

export const sample = (name: SampleName): Word => new Word((the) => the.sample(name));

/** The first of the values in an example; one of them at random where calls are drawn. */
export const oneOf = (...values: readonly unknown[]): Word => new Word((the) => the.choose(values));

/** Several objects merged into one; later members win. */
export const merged = (...parts: readonly unknown[]): Word =>
  new Word((the) => Object.assign({}, ...parts.map((part) => resolved(the, part))));

const DAY_MS = 86_400_000;

/** The moment a number of days from now, to the second. */
export const inDays = (days: number): Word =>
  new Word((the) => new Date(Math.floor(the.now / 1000) * 1000 + days * DAY_MS).toISOString());

/** A word that an area works out from the scene itself; a test counts these. */
export const wordOf = (of: (the: Scene) => unknown): Word => new Word(of);

/** Passes for a moment that has not passed yet, and for none at all. */
export const ahead = new Test(
  (at, the) => at === undefined || (typeof at === 'number' ? at : Date.parse(String(at))) > the.now,
);

/** Passes for the id of a customer who has not been deleted. */
export const ofSomebody = new Test((id, the) => the.isThere(id));

/** Passes for every row; gives the value that a walk assumes for a row that it makes. */
export const knownAs = (value: unknown): Test =>
  new Test(
    () => true,
    () => value,
  );

/** Passes for the id of a customer who is subject to strong customer authentication. */
export const ofConcerned = new Test(
  (id, the) => the.isConcerned(id),
  (the) => the.concerned(),
);

/** Passes for any value but undefined. */
export const present = new Test((value) => value !== undefined);

/** Passes for any value but these. */
export const not = (...others: readonly unknown[]): Test => new Test((value) => !others.includes(value));

/** Passes for any of these values. */
export const among = (...values: readonly unknown[]): Test => new Test((value) => values.includes(value));

/** Passes for an object that matches. */
export const having = (match: Match): Test =>
  new Test((value, the) => value !== undefined && suits(value as Row, match, the));

/** Returns whether the members of a row match. */
export const suits = (row: Row, match: Match, the: Scene): boolean =>
  Object.entries(match).every(([name, wanted]) =>
    wanted instanceof Test ? wanted.passes(row[name], the) : row[name] === wanted,
  );

/** Returns the members of a match that are plain values or can be made; the other tests concern rows only. */
export const literalsOf = (match: Match, the: Scene): Match =>
  Object.fromEntries(
    Object.entries(match).flatMap(([name, wanted]) => {
      if (!(wanted instanceof Test)) return wanted === undefined ? [] : [[name, wanted]];
      return wanted.make ? [[name, wanted.make(the)]] : [];
    }),
  );

/** Returns a value with every word in it resolved, from left to right. */
export function resolved(the: Scene, value: unknown): unknown {
  if (value instanceof Word) return resolved(the, value.of(the));
  if (Array.isArray(value)) return value.map((one) => resolved(the, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(the, one)]));
}

/** An example as a function, for parts that depend on each other; it runs when the example is requested. */
export type Deciding = (the: Scene) => Ingredients;

/** A call of an operation that succeeds: plain data with words, or a function. */
export type Example<P extends string = string> =
  | (Ingredients & ([P] extends [never] ? unknown : { readonly params: Readonly<Record<P, unknown>> }))
  | Deciding;

/** Returns an example with everything in it resolved in a scene. */
export function ingredientsOf(the: Scene, example: Example | undefined): Ingredients {
  const made: Ingredients = typeof example === 'function' ? example(the) : (example ?? {});
  const { vary = [], ...plain } = made;
  const more = the.choose([{}, ...vary]) as Ingredients;
  const { params = {}, query = {}, headers = {}, ...content } = plain;
  const whole = resolved(the, { params, query, headers, ...content }) as Ingredients;
  if (Object.keys(more).length === 0) return whole;
  const body = 'body' in more ? { body: Object.assign({}, whole.body, more.body) } : {};
  return {
    ...whole,
    ...body,
    query: { ...whole.query, ...more.query },
    headers: { ...whole.headers, ...more.headers },
  };
}

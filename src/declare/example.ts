/** A row of any table, or what stands for one that is not there yet. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Conditions on members of a row: values, or tests such as `ahead`. */
export type Match = Readonly<Record<string, unknown>>;

/** A rule that members alone do not say. Only rows are held against it: replies do not show all that a row has. */
export type Fits = (row: Row, the: Scene) => boolean;

/** The parts of a call, in the names of the specification; a file is `{name, type, text}`. */
export interface Ingredients {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Variations: where calls are drawn, one of these is put on top, or none. */
  readonly vary?: readonly Ingredients[];
}

/** The source and the destination of a payment: accounts of one customer in one currency. */
export interface Pair {
  readonly from: Row;
  readonly to: Row;
}

/** Samples that examples share, made in `src/calls/samples.ts`. */
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

/** Minor units that examples move. */
export const AMOUNT = 2500;

/** The source of examples: the rows of a world, or the replies of a walk so far. */
export interface Scene {
  /** The currency of examples: dollars where the platform has them. */
  readonly currency: string;
  /** The configuration of the platform, as far as it is known. */
  readonly platform: Readonly<Record<string, unknown>>;
  /** The present moment in milliseconds. */
  readonly now: number;
  /** The number that the next row of a table has. */
  nth(table: string): number;
  /** A text with `{n}` replaced by the number of the next row of a table, `{nnnn}` by its last four digits. */
  text(pattern: string, table: string): string;
  sample(name: SampleName): unknown;
  /** An account at a bank, or a wallet where the platform has no currency of a bank. */
  bank(): object;
  /** An account at a bank in the currency of who can pay; its last three digits choose what becomes of payments. */
  bankEnding(suffix: string): object;
  /** A token of an identity provider, bound to a client's key if one is given. */
  idToken(identity: object, clientKey?: string): string;
  /** One of some values: the first in an example. */
  choose(values: readonly unknown[]): unknown;
  /** The newest row that fits. */
  newest(table: string, match?: Match, fits?: Fits): Row | undefined;
  /** The same, one that suits before others; where there is none, one that stands for what an operation makes. */
  row(table: string, match: Match, maker: string, fits?: Fits, isSuited?: Fits): Row;
  /** Notes that an operation has to be called first, and returns what stands for the id that it will answer. */
  lacks(maker: string): string;
  /** The access token of an agent, or what stands for it. */
  tokenOf(agent: Row): string;
  /** The id of a customer: of one who may move money before others. */
  anyone(): string;
  /** A customer who may move money. */
  who(match?: Match, fits?: Fits): Row | undefined;
  /** The id of a customer whom strong customer authentication concerns. */
  concerned(): string;
  /** Returns whether strong customer authentication concerns the customer of an id. */
  isConcerned(customerId: unknown): boolean;
  /** Returns whether the customer of an id is still there. */
  isThere(customerId: unknown): boolean;
  /** The account of a customer that pays, in the currency of examples unless another is named. */
  accountOf(customerId: unknown, currency?: string): Row | undefined;
  /** Returns what an account has available, in minor units. */
  balance(accountId: string): number;
  /** The id of an embedded wallet. */
  wallet(): string;
  /** An account with money and a bank account, both of one customer. */
  pairOf(match?: Match): Pair | undefined;
  /** The same; where there is none, notes the call that is lacking. */
  pair(match?: Match): Pair | undefined;
}

/** A value that a scene decides on when an example is requested. */
class Word {
  readonly of: (the: Scene) => unknown;

  constructor(of: (the: Scene) => unknown) {
    this.of = of;
  }
}

/** A test that a member of a row passes or not; a plain value in its place has to be equal. */
class Test {
  readonly passes: (value: unknown, the: Scene) => boolean;
  /** A value that passes, where one can be made. */
  readonly make: ((the: Scene) => unknown) | undefined;

  constructor(passes: Test['passes'], make?: Test['make']) {
    this.passes = passes;
    this.make = make;
  }
}

/** A member of a row that fits, its id unless another is named; where there is none, of what `maker` makes. */
export const a = (table: string, match: Match, maker: string, { fits, member = 'id' }: Chosen = {}): Word =>
  new Word((the) => {
    const row = the.row(table, match, maker, fits);
    return row[member] ?? row.id;
  });
interface Chosen {
  readonly fits?: Fits | undefined;
  readonly member?: string;
}

/** A member of a customer who may move money, the id unless another is named. */
export const who = (match: Match = {}, { fits, member = 'id' }: Chosen = {}): Word =>
  new Word((the) => the.who(match, fits)?.[member] ?? the.lacks('createCustomer'));

/** The id of a customer: of one who may move money before others. */
export const anyone = new Word((the) => the.anyone());

/** The id of a customer whom strong customer authentication concerns. */
export const concerned = new Word((the) => the.concerned());

/** The id of an embedded wallet. */
export const wallet = new Word((the) => the.wallet());

/** The members of an account at a bank: currency and details. */
export const bank = new Word((the) => the.bank());

/** The same, ended so that something special becomes of payments. */
export const bankEnding = (suffix: string): Word => new Word((the) => the.bankEnding(suffix));

/** A member of an account whose owner can pay from it to a bank account. */
export const payer = (member: string): Word => new Word((the) => the.pairOf()?.from[member]);

/** The currency of examples. */
export const currency = new Word((the) => the.currency);

/** A member of the platform's configuration. */
export const configured = (member: string): Word => new Word((the) => the.platform[member]);

/** A text that no other row of a table has: `{n}` is the number of the next one, `{nnnn}` its last four digits. */
export const text = (pattern: string, table: string): Word => new Word((the) => the.text(pattern, table));

export const sample = (name: SampleName): Word => new Word((the) => the.sample(name));

/** The first of some values in an example; where calls are drawn, one of them. */
export const oneOf = (...values: readonly unknown[]): Word => new Word((the) => the.choose(values));

/** Objects as one, the later before the earlier. */
export const merged = (...parts: readonly unknown[]): Word =>
  new Word((the) => Object.assign({}, ...parts.map((part) => resolved(the, part))));

const DAY_MS = 86_400_000;

/** A moment so many days from now, to the second. */
export const inDays = (days: number): Word =>
  new Word((the) => new Date(Math.floor(the.now / 1000) * 1000 + days * DAY_MS).toISOString());

/** Returns what the areas decide by themselves from what there is; a test counts these. */
export const wordOf = (of: (the: Scene) => unknown): Word => new Word(of);

/** A moment that has not passed, or none. */
export const ahead = new Test(
  (at, the) => at === undefined || (typeof at === 'number' ? at : Date.parse(String(at))) > the.now,
);

/** The id of a customer who is still there. */
export const ofSomebody = new Test((id, the) => the.isThere(id));

/** Returns the walk's value of a row that it makes; the row itself is not read. */
export const knownAs = (value: unknown): Test =>
  new Test(
    () => true,
    () => value,
  );

/** The id of a customer whom strong customer authentication concerns. */
export const ofConcerned = new Test(
  (id, the) => the.isConcerned(id),
  (the) => the.concerned(),
);

/** Anything at all. */
export const present = new Test((value) => value !== undefined);

/** None of some values. */
export const not = (...others: readonly unknown[]): Test => new Test((value) => !others.includes(value));

/** One of some values. */
export const among = (...values: readonly unknown[]): Test => new Test((value) => values.includes(value));

/** An object whose members have some values. */
export const having = (match: Match): Test =>
  new Test((value, the) => value !== undefined && suits(value as Row, match, the));

/** Returns whether the members of a row are what they have to be. */
export const suits = (row: Row, match: Match, the: Scene): boolean =>
  Object.entries(match).every(([name, wanted]) =>
    wanted instanceof Test ? wanted.passes(row[name], the) : row[name] === wanted,
  );

/** The members of a match that are plain values, or values that can be made; other tests are about rows only. */
export const literalsOf = (match: Match, the: Scene): Match =>
  Object.fromEntries(
    Object.entries(match).flatMap(([name, wanted]) => {
      if (!(wanted instanceof Test)) return wanted === undefined ? [] : [[name, wanted]];
      return wanted.make ? [[name, wanted.make(the)]] : [];
    }),
  );

/** A value with its words replaced by what they come to, from left to right. */
export function resolved(the: Scene, value: unknown): unknown {
  if (value instanceof Word) return resolved(the, value.of(the));
  if (Array.isArray(value)) return value.map((one) => resolved(the, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(the, one)]));
}

/** An example that decides by itself, as one thing depends on another; it is called when the example is requested. */
export type Deciding = (the: Scene) => Ingredients;

/** A call of an operation that succeeds: plain data with words, or a function. */
export type Example<P extends string = string> =
  | (Ingredients & ([P] extends [never] ? unknown : { readonly params: Readonly<Record<P, unknown>> }))
  | Deciding;

/** Returns what an example comes to in a scene. */
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

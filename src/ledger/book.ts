import type { Steps } from '../engine/slices.ts';
import type { Table } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import { outside, POSTINGS, type Posting, unbalanced } from './ledger.ts';

/** Entries of an account between two of its marks: the most that are walked to find a balance in between. */
const STEP = 64;
/** Postings read between two looks at the clock. */
const BATCH = 500;
/** The number of findings that are kept in full; all of them are counted. */
export const NAMED = 20;

/** The balance of an account, in minor units; `held` cannot be spent. */
export interface Holding {
  readonly available: number;
  readonly held: number;
}

/** One account, as its postings add up. */
export interface Account extends Holding {
  readonly id: string;
  readonly currency: string;
  /** The number of postings with a line of this account. */
  readonly entries: number;
  /** The holding before every `STEP`th entry, as pairs: available, held, available, held ... */
  readonly marks: readonly number[];
}

type Kept = { -readonly [K in keyof Account]: Account[K] } & { marks: number[] };

/** Something wrong in a ledger: the posting, the account, and a short message. */
export interface Finding {
  readonly posting?: string;
  readonly account?: string;
  readonly message: string;
}

/** The number of times a rule was broken, and the first `NAMED` places. */
export class Findings {
  count = 0;
  readonly first: Finding[] = [];

  add(finding: Finding): void {
    this.count += 1;
    if (this.first.length < NAMED) this.first.push(finding);
  }
}

/** The running totals of one ledger. Each posting is read once, however often the book is used. */
export class Book {
  readonly #postings: Table<Posting, 'account' | 'cause'>;
  readonly #accounts = new Map<string, Kept>();
  /** Minor units held by the sandbox's own accounts, by currency; outside accounts are not counted. */
  readonly #inside = new Map<string, number>();
  #read = 0;
  #last: Posting | undefined;
  /** Postings that do not sum to zero, move a second currency of an account, or take one below zero. */
  readonly unbalanced = new Findings();
  readonly mixed = new Findings();
  readonly overdrawn = new Findings();

  constructor(postings: Table<Posting, 'account' | 'cause'>) {
    this.#postings = postings;
  }

  /** Returns the number of postings read so far. */
  get size(): number {
    return this.#read;
  }

  get inside(): ReadonlyMap<string, number> {
    return this.#inside;
  }

  get accounts(): ReadonlyMap<string, Account> {
    return this.#accounts;
  }

  /**
   * Returns whether the totals are still valid. They are not once earlier postings were condensed, which changes the
   * rank of the last one.
   */
  get stands(): boolean {
    return this.#last === undefined || this.#postings.ranked(this.#read - 1, this.#read)[0] === this.#last;
  }

  /** Reads the postings made since the last read, in slices. */
  *read(): Steps {
    for (;;) {
      const batch = this.#postings.ranked(this.#read, this.#read + BATCH);
      for (const posting of batch) this.#add(posting);
      this.#read += batch.length;
      this.#last = batch.at(-1) ?? this.#last;
      if (batch.length < BATCH) return;
      yield batch.length;
    }
  }

  #add(posting: Posting): void {
    const { id, lines } = posting;
    for (const message of unbalanced(lines)) this.unbalanced.add({ posting: id, message });
    const touched: Kept[] = [];
    for (const { account: name, currency, amount, part = 'available' } of lines) {
      let account = this.#accounts.get(name);
      if (!account)
        this.#accounts.set(name, (account = { id: name, currency, available: 0, held: 0, entries: 0, marks: [] }));
      if (!touched.includes(account)) {
        if (account.entries > 0 && account.entries % STEP === 0) account.marks.push(account.available, account.held);
        account.entries += 1;
        touched.push(account);
      }
      account[part] += amount;
      if (!outside(name)) this.#inside.set(currency, (this.#inside.get(currency) ?? 0) + amount);
      if (account.currency !== currency)
        this.mixed.add({
          posting: id,
          account: name,
          message: `it moves ${currency}, and the account is one of ${account.currency}`,
        });
    }
    for (const { id: name, available, held } of touched)
      if ((available < 0 || held < 0) && !outside(name))
        this.overdrawn.add({
          posting: id,
          account: name,
          message: `it leaves ${available} available and ${held} held`,
        });
  }

  /** Returns what an account held before one of its entries, counted from 0. */
  before(account: Account, entry: number): Holding {
    const mark = Math.min(Math.floor(entry / STEP), account.marks.length / 2);
    const [available = 0, held = 0] = mark > 0 ? account.marks.slice(2 * mark - 2, 2 * mark) : [];
    const sums = { available, held };
    for (const posting of this.#postings.ranked(mark * STEP, entry, ['account', account.id]))
      addTo(sums, posting, account.id);
    return sums;
  }

  /** Returns what an account held right after a posting. */
  after(account: Account, posting: string): Holding {
    return this.before(account, this.#postings.rank(posting, ['account', account.id]) + 1);
  }

  /** Returns the entries `from` to `to` of an account, oldest first, each with its change and the holding after it. */
  entries(account: Account, from: number, to: number): { posting: Posting; change: Holding; after: Holding }[] {
    let sums = this.before(account, from);
    return this.#postings.ranked(from, to, ['account', account.id]).map((posting) => {
      const change = { available: 0, held: 0 };
      addTo(change, posting, account.id);
      sums = { available: sums.available + change.available, held: sums.held + change.held };
      return { posting, change, after: sums };
    });
  }

  /**
   * Returns the holding of an account over time, oldest first: at every entry, or at marks where there are more than
   * `most` entries.
   */
  course(account: Account, most: number): { at: string; available: number; held: number }[] {
    const { entries, marks } = account;
    if (entries <= most)
      return this.entries(account, 0, entries).map(({ posting, after }) => ({ at: posting.at, ...after }));
    const stride = Math.max(1, Math.ceil(marks.length / 2 / most));
    const points: { at: string; available: number; held: number }[] = [];
    for (let mark = stride; mark <= marks.length / 2; mark += stride) {
      const [posting] = this.#postings.ranked(mark * STEP - 1, mark * STEP, ['account', account.id]);
      const [available = 0, held = 0] = marks.slice(2 * mark - 2, 2 * mark);
      if (posting) points.push({ at: posting.at, available, held });
    }
    const [newest] = this.#postings.ranked(entries - 1, entries, ['account', account.id]);
    if (newest) points.push({ at: newest.at, available: account.available, held: account.held });
    return points;
  }
}

function addTo(sums: { available: number; held: number }, { lines }: Posting, account: string): void {
  for (const line of lines) if (line.account === account) sums[line.part ?? 'available'] += line.amount;
}

const BOOKS = new WeakMap<object, Book>();

/** Returns the book of a world, which may not be read to the end; it lives as long as the world. */
export function bookOf(world: World): Book {
  const postings = world.rows(POSTINGS);
  let book = BOOKS.get(postings);
  if (!book?.stands) BOOKS.set(postings, (book = new Book(postings)));
  return book;
}

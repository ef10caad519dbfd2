import type { Steps } from '../engine/slices.ts';
import type { Table } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import { outside, POSTINGS, type Posting, unbalanced } from './ledger.ts';

/** Entries of an account between two of its marks: to know a balance within, so many are walked at most. */
const STEP = 64;
/** Postings read between two looks at the time. */
const BATCH = 500;
/** The number of findings that are named; all are counted. */
export const NAMED = 20;

/** The holding of an account, in minor units; `held` cannot be spent. */
export interface Holding {
  readonly available: number;
  readonly held: number;
}

/** The contents of one account, from its postings. */
export interface Account extends Holding {
  readonly id: string;
  readonly currency: string;
  /** Postings with a line of it. */
  readonly entries: number;
  /** The holding before every `STEP`th entry: available, held, and on. */
  readonly marks: readonly number[];
}

type Kept = { -readonly [K in keyof Account]: Account[K] } & { marks: number[] };

/** Something that is wrong: with which posting, of which account, in a few words. */
export interface Finding {
  readonly posting?: string;
  readonly account?: string;
  readonly message: string;
}

/** The number of times a rule was broken, and the first places. */
export class Findings {
  count = 0;
  readonly first: Finding[] = [];

  add(finding: Finding): void {
    this.count += 1;
    if (this.first.length < NAMED) this.first.push(finding);
  }
}

/** Everything that the postings of one ledger add up to. Each posting is read once, however often the book is used. */
export class Book {
  readonly #postings: Table<Posting, 'account' | 'cause'>;
  readonly #accounts = new Map<string, Kept>();
  /** Minor units that accounts of the service hold, by currency: what is outside is not counted. */
  readonly #inside = new Map<string, number>();
  #read = 0;
  #last: Posting | undefined;
  /** Postings that do not sum to zero, move an account's money in a second currency, or take one below zero. */
  readonly unbalanced = new Findings();
  readonly mixed = new Findings();
  readonly overdrawn = new Findings();

  constructor(postings: Table<Posting, 'account' | 'cause'>) {
    this.#postings = postings;
  }

  /** Postings that it has read. */
  get size(): number {
    return this.#read;
  }

  get inside(): ReadonlyMap<string, number> {
    return this.#inside;
  }

  get accounts(): ReadonlyMap<string, Account> {
    return this.#accounts;
  }

  /** Returns whether what it has read still stands: where earlier postings became a sum, the last one has another rank. */
  get stands(): boolean {
    return this.#last === undefined || this.#postings.ranked(this.#read - 1, this.#read)[0] === this.#last;
  }

  /** Read what arrived since it was last read. */
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

  /** Returns what an account held before its entry of that number, counted from 0. */
  before(account: Account, entry: number): Holding {
    const mark = Math.min(Math.floor(entry / STEP), account.marks.length / 2);
    const [available = 0, held = 0] = mark > 0 ? account.marks.slice(2 * mark - 2, 2 * mark) : [];
    const sums = { available, held };
    for (const posting of this.#postings.ranked(mark * STEP, entry, ['account', account.id]))
      addTo(sums, posting, account.id);
    return sums;
  }

  /** Returns what an account held once a posting was done. */
  after(account: Account, posting: string): Holding {
    return this.before(account, this.#postings.rank(posting, ['account', account.id]) + 1);
  }

  /** Entries of an account by number, oldest first, each with what it changed and what the account held after it. */
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
   * Returns what an account held over time, oldest first: at every entry where there are few, else at marks, of most so
   * many.
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

/** The book of a world, perhaps not read to the end; it is kept as long as the world is. */
export function bookOf(world: World): Book {
  const postings = world.rows(POSTINGS);
  let book = BOOKS.get(postings);
  if (!book?.stands) BOOKS.set(postings, (book = new Book(postings)));
  return book;
}

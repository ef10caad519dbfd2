import { ACCOUNTS } from '../areas/accounts/index.ts';
import { LEDGER_RULES } from '../areas.ts';
import { fail } from '../contract/errors.ts';
import { decodeCursor, encodeCursor } from '../engine/page.ts';
import { atOnce, eachOf, inSlices, type Steps } from '../engine/slices.ts';
import type { World } from '../engine/world.ts';
import { auditSteps, checkRule, type Invariant, invariant, type Still, stillOf, totalsOf } from '../ledger/audit.ts';
import { type Account, type Book, bookOf, Findings, type Holding } from '../ledger/book.ts';
import { outside, POSTINGS, type Posting } from '../ledger/ledger.ts';
import { type Move, movesOf } from '../ledger/moves.ts';

/** The points of the curve that shows the balance of an account over time. */
const POINTS = 240;

interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads the postings that the book of a world lacks, in slices, so that other calls are served. */
const readAhead = (world: World): Promise<void> => inSlices(bookOf(world).read());

/** Returns the book of a world as of this moment. */
function bookNow(world: World): Book {
  const book = bookOf(world);
  atOnce(book.read());
  return book;
}

/**
 * Returns a page of numbered things, newest first: the numbers from one up to but not including another, and the cursor
 * for the next page.
 */
function numbersOf(list: string, total: number, { limit, cursor }: Paging) {
  const to = cursor === undefined ? total : Math.min(total, decodeCursor(list, cursor));
  const from = Math.max(0, to - limit);
  return {
    from,
    to,
    paging: { hasMore: from > 0, ...(from > 0 ? { nextCursor: encodeCursor(list, from) } : {}), totalCount: total },
  };
}

const total = ({ available, held }: Holding) => ({ available, held, total: available + held });

/** Returns a move with the balances of both accounts after its posting. */
const withBalances = (book: Book, posting: Posting) => (move: Move) => {
  const after = (id: string | undefined) => {
    const account = id === undefined ? undefined : book.accounts.get(id);
    return account && total(book.after(account, posting.id));
  };
  return { ...move, fromBalance: after(move.from), toBalance: after(move.to) };
};

/**
 * Returns postings, newest first, as moves from one account to another with the balance of both afterwards; all, or
 * those of one cause.
 */
export async function ledgerPage(world: World, { cause, ...paging }: Paging & { cause?: string | undefined }) {
  await readAhead(world);
  const book = bookNow(world);
  const postings = world.rows(POSTINGS);
  const where = cause === undefined ? undefined : (['cause', cause] as const);
  const { from, to, paging: rest } = numbersOf('ledger', where ? postings.count(...where) : book.size, paging);
  const data = postings.ranked(from, to, where).map((posting) => ({
    number: postings.rank(posting.id) + 1,
    id: posting.id,
    at: posting.at,
    reason: posting.reason,
    cause: posting.cause,
    moves: movesOf(posting).map(withBalances(book, posting)),
  }));
  return { data: data.reverse(), ...rest };
}

/** Returns how many minor units the platform and its customers hold together, by currency, from the ledger. */
export async function heldInside(world: World): Promise<ReadonlyMap<string, number>> {
  await readAhead(world);
  return bookNow(world).inside;
}

/** Returns the owner of an account: the customer's id, `platform`, or the name of the place outside. */
function ownerOf(world: World, id: string): string {
  if (outside(id)) return id.split(':')[1] ?? id;
  const account = world.rows(ACCOUNTS).get(id);
  return account ? (account.customerId ?? 'platform') : 'unknown';
}

const NOTHING = { available: 0, held: 0, entries: 0, marks: [] };

/** Returns the book's account of an id, empty if it has no posting yet. 404 `REFERENCE_NOT_FOUND` for no account. */
function accountIn(world: World, book: Book, id: string): Account {
  const found = book.accounts.get(id);
  if (found) return found;
  const currency = world.rows(ACCOUNTS).get(id)?.currency;
  if (currency === undefined) return fail('REFERENCE_NOT_FOUND', `the ledger has no account ${id}`);
  return { id, currency, ...NOTHING };
}

/**
 * Returns one account as a statement: its balance, its entries newest first with the balance after each, and its
 * course.
 */
export async function statementOf(world: World, id: string, paging: Paging) {
  await readAhead(world);
  const book = bookNow(world);
  const account = accountIn(world, book, id);
  const { from, to, paging: rest } = numbersOf('statement', account.entries, paging);
  const data = book.entries(account, from, to).map(({ posting, change, after }, i) => ({
    number: from + i + 1,
    posting: posting.id,
    at: posting.at,
    reason: posting.reason,
    cause: posting.cause,
    with: [...new Set(posting.lines.map((line) => line.account))].filter((other) => other !== id),
    change: total(change),
    balance: total(after),
  }));
  return {
    id,
    owner: ownerOf(world, id),
    outside: outside(id),
    currency: account.currency,
    balance: total(account),
    entries: { data: data.reverse(), ...rest },
    course: book.course(account, POINTS),
  };
}

/** Checks the rules of areas; returns each with its violations. */
function* areaRules(world: World): Steps<Invariant[]> {
  const ofAreas: Invariant[] = [];
  for (const rule of LEDGER_RULES) {
    const findings = new Findings();
    yield* checkRule(world, rule, findings);
    ofAreas.push(invariant(rule.name, rule.says, findings));
  }
  return ofAreas;
}

type Sides = ReadonlyMap<string, ReadonlyMap<string, { name: string; outside: boolean; accounts: number } & Holding>>;

/** Adds up, per currency, the holdings of customers, of the platform and of each place outside. */
function* sidesOf(world: World, { balances }: Still): Steps<Sides> {
  const sides = new Map<
    string,
    Map<string, { name: string; outside: boolean; accounts: number; available: number; held: number }>
  >();
  yield* eachOf(balances, ({ id, currency, available, held }) => {
    const owner = ownerOf(world, id);
    const name = outside(id) || owner === 'platform' || owner === 'unknown' ? owner : 'customers';
    let of = sides.get(currency);
    if (!of) sides.set(currency, (of = new Map()));
    let side = of.get(name);
    if (!side) of.set(name, (side = { name, outside: outside(id), accounts: 0, available: 0, held: 0 }));
    side.accounts += 1;
    side.available += available;
    side.held += held;
  });
  return sides;
}

/** Returns the trial balance of each currency, whose sum is zero, and every rule of the ledger with its violations. */
export async function ledgerCheck(world: World) {
  await readAhead(world);
  return inSlices(checkSteps(world));
}

/** Makes the check in steps. It is one walk, so that other calls get their turn however short its parts are. */
function* checkSteps(world: World) {
  const ofAreas = yield* areaRules(world);
  const book = bookNow(world);
  const postings = book.size;
  const still = yield* stillOf(world, book);
  const sides = yield* sidesOf(world, still);
  const sums = yield* totalsOf(still);
  const known = (id: string): string | undefined => world.rows(ACCOUNTS).get(id)?.currency;
  const invariants = [...(yield* auditSteps(world, still, known, sums)), ...ofAreas];
  return {
    ok: invariants.every(({ ok }) => ok),
    postings,
    accounts: still.accounts.size,
    currencies: [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({
        currency,
        sum: Number(sum),
        sides: [...(sides.get(currency)?.values() ?? [])]
          .sort((a, b) => Number(a.outside) - Number(b.outside) || (a.name < b.name ? -1 : 1))
          .map((side) => ({ ...side, total: side.available + side.held })),
      })),
    invariants,
  };
}

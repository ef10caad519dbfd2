import type { Child } from 'hono/jsx';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { Hint } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import {
  Cell,
  count,
  DataTable,
  Empty,
  Id,
  Line,
  type PageParts,
  Pager,
  Panel,
  Step,
  Time,
  times,
} from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { Amount, LedgerAccount, outsideName, Posted } from './money.tsx';

const PAGE = 50;
const LIVE = 'request fact delivery clock reset';

type Postings = AnswerOf<typeof commands.ledger.list>;
type Posting = Postings['data'][number];
type Check = AnswerOf<typeof commands.ledger.check>;
type Currency = Check['currencies'][number];

/** Shows every posting, the trial balance, and the rules of the ledger. */
export async function ledger(visit: PageContext): Promise<PageParts> {
  const [cursor, cause] = [visit.query('cursor'), visit.query('cause')];
  const page = await visit.ask(commands.ledger.list, { limit: PAGE, cursor, cause });
  const check = await visit.ask(commands.ledger.check, {});
  return {
    title: 'Ledger',
    live: LIVE,
    lead: (
      <>
        <span class={`badge ${check.ok ? 'good' : 'bad'}`}>{check.ok ? 'balanced' : 'not balanced'}</span>{' '}
        {times(check.postings, 'posting')} over {times(check.accounts, 'account')}.{' '}
        {check.ok
          ? 'Each posting moves money from one account to another, so each currency sums to zero.'
          : 'A rule that holds at all times is broken: see below where.'}
      </>
    ),
    body: (
      <>
        <div class="columns even ledger-head">
          <Panel id="trial" title="Trial balance" live={LIVE} flush>
            <Trial visit={visit} check={check} />
          </Panel>
          <Panel id="invariants" title="Ledger checks" live={LIVE}>
            <Invariants visit={visit} check={check} />
            <Hint call={visit.call(commands.ledger.check)} />
          </Panel>
        </div>
        <Panel
          id="postings"
          title={cause === undefined ? 'Postings' : 'Postings from one cause'}
          tools={cause === undefined ? null : <a href={visit.to('/inspector/ledger')}>All postings</a>}
          live={cursor === undefined ? LIVE : ''}
          flush
        >
          <Postings visit={visit} page={page} cause={cause} />
        </Panel>
      </>
    ),
    call: visit.call(commands.ledger.list),
  };
}

const Trial = ({ visit, check }: { visit: PageContext; check: Check }) => {
  if (check.currencies.length === 0) return <Empty title="No money has moved yet" />;
  const columns = ['Customers', 'Platform', 'Outside', 'Sum'].map((name) => ({ name, number: true }));
  return (
    <DataTable columns={[{ name: 'Currency' }, ...columns]}>
      {check.currencies.map((one) => (
        <Line of={`sum ${one.currency}`}>
          <Cell of={<b>{escapeControlChars(one.currency)}</b>} />
          <Cell name="Customers" number of={<Sum of={one} side={({ name }) => name === 'customers'} />} />
          <Cell name="Platform" number of={<Sum of={one} side={({ name }) => name === 'platform'} />} />
          <Cell name="Outside" number of={<Outside visit={visit} of={one} />} />
          <Cell
            name="Sum"
            number
            of={
              <span class={`sum ${one.sum === 0 ? 'good' : 'bad'}`}>
                <Amount of={one.sum} currency={one.currency} />{' '}
                <span aria-hidden="true">{one.sum === 0 ? '✓' : '✗'}</span>
              </span>
            }
          />
        </Line>
      ))}
    </DataTable>
  );
};

const Sum = ({ of, side }: { of: Currency; side: (one: Currency['sides'][number]) => boolean }) => {
  const sides = of.sides.filter(side);
  if (sides.length === 0) return <span class="none">–</span>;
  return <Amount of={sides.reduce((sum, { total }) => sum + total, 0)} currency={of.currency} />;
};

/** The holdings of the world outside in a currency; by account, on demand. */
const Outside = ({ visit, of }: { visit: PageContext; of: Currency }) => {
  const sides = of.sides.filter(({ outside }) => outside);
  if (sides.length === 0) return <span class="none">–</span>;
  return (
    <details class="sides" id={`sides-${of.currency}`}>
      <summary>
        <Amount of={sides.reduce((sum, { total }) => sum + total, 0)} currency={of.currency} />
      </summary>
      <dl>
        {sides.map(({ name, total }) => (
          <div>
            <dt>
              <a href={visit.at('ledger', `outside:${name}:${of.currency}`)}>{outsideName(`outside:${name}`)}</a>
            </dt>
            <dd>
              <Amount of={total} currency={of.currency} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const Invariants = ({ visit, check }: { visit: PageContext; check: Check }) => (
  <ul class="checks-done invariants">
    {check.invariants.map(({ says, ok, count: times, broken }) => (
      <Step class={ok ? 'ok' : 'not-ok'} mark={ok ? '✓' : '✗'}>
        <span class="visually-hidden">{ok ? 'passed: ' : 'broken: '}</span>
        {says}
        {ok ? null : (
          <ul class="breaches">
            {broken.map(({ posting, account, message }) => (
              <li>
                {posting === undefined ? null : <Id visit={visit} id={posting} />}{' '}
                {account === undefined ? null : (
                  <LedgerAccount visit={visit} id={account} mark={`${says} ${posting}`} />
                )}{' '}
                {escapeControlChars(message)}
              </li>
            ))}
            {times > broken.length ? <li>and {count(times - broken.length)} more</li> : null}
          </ul>
        )}
      </Step>
    ))}
  </ul>
);

const HEADINGS = [
  { name: 'No.', number: true },
  { name: 'At' },
  { name: 'What' },
  { name: 'From' },
  { name: 'To' },
  { name: 'Amount', number: true },
];

const Postings = ({ visit, page, cause }: { visit: PageContext; page: Postings; cause: string | undefined }) => {
  const { data, totalCount, nextCursor } = page;
  if (data.length === 0)
    return (
      <Empty title="No postings yet">
        <p>Fund an account, make a payment or use a card. Every movement of money is recorded here.</p>
      </Empty>
    );
  return (
    <>
      <PostingRows visit={visit} postings={data} />
      <Pager
        shown={`${cause === undefined ? `${count(data.at(-1)?.number ?? 0)} to ${count(data[0]?.number ?? 0)}` : count(data.length)} of ${count(totalCount)}`}
        newer={visit.query('cursor') ? visit.to('/inspector/ledger', { cause }) : undefined}
        older={nextCursor ? visit.to('/inspector/ledger', { cause, cursor: nextCursor }) : undefined}
      />
    </>
  );
};

/** Postings as a table: a line for each move of one, the first with a description of the posting. */
export const PostingRows = ({ visit, postings, brief }: Shown) => (
  <div class="postings">
    <DataTable columns={brief ? HEADINGS.slice(1) : HEADINGS}>
      {postings.map((posting) => lines(visit, posting, brief ?? false))}
    </DataTable>
  </div>
);

interface Shown {
  visit: PageContext;
  postings: readonly Posting[];
  /** True if all have the same cause, so that neither it nor their numbers are shown. */
  brief?: boolean;
}

function lines(visit: PageContext, posting: Posting, brief: boolean): Child[] {
  return posting.moves.map((move, i) => {
    const { from, to, amount, currency, fromPart, toPart, fromBalance, toBalance } = move;
    const mark = `${posting.id} ${i}`;
    return (
      <tr data-row={mark} class={i > 0 ? 'more' : undefined}>
        {brief ? null : i === 0 ? <Cell name="No." number of={count(posting.number)} /> : <td class="number again" />}
        {i === 0 ? <Cell name="At" of={<Time visit={visit} at={posting.at} />} /> : <td class="again" />}
        {i === 0 ? <Cell name="What" of={<Posted visit={visit} {...posting} brief={brief} />} /> : <td class="again" />}
        <Cell
          name="From"
          of={<Side {...{ visit, mark, currency, id: from, part: fromPart, balance: fromBalance }} />}
        />
        <Cell name="To" of={<Side {...{ visit, mark, currency, id: to, part: toPart, balance: toBalance }} />} />
        <Cell name="Amount" number of={<Amount of={amount} currency={currency} />} />
      </tr>
    );
  });
}

interface SideOf {
  visit: PageContext;
  mark: string;
  currency: string;
  id: string | undefined;
  part: 'held' | undefined;
  balance: { available: number; held: number; total: number } | undefined;
}

/** One side of a move, and the account's balance after it. */
const Side = ({ visit, mark, currency, id, part, balance }: SideOf) => {
  if (id === undefined) return <span class="status bad">nobody</span>;
  return (
    <span class="side-of">
      <LedgerAccount visit={visit} id={id} mark={mark} />
      {part ? <span class="badge warn">held</span> : null}
      {balance ? (
        <small class="then">
          {part ? 'held balance ' : 'balance '}
          <Amount of={part ? balance.held : balance.available} currency={currency} />
        </small>
      ) : null}
    </span>
  );
};

import { moneyText } from '../../contract/money.ts';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { Copy } from '../frame/act.tsx';
import { find, nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, count, DataTable, Empty, Facts, Id, Line, type PageParts, Pager, Panel, Time } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { BalanceChart } from './chart.tsx';
import { Amount, holderOf, LedgerAccount, outsideName, Posted } from './money.tsx';

const PAGE = 50;
const LIVE = 'request fact delivery clock reset';
/** The most other accounts that an entry names. */
const NAMED = 3;

type Statement = AnswerOf<typeof commands.ledger.account>;
type Entry = Statement['entries']['data'][number];

/** Shows one account as a statement: its balance, its course, and every entry with the balance after it. */
export async function statement(visit: PageContext, [id = '']: readonly string[]): Promise<PageParts> {
  const cursor = visit.query('cursor');
  const of = await visit.ask(commands.ledger.account, { id, limit: PAGE, cursor });
  const found = find(visit, id);
  const title = found
    ? `${escapeControlChars(holderOf(visit, id) ?? '')} · ${escapeControlChars(nameOf(visit, found) ?? found.kind.one)}`
    : `${outsideName(id)} · ${escapeControlChars(of.currency)}`;
  return {
    title,
    up: { href: visit.to('/inspector/ledger'), label: 'Ledger' },
    live: LIVE,
    lead: (
      <span class="record-lead">
        {of.outside ? <span class="badge plain">outside</span> : null}
        <b>
          <Amount of={of.balance.total} currency={of.currency} />
        </b>
        <code>{escapeControlChars(id)}</code> <Copy text={id} label="Copy ID" />
      </span>
    ),
    body: (
      <>
        <div class="columns">
          <Panel id="course" title="Balance over time" live={LIVE}>
            <Course of={of} visit={visit} />
          </Panel>
          <Panel id="holding" title="Balance" live={LIVE}>
            <Holding visit={visit} of={of} />
          </Panel>
        </div>
        <Panel id="entries" title="Entries" live={cursor === undefined ? LIVE : ''} flush>
          <Entries visit={visit} of={of} />
        </Panel>
      </>
    ),
    call: visit.call(commands.ledger.account, { id }),
  };
}

/** The balance of an account over time. */
export const Course = ({ visit, of }: { visit: PageContext; of: Statement }) => {
  const { course, currency, balance } = of;
  if (course.length === 0) return <Empty title="No money has moved here yet" />;
  // The curve continues to now, so that the present balance is visible.
  const now = visit.world.clock.iso();
  const last = course.at(-1);
  const drawn = last && last.at < now ? [...course, { ...last, at: now }] : course;
  const values = course.map(({ available, held }) => available + held);
  const text = (value: number): string => moneyText(value, currency);
  return (
    <BalanceChart
      id="balance"
      points={drawn.map(({ at, available, held }) => ({ at, value: available + held, part: held }))}
      title={`Balance in ${currency} over time`}
      says={`From ${text(values[0] ?? 0)} to ${text(balance.total)}. Lowest ${text(Math.min(...values))}, highest ${text(Math.max(...values))}. The entries below list every change.`}
      label={(value) => <Amount of={value} currency={currency} />}
      when={(at) => <Time visit={visit} at={at} />}
    />
  );
};

const Holding = ({ visit, of }: { visit: PageContext; of: Statement }) => {
  const { id, owner, outside, currency, balance, entries } = of;
  return (
    <Facts
      rows={[
        ['Available', <Amount of={balance.available} currency={currency} />],
        ['Held', <Amount of={balance.held} currency={currency} />],
        ['Total', <Amount of={balance.total} currency={currency} />],
        ['Entries', count(entries.totalCount)],
        [
          'Owner',
          outside ? 'Outside this sandbox' : href(visit, owner) ? <Id visit={visit} id={owner} /> : 'The platform',
        ],
        ['Account', outside ? undefined : <Id visit={visit} id={id} />],
      ]}
    />
  );
};

const Entries = ({ visit, of }: { visit: PageContext; of: Statement }) => {
  const { id, entries } = of;
  if (entries.data.length === 0) return <Empty title="No entries yet" />;
  const path = `/inspector/ledger/${encodeURIComponent(id)}`;
  return (
    <>
      <EntryRows visit={visit} of={of} />
      <Pager
        shown={`${count(entries.data.at(-1)?.number ?? 0)} to ${count(entries.data[0]?.number ?? 0)} of ${count(entries.totalCount)}`}
        newer={visit.query('cursor') ? visit.to(path) : undefined}
        older={entries.nextCursor ? visit.to(path, { cursor: entries.nextCursor }) : undefined}
      />
    </>
  );
};

/** Entries of a statement as a table: the change of each, and the balance after it. */
export const EntryRows = ({ visit, of }: { visit: PageContext; of: Statement }) => {
  const { currency, entries } = of;
  const held = entries.data.some(({ change, balance }) => change.held !== 0 || balance.held !== 0);
  return (
    <div class="postings">
      <DataTable
        columns={[
          { name: 'No.', number: true },
          { name: 'At' },
          { name: 'What' },
          { name: 'With' },
          { name: 'Change', number: true },
          ...(held ? [{ name: 'Held', number: true }] : []),
          { name: held ? 'Available' : 'Balance', number: true },
        ]}
      >
        {entries.data.map((entry) => (
          <Line of={`${entry.number}`}>
            <Cell name="No." number of={count(entry.number)} />
            <Cell name="At" of={<Time visit={visit} at={entry.at} />} />
            <Cell name="What" of={<Posted visit={visit} {...entry} id={entry.posting} />} />
            <Cell name="With" of={<With visit={visit} entry={entry} />} />
            <Cell name="Change" number of={<Amount of={entry.change.available} currency={currency} signed />} />
            {held ? <Cell name="Held" number of={<Amount of={entry.balance.held} currency={currency} />} /> : null}
            <Cell
              name={held ? 'Available' : 'Balance'}
              number
              of={
                <b>
                  <Amount of={entry.balance.available} currency={currency} />
                </b>
              }
            />
          </Line>
        ))}
      </DataTable>
    </div>
  );
};

const With = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const { posting, with: others } = entry;
  if (others.length === 0) return <span class="none">within the account</span>;
  return (
    <span class="with">
      {others.slice(0, NAMED).map((other) => (
        <LedgerAccount visit={visit} id={other} mark={posting} />
      ))}
      {others.length > NAMED ? <small>and {others.length - NAMED} more</small> : null}
    </span>
  );
};

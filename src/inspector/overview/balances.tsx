import { ACCOUNTS } from '../../areas/accounts/index.ts';
import { moneyText } from '../../contract/money.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { atMost } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, count, DataTable, Line, Panel } from '../frame/parts.tsx';
import { escapeControlChars, textOf } from '../frame/text.ts';

/** Accounts of customers that are summed; older ones are left out. */
const NEWEST = 2000;

/** Minor units of one currency: what the platform holds itself, and what its customers do. */
interface Held {
  platform: number;
  customers: number;
}

const COLUMNS = [{ name: 'Currency' }, { name: 'The platform', number: true }, { name: 'Its customers', number: true }];

/** What is held in each currency; nothing while nobody holds anything. */
export const BalancesPanel = ({ visit }: { visit: PageContext }) => {
  const { by, left } = heldBy(visit);
  if (by.size === 0) return null;
  return (
    <Panel
      id="balances"
      title="Balances"
      flush
      tools={<a href={visit.to('/inspector/state/accounts')}>All accounts</a>}
    >
      <DataTable columns={COLUMNS}>
        {inOrder(visit, by).map(([currency, held]) => (
          <Line of={escapeControlChars(currency)}>
            <Cell of={<b>{escapeControlChars(currency)}</b>} />
            <Cell name="The platform" number of={amount(held.platform, currency)} />
            <Cell name="Its customers" number of={amount(held.customers, currency)} />
          </Line>
        ))}
      </DataTable>
      {left > 0 ? (
        <p class="fine inset">{`Of customers, the newest ${count(NEWEST)} accounts; ${count(left)} more are left out.`}</p>
      ) : null}
    </Panel>
  );
};

const amount = (minor: number, currency: string): string =>
  minor === 0 ? '–' : escapeControlChars(moneyText(minor, currency)).replace(/ \S+$/, '');

/** As the accounts of the platform were opened, one a currency; any others after them. */
function inOrder({ world }: PageContext, by: ReadonlyMap<string, Held>) {
  const own = world.rows(ACCOUNTS).newest({ where: { side: 'platform' } });
  const listed = [...atMost(own, NEWEST)].map(({ currency }) => String(currency)).reverse();
  const place = (code: string): number => (listed.includes(code) ? listed.indexOf(code) : listed.length);
  return [...by].sort(([a], [b]) => place(a) - place(b));
}

function heldBy({ world }: PageContext) {
  const by = new Map<string, Held>();
  const accounts = world.rows(ACCOUNTS);
  const add = (side: keyof Held, most: number) => {
    for (const { id, currency } of atMost(accounts.newest({ where: { side } }), most)) {
      const { available, held } = balanceOf(world, id);
      if (available + held === 0) continue;
      const code = textOf(currency);
      const sum = by.get(code) ?? { platform: 0, customers: 0 };
      sum[side] += available + held;
      by.set(code, sum);
    }
  };
  add('platform', NEWEST);
  add('customers', NEWEST);
  return { by, left: Math.max(0, accounts.count('side', 'customers') - NEWEST) };
}

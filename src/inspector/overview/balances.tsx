import { ACCOUNTS } from '../../areas/accounts/index.ts';
import { moneyText } from '../../contract/money.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { heldInside } from '../../sandbox/ledger-views.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, DataTable, Line, Panel } from '../frame/parts.tsx';
import { escapeControlChars, textOf } from '../frame/text.ts';

/** Minor units of one currency: what the platform holds itself, and what its customers do. */
interface Held {
  platform: number;
  customers: number;
}

/** The balances by currency. */
export type Balances = ReadonlyMap<string, Held>;

const COLUMNS = [{ name: 'Currency' }, { name: 'Platform', number: true }, { name: 'Customers', number: true }];

/** The balances of each currency; nothing while nobody holds anything. */
export const BalancesPanel = ({ visit, held: by }: { visit: PageContext; held: Balances }) => {
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
            <Cell name="Platform" number of={amount(held.platform, currency)} />
            <Cell name="Customers" number of={amount(held.customers, currency)} />
          </Line>
        ))}
      </DataTable>
    </Panel>
  );
};

const amount = (minor: number, currency: string): string =>
  minor === 0 ? '–' : escapeControlChars(moneyText(minor, currency)).replace(/ \S+$/, '');

/** As the accounts of the platform were opened, one a currency; any others after them. */
function inOrder({ world }: PageContext, by: Balances) {
  const own = world.rows(ACCOUNTS).newest({ where: { side: 'platform' } });
  const listed = [...own].map(({ currency }) => String(currency)).reverse();
  const place = (code: string): number => (listed.includes(code) ? listed.indexOf(code) : listed.length);
  return [...by].sort(([a], [b]) => place(a) - place(b));
}

/** The balances from the ledger: whatever the platform does not hold belongs to its customers (W3). */
export async function heldBy({ world }: PageContext): Promise<Balances> {
  const by = new Map<string, Held>();
  for (const [currency, sum] of await heldInside(world))
    if (sum !== 0) by.set(currency, { platform: 0, customers: sum });
  for (const { id, currency } of world.rows(ACCOUNTS).newest({ where: { side: 'platform' } })) {
    const { available, held } = balanceOf(world, id);
    const sum = by.get(textOf(currency));
    if (!sum) continue;
    sum.platform += available + held;
    sum.customers -= available + held;
  }
  return by;
}

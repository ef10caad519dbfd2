import { ACCOUNTS } from '../../areas/accounts/index.ts';
import { moneyText } from '../../contract/money.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { heldInside } from '../../sandbox/ledger-views.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, DataTable, Line, Panel } from '../frame/parts.tsx';
import { escapeControlChars, textOf } from '../frame/text.ts';

/** Minor units of one currency: the holdings of the platform itself, and of its customers. */
interface Held {
  platform: number;
  customers: number;
}

/** The balances by currency. */
export type Balances = ReadonlyMap<string, Held>;

const COLUMNS = [{ name: 'Currency' }, { name: 'Platform', number: true }, { name: 'Customers', number: true }];

/** The balances of each currency; nothing while all are empty. */
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

/**
 * Returns currencies in the order in which the platform's accounts were opened, one per currency; any others follow.
 */
function inOrder({ world }: PageContext, by: Balances) {
  const own = world.rows(ACCOUNTS).newest({ where: { side: 'platform' } });
  const listed = [...own].map(({ currency }) => String(currency)).reverse();
  const place = (code: string): number => (listed.includes(code) ? listed.indexOf(code) : listed.length);
  return [...by].sort(([a], [b]) => place(a) - place(b));
}

/** Returns the balances from the ledger: the platform's customers hold everything that it does not (W3). */
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

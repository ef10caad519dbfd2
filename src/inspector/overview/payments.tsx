import { type AnyTransaction, type Side, TRANSACTIONS } from '../../areas/transactions/index.ts';
import { atMost } from '../frame/bounded.ts';
import { find, nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Panel, Rows, Time } from '../frame/parts.tsx';
import { escapeControlChars, shortId, textOf } from '../frame/text.ts';

const LATEST = 7;

/** The newest payments: their state, amount, parties and time; nothing if there are none. */
export const PaymentsPanel = ({ visit }: { visit: PageContext }) => {
  const latest = [...atMost(visit.world.rows(TRANSACTIONS).newest(), LATEST)];
  if (latest.length === 0) return null;
  return (
    <Panel
      id="payments"
      title="Latest payments"
      flush
      tools={<a href={visit.to('/inspector/state/transactions')}>All payments</a>}
    >
      <Rows ordered of={latest.map((payment) => <PaymentRow visit={visit} payment={payment} />)} />
    </Panel>
  );
};

/** One payment in a list. */
const PaymentRow = ({ visit, payment }: { visit: PageContext; payment: AnyTransaction }) => {
  const [from, to] = partiesOf(visit, payment);
  const said = payment.type === 'CARD' ? undefined : payment.description;
  return (
    <li class="row payment-row" data-row={payment.id}>
      <Badge of={textOf(payment.status)} />
      <span class="parties">
        {escapeControlChars(from)} <span aria-hidden="true">→</span>
        <span class="visually-hidden">to</span> {escapeControlChars(to)}
        {said ? <small>{escapeControlChars(said)}</small> : null}
      </span>
      <a class="row-link amount" href={href(visit, payment.id)} data-key={payment.id}>
        {nameOf(visit, { kind: TRANSACTIONS, row: payment }) ?? shortId(payment.id)}
      </a>
      <Time visit={visit} at={payment.createdAt} />
    </li>
  );
};

/** Returns the sender and the recipient, by names that people know. */
export function partiesOf(visit: PageContext, t: AnyTransaction): readonly [from: string, to: string] {
  if (t.type !== 'CARD') {
    const [from, to] = [sideName(visit, t.source), sideName(visit, t.destination)];
    return [from, to.startsWith(`${from}, `) ? `own account, ${to.slice(from.length + 2)}` : to];
  }
  const both = [accountName(visit, t.accountId), textOf(t.merchant?.descriptor)] as const;
  return t.direction === 'CREDIT' ? [both[1], both[0]] : both;
}

function sideName(visit: PageContext, side: Side | undefined): string {
  if (side?.kind === 'ACCOUNT') return accountName(visit, side.accountId);
  return side?.kind === 'UMA_ADDRESS' ? textOf(side.umaAddress) : 'bank transfer';
}

/** Returns an account by its owner; an external one by its beneficiary and the end of its number (W10). */
function accountName(visit: PageContext, id: string): string {
  const found = find(visit, id);
  if (!found) return shortId(id);
  if (found.kind.name !== 'accounts') return nameOf(visit, found) ?? shortId(id);
  const owner: unknown = Reflect.get(found.row, 'customerId');
  const holder = find(visit, owner);
  return (holder && nameOf(visit, holder)) ?? (owner === undefined ? 'the platform' : shortId(textOf(owner)));
}

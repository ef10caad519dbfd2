import { CUSTOMERS } from '../areas/customers/index.ts';
import { inspectTransaction, TRANSACTIONS, type Transaction } from '../areas/transactions/index.ts';
import { type Call, Hint } from './act.tsx';
import { linked } from './json.tsx';
import type { Found } from './kinds.ts';
import { Facts, Panel, Step } from './parts.tsx';
import { plain, segment } from './text.ts';
import type { Visit } from './visit.ts';

/** A button of a resource, and what it does. */
export interface Decision {
  readonly label: string;
  readonly call: Call;
  readonly danger?: boolean;
}

/** What a tester can decide about a resource as it stands; nothing else has a button. */
export function decisionsOn(visit: Visit, { kind, row }: Found): Decision[] {
  const path = `/${kind.name}/${segment(row.id)}`;
  const customer = kind.name === CUSTOMERS.name ? visit.world.rows(CUSTOMERS).get(row.id) : undefined;
  if (customer && !customer.isDeleted) return onCustomer(visit, path, customer.kycStatus);
  const payment = kind.name === TRANSACTIONS.name ? visit.world.rows(TRANSACTIONS).get(row.id) : undefined;
  return payment ? onPayment(path, payment) : [];
}

/** States of a customer that still wait for a decision: the public contract has two more than the specification. */
const UNDECIDED: ReadonlySet<string> = new Set(['PENDING', 'UNVERIFIED', 'HOLD']);

function onCustomer({ world }: Visit, path: string, status: string): Decision[] {
  if (!UNDECIDED.has(status)) return [];
  const decide = (decision: string) => ({ method: 'POST', path: `${path}/decision`, body: { decision } }) as const;
  const holds = world.profile.rules.unverifiedFirst && status !== 'HOLD';
  return [
    { label: 'Approve', call: decide('APPROVED') },
    { label: 'Reject', call: decide('REJECTED'), danger: true },
    ...(holds ? [{ label: 'Put on hold', call: decide('HOLD') }] : []),
  ];
}

function onPayment(path: string, row: Transaction): Decision[] {
  const outcome = (of: string) => ({ method: 'POST', path: `${path}/outcome`, body: { outcome: of } }) as const;
  const moves = row.type === 'INCOMING' || row.debited === true;
  if (moves && (row.status === 'PENDING' || row.status === 'PROCESSING'))
    return [
      { label: 'Complete', call: outcome('COMPLETED') },
      { label: 'Fail', call: outcome('FAILED'), danger: true },
    ];
  // No bank returns what went to a customer of the same platform.
  if (row.status === 'COMPLETED' && row.type === 'OUTGOING' && row.towards === undefined)
    return [{ label: 'Return it', call: outcome('RETURNED'), danger: true }];
  return [];
}

/** A payment that nothing plans: it waits for a quote, an approval or a decision; or it came to its end before the start. */
const unplanned = ({ world }: Visit, id: string): string =>
  isOver(world.rows(TRANSACTIONS).get(id)?.status) ? 'it has ended' : 'not decided yet';

const isOver = (status: string | undefined): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** How a payment is going to end, and why. */
export const Plan = ({ visit, id }: { visit: Visit; id: string }) => {
  const { plan, because, done, next } = inspectTransaction(visit.world, id);
  return (
    <Panel id="plan" title="Plan" live="request fact delivery clock reset">
      <Facts
        rows={[
          ['Ends as', plan ? plain(plan.replace(/^(?:in|out|told) /, '').toLowerCase()) : unplanned(visit, id)],
          ['Because', because ? linked(visit, because) : undefined],
        ]}
      />
      {done.length + next.length > 0 ? (
        <ol class="checks-done gap">
          {done.map((step) => (
            <Step class="ok" mark="✓">
              {plain(step)}
            </Step>
          ))}
          {next.map((step) => (
            <Step class="to-come" mark="○">
              {plain(step)}
              <span class="visually-hidden">, to come</span>
            </Step>
          ))}
        </ol>
      ) : null}
      <Hint visit={visit} call={{ method: 'GET', path: `/transactions/${segment(id)}` }} />
    </Panel>
  );
};

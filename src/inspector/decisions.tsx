import { inspectTransaction, TRANSACTIONS } from '../areas/transactions/index.ts';
import { type Call, Hint } from './act.tsx';
import { linked } from './json.tsx';
import type { Found } from './kinds.ts';
import { Facts, Panel, Step } from './parts.tsx';
import { ifSound, plain, segment } from './text.ts';
import type { Visit } from './visit.ts';

/** A button of a resource, and what it does. */
export interface Decision {
  readonly label: string;
  readonly call: Call;
  readonly danger?: boolean;
}

/** What a tester decides about a resource. */
export function decisionsOn({ kind, row }: Found): Decision[] {
  const path = `/${kind.table}/${segment(row.id)}`;
  if (kind.table === 'customers' && row['kycStatus'] === 'PENDING' && !row['isDeleted'])
    return [
      { label: 'Approve', call: { method: 'POST', path: `${path}/decision`, body: { decision: 'APPROVED' } } },
      {
        label: 'Reject',
        call: { method: 'POST', path: `${path}/decision`, body: { decision: 'REJECTED' } },
        danger: true,
      },
    ];
  if (kind.table === 'transactions') {
    const moves = row['type'] === 'INCOMING' || row['debited'] === true;
    const open = moves && (row['status'] === 'PENDING' || row['status'] === 'PROCESSING');
    const outcome = (of: string) => ({ method: 'POST', path: `${path}/outcome`, body: { outcome: of } }) as const;
    if (open)
      return [
        { label: 'Complete', call: outcome('COMPLETED') },
        { label: 'Fail', call: outcome('FAILED'), danger: true },
      ];
    if (row['status'] === 'COMPLETED' && row['type'] === 'OUTGOING')
      return [{ label: 'Return it', call: outcome('RETURNED'), danger: true }];
  }
  return [];
}

/** A payment that nothing plans: it waits for a quote, an approval or a decision; or it came to its end before the start. */
const unplanned = ({ world }: Visit, id: string): string =>
  isOver(world.rows(TRANSACTIONS).get(id)?.status) ? 'it has ended' : 'not decided yet';

const isOver = (status: string | undefined): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** How a payment is going to end, and why. */
export const Plan = ({ visit, id }: { visit: Visit; id: string }) => {
  const inspected = ifSound(() => inspectTransaction(visit.world, id));
  if (!inspected) return null;
  const { plan, because, done, next } = inspected;
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

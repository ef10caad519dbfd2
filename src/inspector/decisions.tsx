import { inspectTransaction, TRANSACTIONS } from '../areas/transactions/index.ts';
import { DECISIONS } from '../areas.ts';
import { Hint } from './act.tsx';
import { linked } from './json.tsx';
import type { Found } from './kinds.ts';
import type { PageContext } from './page-context.ts';
import { Facts, Panel, Step } from './parts.tsx';
import { escapeControlChars, segment } from './text.ts';

/** What a tester can decide about a resource as it stands; nothing else has a button. */
export const decisionsOn = ({ world }: PageContext, { kind, row }: Found) =>
  DECISIONS.filter(({ table }) => table.name === kind.name).flatMap(({ name, choices }) =>
    choices(world, row).map((choice) => ({
      ...choice,
      call: { method: 'POST' as const, path: `/${kind.name}/${segment(row.id)}/${name}`, body: choice.body },
    })),
  );

/** A payment that nothing plans: it waits for a quote, an approval or a decision; or it came to its end before the start. */
const unplanned = ({ world }: PageContext, id: string): string =>
  isOver(world.rows(TRANSACTIONS).get(id)?.status) ? 'it has ended' : 'not decided yet';

const isOver = (status: string | undefined): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** How a payment is going to end, and why. */
export const Plan = ({ visit, id }: { visit: PageContext; id: string }) => {
  const { plan, because, done, next } = inspectTransaction(visit.world, id);
  return (
    <Panel id="plan" title="Plan" live="request fact delivery clock reset">
      <Facts
        rows={[
          [
            'Ends as',
            plan ? escapeControlChars(plan.replace(/^(?:in|out|told) /, '').toLowerCase()) : unplanned(visit, id),
          ],
          ['Because', because ? linked(visit, because) : undefined],
        ]}
      />
      {done.length + next.length > 0 ? (
        <ol class="checks-done gap">
          {done.map((step) => (
            <Step class="ok" mark="✓">
              {escapeControlChars(step)}
            </Step>
          ))}
          {next.map((step) => (
            <Step class="to-come" mark="○">
              {escapeControlChars(step)}
              <span class="visually-hidden">, to come</span>
            </Step>
          ))}
        </ol>
      ) : null}
      <Hint visit={visit} call={{ method: 'GET', path: `/transactions/${segment(id)}` }} />
    </Panel>
  );
};

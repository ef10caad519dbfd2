import { TRANSACTIONS } from '../areas/transactions/index.ts';
import { commands, decisions } from '../sandbox/commands/index.ts';
import { Hint } from './act.tsx';
import { linked } from './json.tsx';
import type { Found } from './kinds.ts';
import type { PageContext } from './page-context.ts';
import { Facts, Panel, Step } from './parts.tsx';
import { escapeControlChars } from './text.ts';

/** What a tester can decide about a resource as it stands; nothing else has a button. */
export const decisionsOn = (visit: PageContext, { kind, row }: Found) =>
  decisions
    .filter(({ table }) => table.name === kind.name)
    .flatMap(({ command, choices }) =>
      choices(visit.world, row).map((choice) => ({
        ...choice,
        call: visit.call(command, { id: row.id, ...choice.body }),
      })),
    );

/** A payment that nothing plans: it waits for a quote, an approval or a decision; or it came to its end before the start. */
const unplanned = ({ world }: PageContext, id: string): string =>
  isOver(world.rows(TRANSACTIONS).get(id)?.status) ? 'it has ended' : 'not decided yet';

const isOver = (status: string | undefined): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** How a payment is going to end, and why. */
export const Plan = ({ visit, id }: { visit: PageContext; id: string }) => {
  const { plan, because, done, next } = visit.ask(commands.records.transaction, { id });
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
      <Hint call={visit.call(commands.records.transaction, { id })} />
    </Panel>
  );
};

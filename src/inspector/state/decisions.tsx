import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { commands, decisions } from '../../sandbox/commands/index.ts';
import { Hint } from '../frame/act.tsx';
import type { Found } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Facts, Panel, withNames } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

/** The decisions that a tester can make about a resource now, each with a button. */
export const decisionsOn = (visit: PageContext, { kind, row }: Found) =>
  decisions
    .filter(({ table }) => table.name === kind.name)
    .flatMap(({ command, choices }) =>
      choices(visit.world, row).map((choice) => ({
        ...choice,
        call: visit.call(command, { id: row.id, ...choice.body }),
      })),
    );

const isOver = (status: string | undefined): boolean =>
  status !== 'PENDING' && status !== 'PENDING_AUTHORIZATION' && status !== 'PROCESSING';

/** The planned or actual end of a payment, and its reason; nothing if it ended without a plan. */
export const Plan = ({ visit, id }: { visit: PageContext; id: string }) => {
  const { plan, because } = visit.ask(commands.records.transaction, { id });
  const over = isOver(visit.world.rows(TRANSACTIONS).get(id)?.status);
  if (over && !plan) return null;
  const ending = plan ? escapeControlChars(plan.replace(/^(?:in|out|told) /, '').toLowerCase()) : 'not decided yet';
  return (
    <Panel id="plan" title={over ? 'How it ended' : 'How it will end'} live="request fact delivery clock reset">
      <Facts
        rows={[
          [over ? 'Ended as' : 'Ends as', ending],
          ['Because', because ? withNames(visit, because) : undefined],
        ]}
      />
      <Hint call={visit.call(commands.records.transaction, { id })} />
    </Panel>
  );
};

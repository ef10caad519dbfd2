import { inspectTransaction } from '../../areas/transactions/index.ts';
import { fail } from '../../kernel/errors.ts';
import { render } from '../../kernel/profile.ts';
import { Json, linked } from '../json.tsx';
import { type AnyRow, type Found, kindOf, rowsOf, shown } from '../kinds.ts';
import { Act, Badge, type Call, Copy, Empty, Facts, Head, Hint, Id, type PageParts, Panel, times } from '../parts.tsx';
import { callsAbout, hooksAbout, type Related, related } from '../related.ts';
import { HookRow, RequestRow } from '../rows.tsx';
import { RowLink, TableRows } from '../table-rows.tsx';
import { masked, moneyText, parsed, plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** One resource: as the API shows it, and all that refers to it. */
export function record(visit: Visit, [name = '', id = '']: readonly string[]): PageParts {
  const kind = kindOf(name);
  const row =
    rowsOf(visit, kind)?.get(id) ?? fail('REFERENCE_NOT_FOUND', `there is no ${kind.one.toLowerCase()} ${id}`);
  const found: Found = { kind, row };
  const title = kind.name?.(row) ?? kind.one;
  const { value, asApi } = shown(visit, found);
  const view = asApi ? parsed(render(visit.world.profile, value)) : masked(value);
  const money = kind.columns.find(({ as }) => as === 'money')?.of(row, visit);
  const status = kind.columns.find(({ as }) => as === 'status')?.of(row, visit);
  const refers = related(visit, found);
  const acts = actions(found);
  return {
    title: plain(title),
    menu: 'state',
    body: (
      <>
        <Head
          up={{ href: visit.to(`/inspector/state/${encodeURIComponent(name)}`), label: kind.title }}
          title={plain(title)}
          lead={
            <span class="record-lead">
              {typeof status === 'string' ? <Badge of={status} /> : null}{' '}
              {kind.table === 'accounts' && typeof money === 'string' ? <b>{moneyText(money)}</b> : null} {kind.one}{' '}
              <code>{plain(id)}</code> <Copy text={id} label="Copy the id" />
            </span>
          }
        >
          {acts.map(({ label, call, danger }) => (
            <Act visit={visit} call={call} danger={danger ?? false}>
              {label}
            </Act>
          ))}
        </Head>
        {acts[0] ? <Hint visit={visit} call={acts[0].call} /> : null}
        <div class="columns wide-aside">
          <div>
            <Panel id="shown" title={asApi ? 'As the API shows it' : 'As it is kept'} live="request fact clock reset">
              <Json visit={visit} value={view} label={`${kind.one} as JSON`} />
            </Panel>
            {refers
              .filter(({ kind: other }) => WIDE.has(other.table))
              .map((one) => (
                <Wide visit={visit} related={one} of={id} />
              ))}
          </div>
          <div class="aside">
            {kind.table === 'transactions' ? <Plan visit={visit} id={id} /> : null}
            {refers
              .filter(({ kind: other }) => !WIDE.has(other.table))
              .map((one) => (
                <Narrow visit={visit} related={one} />
              ))}
            <Hooks visit={visit} id={id} />
            <Calls visit={visit} id={id} />
          </div>
        </div>
      </>
    ),
  };
}

/** Kinds whose rows are compared with each other, and need the room. */
const WIDE: ReadonlySet<string> = new Set(['transactions', 'postings']);

/** What a tester decides about a resource. */
function actions({ kind, row }: Found): { label: string; call: Call; danger?: boolean }[] {
  const path = `/${kind.table}/${row.id}`;
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

/** How a payment is going to end, and why. */
const Plan = ({ visit, id }: { visit: Visit; id: string }) => {
  const { plan, because, done, next } = inspectTransaction(visit.world, id);
  return (
    <Panel id="plan" title="Plan" live="request fact delivery clock reset">
      <Facts
        rows={[
          ['Ends as', plan ? plain(plan.replace(/^(?:in|out|told) /, '').toLowerCase()) : 'not decided yet'],
          ['Because', because ? linked(visit, because) : undefined],
        ]}
      />
      {done.length + next.length > 0 ? (
        <ol class="checks-done gap">
          {done.map((step) => (
            <li class="ok">
              <span class="mark" aria-hidden="true">
                ✓
              </span>
              <span>{plain(step)}</span>
            </li>
          ))}
          {next.map((step) => (
            <li class="to-come">
              <span class="mark" aria-hidden="true">
                ○
              </span>
              <span>
                {plain(step)}
                <span class="visually-hidden">, to come</span>
              </span>
            </li>
          ))}
        </ol>
      ) : null}
      <Hint visit={visit} call={{ method: 'GET', path: `/transactions/${id}` }} />
    </Panel>
  );
};

const All = ({ related: { all, total } }: { related: Related }) =>
  all ? <a href={all}>All {total.toLocaleString('en-US')}</a> : null;

const Wide = ({ visit, related: one, of }: { visit: Visit; related: Related; of: string }) => (
  <Panel
    id={`of-${one.kind.table}`}
    title={one.kind.title}
    tools={<All related={one} />}
    live="request fact delivery reset"
    flush
  >
    <TableRows visit={visit} kind={one.kind} rows={one.rows} of={of} />
  </Panel>
);

const Narrow = ({ visit, related: one }: { visit: Visit; related: Related }) => (
  <Panel
    id={`of-${one.kind.table}`}
    title={one.kind.title}
    tools={<All related={one} />}
    live="request fact delivery reset"
    flush
  >
    <ul class="rows" data-rows>
      {one.rows.map((row) => (
        <li class="row brief-row" data-row={row.id}>
          <RowLink visit={visit} kind={one.kind} row={row} />
          <Brief visit={visit} kind={one.kind} row={row} />
        </li>
      ))}
    </ul>
  </Panel>
);

/** The most telling column of a row. */
const Brief = ({ visit, kind, row }: { visit: Visit; kind: Found['kind']; row: AnyRow }) => {
  const [column] = kind.columns;
  const value = column?.of(row, visit);
  if (value === undefined || value === null) return null;
  if (column?.as === 'status') return <Badge of={String(value)} />;
  if (column?.as === 'id') return <Id visit={visit} id={String(value)} />;
  return <span class="brief">{column?.as === 'money' ? moneyText(String(value)) : plain(String(value))}</span>;
};

const Hooks = ({ visit, id }: { visit: Visit; id: string }) => {
  const hooks = hooksAbout(visit, id);
  return (
    <Panel
      id="hooks-about"
      title="Webhooks about it"
      live="fact delivery reset"
      tools={hooks.length > 0 ? <a href={visit.to('/inspector/webhooks', { q: id })}>All</a> : null}
      flush
    >
      {hooks.length > 0 ? (
        <ul class="rows compact" data-rows>
          {hooks.map((hook) => (
            <HookRow visit={visit} hook={hook} />
          ))}
        </ul>
      ) : (
        <Empty title="None yet" />
      )}
    </Panel>
  );
};

const Calls = ({ visit, id }: { visit: Visit; id: string }) => {
  const calls = callsAbout(visit, id);
  return (
    <Panel
      id="calls-about"
      title="Requests about it"
      live="request reset"
      tools={
        calls.length > 0 ? (
          <a href={visit.to('/inspector/requests', { q: id })}>{times(calls.length, 'shown', 'shown')}, all</a>
        ) : null
      }
      flush
    >
      {calls.length > 0 ? (
        <ul class="rows compact" data-rows>
          {calls.map((entry) => (
            <RequestRow visit={visit} entry={entry} />
          ))}
        </ul>
      ) : (
        <Empty title="None that is remembered" />
      )}
    </Panel>
  );
};

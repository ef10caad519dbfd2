import { CODES, type SentCode } from '../../areas/codes/index.ts';
import type { Page } from '../../engine/page.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Copy } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, DataTable, Empty, Line, type PageParts, Pager, Panel, Resource, Time, times } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

const COLUMNS = ['Code', 'To', 'For', 'About', 'Sent'].map((name) => ({ name }));

/** Shows the one-time codes that the service would have sent by email and SMS, and the device codes of agents. */
export function codes(visit: PageContext): PageParts {
  const cursor = visit.query('cursor');
  const page = visit.world.rows(CODES).page({ limit: 50, cursor });
  return {
    title: 'Sent codes',
    lead: 'One-time codes that were "sent" by email and SMS, and device codes of agents. Nothing leaves this machine, so you read them here.',
    call: visit.call(commands.records.codes),
    body: (
      <Panel id="codes" live={cursor === undefined ? 'request reset' : ''} flush>
        {page.data.length > 0 ? <Codes visit={visit} page={page} cursor={cursor} /> : <NoCodes />}
      </Panel>
    ),
  };
}

const Codes = (p: { visit: PageContext; page: Page<SentCode>; cursor: string | undefined }) => (
  <>
    <DataTable columns={COLUMNS}>
      {p.page.data.map((code) => (
        <CodeLine visit={p.visit} code={code} />
      ))}
    </DataTable>
    <Pager
      shown={times(p.page.totalCount, 'code')}
      newer={p.cursor === undefined ? undefined : p.visit.to('/inspector/codes')}
      older={p.page.nextCursor ? p.visit.to('/inspector/codes', { cursor: p.page.nextCursor }) : undefined}
    />
  </>
);

const CodeLine = ({ visit, code }: { visit: PageContext; code: SentCode }) => (
  <Line of={code.id}>
    <Cell
      of={
        <span class="value left">
          <code class="otp">{escapeControlChars(code.code)}</code>
          <Copy text={escapeControlChars(code.code)} label={`Copy the code for ${escapeControlChars(code.to)}`} />
        </span>
      }
    />
    <Cell name="To" of={escapeControlChars(code.to)} />
    <Cell name="For" of={escapeControlChars(code.purpose)} />
    <Cell name="About" of={<Resource visit={visit} id={code.subject} mark={`${code.id} about`} />} />
    <Cell name="Sent" of={<Time visit={visit} at={code.sentAt} />} />
  </Line>
);

const NoCodes = () => (
  <Empty title="No codes sent yet">
    <p>
      Verify a customer's email or phone (<code>POST /customers/{'{id}'}/verify-email</code>), or challenge a wallet's
      email or SMS credential, and the code appears here. Most sandboxes also accept <code>000000</code>.
    </p>
  </Empty>
);

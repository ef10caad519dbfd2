import type { Child } from 'hono/jsx';
import { OPERATIONS } from '../../areas.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Act, Command, curlOf } from '../frame/act.tsx';
import { CallForm, Check, Field, Pick, type Preset, Presets, Submit } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Cell, count, DataTable, Empty, Line, type PageParts, Panel, pageFrom } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

const METHODS = ['', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((m) => [m, m || 'Any'] as const);

type Fault = ReturnType<typeof commands.faults.list.run>['data'][number];

const COLUMNS = [
  { name: 'When' },
  { name: 'Then' },
  { name: 'Seen', number: true },
  { name: 'Fired', number: true },
  { name: 'Remove', unseen: true },
];

/** Shows the faults of the sandbox, and how often each fired. */
export function faults(visit: PageContext): PageParts {
  const some = visit.sandbox.faults.list.length > 0;
  const clear = some ? visit.call(commands.faults.clear) : undefined;
  return {
    title: 'Faults',
    lead: 'Make API calls and webhooks fail on purpose to test your code: errors, delays, dropped connections, duplicate webhooks, wrong signatures.',
    live: 'faults reset',
    tools: clear ? <Act danger sure="Remove all?" call={clear} does="Remove all" /> : null,
    hint: clear,
    body: (
      <>
        <Panel id="faults" live="faults reset" flush>
          {some ? <Faults visit={visit} /> : <NoFaults visit={visit} />}
        </Panel>
        <div class="columns even">
          <Panel id="fault-call" title="Fault on API calls">
            <CallFault visit={visit} />
          </Panel>
          <Panel id="fault-hook" title="Fault on webhooks">
            <HookFault visit={visit} />
          </Panel>
        </div>
      </>
    ),
  };
}

const Faults = ({ visit }: { visit: PageContext }) => {
  const { rows, pager } = pageFrom(visit, '/inspector/faults', visit.ask(commands.faults.list, {}).data);
  return (
    <>
      <DataTable columns={COLUMNS}>
        {rows.map((fault) => (
          <FaultLine visit={visit} fault={fault} />
        ))}
      </DataTable>
      {pager}
    </>
  );
};

const NoFaults = ({ visit }: { visit: PageContext }) => {
  const example = { match: { operation: 'createQuote', times: 2 }, then: { status: 503, retryAfter: 5 } };
  return (
    <Empty title="No faults">
      <p>This makes the next two quotes fail with 503 and a Retry-After header:</p>
      <Command text={curlOf(visit.call(commands.faults.add, { fault: example }))} />
    </Empty>
  );
};

/** A form that adds a fault: the fields of its kind, then its frequency. */
const FaultForm = (p: { visit: PageContext; label: string; children: Child }) => (
  <CallForm call={p.visit.call(commands.faults.add, { fault: { match: {}, then: {} } })} label={p.label} needs="then">
    {p.children}
    <Field label="At most" name="match.times" type="number" min={1} placeholder="always" size={8} />
    <Field label="Every nth" name="match.every" type="number" min={1} placeholder="1" size={6} />
    <Field label="Chance" name="probability" type="number" min={0} max={1} step="any" placeholder="1" size={6} />
    <Submit label="Add fault" main />
  </CallForm>
);

const WHEN = Object.entries({ '': 'Before the change', after: 'After the change' });

/** Presets for the most common faults. */
const CALL_PRESETS: readonly Preset[] = [
  { label: 'Fail the next two', fills: { 'then.status': '500', 'match.times': '2' } },
  { label: '429, retry after 5 s', fills: { 'then.status': '429', 'then.retryAfter': '5', 'match.times': '1' } },
  { label: 'Slow: 3 s', fills: { 'then.delayMs': '3000' } },
  { label: 'Drop after the change', fills: { 'then.drop': true, 'then.when': 'after', 'match.times': '1' } },
  { label: 'One in ten fails', fills: { 'then.status': '503', probability: '0.1' } },
];
const HOOK_PRESETS: readonly Preset[] = [
  { label: 'Receiver returns 500 twice', fills: { 'then.status': '500', 'match.times': '2' } },
  { label: 'Send duplicates', fills: { 'then.duplicate': true } },
  { label: 'Out of order', fills: { 'then.reorder': true } },
  { label: 'Forged signature', fills: { 'then.wrongSignature': true, 'match.times': '1' } },
  { label: 'Delay by a minute', fills: { 'then.delayMs': '60000' } },
];

const CallFault = ({ visit }: { visit: PageContext }) => (
  <>
    <FaultForm visit={visit} label="Fault on API calls">
      <Presets of={CALL_PRESETS} />
      <Field label="Operation" name="match.operation" placeholder="any" list="operations" grow />
      <Pick label="Method" name="match.method" options={METHODS} />
      <Field label="Path" name="match.path" placeholder="/customers/*" wide />
      <Field label="Status" name="then.status" type="number" min={400} max={599} placeholder="503" size={6} />
      <Field label="Retry-After, s" name="then.retryAfter" type="number" min={0} size={6} />
      <Delay />
      <Pick label="When" name="then.when" options={WHEN} />
      <div class="checks">
        <Check label="Drop the connection" name="then.drop" />
        <Check label="Truncate the response" name="then.truncate" />
      </div>
    </FaultForm>
    <datalist id="operations">
      {OPERATIONS.map(({ id }) => (
        <option value={id} />
      ))}
    </datalist>
  </>
);

const HookFault = ({ visit }: { visit: PageContext }) => (
  <FaultForm visit={visit} label="Fault on webhooks">
    <Presets of={HOOK_PRESETS} />
    <Field label="Event type" name="match.webhook" value="CUSTOMER.*" required grow />
    <Field label="Receiver returns" name="then.status" type="number" min={100} max={599} placeholder="500" size={6} />
    <Delay />
    <div class="checks">
      <Check label="Send twice" name="then.duplicate" />
      <Check label="Out of order" name="then.reorder" />
      <Check label="Wrong signature" name="then.wrongSignature" />
      <Check label="Alter the body" name="then.alteredBody" />
      <Check label="Never deliver" name="then.drop" />
    </div>
  </FaultForm>
);

const Delay = () => <Field label="Delay, ms" name="then.delayMs" type="number" min={0} size={6} />;

const FaultLine = ({ visit, fault }: { visit: PageContext; fault: Fault }) => {
  const { match, then, probability, spent } = fault;
  const when = (
    <>
      <span class="method">{fault.id}</span> <code>{escapeControlChars(words(match) || 'any call')}</code>
      {probability === undefined ? '' : `, ${Math.round(probability * 100)} % of the time`}
    </>
  );
  const fired = [`${count(fault.fired)} `, spent ? <Badge of="spent" /> : null];
  const remove = visit.call(commands.faults.remove, { id: fault.id });
  return (
    <Line of={fault.id}>
      <Cell wide of={when} />
      <Cell name="Then" wide of={<code>{escapeControlChars(words(then))}</code>} />
      <Cell name="Seen" number of={count(fault.seen)} />
      <Cell name="Fired" number of={fired} />
      <Cell number of={<Act small label={`Remove ${fault.id}`} call={remove} does="Remove" />} />
    </Line>
  );
};

const words = (part: object): string =>
  Object.entries(part)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');

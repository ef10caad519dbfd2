import type { Operation } from '../declare/operation.ts';
import * as call from './call.ts';
import * as control from './control.ts';
import type { Call, Route, Step } from './exchange.ts';
import * as inspector from './inspector.ts';
import * as login from './login.ts';
import * as mcp from './mcp.ts';
import * as page from './pages.ts';
import { refuse } from './refusal.ts';

/** The columns; an operation takes the one of its authentication. */
interface Columns {
  basic: Call;
  bearer: Call;
  none: Call;
  /** An address of the API without an operation. */
  nowhere: Call;
  control: control.ControlCall;
  /** Calls of coding agents by the Model Context Protocol. */
  mcp: mcp.Message;
  /** The hosted identity check. */
  page: page.PageExchange;
  inspector: inspector.Look;
  /** The page where people enter the control token, and the end of their login. */
  login: login.LoginVisit;
}
type Column = keyof Columns;

type Row = { readonly [C in Column]?: Step<Columns[C]> } & {
  readonly step: string;
  /** The operations that take the step; all by default. */
  readonly of?: (op: Operation) => boolean;
  /** True to run at one moment together with its neighbours; for an operation that writes, as one transaction. */
  readonly together?: true;
};

const api = (step: Step<Call>) => ({ basic: step, bearer: step, none: step });
const writes = (op: Operation): boolean => op.read === undefined;
const waits = (op: Operation): boolean => op.wait !== undefined;
const keyed = (op: Operation): boolean => op.idempotency !== undefined;

/** The steps of a request, from top to bottom. A missing cell does nothing in its column. */
const TABLE: readonly Row[] = [
  {
    step: 'admit',
    ...api(call.admit),
    nowhere: call.admit,
    control: control.admit,
    mcp: mcp.admit,
    page: page.admit,
    inspector: inspector.admit,
    login: login.admit,
  },
  { step: 'ask for the control token', control: control.unlock, mcp: mcp.unlock, inspector: inspector.unlock },
  { step: 'locate', nowhere: call.locate, mcp: mcp.locate, inspector: inspector.locate },
  { step: 'authenticate', basic: call.authenticateBasic, bearer: call.authenticateBearer, none: call.findSandbox },
  { step: 'permit', basic: call.permit },
  { step: 'inject a fault', ...api(call.fault) },
  { step: 'replay unread', ...api(call.replayUnread), of: (op) => op.keyAlone === true },
  {
    step: 'read the body',
    ...api(call.readBody),
    of: writes,
    control: control.readBody,
    mcp: mcp.readBody,
    page: page.readBody,
    inspector: inspector.readBody,
    login: login.readBody,
  },
  { step: 'parse', ...api(call.parse), control: control.parse },
  { step: 'catch up', ...api(call.catchUp), control: control.catchUp },
  { step: 'check the token again', basic: call.checkToken, bearer: call.checkAgent },
  { step: 'replay', ...api(call.replay), of: keyed },
  { step: 'load and check', ...api(call.examine), of: waits },
  { step: 'wait', ...api(call.wait), of: waits },
  { step: 'check the token after a wait', basic: call.checkToken, bearer: call.checkAgent, of: waits },
  { step: 'catch up after a wait', ...api(call.catchUp), of: waits },
  { step: 'replay after a wait', ...api(call.replay), of: (op) => waits(op) && keyed(op) },
  { step: 'load and check, after a wait again', ...api(call.examine), together: true },
  { step: 'authorize', ...api(call.authorize), of: (op) => op.authorize !== undefined, together: true },
  { step: 'read', ...api(call.read), of: (op) => !writes(op), together: true },
  { step: 'write', ...api(call.write), of: writes, together: true, control: control.write, page: page.write },
  { step: 'check the reply', ...api(call.checkReply), together: true },
  { step: 'render', ...api(call.renderReply) },
  { step: 'remember', ...api(call.remember), of: keyed },
  {
    step: 'log and send',
    ...api(call.send),
    control: control.send,
    mcp: mcp.send,
    page: page.send,
    inspector: inspector.send,
    login: login.send,
  },
];

/** The form of each column's refusals. */
const REFUSE: { readonly [C in Column]: Route<Columns[C]>['refuse'] } = {
  ...{ basic: refuse, bearer: refuse, none: refuse, nowhere: refuse },
  ...{ control: control.refuse, mcp: mcp.refuse, page: page.refuse, inspector: inspector.refuse, login: login.refuse },
};

/** Returns the steps of a column that apply to an operation, built once, so that other steps cost a request nothing. */
export function routeOf<C extends Column>(column: C, op?: Operation): Route<Columns[C]> {
  const rows = TABLE.filter((row) => row[column] && (!op || (row.of?.(op) ?? true)));
  const cells = (some: readonly Row[]) => some.map((row) => row[column]) as Step<Columns[C]>[];
  if (!op) return { steps: cells(rows), refuse: REFUSE[column] };
  const [first, last] = [rows.findIndex((row) => row.together), rows.findLastIndex((row) => row.together) + 1];
  const together = (writes(op) ? call.whole : call.atOnce)(cells(rows.slice(first, last)) as unknown as Step<Call>[]);
  const steps = [...cells(rows.slice(0, first)), together as unknown as Step<Columns[C]>, ...cells(rows.slice(last))];
  return { steps, refuse: REFUSE[column] };
}

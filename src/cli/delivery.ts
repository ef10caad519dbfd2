import { jsonIn } from '../contract/json.ts';
import { paintStatus } from './output.ts';
import { type Colours, jsonText, printable } from './text.ts';

/** The parts of a delivery that are read from its body. */
export interface Event {
  id: string;
  type: string;
  /** Id of the resource that it is about. */
  subject: string | undefined;
  payload: unknown;
}

/** Returns the event in a body, or a phrase that says why there is none. */
export function eventOf(body: string): Event | 'not JSON' | 'nested too deep' | 'not an event' {
  const payload = jsonIn(body);
  if (payload === undefined) return 'not JSON';
  if (depth(payload) > DEEPEST) return 'nested too deep';
  const { id, type, data } = asObject(payload);
  if (typeof id !== 'string' || typeof type !== 'string') return 'not an event';
  const { id: subject } = asObject(data);
  return { id, type, subject: typeof subject === 'string' ? subject : undefined, payload };
}

/** The greatest depth that is accepted, more than any event has; endless nesting would exhaust memory when printed. */
const DEEPEST = 64;

/** Returns how deep a value is nested, counted to just beyond the greatest accepted depth. */
function depth(payload: unknown): number {
  let level: unknown[] = [payload];
  for (let deep = 0; ; deep += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0 || deep > DEEPEST) return deep;
  }
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A delivery and its outcome. */
export interface Delivery extends Event {
  at: string;
  verified: boolean | undefined;
  /** The number of times that this event has arrived; more than one is a duplicate or a retry. */
  attempt: number;
  status: number;
  forwarded: boolean;
  note: string | undefined;
}

/** A request that is not a delivery at all. */
export interface Stray {
  at: string;
  method: string;
  path: string;
  status: number;
  reason: string;
}

const time = (at: string, c: Colours): string => c.dim(at.slice(11, 23));

/** Returns a delivery as a line for a person. */
export function deliveryLine(d: Delivery, c: Colours): string {
  const verdict =
    d.verified === undefined
      ? c.yellow('unverified')
      : d.verified
        ? c.green('verified  ')
        : c.red('NOT SIGNED BY THE EMULATOR');
  const again = d.attempt > 1 ? c.yellow(`  duplicate, attempt ${d.attempt}`) : '';
  const notes = [d.forwarded ? 'forwarded' : undefined, d.note].filter((note) => note !== undefined).join('; ');
  return `${time(d.at, c)} ${paintStatus(d.status, c)} ${verdict} ${c.bold(printable(d.type))} ${printable(d.subject ?? '')} ${c.dim(printable(d.id))}${again}${notes ? `  ${c.cyan(printable(notes))}` : ''}`;
}

/** Returns a delivery as a line for a program. */
export const deliveryJson = ({ verified, attempt, ...rest }: Delivery): string =>
  jsonText({ event: 'delivery', ...rest, verified: verified ?? null, attempt, duplicate: attempt > 1 });

export const strayLine = (s: Stray, c: Colours): string =>
  `${time(s.at, c)} ${paintStatus(s.status, c)} ${c.yellow('no webhook')} ${printable(s.method)} ${printable(s.path)}  ${c.cyan(printable(s.reason))}`;

export const strayJson = (stray: Stray): string => jsonText({ event: 'refused', ...stray });

/** Returns a body formatted for reading. */
export const laidOut = (payload: unknown, c: Colours): string =>
  jsonText(payload, 2)
    .split('\n')
    .map((line) => `    ${c.dim(line)}`)
    .join('\n');

import { type Command, Option } from 'commander';
import { jsonOrText } from '../../contract/json.ts';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { paintStatus } from '../output.ts';
import { declareRemote, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, printable } from '../text.ts';

/** The control API's reply to a trigger. */
interface Triggered {
  readonly event: string;
  readonly calls: readonly {
    operation: string;
    requestId: string | null;
    status: number;
    input?: Record<string, unknown>;
  }[];
  readonly webhook: { readonly id?: string; readonly state: string };
}

type Events = AnswerOf<typeof commands.operations.events>;

/** Returns a line for each type, grouped by subject. */
const listed = ({ data }: Events, c: Colours): string[] =>
  data.flatMap(({ type, about, calls }, i) => [
    ...(about === data[i - 1]?.about ? [] : [c.bold(printable(about))]),
    `  ${printable(type)}${calls.length > 0 ? c.dim(`  ${printable(calls.join(', '))}`) : ''}`,
  ]);

/** Declares `trigger`. */
export function declare(command: Command): void {
  command
    .argument('[event]', 'type of the event, such as OUTGOING_PAYMENT.COMPLETED; without it, list the types')
    .addOption(new Option('--list', 'list the types of events, with the calls that lead to each'))
    .addOption(
      new Option('--set <path=value>', 'set a field in the body of the main call; repeatable').argParser(
        (text, before: Record<string, unknown> | undefined) => ({ ...before, ...member(text) }),
      ),
    );
  declareRemote(command, [
    ['trigger --list', 'list the events'],
    ['trigger CUSTOMER.KYC_APPROVED', 'create a customer and approve it'],
    ['trigger OUTGOING_PAYMENT.COMPLETED --set amount=500', 'the same, with another amount in the main call'],
    ['trigger CARD_TRANSACTION.SETTLED --json', 'JSON output: the calls, and the webhook with its attempts'],
  ]);
  command.action(trigger);
}

/** Parses `path=value`; the value is JSON if it parses as such. */
function member(text: string): Record<string, unknown> {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--set must be a path, = and a value, not ${text}`);
  return { [text.slice(0, at)]: jsonOrText(text.slice(at + 1)) };
}

/** Makes the calls that lead to an event, and prints them. */
async function trigger(
  event: string | undefined,
  flags: RemoteFlags & { set?: Record<string, unknown>; list?: boolean },
): Promise<void> {
  if (event === undefined || flags.list) {
    const all = await new Remote(flags).ask<Events>('GET', '/trigger');
    show(flags.json, all, (c) => listed(all, c));
    return;
  }
  const body = flags.set ? { event, set: flags.set } : { event };
  const result = await new Remote(flags).ask<Triggered>('POST', '/trigger', body);
  show(flags.json, result, (c) => lines(result, c));
}

const lines = ({ event, calls, webhook }: Triggered, c: Colours): string[] => [
  [c.bold(printable(event)), webhook.id === undefined ? '' : c.dim(printable(webhook.id)), printable(webhook.state)]
    .filter((word) => word !== '')
    .join(' '),
  ...calls.map(({ operation, requestId, status, input = {} }) =>
    requestId === null
      ? `  ${printable(ACTS[operation]?.(input) ?? `${operation} ${JSON.stringify(input)}`)}`
      : `  ${paintStatus(status, c)} ${printable(operation)} ${c.dim(printable(requestId))}`,
  ),
];

/** The acts that are not calls of the API, in words. */
const ACTS: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string>> = {
  'clock.move': ({ to }) => `the clock moved to ${to}`,
  'clock.runJob': ({ kind }) => `the job ${kind} ran`,
};

import { Argument, type Command, Option } from 'commander';
import { parseDuration } from '../../contract/duration-text.ts';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { WITHIN } from '../../sandbox/skip-to.ts';
import { declareRemote, momentOf, Remote, type RemoteFlags, show } from '../remote.ts';
import { duration } from '../start-flags.ts';
import { printable } from '../text.ts';
import { advanced, type Moved } from './advance.ts';

/** The most pending jobs that are printed. */
const NAMED = 10;

type Event = AnswerOf<typeof commands.webhooks.wait>;

/** Declares `settle`. */
export function settle(command: Command): void {
  command.addOption(
    new Option('--within <duration>', 'skip at most this much virtual time')
      .argParser(duration('--within'))
      .default(WITHIN),
  );
  declareRemote(command, [
    ['settle', 'run everything that falls due within 30 days; the clock stays at the last job'],
    ['settle --within 2h --json', 'JSON output: the clock, the jobs that ran, and those that are left'],
  ]);
  command.action(async ({ within, ...flags }: RemoteFlags & { within: string }) => {
    const result = await new Remote(flags).ask<Moved>('POST', '/clock', { settle: within });
    const { waiting = [] } = result;
    show(flags.json, result, (c) => [
      ...advanced(result, c),
      ...(waiting.length > 0 ? [c.bold('left')] : []),
      ...waiting
        .slice(0, NAMED)
        .map(({ dueAt, does }) => `  ${c.dim(dueAt === null ? 'held' : momentOf(dueAt))} ${printable(does)}`),
      ...(waiting.length > NAMED ? [c.dim(`  and ${waiting.length - NAMED} more`)] : []),
    ]);
  });
}

/** Declares `wait`. */
export function wait(command: Command): void {
  command.addArgument(new Argument('<event>', 'type of the event, such as OUTGOING_PAYMENT.COMPLETED'));
  command.addOption(
    new Option(
      '--within <duration>',
      'skip virtual time to the event, at most this much; default: only wait',
    ).argParser(duration('--within')),
  );
  command.addOption(
    new Option('--timeout <duration>', 'give up after this much real time; at most 60s')
      .argParser(duration('--timeout'))
      .default('10s'),
  );
  command.addOption(new Option('--subject <id>', 'only an event about the resource with this id'));
  declareRemote(command, [
    ['wait CUSTOMER.KYC_APPROVED', 'wait until it is sent; the exit code is 2 if it is not'],
    ['wait OUTGOING_PAYMENT.COMPLETED --within 30d', 'skip to it, from one due job to the next'],
  ]);
  command.action(async (type: string, flags: RemoteFlags & { within?: string; timeout: string; subject?: string }) => {
    const { within, timeout, subject } = flags;
    const query = new URLSearchParams({
      type,
      timeoutMs: String(Math.min(60_000, parseDuration(timeout) ?? 0)),
      ...(within === undefined ? {} : { within }),
      ...(subject === undefined ? {} : { subject }),
    });
    const event = await new Remote(flags).ask<Event>('GET', `/webhooks/wait?${query}`);
    const said = event.attempts.map(({ status, error }) => status ?? error ?? 'no answer').join(', ');
    show(flags.json, event, (c) => [
      `${c.bold(printable(event.type))}  ${momentOf(event.timestamp)}  ${printable(event.subject)}`,
      `  ${event.state.toLowerCase()}${said === '' ? '' : `: ${printable(said)}`}`,
    ]);
  });
}

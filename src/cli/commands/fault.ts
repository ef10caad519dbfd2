import { Argument, type Command, Option } from 'commander';
import { parseDuration, tooLong } from '../../contract/duration-text.ts';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { addExamples } from '../examples.ts';
import { inPath, Remote, type RemoteFlags, remoteOptions, show } from '../remote.ts';
import { duration, number } from '../start-flags.ts';
import { type Colours, jsonText, printable } from '../text.ts';

type Fault = AnswerOf<typeof commands.faults.add>;

interface AddFlags extends RemoteFlags {
  operation?: string;
  method?: string;
  path?: string;
  webhook?: string;
  times?: number;
  every?: number;
  after?: number;
  probability?: number;
  delay?: number;
  /** Effects: sent as they stand. */
  [effect: string]: unknown;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The longest delay of a webhook; the emulator checks that of a call. */
const LONGEST_MS = 604_800_000;

/** An upper bound for counts. */
const MOST = 1_000_000_000;

const chance = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0 && value <= 1) || text.trim() === '')
    throw new Error(`--probability must be from 0 to 1, not ${text}`);
  return value;
};

const milliseconds = (text: string): number => {
  const ms = parseDuration(duration('--delay')(text)) ?? 0;
  if (ms > LONGEST_MS)
    throw new Error(`--delay ${tooLong('10 minutes for a call, 7 days for a webhook')}, not ${text}`);
  return ms;
};

/** Returns the flags for the match of a fault. */
const matchOptions = (): Option[] => [
  new Option('--operation <operation id>', 'API calls of this operation, such as createQuote'),
  new Option('--method <method>', 'API calls with this method').choices(METHODS),
  new Option('--path <path>', 'API calls of this path below the version; * is part of a segment, ** any rest'),
  new Option('--webhook <event type>', "webhooks of this type; * stands for any part, as in 'CUSTOMER.*'"),
  new Option('--times <n>', 'apply n times, then stop').argParser(number('--times', 1, MOST)),
  new Option('--every <n>', 'apply to every nth match').argParser(number('--every', 1, MOST)),
  new Option('--after <n>', 'skip the first n matches').argParser(number('--after', 0, MOST)),
  new Option('--probability <p>', 'apply with this probability, from 0 to 1').argParser(chance),
];

/** Returns the flags for the effect of a fault. */
const effectOptions = (): Option[] => [
  new Option(
    '--status <status>',
    'respond with this status; for a webhook: log it as the response of the receiver',
  ).argParser(number('--status', 100, 599)),
  new Option('--code <code>', 'respond with this error code, such as CONFLICT'),
  new Option('--message <text>', 'message of the error'),
  new Option('--retry-after <seconds>', 'a Retry-After header').argParser(number('--retry-after', 0, MOST)),
  new Option('--delay <duration>', 'wait first: real time for a call, virtual time for a webhook').argParser(
    milliseconds,
  ),
  new Option('--drop', 'close the connection without a response; for a webhook: send nothing'),
  new Option('--truncate', 'send half of the response, after the change'),
  new Option('--when <moment>', 'before: nothing has changed; after: the change is made, the response is lost').choices(
    ['before', 'after'],
  ),
  new Option('--duplicate', 'send the webhook twice'),
  new Option('--reorder', 'send later events of the resource first'),
  new Option('--wrong-signature', 'sign the webhook with a wrong key'),
  new Option('--altered-body', 'change the body of the webhook after it was signed'),
];

/** Declares `fault` with its subcommands. */
export function declare(command: Command): void {
  const sub = (name: string, description: string, options: readonly Option[] = []): Command => {
    const made = command.command(name).description(description);
    for (const option of [...options, ...remoteOptions()]) made.addOption(option);
    return made;
  };
  addExamples(command, [
    ['fault add --operation createQuote --status 503 --times 2', 'the next two quotes fail'],
    ["fault add --webhook 'CUSTOMER.*' --wrong-signature", 'sign customer events with a wrong key'],
    ['fault list', 'list faults, and how often each fired'],
    ['fault clear', 'remove all faults'],
  ]);
  const addCommand = sub('add', 'make API calls or webhooks go wrong', [...matchOptions(), ...effectOptions()]);
  addExamples(addCommand, [
    ['fault add --operation createQuote --status 503 --times 2', 'the next two quotes get a 503'],
    [
      'fault add --method POST --path /customers --drop --when after --times 1',
      'the customer is created, but the reply is lost',
    ],
    ['fault add --delay 2s --probability 0.1', 'one call in ten takes two seconds longer'],
  ]).action(add);
  sub('list', 'list faults, and how often each fired').action(async (flags: RemoteFlags) => {
    const { data } = await new Remote(flags).ask<AnswerOf<typeof commands.faults.list>>('GET', '/faults');
    show(flags.json, data, (c) => (data.length === 0 ? ['there is no fault'] : data.map((one) => line(one, c))));
  });
  sub('remove', 'remove a fault')
    .addArgument(new Argument('<fault id>', 'id of the fault, such as fault-1'))
    .action(async (id: string, flags: RemoteFlags) => {
      await new Remote(flags).ask('DELETE', `/faults/${inPath('fault', id)}`);
      show(flags.json, null, () => [`${printable(id)} removed`]);
    });
  sub('clear', 'remove all faults').action(async (flags: RemoteFlags) => {
    await new Remote(flags).ask('DELETE', '/faults');
    show(flags.json, null, () => ['all faults are removed']);
  });
}

async function add(flags: AddFlags): Promise<void> {
  const { operation, method, path, webhook, times, every, after, probability, ...rest } = flags;
  const { url: _, sandbox: __, controlToken: ___, json, delay: delayMs, ...effects } = rest;
  // Sent as it stands: the emulator refuses combinations that do not fit.
  const rule = {
    match: { operation, method, path, webhook, times, every, after },
    probability,
    then: { ...effects, delayMs },
  };
  const fault = await new Remote(flags).ask<Fault>('POST', '/faults', rule);
  show(json, fault, (c) => [line(fault, c)]);
}

/** Returns a fault in words: its match, its effect, and how often it fired. */
function line({ id, match, probability, then, seen, fired, spent }: Fault, c: Colours): string {
  const { times, every, after, ...which } = match;
  const counts = [
    after ? `after ${after}` : '',
    every ? `every ${every}.` : '',
    times === undefined ? '' : times === 1 ? 'once' : `${times} times`,
    probability === undefined ? '' : `with a chance of ${probability}`,
  ].filter(Boolean);
  const what = Object.values(which).join(' ') || 'every call';
  const effects = Object.entries(then).map(([name, value]) =>
    value === true ? name : name === 'delayMs' ? `delay ${Number(value) / 1000}s` : `${name} ${textOf(value)}`,
  );
  const met = `met ${seen}, fired ${fired}${spent ? ', spent' : ''}`;
  return `${c.bold(printable(id))}  ${[printable(what), ...counts].join(', ')}: ${c.yellow(printable(effects.join(', ')))}  ${c.dim(met)}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

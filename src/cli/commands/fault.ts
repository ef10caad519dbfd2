import { Argument, type Command, Option } from 'commander';
import { DURATION_FORM, parseDuration } from '../../contract/duration-text.ts';
import type { FaultRule } from '../../contract/faults.ts';
import { examplesOf } from '../examples.ts';
import { inPath, Remote, type RemoteFlags, remoteOptions, show } from '../remote.ts';
import { number } from '../start-flags.ts';
import { type Colours, jsonText, printable } from '../text.ts';

/** A fault as the control API shows it. */
type Fault = FaultRule & { id: string; seen: number; fired: number; spent: boolean };

interface AddFlags extends RemoteFlags {
  operation?: string;
  method?: string;
  path?: string;
  webhook?: string;
  times?: number;
  every?: number;
  after?: number;
  probability?: number;
  status?: number;
  code?: string;
  message?: string;
  retryAfter?: number;
  delay?: number;
  drop?: boolean;
  truncate?: boolean;
  when?: string;
  duplicate?: boolean;
  reorder?: boolean;
  wrongSignature?: boolean;
  alteredBody?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** More than anybody counts. */
const MOST = 1_000_000_000;

const chance = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0 && value <= 1) || text.trim() === '')
    throw new Error(`--probability must be from 0 to 1, not ${text}`);
  return value;
};

const milliseconds = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === undefined) throw new Error(`--delay must be ${DURATION_FORM}, not ${text}`);
  return ms;
};

/** What to meet. */
const matchOptions = (): Option[] => [
  new Option('--operation <operation id>', 'API calls of this operation, such as createQuote'),
  new Option('--method <method>', 'API calls with this method').choices(METHODS),
  new Option('--path <path>', 'API calls of this path below the version; * is part of a segment, ** any rest'),
  new Option('--webhook <event type>', "webhooks of this type; * stands for any part, as in 'CUSTOMER.*'"),
  new Option('--times <n>', 'so many times, then never again').argParser(number('--times', 1, MOST)),
  new Option('--every <n>', 'only every nth match').argParser(number('--every', 1, MOST)),
  new Option('--after <n>', 'let so many matches pass first').argParser(number('--after', 0, MOST)),
  new Option('--probability <p>', 'the chance of each match, from 0 to 1').argParser(chance),
];

/** What goes wrong then. */
const effectOptions = (): Option[] => [
  new Option('--status <status>', 'answer so; of a webhook: note this as what the receiver said').argParser(
    number('--status', 100, 599),
  ),
  new Option('--code <code>', 'answer with this error, such as CONFLICT'),
  new Option('--message <text>', 'the sentence of that error'),
  new Option('--retry-after <seconds>', 'a Retry-After header').argParser(number('--retry-after', 0, MOST)),
  new Option('--delay <duration>', 'this passes first: real time of a call, virtual time of a webhook').argParser(
    milliseconds,
  ),
  new Option('--drop', 'close the connection without an answer; of a webhook: send nothing'),
  new Option('--truncate', 'send half of the answer; the call was done'),
  new Option('--when <moment>', 'before: nothing was done; after: the call was done, its answer is lost').choices([
    'before',
    'after',
  ]),
  new Option('--duplicate', 'send the webhook twice'),
  new Option('--reorder', 'let later events of its resource go first'),
  new Option('--wrong-signature', 'sign the webhook with another key'),
  new Option('--altered-body', 'change the body of the webhook after it was signed'),
];

/** Declares `fault` with its subcommands. */
export function declare(command: Command): void {
  const sub = (name: string, description: string, options: readonly Option[] = []): Command => {
    const made = command.command(name).description(description);
    for (const option of [...options, ...remoteOptions()]) made.addOption(option);
    return made;
  };
  command.addHelpText('after', () =>
    examplesOf([
      ['fault add --operation createQuote --status 503 --times 2', 'the next two quotes fail'],
      ["fault add --webhook 'CUSTOMER.*' --wrong-signature", 'events of customers are signed by somebody else'],
      ['fault list', 'what shall go wrong, and how often it did'],
      ['fault clear', 'nothing goes wrong on purpose any more'],
    ]),
  );
  sub('add', 'make API calls or webhooks go wrong', [...matchOptions(), ...effectOptions()])
    .addHelpText('after', () =>
      examplesOf([
        ['fault add --operation createQuote --status 503 --times 2', 'the next two quotes are answered 503'],
        ['fault add --method POST --path /customers --drop --when after', 'done, but the answer is lost'],
        ['fault add --delay 2s --probability 0.1', 'one call in ten takes two seconds more'],
      ]),
    )
    .action(add);
  sub('list', 'what shall go wrong, and how often it did').action(async (flags: RemoteFlags) => {
    const { data } = await new Remote(flags).ask<{ data: readonly Fault[] }>('GET', '/faults');
    show(flags.json, data, (c) =>
      data.length === 0 ? ['nothing goes wrong on purpose'] : data.map((one) => line(one, c)),
    );
  });
  sub('remove', 'take a fault back')
    .addArgument(new Argument('<fault id>', 'its id, such as fault-1'))
    .action(async (id: string, flags: RemoteFlags) => {
      await new Remote(flags).ask('DELETE', `/faults/${inPath('fault', id)}`);
      show(flags.json, null, () => [`${printable(id)} removed`]);
    });
  sub('clear', 'take every fault back').action(async (flags: RemoteFlags) => {
    await new Remote(flags).ask('DELETE', '/faults');
    show(flags.json, null, () => ['nothing goes wrong on purpose any more']);
  });
}

async function add(flags: AddFlags): Promise<void> {
  const { operation, method, path, webhook, times, every, after, probability, ...rest } = flags;
  const { url: _, sandbox: __, json, delay: delayMs, ...effects } = rest;
  // Asked for as it stands: the emulator says what does not go together.
  const rule = {
    match: { operation, method, path, webhook, times, every, after },
    probability,
    then: { ...effects, delayMs },
  };
  const fault = await new Remote(flags).ask<Fault>('POST', '/faults', rule);
  show(json, fault, (c) => [line(fault, c)]);
}

/** A fault in words: what it meets, what goes wrong, and how often it did. */
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

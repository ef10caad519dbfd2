import { type Command, Option } from 'commander';
import { follow } from '../follow.ts';
import { type LogFlags, LogItems } from '../log-items.ts';
import { Output } from '../output.ts';
import { declareRemote, Remote } from '../remote.ts';
import { number } from '../start-flags.ts';
import { colours, hasColours } from '../text.ts';
import { defaultSandbox } from './states.ts';

/** Declares `logs`. */
export function declare(command: Command): void {
  const options = [
    new Option('-f, --follow', 'keep printing new requests until SIGINT'),
    new Option('-n, --lines <n>', 'print the last n requests first').argParser(number('--lines', 0, 1000)).default(20),
    new Option('--status <status>', 'only calls with this status, such as 404 or 4xx').argParser((text) => {
      if (!/^\d[\dx]{2}$/.test(text)) throw new Error(`--status must be a status such as 404 or 4xx, not ${text}`);
      return text;
    }),
    new Option('--operation <operation id>', 'only calls of this operation, such as createQuote'),
    new Option('--webhooks', 'also print webhook delivery attempts'),
  ];
  for (const option of options) command.addOption(option);
  declareRemote(command, [
    ['logs', 'the last 20 requests'],
    ['logs -f', 'the same, and each new one'],
    ['logs -f --status 4xx --webhooks', 'refusals as they happen, and webhooks'],
    ['logs -f --json | jq .path', 'JSON output, one object per line'],
  ]);
  command.action(logs);
}

/**
 * Prints the requests of a sandbox, and with `--webhooks` the attempts to deliver its webhooks: the past, then new
 * ones.
 */
async function logs(flags: LogFlags): Promise<void> {
  const remote = new Remote(flags);
  const output = new Output();
  const items = new LogItems(
    flags,
    flags.sandbox ?? (await defaultSandbox(remote)),
    colours(hasColours(process.stdout.isTTY === true)),
  );
  const print = (line: string) => output.line(line);
  if (flags.follow) await follow(remote, items, flags.lines, print);
  else for (const { text } of lastOf(await items.past(remote), flags.lines)) print(text);
  output.flush();
}

/** Returns the last elements of a list. */
const lastOf = <T>(list: readonly T[], most: number): readonly T[] => (most === 0 ? [] : list.slice(-most));

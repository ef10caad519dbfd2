import { type Command, Option } from 'commander';
import { addExamples } from '../examples.ts';
import { HERE, startOptions } from '../options.ts';
import { NobodyThere, Remote } from '../remote.ts';
import { httpUrl, openWarning, type StartFlags } from '../start-flags.ts';
import { noteSignals, wishesOf } from '../stop.ts';
import { printable, printableLines } from '../text.ts';

/** Flags of `start` about its output, which belongs to the protocol here. */
const NOT_HERE = new Set(['watch', 'log', 'quiet', 'json', 'parentWatch']);

interface McpFlags extends StartFlags {
  url?: string;
  sandbox?: string;
}

/** Returns the flags of `start` for an emulator of its own, on any free port. */
function ownOptions(): Option[] {
  const [port, ...rest] = startOptions() as [Option, ...Option[]];
  const free = new Option(port.flags, port.description).default(0);
  if (port.parseArg) free.argParser(port.parseArg);
  return [free, ...rest.filter((option) => !NOT_HERE.has(option.attributeName()))];
}

/** Declares `mcp`. */
export function declare(command: Command): void {
  command.addOption(
    new Option('--url <url>', `join the emulator at this URL; default: the one at ${HERE}, if it runs`)
      .env('SANDBOX_EMULATOR_URL')
      .argParser((text) => httpUrl('--url')(text).replace(/\/+$/, '')),
  );
  command.addOption(new Option('--sandbox <token id>', "use this sandbox; default: the scenario's own"));
  const own = ownOptions();
  for (const option of own) command.addOption(option);
  addExamples(command, [
    ['mcp', 'join the emulator on port 4010, or start one on a free port'],
    ['mcp --scenario payouts --seed 1', 'start one of its own, the same in every run'],
    ['mcp --url http://127.0.0.1:4020', 'join that one, and no other'],
  ]);
  command.action(async (flags: McpFlags) => {
    const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
    // In either case it is the emulator's token.
    const hint = own
      .filter((option) => isGiven(option.attributeName()) && option.attributeName() !== 'controlToken')
      .map(({ long, flags }) => long ?? flags);
    if (isGiven('url') && hint.length > 0)
      throw new Error(
        `--url joins an emulator that runs, and ${hint[0]} is for one that is started: leave one of them out`,
      );
    await mcp(flags, hint.length > 0);
  });
}

/** Serves a coding agent over stdin and stdout; `own` starts an emulator of its own, whatever runs elsewhere. */
async function mcp({ url, sandbox, ...flags }: McpFlags, own: boolean): Promise<void> {
  const token = flags.controlToken;
  const there = own ? undefined : await running(url);
  const { over, serve, within } = await import('../../mcp/index.ts');
  if (there !== undefined) {
    say(`joined the emulator at ${there}`);
    await serve(over(there, token), sandbox);
    return end();
  }
  const handOver = noteSignals();
  const { openEmulator } = await import('../../emulator.ts');
  const emulator = await openEmulator(
    { ...flags, scenario: flags.scenario ?? ['default'] },
    { broken: (what, error) => say(`broken: ${what}\n${error instanceof Error ? error.stack : error}`) },
  );
  let ending: Promise<void> | undefined;
  // An ending agent sends a signal, and its terminal another: the second one must not cut the save off.
  const stop = (): Promise<void> =>
    (ending ??= emulator
      .close()
      .catch((error: Error) => say(`the end was not orderly: ${error.message}`))
      .then(end));
  const save = () => emulator.save().catch((error: Error) => say(`the state was not saved: ${error.message}`));
  for (const [signal, wish] of Object.entries(wishesOf(process.platform)))
    process.on(signal, () => void (wish === 'save' ? save() : stop()));
  handOver();
  say(`started an emulator at ${emulator.url}`);
  const warning = openWarning(flags);
  if (warning !== undefined) say(warning);
  await serve(within(emulator.ownFetch, emulator.url), sandbox);
  await stop();
}

/** Returns the address of a running emulator: the given one, or the default one if it runs. Rejects if none does. */
async function running(url: string | undefined): Promise<string | undefined> {
  const remote = new Remote({ url: url ?? HERE });
  try {
    await remote.ask('GET', '/health');
    return remote.url;
  } catch (error) {
    if (url === undefined && error instanceof NobodyThere) return undefined;
    throw error;
  }
}

/** Prints to stderr: stdout belongs to the protocol. */
const say = (text: string): void => void process.stderr.write(`sandbox-emulator: ${printableLines(printable(text))}\n`);

/** Ends once all output has been read, unless nobody reads it. */
function end(): void {
  process.stdout.write('', () => process.exit(0));
}

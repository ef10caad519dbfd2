import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { VERSION } from '../version.ts';
import { examples } from './examples.ts';
import { jsonFlag, keysOptions, listenOptions, openApiOptions, startOptions } from './options.ts';
import { portFromEnvironment, type StartFlags } from './start-flags.ts';

/** Declares arguments, flags, examples and action of a command: a function, or that of the command's own file. */
type Late = ((command: Command) => void) | { declare(command: Command): void };
const LATE = new WeakMap<Command, () => Promise<Late>>();

/** Lets a command declare itself, if it has not yet: code that `start` does not need is loaded on demand. */
export async function declared(command: Command): Promise<void> {
  const load = LATE.get(command);
  LATE.delete(command);
  const late = await load?.();
  if (typeof late === 'function') late(command);
  else late?.declare(command);
}

/** Returns every command with its flags. Code that `start` does not need is loaded on demand. */
export function commandLine(): Command {
  const program: Command = new Command('sandbox-emulator')
    .description(
      'A payments sandbox on your own machine: stateful, signed webhooks, time and failure under your control',
    )
    .version(VERSION, '-v, --version', 'print the version')
    .addOption(new Option('-V', 'print the version').hideHelp())
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    // The help of the program shows the flags of `start`, which runs without a command.
    .configureHelp({
      visibleOptions(command): Option[] {
        const own = Help.prototype.visibleOptions.call(this as Help, command);
        return command === program ? [...startOptions(), ...own] : own;
      },
      subcommandTerm: (command) => command.name(),
    });
  // The library has one short form; the other is the one that people and older scripts try.
  program.on('option:V', printVersion);
  const later = (name: string, description: string, load: () => Promise<Late>) =>
    LATE.set(program.command(name).description(description), load);
  program.hook('preSubcommand', (_, command) => declared(command));
  const add = (name: string, description: string, options: readonly Option[]) => {
    const command = program.command(name, { isDefault: name === 'start' }).description(description);
    for (const option of options) command.addOption(option);
    return command.addHelpText('after', () => examples(name));
  };
  program.addHelpText('after', () => examples('start'));

  add('start', 'run the emulator (default)', startOptions())
    .allowExcessArguments()
    .action(async (flags: StartFlags, self: Command) => {
      await refuseStray(self.args[0], program);
      const given = self.getOptionValueSource('port');
      const { start } = await import('./commands/start.ts');
      await start({ ...flags, port: given === 'default' ? portFromEnvironment() : flags.port });
    });
  add('init', 'write a scenario file with every key explained', [new Option('--force', 'overwrite an existing file')])
    .addArgument(new Argument('[file]', 'file to write').default('sandbox.yaml'))
    .action(async (file, flags) => (await import('./commands/init.ts')).init(file, flags));
  add('validate', 'check scenario files, and print each mistake with line and column', [jsonFlag()])
    .argument('<file...>', 'YAML or JSON')
    .action(async (files, flags) => (await import('./commands/validate.ts')).validate(files, flags));
  add('scenarios', 'list the built-in scenarios, or print one', [jsonFlag()])
    .argument('[name]', 'scenario to print')
    .action(async (name, flags) => (await import('./commands/scenarios.ts')).scenarios(name, flags));
  add('openapi', 'print the OpenAPI 3.1 document', openApiOptions()).action(async (flags) =>
    (await import('./commands/openapi.ts')).openApi(flags),
  );
  add('keys', 'print the public key that verifies webhooks, as PEM and JWK', keysOptions()).action(async (flags) =>
    (await import('./commands/keys.ts')).keys(flags),
  );
  add('version', 'print the version', []).action(printVersion);
  add('listen', 'receive webhooks: verify, print and acknowledge each', listenOptions()).action(async (flags) =>
    (await import('./commands/listen.ts')).listen(flags),
  );
  later('mcp', 'serve coding agents over stdio (Model Context Protocol)', () => import('./commands/mcp.ts'));
  later('parity', 'compare this emulator with a service or another emulator', () => import('./commands/parity.ts'));
  later('logs', 'print the request log of a running emulator', () => import('./commands/logs.ts'));
  later('advance', 'advance the virtual clock', () => import('./commands/advance.ts'));
  later(
    'settle',
    'run all jobs that fall due, and stop the clock at the last one',
    async () => (await import('./commands/skip.ts')).settle,
  );
  later('wait', 'wait for an event, or skip virtual time to it', async () => (await import('./commands/skip.ts')).wait);
  later('call', 'call an operation of the API by its name', () => import('./commands/call.ts'));
  later('trigger', 'make the calls that lead to an event', () => import('./commands/trigger.ts'));
  later('reset', 'reset a sandbox to its scenario', async () => (await import('./commands/states.ts')).reset);
  later('snapshot', 'save the current state under a name', async () => (await import('./commands/states.ts')).snapshot);
  later('restore', 'go back to a snapshot', async () => (await import('./commands/states.ts')).restore);
  later('rewind', 'go back to the state before a request', async () => (await import('./commands/states.ts')).rewind);
  later(
    'capsule',
    'write a sandbox to a file that opens on any machine',
    async () => (await import('./commands/capsule.ts')).capsule,
  );
  later(
    'open',
    'open a capsule: read, rewind, replay, record',
    async () => (await import('./commands/capsule.ts')).open,
  );
  later('fork', 'copy a sandbox into a new one', async () => (await import('./commands/states.ts')).fork);
  later('diff', 'show what differs between two states', () => import('./commands/diff.ts'));
  later('why', 'explain a response, and show what the request caused', () => import('./commands/why.ts'));
  later('find', 'find a command, control, page, code or operation by words', () => import('./commands/find.ts'));
  later('fault', 'make API calls and webhooks fail', () => import('./commands/fault.ts'));
  later('sandbox', 'create, list, show and drop sandboxes', () => import('./commands/sandbox.ts'));
  later('coverage', 'print what a test suite covered, and what it did not', () => import('./commands/coverage.ts'));
  later('exam', 'test how your backend handles failures, duplicates and delays', () => import('./commands/exam.ts'));
  later('ps', 'list running emulators: address, version, sandboxes', () => import('./commands/ps.ts'));
  later('completion', 'print a completion script for bash, zsh or fish', () => import('./commands/completion.ts'));
  // The library's own help would show a command before it has declared itself.
  program
    .helpCommand(false)
    .command('help')
    .argument('[command]', 'the command')
    .description('show the flags of a command')
    .action((name?: string) => help(program, name));
  return program;
}

async function help(program: Command, name: string | undefined): Promise<void> {
  const found = name === undefined ? program : program.commands.find((command) => command.name() === name);
  await refuseStray(found ? undefined : name, program);
  if (!found) return;
  await declared(found);
  found.outputHelp();
}

function printVersion(): never {
  process.stdout.write(`${VERSION}\n`);
  throw new CommanderError(0, 'commander.version', VERSION);
}

/** Exit code for a word that is not a command. */
const UNKNOWN = 2;

const unknown = (name: string, hint: string): Error =>
  Object.assign(new Error(`there is no command ${name}; ${hint}`), { exitCode: UNKNOWN });

/** Throws for a word that is not a flag's value: `start` takes none, so it was meant as a command. */
async function refuseStray(word: string | undefined, program: Command): Promise<void> {
  if (word === undefined) return;
  const names = program.commands.map((command) => command.name());
  if (names.includes(word)) throw new Error(`the command comes first: ${program.name()} ${word} ...`);
  const [{ nearest }, { meantBy }] = await Promise.all([import('../scenario/nearest.ts'), import('./meant.ts')]);
  const meant = meantBy(word);
  const near = nearest(word, names);
  throw unknown(word, meant ?? (near ? `did you mean ${near}?` : `there are ${names.join(', ')}`));
}

const isFlag = (word: string): boolean => word.startsWith('-');

/**
 * Throws for a first word that is not a command, and for a second one that its command does not have. With `--help`,
 * the library would show the help of the preceding word, as if nothing were wrong.
 */
export async function refuseUnknown(program: Command, args: readonly string[]): Promise<void> {
  const [first, second] = args.filter((word) => word !== '--help' && word !== '-h');
  if (first === undefined || isFlag(first)) return;
  const commandOf = (name: string | undefined) => program.commands.find((one) => one.name() === name);
  const command = commandOf(first);
  if (!command) return refuseStray(first, program);
  if (first === 'help' && !commandOf(second)) return refuseStray(second, program);
  await declared(command);
  const names = command.commands.map((one) => one.name());
  if (names.length === 0 || second === undefined || isFlag(second) || ['help', ...names].includes(second)) return;
  const { nearest } = await import('../scenario/nearest.ts');
  const near = nearest(second, names);
  throw unknown(`${first} ${second}`, near ? `did you mean ${first} ${near}?` : `there are ${names.join(', ')}`);
}

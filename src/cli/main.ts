import type { CommanderError } from 'commander';
import { DEFAULT_PORT } from '../contract/address.ts';
import { endWithNpm } from './launcher.ts';
import { plainFlags } from './plain.ts';
import { printableLines } from './text.ts';

/**
 * Runs the command line. A refusal prints one clear sentence on stderr and gives exit code 1; 2 if a running emulator
 * refused, or a word is not a command.
 */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that stops early, as `head` does, ends the output and causes no error.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  if (argv[2] === 'completion' && argv[3] === '--words') {
    await (await import('./complete.ts')).complete(argv.slice(4)).catch(() => {});
    // Without waiting for an emulator that is slow to reply.
    process.stdout.write('', () => process.exit(0));
    return;
  }
  endWithNpm();
  const flags = plainFlags(argv.slice(2));
  try {
    if (flags) await (await import('./commands/start.ts')).start(flags);
    else {
      const { commandLine, refuseUnknown } = await import('./commands.ts');
      const program = commandLine();
      await refuseUnknown(program, argv.slice(2));
      await program.parseAsync([...argv]);
    }
  } catch (error) {
    if (isMisuse(error) && error.exitCode === 0) return;
    process.stderr.write(`${printableLines(sentence(error))}\n`);
    // A refusal of the emulator brings its own exit code; an unreachable emulator and wrong usage are 1.
    process.exitCode = isMisuse(error) ? 1 : ((error as { exitCode?: number }).exitCode ?? 1);
  }
}

/**
 * Returns whether an error is from the flags' library; recognized by its code, because a plain start does not load it.
 */
const isMisuse = (error: unknown): error is CommanderError =>
  String((error as { code?: unknown }).code).startsWith('commander.');

function sentence(error: unknown): string {
  if (isMisuse(error)) return misused(error);
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port ?? DEFAULT_PORT} is taken; choose another with --port, or --port 0 for any free one`;
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user; choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `cannot listen there: ${message}`;
  return message;
}

/** Returns an error of the flags' library as one sentence, in the tone of the others. */
const misused = (error: CommanderError): string =>
  error.message
    .replace(/^error: /, '')
    .replace(/^option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/, '$1 must be one of $3, not $2')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/,
      'the $2 must be one of $3, not $1',
    )
    .replace('(outputHelp)', 'a command is missing')
    .replace(/\s*\(Did you mean (.*)\?\)$/s, '; did you mean $1?')
    .replace(/\.?$/, (end, _at, whole: string) => (whole.endsWith('?') ? end : '; --help shows every flag'))
    .replaceAll('\n', ' ');

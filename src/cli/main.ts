import { Command } from 'commander';
import { DEFAULT_PORT } from '../emulator.ts';
import { VERSION } from '../version.ts';
import { portFromEnvironment, type StartFlags, startOptions } from './options.ts';
import { start } from './start.ts';

/** The command line. Refusals are one clear sentence on stderr and exit code 1. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('sandbox-emulator')
    .description(
      'A payments sandbox on your own machine: stateful, signed webhooks, time and failure under your control',
    )
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(--help shows every flag)');
  const command = program.command('start', { isDefault: true }).description('run the emulator (the default)');
  for (const option of startOptions()) command.addOption(option);
  command.action(async (flags: StartFlags, self: Command) => {
    const given = self.getOptionValueSource('port');
    await start({ ...flags, port: given === 'default' ? (portFromEnvironment() ?? flags.port) : flags.port });
  });
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.stderr.write(`${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

function sentence(error: unknown): string {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port ?? DEFAULT_PORT} is taken; choose another with --port, or --port 0 for any free one`;
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `cannot listen there: ${message}`;
  return message;
}

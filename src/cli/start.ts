import { openEmulator } from '../emulator.ts';
import type { Emulator } from '../public.ts';
import { banner } from './banner.ts';
import type { StartFlags } from './options.ts';
import { jsonLine, Output, prettyLine } from './output.ts';
import { colours, hasColours, jsonText, printable, printableLines } from './text.ts';

/** How requests are logged: `--quiet` and `off` win, `--json` makes everything JSON. */
export function logFormat(flags: Pick<StartFlags, 'quiet' | 'json' | 'log'>, terminal: boolean) {
  if (flags.quiet || flags.log === 'off') return 'off';
  if (flags.json) return 'json';
  return flags.log ?? (terminal ? 'pretty' : 'json');
}

/** Run the emulator until a signal, or until stdin closes where that is asked for. */
export async function start(flags: StartFlags): Promise<void> {
  const terminal = process.stdout.isTTY === true;
  const log = logFormat(flags, terminal);
  const c = colours(hasColours(terminal));
  const output = new Output();
  const emulator = await openEmulator(
    { ...flags, scenario: flags.scenario ?? ['default'] },
    {
      ...(log === 'off'
        ? {}
        : {
            request: (sandbox, entry) =>
              output.line(log === 'pretty' ? prettyLine(sandbox, entry, c) : jsonLine(sandbox, entry)),
          }),
      broken: (what, error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.stderr.write(
          log === 'json'
            ? `${jsonText({ event: 'error', what, error: text })}\n`
            : `${c.red('broken')} ${printable(what)}\n${printableLines(text)}\n`,
        );
      },
    },
  );
  if (flags.json) output.line(jsonText(readyEvent(emulator)));
  else if (terminal && !flags.quiet) output.line(await bannerOf(emulator, flags, c));
  else if (log === 'json') output.line(jsonText(readyEvent(emulator)));
  output.flush();
  if (emulatorIsOpen(flags.host))
    process.stderr.write(
      `warning: listening on ${printable(flags.host)}: everybody who can reach this machine can use this emulator\n`,
    );
  handleSignals(emulator, output);
  if (flags.parentWatch) {
    process.stdin.resume();
    process.stdin.on('end', () => stop(emulator, output));
    process.stdin.on('error', () => stop(emulator, output));
  }
}

const emulatorIsOpen = (address: string): boolean => !/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(address);

/** What a parent process needs to know, once the emulator answers. */
const readyEvent = (emulator: Emulator) => ({
  event: 'ready',
  url: emulator.url,
  baseUrl: emulator.baseUrl,
  inspectorUrl: emulator.inspectorUrl,
  credentials: emulator.sandbox.credentials,
  webhookPublicKey: emulator.sandbox.webhookPublicKey,
  pid: process.pid,
});

async function bannerOf(emulator: Emulator, flags: StartFlags, c: ReturnType<typeof colours>): Promise<string> {
  const endpoint = await emulator.fetch(new Request(`${emulator.url}/_emulator/webhooks/endpoint`));
  const { url } = (await endpoint.json()) as { url: string | null };
  return banner(
    {
      ...emulator,
      credentials: emulator.sandbox.credentials,
      auth: flags.auth,
      scenario: flags.scenario ?? ['default'],
      watching: flags.watch === true,
      profile: flags.profile,
      webhookUrl: url ?? undefined,
      clock: emulator.sandbox.clock.state(),
      state: flags.state,
    },
    c,
  );
}

let stopping = false;

/** Stop within a second: state saved, sockets closed. */
async function stop(emulator: Emulator, output: Output): Promise<void> {
  if (stopping) return;
  stopping = true;
  const force = setTimeout(() => process.exit(1), 5000);
  force.unref();
  try {
    await emulator.close();
    output.flush();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${printable((error as Error).message)}\n`);
    process.exit(1);
  }
}

function handleSignals(emulator: Emulator, output: Output): void {
  process.on('SIGINT', () => stop(emulator, output));
  process.on('SIGTERM', () => stop(emulator, output));
  process.on('SIGUSR2', () => {
    emulator.save().catch((error: unknown) => process.stderr.write(`${printable((error as Error).message)}\n`));
  });
}

import { isatty } from 'node:tty';
import { type Opened, openEmulator } from '../emulator.ts';
import type { Emulator } from '../public.ts';
import { BUILT_INS } from '../scenario/builtin.ts';
import { ScenarioError } from '../scenario/error.ts';
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
  const scenario = flags.scenario ?? ['default'];
  const watching = flags.watch ? await beginWatching(scenario) : undefined;
  const emulator = await openEmulator(
    { ...flags, scenario },
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
  ).catch(async (error) => {
    throw error instanceof ScenarioError ? await (await import('./problems.ts')).located(error, scenario) : error;
  });
  const form = flags.quiet ? 'quiet' : flags.json || log === 'json' ? 'json' : 'text';
  const reload = reloader(emulator, scenario, (text) => output.line(text), form);
  await watching?.(reload).catch(async (error) => {
    await emulator.close();
    throw error;
  });
  // Before anybody is told that it runs, so that whoever then stops it at once does so in order.
  handleSignals(emulator, output, reload);
  if (flags.json) output.line(jsonText(readyEvent(emulator)));
  else if (terminal && !flags.quiet) output.line(await bannerOf(emulator, flags, c));
  else if (log === 'json') output.line(jsonText(readyEvent(emulator)));
  output.flush();
  if (emulatorIsOpen(flags.host))
    process.stderr.write(
      `warning: listening on ${printable(flags.host)}: everybody who can reach this machine can use this emulator\n`,
    );
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

/** Read the files of a scenario before the start does, so that no change after it is missed. */
async function beginWatching(scenario: readonly string[]): Promise<(changed: () => void) => Promise<void>> {
  const files = scenario.filter((name) => !BUILT_INS.includes(name));
  if (files.length === 0) throw new Error('--watch needs a file to watch: give one with --scenario');
  const { textsOf, watchFiles } = await import('./watch.ts');
  const texts = await textsOf(files);
  return (changed) => watchFiles(files, texts, changed);
}

/** Starts over from the scenario and says what came of it; one time after the other. */
function reloader(
  emulator: Opened,
  scenario: readonly string[],
  line: (text: string) => void,
  form: 'text' | 'json' | 'quiet',
): () => void {
  let last: Promise<void> = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      await emulator.reload();
      if (form === 'json') line(jsonText({ event: 'reload', ok: true, scenario }));
      else if (form === 'text') line(`started over from ${printable(scenario.join(' + '))}`);
    } catch (error) {
      const { located } = await import('./problems.ts');
      const { message, problems } = (await located(error, scenario)) as Error & Partial<ScenarioError>;
      if (form === 'json') line(jsonText({ event: 'reload', ok: false, scenario, error: message, problems }));
      else process.stderr.write(`${printableLines(message)}\nnothing was changed; the sandbox is as it was\n`);
    }
  };
  return () => {
    last = last.then(reload);
  };
}

let stopping = false;

/** Stop within a second: state saved, sockets closed. */
async function stop(emulator: Emulator, output: Output, end: () => void = () => process.exit(0)): Promise<void> {
  if (stopping) return;
  stopping = true;
  const force = setTimeout(() => process.exit(1), 5000);
  force.unref();
  try {
    await emulator.close();
    output.flush();
    end();
  } catch (error) {
    process.stderr.write(`${printable((error as Error).message)}\n`);
    process.exit(1);
  }
}

/** Node's own end would put the terminal back into order, and abort because there is none. */
function dieOfHangup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

function handleSignals(emulator: Emulator, output: Output, reload: () => void): void {
  const terminal = isatty(0);
  process.on('SIGHUP', () => {
    // A terminal that was closed sends the same signal as somebody who wants the scenario read again.
    if (terminal && !isatty(0)) stop(emulator, output, dieOfHangup);
    else reload();
  });
  process.on('SIGINT', () => stop(emulator, output));
  process.on('SIGTERM', () => stop(emulator, output));
  process.on('SIGUSR2', () => {
    emulator.save().catch((error: unknown) => process.stderr.write(`${printable((error as Error).message)}\n`));
  });
}

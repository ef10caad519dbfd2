import { type Opened, openEmulator } from '../../emulator.ts';
import type { Capsule } from '../../sandbox/capsule/schema.ts';
import { ScenarioError } from '../../scenario/error.ts';
import { banner } from '../banner.ts';
import { lineOfEntry } from '../entry-line.ts';
import { Output, requestJson, requestText } from '../output.ts';
import { Progress } from '../progress.ts';
import { beginWatching, reloader } from '../reload.ts';
import { openWarning, type StartFlags } from '../start-flags.ts';
import { type Complain, handleSignals, noteSignals } from '../stop.ts';
import { type Colours, colours, hasColours, jsonText, printable, printableLines } from '../text.ts';

/**
 * Returns the form in which requests are logged, piped or not: `--quiet` and `off` win, `--json` makes everything JSON.
 */
export function logFormat(flags: Pick<StartFlags, 'quiet' | 'json' | 'log'>) {
  if (flags.quiet || flags.log === 'off') return 'off';
  return flags.json ? 'json' : (flags.log ?? 'pretty');
}

/** Runs the emulator until a signal, or, with `--parent-watch`, until stdin closes. */
export async function start(flags: StartFlags): Promise<void> {
  const log = logFormat(flags);
  const form = flags.json || log === 'json' ? 'json' : flags.quiet ? 'quiet' : 'text';
  const c = colours(hasColours(process.stdout.isTTY === true));
  const complain = complainer(form === 'json');
  const warn = (message: string) =>
    void process.stderr.write(
      form === 'json' ? `${jsonText({ event: 'warning', message })}\n` : `warning: ${printable(message)}\n`,
    );
  const output = new Output();
  const scenario = flags.scenario ?? ['default'];
  const watching = flags.watch ? await beginWatching(scenario) : undefined;
  // A program first reads the line that it runs: no progress is printed before it.
  let isReady = false;
  const progress = new Progress(
    log === 'pretty' && process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : undefined,
    ({ sandbox, done, total }) =>
      output.line(
        log === 'json'
          ? jsonText({ event: 'filling', sandbox, done, total })
          : c.dim(`filling ${printable(sandbox)}: ${done} of ${total} rows`),
      ),
  );
  const handOver = noteSignals();
  const emulator = await openEmulator(
    { ...flags, scenario },
    {
      ...(log === 'off'
        ? {}
        : {
            request: (sandbox, entry) => {
              const line = lineOfEntry(sandbox, entry);
              progress.clear();
              output.line(log === 'pretty' ? requestText(line, c) : requestJson(line));
            },
          }),
      filling: (sandbox, done, total) => {
        if ((form === 'json' && !isReady) || log === 'off') return;
        progress.show({ sandbox, done, total });
      },
      broken: complain,
      warn,
    },
  ).catch(async (error) => {
    progress.clear();
    throw error instanceof ScenarioError ? await (await import('../problems.ts')).located(error, scenario) : error;
  });
  const reload = reloader(emulator, scenario, (text) => output.line(text), form);
  await watching?.(reload).catch(async (error) => {
    await emulator.close();
    throw error;
  });
  // Before the line that it runs, so that a stop right after it is orderly.
  handleSignals(emulator, output, {
    reload,
    complain,
    parentWatch: flags.parentWatch === true,
    saves: flags.state !== undefined,
  });
  handOver();
  isReady = true;
  progress.clear();
  if (form === 'json') output.line(jsonText(readyEvent(emulator)));
  else if (form === 'text') output.line(bannerOf(emulator, flags, c));
  output.flush();
  const warning = openWarning(flags);
  if (warning !== undefined) warn(warning);
}

/** The flags with which a capsule is opened. */
export interface CapsuleFlags {
  port: number;
  controlToken?: string;
  json?: boolean;
  parentWatch?: boolean;
}

/** Runs an emulator whose sandbox is that of a capsule, until a signal. */
export async function startCapsule(file: string, capsule: Capsule, flags: CapsuleFlags): Promise<void> {
  const json = flags.json === true;
  const c = colours(hasColours(process.stdout.isTTY === true));
  const complain = complainer(json);
  const output = new Output();
  const { port, controlToken } = flags;
  const emulator = await openEmulator({ port, controlToken }, { broken: complain }, capsule);
  handleSignals(emulator, output, {
    // There is no scenario file to read again.
    reload: () => {},
    complain,
    parentWatch: flags.parentWatch === true,
    saves: false,
  });
  const { now } = emulator.sandbox.clock.state();
  const rows: [string, string][] = [
    ['capsule', printable(file)],
    ['sandbox', `${printable(capsule.id)}, ${capsule.entries.length} requests`],
    ['clock', `held at ${now}`],
    ['inspector', c.bold(emulator.inspectorUrl)],
    ['base URL', emulator.baseUrl],
  ];
  output.line(
    json
      ? jsonText(readyEvent(emulator))
      : rows.map(([name, value]) => `  ${c.dim(name.padEnd(12))} ${value}`).join('\n'),
  );
  output.flush();
}

/** Returns the function that prints an error of the emulator itself in full on stderr, in the format of stdout. */
const complainer = (json: boolean): Complain => {
  const c = colours(hasColours(process.stderr.isTTY === true));
  return (what, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(
      json
        ? `${jsonText({ event: 'error', what, error: text })}\n`
        : `${c.red('broken')} ${printable(what)}\n${printableLines(text)}\n`,
    );
  };
};

/** Returns the data that a parent process needs once the emulator is ready. */
const readyEvent = (emulator: Opened) => ({
  event: 'ready',
  url: emulator.url,
  baseUrl: emulator.baseUrl,
  inspectorUrl: emulator.inspectorUrl,
  // The URL of a program behind a proxy does not show the port that the proxy needs.
  ...(emulator.url.endsWith(`:${emulator.port}`) ? {} : { port: emulator.port }),
  credentials: emulator.sandbox.credentials,
  webhookPublicKey: emulator.sandbox.webhookPublicKey,
  pid: process.pid,
});

function bannerOf(emulator: Opened, flags: StartFlags, c: Colours): string {
  const { url, unsent } = emulator.endpoint();
  return banner(
    {
      ...emulator,
      listening: !flags.publicUrl ? undefined : `${flags.host} port ${emulator.port}`,
      credentials: emulator.sandbox.credentials,
      auth: flags.auth,
      scenario: flags.scenario ?? ['default'],
      watching: flags.watch === true,
      profile: flags.profile,
      webhookUrl: url ?? undefined,
      unsent,
      clock: emulator.sandbox.clock.state(),
      state: flags.state,
      traces: emulator.traces,
    },
    c,
  );
}

import { openEmulator } from '../emulator.ts';
import type { Emulator } from '../public.ts';
import { VERSION } from '../version.ts';
import type { StartFlags } from './options.ts';
import { colours, jsonLine, Output, prettyLine } from './output.ts';

/** Run the emulator until a signal, or until stdin closes where that is asked for. */
export async function start(flags: StartFlags): Promise<void> {
  const terminal = process.stdout.isTTY === true;
  const log = flags.quiet
    ? 'off'
    : flags.json
      ? flags.log === 'off'
        ? 'off'
        : 'json'
      : (flags.log ?? (terminal ? 'pretty' : 'json'));
  const c = colours(terminal && process.env['NO_COLOR'] === undefined);
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
            ? `${JSON.stringify({ event: 'error', what, error: text })}\n`
            : `${c.red('broken')} ${what}\n${text}\n`,
        );
      },
    },
  );
  const ready = readyEvent(emulator);
  if (flags.json) output.line(JSON.stringify(ready));
  else if (terminal && !flags.quiet) output.line(banner(emulator, flags, c));
  else if (log === 'json') output.line(JSON.stringify(ready));
  output.flush();
  if (emulatorIsOpen(flags.host))
    process.stderr.write(
      `warning: listening on ${flags.host}: everybody who can reach this machine can use this emulator\n`,
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

function banner(emulator: Emulator, flags: StartFlags, c: ReturnType<typeof colours>): string {
  const { id, secret } = emulator.sandbox.credentials;
  const clock = emulator.sandbox.clock.state();
  const rows: [string, string][] = [
    ['base URL', c.bold(emulator.baseUrl)],
    [
      'credentials',
      `${id}:${secret}  ${c.dim(flags.auth === 'open' ? '(any other token id is a sandbox of its own)' : '(known tokens only)')}`,
    ],
    ['scenario', (flags.scenario ?? ['default']).join(' + ')],
    ['profile', flags.profile],
    ['control API', `${emulator.url}/_emulator/health`],
    ['webhooks to', flags.webhookUrl ?? c.dim('nowhere yet: --webhook-url, or PATCH /config')],
    ['their key', `${emulator.url}/_emulator/webhooks/key`],
    ['clock', `${clock.mode}, ${clock.now}`],
  ];
  return [
    `${c.bold('sandbox-emulator')} ${VERSION}`,
    '',
    ...rows.map(([name, value]) => `  ${c.dim(name.padEnd(12))} ${value}`),
    '',
    `  ${c.cyan(`curl -s -u ${id}:${secret} ${emulator.baseUrl}/customers -H 'content-type: application/json' -d '{"customerType":"INDIVIDUAL","fullName":"Ada Keller"}'`)}`,
    '',
  ].join('\n');
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
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

function handleSignals(emulator: Emulator, output: Output): void {
  process.on('SIGINT', () => stop(emulator, output));
  process.on('SIGTERM', () => stop(emulator, output));
  process.on('SIGUSR2', () => {
    emulator.save().catch((error: unknown) => process.stderr.write(`${(error as Error).message}\n`));
  });
}

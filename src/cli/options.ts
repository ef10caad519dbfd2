import { Option } from 'commander';
import { DEFAULT_PORT } from '../emulator.ts';

const number = (name: string, low: number, high: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < low || value > high)
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
};

const port = number('the port', 0, 65_535);

/** What `start` was told. */
export interface StartFlags {
  port: number;
  host: string;
  scenario: string[];
  webhookUrl?: string;
  profile: 'spec' | 'grid';
  basePath?: string;
  auth: 'open' | 'known';
  seed?: number;
  now?: string;
  holdClock?: boolean;
  state?: string;
  log?: 'pretty' | 'json' | 'off';
  quiet?: boolean;
  json?: boolean;
  allowRemoteWebhooks?: boolean;
  parentWatch?: boolean;
}

/** The flags of `start`, one line each; names and defaults are a contract. */
export const startOptions = (): Option[] => [
  new Option('-p, --port <n>', 'port to listen on; 0 is any free one')
    .env('SANDBOX_EMULATOR_PORT')
    .argParser(port)
    .default(DEFAULT_PORT),
  new Option('--host <addr>', 'address to listen on').default('127.0.0.1'),
  new Option(
    '-s, --scenario <name or file>',
    'where to start: a built-in name or a YAML or JSON file; may be given more than once',
  )
    .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    .default(undefined, 'default'),
  new Option('--webhook-url <url>', 'where webhooks go').argParser((text) => {
    if (!/^https?:\/\//.test(text) || !URL.canParse(text))
      throw new Error(`--webhook-url must be an http or https URL, not ${text}`);
    return text;
  }),
  new Option('--profile <name>', 'names and newer rules').choices(['spec', 'grid']).default('spec'),
  new Option('--base-path <path>', 'base path to advertise').argParser((text) => {
    if (!/^(?:\/[\w.~-]+)+$/.test(text)) throw new Error(`--base-path must look like /some/path, not ${text}`);
    return text;
  }),
  new Option('--auth <mode>', "open: every token id has its own sandbox; known: only the scenario's credentials")
    .choices(['open', 'known'])
    .default('open'),
  new Option('--seed <n>', 'make identifiers and generated data repeat').argParser(
    number('the seed', 0, Number.MAX_SAFE_INTEGER),
  ),
  new Option('--now <iso>', 'where the virtual clock starts').argParser((text) => {
    if (Number.isNaN(Date.parse(text))) throw new Error(`--now must be an ISO 8601 date-time, not ${text}`);
    return text;
  }),
  new Option('--hold-clock', 'the virtual clock moves only when told'),
  new Option('--state <file>', 'load at the start if it exists, save at the end and on SIGUSR2'),
  new Option('--log <format>', 'one line a request').choices(['pretty', 'json', 'off']),
  new Option('-q, --quiet', 'no banner and no log'),
  new Option('--json', 'the first line on stdout is the ready event; everything else is JSON too'),
  new Option('--allow-remote-webhooks', 'let the API set a webhook URL beyond this machine'),
  new Option('--parent-watch', 'stop when stdin closes'),
];

/** `PORT` counts when neither the flag nor its own variable is given. */
export const portFromEnvironment = (): number | undefined => {
  const text = process.env['PORT'];
  return text === undefined || text === '' ? undefined : port(text);
};

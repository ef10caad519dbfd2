import { Option } from 'commander';
import { DEFAULT_PORT, isHostName, isOrigin } from '../contract/address.ts';
import { DURATION_FORM, parseDuration } from '../contract/duration-text.ts';

/** A value that is a whole number within bounds. */
export const number = (name: string, low: number, high: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < low || value > high || text.trim() === '')
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
};

const port = number('the port', 0, 65_535);

/** A flag that is an http or https URL. */
export const httpUrl = (flag: string) => (text: string) => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(`${flag} must be an http or https URL, not ${text}`);
  return text;
};

/** Milliseconds: a bare number of them, or a duration such as `2s`. */
export const milliseconds = (flag: string) => (text: string) => {
  const ms = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
  if (ms === undefined || ms > 3_600_000)
    throw new Error(`${flag} must be milliseconds or ${DURATION_FORM}, at most an hour, not ${text}`);
  return ms;
};

const path = (flag: string) => (text: string) => {
  if (!/^(?:\/[\w.~-]+)+$/.test(text)) throw new Error(`${flag} must look like /some/path, not ${text}`);
  return text;
};

/** A flag that may be given more than once, or once with commas between. */
const each =
  (check: (text: string) => boolean, wanted: string) =>
  (text: string, before: string[] | undefined): string[] => {
    const given = text.split(',');
    for (const one of given) if (!check(one)) throw new Error(`${wanted}, not ${one}`);
    return [...(before ?? []), ...given];
  };

const profileFlag = () =>
  new Option('--profile <name>', 'names and newer rules').choices(['spec', 'grid']).default('spec');
const basePathFlag = () => new Option('--base-path <path>', 'base path to advertise').argParser(path('--base-path'));
const seedFlag = () =>
  new Option('--seed <n>', 'make identifiers and generated data repeat').argParser(
    number('the seed', 0, Number.MAX_SAFE_INTEGER),
  );
const parentWatchFlag = () => new Option('--parent-watch', 'stop when stdin closes');
export const jsonFlag = () => new Option('--json', 'JSON for programs');

/** What `start` was told. */
export interface StartFlags {
  port: number;
  host: string;
  scenario?: string[];
  watch?: boolean;
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
  allowHost?: string[];
  allowOrigin?: string[];
  parentWatch?: boolean;
}

/** The flags of `start`, one line each; names and defaults are a contract. */
export const startOptions = (): Option[] => [
  new Option('-p, --port <n>', 'port to listen on; 0 is any free one')
    .env('SANDBOX_EMULATOR_PORT')
    .argParser(port)
    .default(DEFAULT_PORT),
  new Option('--host <addr>', 'address to listen on').env('SANDBOX_EMULATOR_HOST').default('127.0.0.1'),
  new Option(
    '-s, --scenario <name or file>',
    'where to start: a built-in name or a YAML or JSON file; may be given more than once',
  )
    .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    .default(undefined, 'default'),
  new Option('--watch', 'start over from the scenario files whenever one of them changes'),
  new Option('--webhook-url <url>', 'where webhooks go').argParser(httpUrl('--webhook-url')),
  profileFlag(),
  basePathFlag(),
  new Option('--auth <mode>', "open: every token id has its own sandbox; known: only the scenario's credentials")
    .choices(['open', 'known'])
    .default('open'),
  seedFlag(),
  new Option('--now <iso>', 'where the virtual clock starts').argParser((text) => {
    if (Number.isNaN(Date.parse(text))) throw new Error(`--now must be an ISO 8601 date-time, not ${text}`);
    return text;
  }),
  new Option('--hold-clock', 'the virtual clock moves only when told'),
  new Option('--state <file>', 'load at the start if it exists, save at the end and on SIGUSR2'),
  new Option('--log <format>', 'one line a request; default: pretty, or json with --json').choices([
    'pretty',
    'json',
    'off',
  ]),
  new Option('-q, --quiet', 'no banner and no log'),
  new Option('--json', 'the first line on stdout is the ready event; everything else is JSON too'),
  new Option('--allow-remote-webhooks', 'send webhooks to endpoints beyond this machine, too'),
  new Option(
    '--allow-host <name>',
    'answer to this name in Host as well, such as the name of a container; may be given more than once',
  )
    .env('SANDBOX_EMULATOR_ALLOW_HOST')
    .argParser(each(isHostName, '--allow-host must be a name such as emulator, without scheme and port')),
  new Option(
    '--allow-origin <origin>',
    'let pages of this origin call the API, such as http://localhost:3000; may be given more than once',
  ).argParser(each(isOrigin, '--allow-origin must be an origin such as http://localhost:3000')),
  parentWatchFlag(),
];

/** `PORT` counts when neither the flag nor its own variable is given. */
export const portFromEnvironment = (): number | undefined => {
  const text = process.env['PORT'];
  return text === undefined || text === '' ? undefined : port(text);
};

/** Where an emulator is, unless somebody says otherwise. */
export const HERE = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface OpenApiFlags {
  profile: 'spec' | 'grid';
  basePath?: string;
  server: string;
}

export const openApiOptions = (): Option[] => [
  profileFlag(),
  basePathFlag(),
  new Option('--server <url>', 'address to name in it, without the base path')
    .argParser(httpUrl('--server'))
    .default(HERE),
];

export interface KeysFlags {
  seed?: number;
  json?: boolean;
}

export const keysOptions = (): Option[] => [seedFlag(), jsonFlag()];

/** What `listen` was told. */
export interface ListenFlags {
  port: number;
  path?: string;
  answer: number;
  delay: number;
  failFirst: number;
  emulator: string;
  sandbox?: string;
  key?: string;
  register?: boolean;
  forward?: string;
  verbose?: boolean;
  json?: boolean;
  parentWatch?: boolean;
}

export const listenOptions = (): Option[] => [
  new Option('-p, --port <n>', 'port to listen on; 0 is any free one').argParser(port).default(3000),
  new Option('--path <path>', 'take webhooks at this path only; without it at any').argParser(path('--path')),
  new Option('--answer <status>', 'status to answer with').argParser(number('--answer', 200, 599)).default(200),
  new Option('--delay <time>', 'wait so long before each answer: milliseconds, or a duration such as 2s')
    .argParser(milliseconds('--delay'))
    .default(0),
  new Option('--fail-first <n>', 'answer so many deliveries with 503 first')
    .argParser(number('--fail-first', 0, 1_000_000))
    .default(0),
  new Option('--emulator <url>', 'where the emulator is; its public key is fetched there')
    .argParser((text) => httpUrl('--emulator')(text).replace(/\/+$/, ''))
    .default(HERE),
  new Option('--sandbox <token id>', "whose webhooks; without it the scenario's own sandbox"),
  new Option('--key <file>', 'verify with this PEM public key instead of asking the emulator'),
  new Option('--register', 'make this the webhook endpoint of the sandbox'),
  new Option('--forward <url>', 'pass each delivery on, and answer as the answer was').argParser(httpUrl('--forward')),
  new Option('--verbose', 'print the body of each delivery'),
  new Option('--json', 'one JSON object a line; the first is the ready event'),
  parentWatchFlag(),
];

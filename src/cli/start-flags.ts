import {
  BASE_PATH_FORM,
  DEFAULT_PORT,
  isBasePath,
  isControlToken,
  isHostName,
  isHttpUrl,
  isLoopback,
  isOrigin,
  isPath,
  isPublicUrl,
  PUBLIC_URL_FORM,
  TOKEN_FORM,
} from '../contract/address.ts';
import { DURATION_FORM, parseDuration, tooLong } from '../contract/duration-text.ts';
import { parseMoment } from '../contract/moment.ts';

/** The flags of `start`. */
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
  coverage?: string;
  allowRemoteWebhooks?: boolean;
  allowHost?: string[];
  allowOrigin?: string[];
  publicUrl?: string;
  tlsCert?: string;
  tlsKey?: string;
  controlToken?: string;
  parentWatch?: boolean;
}

/** Parses a whole number within bounds. */
export const number = (name: string, low: number, high: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < low || value > high || text.trim() === '')
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
};

export const port = number('the port', 0, 65_535);

/** Parses a flag with an http or https URL. */
export const httpUrl = (flag: string) => (text: string) => {
  if (!isHttpUrl(text)) throw new Error(`${flag} must be an http or https URL, not ${text}`);
  return text;
};

/** Parses a duration such as `2h`, and returns it as written. */
export const duration = (name: string) => (text: string) => {
  if (parseDuration(text) === undefined) throw new Error(`${name} must be ${DURATION_FORM}, not ${text}`);
  return text;
};

/** Parses milliseconds: a bare number of them, or a duration such as `2s`. */
export const milliseconds = (flag: string) => (text: string) => {
  const ms = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
  if (ms !== undefined && ms > 3_600_000) throw new Error(`${flag} ${tooLong('an hour')}, not ${text}`);
  if (ms === undefined)
    throw new Error(`${flag} must be milliseconds or ${DURATION_FORM}, at most an hour, not ${text}`);
  return ms;
};

export const path = (flag: string) => (text: string) => {
  if (!isPath(text)) throw new Error(`${flag} must look like /some/path, not ${text}`);
  return text;
};

const basePath = (text: string) => {
  if (!isBasePath(text)) throw new Error(`--base-path must ${BASE_PATH_FORM}, not ${text}`);
  return text;
};

/** Parses a flag that may be given more than once, or once with commas between its values. */
const each =
  (check: (text: string) => boolean, wanted: string) =>
  (text: string, before: string[] | undefined): string[] => {
    const given = text.split(',');
    for (const one of given) if (!check(one)) throw new Error(`${wanted}, not ${one}`);
    return [...(before ?? []), ...given];
  };

/** A flag: `-p, --port <n>` and its details. */
export interface Flag {
  readonly flags: string;
  readonly says: string;
  /** The environment variable that applies if the flag is not given. */
  readonly env?: string;
  readonly choices?: readonly string[];
  /** Parses the text of the flag; receives the earlier value if it may be given more than once. */
  readonly parse?: (text: string, before?: string[]) => unknown;
  readonly default?: string | number;
  /** The default that help shows if there is no fixed one. */
  readonly defaultShown?: string;
}

/** The flag that selects the names and rules of a profile. */
export const PROFILE: Flag = {
  flags: '--profile <name>',
  says: 'the names and rules to follow',
  choices: ['spec', 'grid'],
  default: 'spec',
};
export const BASE_PATH: Flag = {
  flags: '--base-path <path>',
  says: 'base path to advertise',
  parse: basePath,
};
export const SEED: Flag = {
  flags: '--seed <n>',
  says: 'make identifiers and generated data the same in every run',
  parse: number('the seed', 0, Number.MAX_SAFE_INTEGER),
};
export const PARENT_WATCH: Flag = { flags: '--parent-watch', says: 'stop when stdin closes' };

/** Parses a token, which no message repeats. */
export const controlToken = (text: string): string => {
  if (!isControlToken(text)) throw new Error(`--control-token must ${TOKEN_FORM}`);
  return text;
};

export const CONTROL_TOKEN: Flag = {
  flags: '--control-token <token>',
  says: 'require this token on pages, in the control API and in MCP',
  env: 'SANDBOX_EMULATOR_CONTROL_TOKEN',
  parse: controlToken,
};

/** The flags of `start`; names and defaults are a contract. */
export const START_FLAGS: readonly Flag[] = [
  {
    flags: '-p, --port <n>',
    says: 'port to listen on; 0 is any free one',
    env: 'SANDBOX_EMULATOR_PORT',
    parse: port,
    default: DEFAULT_PORT,
  },
  { flags: '--host <addr>', says: 'address to listen on', env: 'SANDBOX_EMULATOR_HOST', default: '127.0.0.1' },
  {
    flags: '-s, --scenario <name or file>',
    says: 'a built-in scenario, or a YAML or JSON file; repeatable',
    parse: (value, before) => [...(before ?? []), value],
    defaultShown: 'default',
  },
  { flags: '--watch', says: 'reset when a scenario file changes' },
  { flags: '--webhook-url <url>', says: 'send webhooks to this URL', parse: httpUrl('--webhook-url') },
  PROFILE,
  BASE_PATH,
  {
    flags: '--auth <mode>',
    says: "open: each token id opens its own sandbox; known: only the scenario's credentials",
    choices: ['open', 'known'],
    default: 'open',
  },
  SEED,
  {
    flags: '--now <iso>',
    says: 'start time of the virtual clock, in UTC unless it has an offset',
    parse: (text) => {
      if (parseMoment(text) === undefined) throw new Error(`--now must be an ISO 8601 date-time, not ${text}`);
      return text;
    },
  },
  { flags: '--hold-clock', says: 'the virtual clock moves only when you advance it' },
  { flags: '--state <file>', says: 'load this state at start, and save it at exit and on SIGUSR2' },
  {
    flags: '--log <format>',
    says: 'format of the request log; default: pretty, or json with --json',
    choices: ['pretty', 'json', 'off'],
  },
  { flags: '-q, --quiet', says: 'no banner and no log' },
  { flags: '--json', says: 'print JSON only; the first line is the ready event' },
  {
    flags: '--coverage <folder>',
    says: 'count what the calls cover, and write it to a file in this folder at exit',
    env: 'SANDBOX_EMULATOR_COVERAGE',
  },
  { flags: '--allow-remote-webhooks', says: 'also send webhooks to other machines' },
  {
    flags: '--allow-host <name>',
    says: 'also accept this name in Host, such as a container name; repeatable',
    env: 'SANDBOX_EMULATOR_ALLOW_HOST',
    parse: each(isHostName, '--allow-host must be a name such as emulator, without scheme and port'),
  },
  {
    flags: '--allow-origin <origin>',
    says: 'allow pages of this origin to call the API, such as http://localhost:3000; repeatable',
    parse: each(isOrigin, '--allow-origin must be an origin such as http://localhost:3000'),
  },
  {
    flags: '--public-url <url>',
    says: 'the URL by which others reach the emulator; every absolute URL begins with it; empty for none',
    env: 'SANDBOX_EMULATOR_PUBLIC_URL',
    parse: (text) => {
      if (text !== '' && !isPublicUrl(text)) throw new Error(`--public-url must ${PUBLIC_URL_FORM}, not ${text}`);
      return text;
    },
  },
  { flags: '--tls-cert <file>', says: 'serve HTTPS with this certificate chain, as PEM; a changed file is read again' },
  { flags: '--tls-key <file>', says: 'the private key of the certificate, as PEM' },
  CONTROL_TOKEN,
  PARENT_WATCH,
];

/** Returns the port if neither the flag nor its own variable is given: `PORT`, or the default. */
export const portFromEnvironment = (env: NodeJS.ProcessEnv = process.env): number => {
  const text = env['PORT'];
  return text === undefined || text === '' ? DEFAULT_PORT : port(text);
};

/** Returns a warning if other machines can reach the emulator and it requires no control token. */
export function openWarning({ host, publicUrl, controlToken }: StartFlags): string | undefined {
  if (controlToken !== undefined) return undefined;
  if (!isLoopback(host))
    return `listening on ${host}: everybody who can reach this machine can use this emulator; --control-token asks them for a secret`;
  return !publicUrl
    ? undefined
    : `everybody who can reach ${publicUrl} can use this emulator; --control-token asks them for a secret`;
}

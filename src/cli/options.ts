import { Option } from 'commander';
import { DEFAULT_PORT } from '../contract/address.ts';
import {
  BASE_PATH,
  controlToken,
  type Flag,
  httpUrl,
  milliseconds,
  number,
  PARENT_WATCH,
  PROFILE,
  path,
  port,
  SEED,
  START_FLAGS,
} from './start-flags.ts';

/** Returns a flag as the library of the command line takes it. */
export function optionOf({ flags, says, env, choices, parse, default: value, defaultShown }: Flag): Option {
  const option = new Option(flags, says);
  if (env !== undefined) option.env(env);
  if (choices) option.choices(choices);
  if (parse) option.argParser<unknown>((text, before) => parse(text, before as string[] | undefined));
  if (value !== undefined || defaultShown !== undefined) option.default(value, defaultShown);
  return option;
}

/** The flags of `start`. */
export const startOptions = (): Option[] => START_FLAGS.map(optionOf);
export const jsonFlag = () => new Option('--json', 'print JSON');

/** The flag with the token that a running emulator requires. */
export const controlTokenOption = (): Option =>
  new Option('--control-token <token>', 'the control token of that emulator, if it has one')
    .env('SANDBOX_EMULATOR_CONTROL_TOKEN')
    // A variable that is set to an empty value names no token.
    .argParser((text) => (text === '' ? undefined : controlToken(text)));

/** The default address of an emulator. */
export const HERE = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface OpenApiFlags {
  profile: 'spec' | 'grid';
  basePath?: string;
  server: string;
}

export const openApiOptions = (): Option[] => [
  optionOf(PROFILE),
  optionOf(BASE_PATH),
  new Option('--server <url>', 'server address in the document, without the base path')
    .argParser(httpUrl('--server'))
    .default(HERE),
];

export interface KeysFlags {
  seed?: number;
  json?: boolean;
}

export const keysOptions = (): Option[] => [optionOf(SEED), jsonFlag()];

/** The flags of `listen`. */
export interface ListenFlags {
  port: number;
  path?: string;
  answer: number;
  delay: number;
  failFirst: number;
  url: string;
  /** The former name of `--url`. */
  emulator?: string;
  sandbox?: string;
  controlToken?: string | undefined;
  key?: string;
  register?: boolean;
  forward?: string;
  verbose?: boolean;
  json?: boolean;
  parentWatch?: boolean;
}

export const listenOptions = (): Option[] => [
  new Option('-p, --port <n>', 'port to listen on; 0 is any free one').argParser(port).default(3000),
  new Option('--path <path>', 'accept webhooks only at this path; default: any path').argParser(path('--path')),
  new Option('--answer <status>', 'status to respond with').argParser(number('--answer', 200, 599)).default(200),
  new Option('--delay <time>', 'delay before each response: milliseconds, or a duration such as 2s')
    .argParser(milliseconds('--delay'))
    .default(0),
  new Option('--fail-first <n>', 'respond to the first n deliveries with 503')
    .argParser(number('--fail-first', 0, 1_000_000))
    .default(0),
  new Option('--url <url>', 'where the emulator runs, to fetch its public key')
    .env('SANDBOX_EMULATOR_URL')
    .argParser((text) => httpUrl('--url')(text).replace(/\/+$/, ''))
    .default(HERE),
  new Option('--emulator <url>', 'the same as --url')
    .argParser((text) => httpUrl('--emulator')(text).replace(/\/+$/, ''))
    .hideHelp(),
  new Option('--sandbox <token id>', "receive webhooks of this sandbox; default: the scenario's own"),
  controlTokenOption(),
  new Option('--key <file>', 'verify with this PEM public key; do not ask the emulator'),
  new Option('--register', 'set this as the webhook endpoint of the sandbox'),
  new Option('--forward <url>', 'forward each delivery to this URL, and return its response').argParser(
    httpUrl('--forward'),
  ),
  new Option('--verbose', 'print the body of each delivery'),
  new Option('--json', 'print JSON, one object per line; the first is the ready event'),
  optionOf(PARENT_WATCH),
];

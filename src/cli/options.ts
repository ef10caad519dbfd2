import { Option } from 'commander';
import { DEFAULT_PORT } from '../contract/address.ts';
import {
  BASE_PATH,
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

/** A flag as the library of the command line takes it. */
function optionOf({ flags, says, env, choices, parse, default: value, defaultShown }: Flag): Option {
  const option = new Option(flags, says);
  if (env !== undefined) option.env(env);
  if (choices) option.choices(choices);
  if (parse) option.argParser<unknown>((text, before) => parse(text, before as string[] | undefined));
  if (value !== undefined || defaultShown !== undefined) option.default(value, defaultShown);
  return option;
}

/** The flags of `start`. */
export const startOptions = (): Option[] => START_FLAGS.map(optionOf);
export const jsonFlag = () => new Option('--json', 'JSON for programs');

/** Where an emulator is, unless somebody says otherwise. */
export const HERE = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface OpenApiFlags {
  profile: 'spec' | 'grid';
  basePath?: string;
  server: string;
}

export const openApiOptions = (): Option[] => [
  optionOf(PROFILE),
  optionOf(BASE_PATH),
  new Option('--server <url>', 'address to name in it, without the base path')
    .argParser(httpUrl('--server'))
    .default(HERE),
];

export interface KeysFlags {
  seed?: number;
  json?: boolean;
}

export const keysOptions = (): Option[] => [optionOf(SEED), jsonFlag()];

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
  optionOf(PARENT_WATCH),
];

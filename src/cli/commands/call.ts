import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { bodyHint, type Described, json, type Sent, sentOf } from '../call-fields.ts';
import { invocation } from '../invocation.ts';
import { paintStatus } from '../output.ts';
import { declareRemote, inPath, Refused, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, fileTrouble, jsonText, printable } from '../text.ts';

interface CallFlags extends RemoteFlags {
  data?: string;
  query?: string[];
  header?: string[];
  example?: boolean;
}

type Answered = AnswerOf<typeof commands.operations.call>;

/** Exit code for a refusal by the API. */
const REFUSED = 2;

const several = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

/** Declares `call`. */
export function declare(command: Command): void {
  command
    .argument('<operation>', 'id of the operation, such as createQuote')
    .argument('[fields...]', 'members of the body and parameters by name: --customerId x --source.accountId y')
    .allowUnknownOption()
    .addOption(new Option('--example', 'send the example of the operation, with your fields merged in'))
    .addOption(new Option('--data <json>', 'the body: JSON, @file, or - for standard input'))
    .addOption(new Option('--query <name=value>', 'a query parameter; repeatable').argParser(several))
    .addOption(new Option('--header <name:value>', 'a header; repeatable').argParser(several));
  declareRemote(command, [
    ['call createCustomer --example', 'a call that is valid now, with data of the sandbox'],
    ['call createQuote --example --lockedCurrencyAmount 500', 'the same with another amount'],
    ['call getCustomerById --customerId Customer:0195...', 'path parameters by their names'],
    ['call createCustomer --data @customer.json --json', 'JSON output: {requestId, status, headers, body}'],
  ]);
  command.action((operation: string, fields: string[], flags: CallFlags) => call(operation, fields, flags));
}

/** Calls an operation by its name and prints the reply. */
async function call(operation: string, fields: readonly string[], flags: CallFlags): Promise<void> {
  const remote = new Remote(flags);
  const path = pathOf(operation);
  const described = await remote.ask<Described>('GET', path).catch(asUsage);
  const base: Sent = flags.example ? withoutNeed(described) : {};
  const body = flags.data === undefined ? base.body : await dataOf(flags.data);
  const sent = await sentOf(described, { ...base, ...(body === undefined ? {} : { body }) }, fields, fileOf);
  refuseIncomplete(described, sent);
  const answered = await remote
    .ask<Answered>('POST', `${path}/call`, {
      params: sent.params ?? {},
      query: { ...sent.query, ...pairsOf(flags.query, '=', '--query') },
      headers: { ...sent.headers, ...pairsOf(flags.header, ':', '--header') },
      ...(sent.body === undefined ? {} : { body: sent.body }),
    })
    .catch(asUsage);
  show(flags.json, answered, (c) => lines(described, answered, c));
  const hint = flags.example ? undefined : bodyHint(described, answered.status, invocation());
  if (hint !== undefined) process.stderr.write(`${printable(hint)}\n`);
  if (answered.status >= 300) process.exitCode = REFUSED;
}

/** Throws a usage error that names the fields that the path of an operation needs. */
function refuseIncomplete({ path }: Described, { params = {} }: Sent): void {
  const missing = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)).filter((name) => !params[name]);
  if (missing.length === 0) return;
  const fields = missing.map((name) => `--${name}`).join(' and ');
  const [are, them] = missing.length > 1 ? ['are', 'them'] : ['is', 'it'];
  throw new Error(`${fields} ${are} missing: the path is ${path}; --example fills ${them} in`);
}

function pathOf(operation: string): string {
  try {
    return `/operations/${inPath('operation', operation)}`;
  } catch (error) {
    return asUsage(error);
  }
}

/** Throws a usage error if the emulator refused before any call of the API. */
function asUsage(error: unknown): never {
  if (error instanceof Refused && error.status < 500) throw new Error(error.message);
  throw error;
}

/** Returns the example of an operation; a note on stderr names what it lacks. */
function withoutNeed({ id, example: { needs, ...example } }: Described): Sent {
  if (needs !== undefined)
    process.stderr.write(
      `the sandbox has nothing yet that ${printable(id)} could be about: call ${printable(needs)} first\n`,
    );
  return example;
}

const lines = ({ method, path }: Described, { status, requestId, body }: Answered, c: Colours): string[] => [
  `${paintStatus(status, c)} ${printable(method)} ${printable(path)} ${c.dim(printable(requestId))}`,
  ...(body === null ? [] : [typeof body === 'string' ? printable(body) : jsonText(body, 2)]),
];

/** Returns the pairs in `name=value` or `name:value`, each name once. */
function pairsOf(texts: readonly string[] | undefined, sign: string, flag: string): Record<string, string> {
  const pairs = (texts ?? []).map((text) => {
    const at = text.indexOf(sign);
    if (at < 1) throw new Error(`${flag} must be a name, ${sign} and a value, not ${text}`);
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

/** Returns the body that `--data` names. */
async function dataOf(data: string): Promise<unknown> {
  const text = data === '-' ? await standardInput() : data.startsWith('@') ? String(await read(data.slice(1))) : data;
  return json('data', text);
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const read = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${fileTrouble(error)}`);
  });

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
};

/** Returns a file of a form, from the given path. */
async function fileOf(path: string): Promise<object> {
  const type = TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  return { name: basename(path), type, base64: (await read(path)).toString('base64') };
}

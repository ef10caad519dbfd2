import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { isLoopback } from '../../contract/address.ts';
import {
  asJson,
  type Login,
  parity,
  type Result,
  replay,
  shapesJson,
  shapesTold,
  told,
  withShapes,
} from '../../parity/index.ts';
import { BUILT_INS } from '../../scenario/builtin.ts';
import { ScenarioError } from '../../scenario/error.ts';
import { readScenarioText } from '../../scenario/load.ts';
import { readTextFile } from '../../scenario/text-file.ts';
import { addExamples } from '../examples.ts';
import { controlTokenOption, jsonFlag } from '../options.ts';
import { httpUrl, milliseconds, number } from '../start-flags.ts';
import { fileTrouble, jsonText, printableLines } from '../text.ts';

/** Exit code if the two sides differ. */
const DIFFERENT = 2;

interface Flags {
  against?: string;
  credentials?: string;
  profile?: 'spec' | 'grid';
  againstProfile?: 'spec' | 'grid';
  scenario?: string;
  seed?: number;
  steps: number;
  only?: string[];
  except?: string[];
  patience: number;
  asService?: boolean;
  controlToken?: string;
  record?: string;
  replay?: string;
  shapes?: string;
  yes?: boolean;
  json?: boolean;
}

const profile = (flag: string, whose: string) =>
  new Option(`${flag} <name>`, `names and rules of ${whose}`).choices(['spec', 'grid']);

/** The flags of `parity`. */
const options = (): Option[] => [
  new Option('--against <base url>', 'the other side: a service, or another emulator').argParser(baseUrl),
  new Option('--credentials <id:secret>', 'its credentials; {n} in the id is the number of the walk').env(
    'SANDBOX_EMULATOR_PARITY_CREDENTIALS',
  ),
  profile('--profile', 'this emulator; default: spec'),
  profile('--against-profile', 'the other side; default: as --profile'),
  new Option(
    '--scenario <name or file>',
    'scenario of this emulator; default: several in turn, or default against a service',
  ),
  new Option('--seed <n>', 'repeat a run with the same seed; default: random').argParser(
    number('the seed', 0, 0x7fff_ffff),
  ),
  new Option('--steps <n>', 'calls to compare').argParser(number('--steps', 1, 10_000_000)).default(1000),
  new Option('--only <names...>', 'operations or areas to call'),
  new Option('--except <names...>', 'operations or areas to leave out'),
  new Option('--patience <time>', 'how long to wait for a read of the service to agree: 10s, or milliseconds')
    .argParser(milliseconds('--patience'))
    .default(10_000, '10s'),
  new Option('--as-service', 'use only the API of the other emulator, as with a service'),
  controlTokenOption(),
  new Option('--record <file>', 'save the responses of the other side, without credentials and secrets'),
  new Option('--replay <file>', 'compare with a recording instead of a service').conflicts(['against', 'record']),
  new Option(
    '--shapes <file>',
    'save the names and types in the responses of the other side, without values; with neither --against nor --replay, compare with such a file',
  ),
  new Option('--yes', 'do not ask before writing to another machine'),
  jsonFlag(),
];

/** Declares `parity`. */
export function declare(command: Command): void {
  for (const option of options()) command.addOption(option);
  addExamples(command, [
    ['parity --against http://127.0.0.1:4011', 'another emulator on this machine, a sandbox for each walk'],
    [
      'parity --against https://sandbox.example/2025-10-13 --record said.json',
      'a service, with its credentials in the environment',
    ],
    ['parity --replay said.json', 'in CI, with a new version and without the service'],
    ['parity --shapes shapes.json', 'compare with the shapes that --against wrote, without the service'],
    ['parity --against http://127.0.0.1:4011 --only customers --seed 7 --json', 'one area, the same walks again'],
  ]);
  command.action(compare);
}

function baseUrl(text: string): string {
  const { username, password, search, hash } = new URL(httpUrl('--against')(text));
  // Neither is repeated: it may be a secret.
  if (username !== '' || password !== '') throw new Error('--against holds no credentials: name them by --credentials');
  if (search !== '' || hash !== '') throw new Error('--against is a base URL, without a query');
  return text.replace(/\/+$/, '');
}

/** Parses `id:secret`; no message repeats the value. */
function loginOf(text: string | undefined): Login | undefined {
  if (text === undefined) return undefined;
  const [, id, secret] = /^([^:\s]+):(\S+)$/.exec(text) ?? [];
  if (id === undefined || secret === undefined) throw new Error('--credentials must be <id>:<secret>');
  return { id, secret };
}

async function scenarioOf(name: string | undefined): Promise<string | object | undefined> {
  if (name === undefined || BUILT_INS.includes(name)) return name;
  const text = await readTextFile(name).catch((error: unknown) => {
    if (error instanceof ScenarioError) throw error;
    throw new Error(`${name} is not a built-in scenario, and no file that can be read: ${fileTrouble(error)}`);
  });
  return (await readScenarioText(text, name)) as object;
}

/** Refuses, or asks on a terminal, before anything is written to another machine. */
async function consent(against: string, login: Login | undefined, yes: boolean | undefined): Promise<void> {
  const { hostname, host } = new URL(against);
  if (isLoopback(hostname) || yes) return;
  const what = `parity creates, changes and deletes things at ${host}${login ? `, as ${login.id}` : ''}`;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Error(`${what}; say --yes if that is meant`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`${what}. Go on? [y/N] `);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Error('nothing was sent');
  } finally {
    asking.close();
  }
}

/** Shows the progress, on a terminal only. */
function meter(steps: number | undefined) {
  const isShown = process.stderr.isTTY === true;
  const line = (text: string) => isShown && process.stderr.write(`\r${text}\x1b[K`);
  return {
    progress: (calls: number, causes?: number) =>
      void line(
        `${calls}${steps === undefined ? '' : ` of ${steps}`} calls${causes === undefined ? '' : `, ${causes} differences`}`,
      ),
    done: () => void line(''),
  };
}

/** Compares this emulator with another side, or with a file that describes one. Exit code 2 if they differ. */
async function compare(flags: Flags, command: Command): Promise<void> {
  if (flags.against !== undefined || flags.replay !== undefined) return compareReplies(flags);
  if (flags.shapes === undefined)
    throw new Error('name the other side by --against, or a recording by --replay; --help shows every flag');
  if (flags.record !== undefined) throw new Error('--record saves what the other side answers: name it by --against');
  const { shapes: file, profile, seed, only = [], except = [] } = flags;
  const scenario = await scenarioOf(flags.scenario);
  // Unless it is given, the file has the number.
  const steps = command.getOptionValueSource('steps') === 'default' ? undefined : flags.steps;
  const { progress, done } = meter(steps);
  const result = await withShapes({ file, profile, scenario, seed, steps, only, except, progress })
    .catch((error: unknown) => {
      throw inWords(error, flags);
    })
    .finally(done);
  process.stdout.write(flags.json ? `${jsonText(shapesJson(result))}\n` : printableLines(shapesTold(result)));
  if (result.differences.length > 0) process.exitCode = DIFFERENT;
}

async function compareReplies(flags: Flags): Promise<void> {
  const { progress, done } = meter(flags.steps);
  const result = await (flags.replay === undefined
    ? live(flags, progress)
    : replay(flags.replay, flags.profile, flags.shapes, progress)
  )
    .catch((error: unknown) => {
      throw inWords(error, flags);
    })
    .finally(done);
  process.stdout.write(flags.json ? `${jsonText(asJson(result))}\n` : printableLines(told(result)));
  if (result.causes.length > 0) process.exitCode = DIFFERENT;
}

async function live(flags: Flags, progress: (calls: number, causes: number) => void): Promise<Result> {
  const against = flags.against as string;
  const login = loginOf(flags.credentials);
  await consent(against, login, flags.yes);
  const { profile = 'spec', seed = randomInt(0x7fff_ffff), only = [], except = [] } = flags;
  const request = {
    against,
    login,
    profile,
    againstProfile: flags.againstProfile ?? profile,
    scenario: await scenarioOf(flags.scenario),
    seed,
    steps: flags.steps,
    only,
    except,
    patienceMs: flags.patience,
    controlToken: flags.controlToken,
    asService: flags.asService ?? false,
    record: flags.record,
    shapes: flags.shapes,
    progress,
  };
  return parity(request, isLoopback(new URL(against).hostname));
}

/** Returns a file system error about a given file in words, and every other error as it is. */
function inWords(error: unknown, { record, replay, shapes, against }: Flags): unknown {
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const isRead = against === undefined && replay === undefined;
  const files: readonly (readonly [file: string | undefined, done: string])[] = [
    [replay, 'read'],
    [record, 'written'],
    [shapes, isRead ? 'read' : 'written'],
  ];
  const found = files.find(([file]) => file !== undefined && (path === undefined || path === file));
  return found ? new Error(`${found[0]} cannot be ${found[1]}: ${fileTrouble(error)}`) : error;
}

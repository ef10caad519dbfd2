import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { OPERATIONS } from '../areas.ts';
import { isObject, jsonIn } from '../contract/json.ts';
import type { Plan } from './plan.ts';
import type { Recorded } from './session.ts';
import type { Login } from './sides.ts';

/** The format of a file. */
const FORMAT = 'sandbox-emulator parity 1';

/** The replies of the other side in a run, with ids renamed, and without credentials, tokens and secrets. */
export interface Recording {
  readonly format: string;
  /** The version of the emulator that recorded it. */
  readonly version: string;
  readonly seed: number;
  /** The names and rules of both sides. */
  readonly profile: 'spec' | 'grid';
  readonly againstProfile: 'spec' | 'grid';
  /** True if others also worked in the other side's account: lists are compared only as far as the walk's own rows. */
  readonly shared: boolean;
  /** True if the other side was a service. */
  readonly live: boolean;
  readonly scenarios: readonly (string | object)[];
  /** The day of the replies, and the plan of the walks; recordings of older versions lack them. */
  readonly date?: string;
  readonly plan?: Plan;
  readonly walks: readonly Recorded[];
}

export type Header = Omit<Recording, 'format' | 'walks'>;

const MASK = '•••';

/** Writes a recording. It never contains the credentials of the other side. */
export function writeRecording(
  file: string,
  header: Header,
  walks: readonly Recorded[],
  login: Login | undefined,
): void {
  let text = JSON.stringify({ format: FORMAT, ...header, walks });
  for (const secret of [login?.secret, login?.id])
    if (secret !== undefined && secret.length > 3) text = text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK);
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
}

/** Checks before the first call that a recording can be written there. Throws the error of the file system. */
export function tryOut(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    rmSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    closeSync(openSync(file, 'r+'));
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

function isStep(step: unknown): boolean {
  if (!isObject(step) || !isText(step['name'])) return false;
  if ('pass' in step) return isText(step['pass']);
  const { operation, params, query, headers, as, form } = step;
  if (!isText(operation) || !OPERATIONS.some(({ id }) => id === operation) || !isText(as)) return false;
  return [params, query, headers].every(areTexts) && (form === undefined || isForm(form));
}

function isForm(form: unknown): boolean {
  const { fields, file } = isObject(form) ? form : {};
  return areTexts(fields) && (file === undefined || areTexts(file));
}

const isSaid = (said: unknown): boolean =>
  isObject(said) &&
  Number.isInteger(said['status']) &&
  'body' in said &&
  (said['type'] === null || isText(said['type']));

/** Returns whether a walk can be repeated and compared, whatever program wrote it. */
function isWalk(recorded: unknown): boolean {
  if (!isObject(recorded)) return false;
  const { scenario, run, walk, said } = recorded;
  return (
    isText(scenario) &&
    isText(run) &&
    Array.isArray(walk) &&
    walk.every(isStep) &&
    isObject(said) &&
    Object.values(said).every(isSaid)
  );
}

/** Returns whether a value is the name of a profile. */
const isProfile = (name: unknown): boolean => name === 'spec' || name === 'grid';

/**
 * Reads a recording. Throws one sentence if the file is not one, and the error of the file system if it cannot be read.
 */
export function readRecording(file: string): Recording {
  const found = jsonIn(readFileSync(file, 'utf8'));
  if (found === undefined) throw new Error(`${file} cannot be read as a recording: it is not JSON`);
  if (!isObject(found) || found['format'] !== FORMAT || !Array.isArray(found['walks']))
    throw new Error(`${file} is not a recording of parity, or of another version: it has to say ${FORMAT}`);
  const { walks, scenarios, profile, seed } = found;
  const wrong = walks.findIndex((walk) => !isWalk(walk));
  if (wrong >= 0) throw new Error(`${file} is a recording that was changed: walk ${wrong + 1} cannot be made`);
  if (
    !Array.isArray(scenarios) ||
    !scenarios.every((one) => isText(one) || isObject(one)) ||
    !isProfile(profile) ||
    !Number.isInteger(seed)
  )
    throw new Error(`${file} is a recording that was changed: its seed, profile or scenarios are missing`);
  return found as unknown as Recording;
}

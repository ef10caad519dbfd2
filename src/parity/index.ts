import { OPERATIONS } from '../areas.ts';
import { VERSION } from '../version.ts';
import { firstAsked, isEmulator, mustBeService } from './first.ts';
import { ownSide } from './own.ts';
import { type Plan, startName } from './plan.ts';
import { type Header, readRecording, tryOut, writeRecording } from './record.ts';
import { replayed } from './replay.ts';
import { today } from './run.ts';
import { STARTS } from './scenarios.ts';
import { type Recorded, type Result, walkBoth } from './session.ts';
import {
  compareWithShapes,
  type ShapesOptions,
  type ShapesResult,
  tryOutShapes,
  writeShapesOf,
} from './shapes/index.ts';
import { emulatorSide, type Login, type Side, serviceSide } from './sides.ts';
import { overHttp } from './transport.ts';

export { asJson, reportText as told } from './print.ts';
export type { Result } from './session.ts';
export { shapesJson, shapesTold } from './shapes/index.ts';
export type { Login } from './sides.ts';

type ProfileName = 'spec' | 'grid';

/** The sides of a comparison. */
export interface ParityOptions {
  /** The base address of the other side. */
  readonly against: string;
  readonly login: Login | undefined;
  readonly profile: ProfileName;
  readonly againstProfile: ProfileName;
  readonly scenario: string | object | undefined;
  readonly seed: number;
  readonly steps: number;
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly patienceMs: number;
  /** The control token of the other side, if it is an emulator that has one. */
  readonly controlToken: string | undefined;
  /** True to call only its API, even if it is an emulator. */
  readonly asService: boolean;
  readonly record: string | undefined;
  /** The file for the shapes of the other side's replies. */
  readonly shapes: string | undefined;
  readonly progress: (calls: number, causes: number) => void;
}

/** Operations that affect a whole account, or call a third party: a service gets them only if they are named. */
const SPARED = ['getPlatformConfig', 'updatePlatformConfig', 'sendTestWebhook'];

/** Returns the operations with some ids or areas, or all if none are named. Throws for a name that is neither. */
export function chosen(only: readonly string[], except: readonly string[], spared: readonly string[] = []): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const named = (name: string): string[] => {
    const found = OPERATIONS.filter(({ id, tag }) => id === name || plain(tag) === plain(name)).map(({ id }) => id);
    if (found.length > 0) return found;
    const tags = [...new Set(OPERATIONS.map(({ tag }) => tag))].join(', ');
    throw new Error(`there is no operation and no area ${name}; areas are ${tags}`);
  };
  const without = new Set(except.flatMap(named));
  const all =
    only.length > 0 ? only.flatMap(named) : OPERATIONS.map(({ id }) => id).filter((id) => !spared.includes(id));
  const left = [...new Set(all)].filter((id) => !without.has(id));
  if (left.length === 0) throw new Error('--only and --except leave no operation to call');
  return left;
}

/**
 * Returns the other side: an emulator if its control API replies on this machine, otherwise a service with an account.
 */
async function otherSide(options: ParityOptions, isLoopback: boolean): Promise<Side> {
  const url = new URL(options.against);
  const { send, close } = overHttp(url.origin);
  const common = { name: url.host, profile: options.againstProfile, send, close };
  const first = firstAsked(send);
  if (isLoopback && !options.asService && (await isEmulator(url, first)))
    return emulatorSide({ ...common, origin: url.origin, controlToken: options.controlToken });
  if (options.login === undefined)
    throw new Error(`${url.host} is not an emulator that can make sandboxes: name --credentials`);
  const service = { ...common, baseUrl: options.against.replace(/\/+$/, ''), login: options.login };
  await mustBeService(serviceSide({ ...service, send: first }), service.baseUrl);
  return serviceSide(service);
}

/** Compares this emulator with another side, walk by walk. */
export async function parity(options: ParityOptions, isLoopback: boolean): Promise<Result> {
  if (options.record !== undefined) tryOut(options.record);
  if (options.shapes !== undefined) tryOutShapes(options.shapes);
  const theirs = await otherSide(options, isLoopback);
  const starts = options.scenario === undefined ? (theirs.live ? ['default'] : STARTS) : [options.scenario];
  const ours = await ownSide(options.profile, starts[0] as string | object);
  const operations = chosen(options.only, options.except, theirs.live ? SPARED : []);
  const walks: Recorded[] = [];
  const { seed, steps, patienceMs, progress } = options;
  const walked =
    options.record === undefined && options.shapes === undefined
      ? {}
      : { walked: (walk: Recorded) => void walks.push(walk) };
  try {
    const result = await walkBoth({
      ours,
      theirs,
      scenarios: starts,
      operations,
      seed,
      steps,
      patienceMs,
      progress,
      ...walked,
    });
    const { profile, againstProfile, record, shapes } = options;
    const { live } = theirs;
    const isAll = options.only.length === 0 && options.except.length === 0;
    const plan: Plan = {
      seed,
      count: result.walks,
      operations: isAll ? 'all' : operations,
      scenario: startName(options.scenario, live),
      service: live,
    };
    const date = today();
    if (record !== undefined) {
      const shared = !theirs.isolated;
      const header: Header = {
        version: VERSION,
        seed,
        profile,
        againstProfile,
        shared,
        live,
        scenarios: starts,
        date,
        plan,
      };
      writeRecording(record, header, walks, options.login);
    }
    if (shapes === undefined) return result;
    const written = await writeShapesOf(shapes, walks, { date, profile: againstProfile, walks: plan });
    return { ...result, shapes: { file: shapes, operations: written } };
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}

/** Compares this emulator with the recorded replies of another side; `shapes` is the file for their shapes. */
export async function replay(
  file: string,
  profile: ProfileName | undefined,
  shapes: string | undefined,
  progress: (calls: number, causes: number) => void,
): Promise<Result> {
  const recording = readRecording(file);
  const { date, plan, againstProfile, walks } = recording;
  if (shapes !== undefined) {
    if (date === undefined || plan === undefined)
      throw new Error(
        `${file} does not say on which day it was recorded, as an older version wrote it: record it again`,
      );
    tryOutShapes(shapes);
  }
  const ours = await ownSide(profile ?? recording.profile, recording.scenarios[0] ?? 'default');
  try {
    const result = await replayed(recording, ours, progress);
    if (shapes === undefined || date === undefined || plan === undefined) return result;
    const operations = await writeShapesOf(shapes, walks, { date, profile: againstProfile, walks: plan });
    return { ...result, shapes: { file: shapes, operations } };
  } finally {
    await ours.close();
  }
}

/**
 * The options of a comparison with a file of shapes: the file, and everything that the caller specifies in place of its
 * content.
 */
export interface ShapesFileOptions extends Omit<ShapesOptions, 'operations'> {
  readonly only: readonly string[];
  readonly except: readonly string[];
}

/** Compares this emulator with the shapes of another side's earlier replies. */
export async function withShapes({ only, except, ...options }: ShapesFileOptions): Promise<ShapesResult> {
  const operations = (plan: Plan): string[] =>
    only.length > 0 || except.length > 0 || plan.operations === 'all'
      ? chosen(only, except, plan.service ? SPARED : [])
      : chosen(plan.operations, []);
  return compareWithShapes({ ...options, operations });
}

import { OPERATIONS } from '../areas.ts';
import { VERSION } from '../version.ts';
import { firstAsked, isEmulator, mustBeService } from './first.ts';
import { ownSide } from './own.ts';
import { type Header, readRecording, tryOut, writeRecording } from './record.ts';
import { replayed } from './replay.ts';
import { STARTS } from './scenarios.ts';
import { type Recorded, type Result, walkBoth } from './session.ts';
import { emulatorSide, type Login, type Side, serviceSide } from './sides.ts';
import { overHttp } from './transport.ts';

export { asJson, told } from './print.ts';
export type { Result } from './session.ts';
export type { Login } from './sides.ts';

type ProfileName = 'spec' | 'grid';

/** The sides of a comparison. */
export interface Asked {
  /** Base address of the other side. */
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
  /** Ask its API only, even if it is an emulator. */
  readonly asService: boolean;
  readonly record: string | undefined;
  readonly progress: (calls: number, causes: number) => void;
}

/** Operations that concern a whole account, or call somebody else: not done to a service unless it is named. */
const SPARED = ['getPlatformConfig', 'updatePlatformConfig', 'sendTestWebhook'];

/** The operations that are named by id or by area, all of them without a name. Throws for a name that is neither. */
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

/** The other side: an emulator whose control API answers on this machine, else a service with an account. */
async function otherSide(asked: Asked, isLoopback: boolean): Promise<Side> {
  const url = new URL(asked.against);
  const { send, close } = overHttp(url.origin);
  const common = { name: url.host, profile: asked.againstProfile, send, close };
  const first = firstAsked(send);
  if (isLoopback && !asked.asService && (await isEmulator(url, first)))
    return emulatorSide({ ...common, origin: url.origin });
  if (asked.login === undefined)
    throw new Error(`${url.host} is no emulator that can make sandboxes: name --credentials`);
  const service = { ...common, baseUrl: asked.against.replace(/\/+$/, ''), login: asked.login };
  await mustBeService(serviceSide({ ...service, send: first }), service.baseUrl);
  return serviceSide(service);
}

/** Compares this emulator with another side, walk by walk. */
export async function parity(asked: Asked, isLoopback: boolean): Promise<Result> {
  if (asked.record !== undefined) tryOut(asked.record);
  const theirs = await otherSide(asked, isLoopback);
  const starts = asked.scenario === undefined ? (theirs.live ? ['default'] : STARTS) : [asked.scenario];
  const ours = await ownSide(asked.profile, starts[0] as string | object);
  const operations = chosen(asked.only, asked.except, theirs.live ? SPARED : []);
  const walks: Recorded[] = [];
  const { seed, steps, patienceMs, progress } = asked;
  const walked = asked.record === undefined ? {} : { walked: (walk: Recorded) => void walks.push(walk) };
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
    if (asked.record !== undefined) {
      const { profile, againstProfile } = asked;
      const shared = !theirs.isolated;
      const { live } = theirs;
      const header: Header = { version: VERSION, seed, profile, againstProfile, shared, live, scenarios: starts };
      writeRecording(asked.record, header, walks, asked.login);
    }
    return result;
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}

/** Compares this emulator with what another side said when it was recorded. */
export async function replay(
  file: string,
  profile: ProfileName | undefined,
  progress: (calls: number, causes: number) => void,
): Promise<Result> {
  const recording = readRecording(file);
  const ours = await ownSide(profile ?? recording.profile, recording.scenarios[0] ?? 'default');
  try {
    return await replayed(recording, ours, progress);
  } finally {
    await ours.close();
  }
}

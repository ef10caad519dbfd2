import { openApiOf } from '../../emulator.ts';
import type { Said } from '../normal.ts';
import { ownSide } from '../own.ts';
import { type Plan, startsOf } from '../plan.ts';
import type { Recorded } from '../session.ts';
import { walkAlone } from './alone.ts';
import { compareShapes, type ShapesResult } from './compare.ts';
import { Declared } from './declared.ts';
import { readShapes, writeShapes } from './file.ts';
import { Gathered } from './shape.ts';

export type { ShapesResult } from './compare.ts';
export { tryOutShapes } from './file.ts';
export { shapesJson, shapesText as shapesTold } from './print.ts';

type ProfileName = 'spec' | 'grid';

/** Returns the declared replies of a profile. */
const declaredIn = async (profile: ProfileName): Promise<Declared> =>
  new Declared(await openApiOf(profile, 'http://127.0.0.1'));

/** Writes the shapes of another side's replies in walks. Returns the number of operations. */
export async function writeShapesOf(
  file: string,
  recorded: readonly Recorded[],
  about: { readonly date: string; readonly profile: ProfileName; readonly walks: Plan },
): Promise<number> {
  const gathered = new Gathered(await declaredIn(about.profile));
  for (const { walk, said } of recorded)
    for (const step of walk) {
      const reply = said[step.name];
      if ('operation' in step && reply !== undefined) gathered.add(step.operation, reply);
    }
  const { replies } = gathered;
  writeShapes(file, { ...about, operations: replies });
  return replies.size;
}

/** The file, and everything that a caller specifies in place of its content. */
export interface ShapesOptions {
  readonly file: string;
  readonly profile: ProfileName | undefined;
  readonly scenario: string | object | undefined;
  readonly seed: number | undefined;
  readonly steps: number | undefined;
  /** Returns the operations to aim at, from those of the file. */
  readonly operations: (plan: Plan) => readonly string[];
  readonly progress: (calls: number) => void;
}

/** Makes the walks of a file of shapes here, and compares the replies of this side with it. */
export async function compareWithShapes(options: ShapesOptions): Promise<ShapesResult> {
  const { file, scenario, progress } = options;
  const theirs = readShapes(file);
  const { date, walks: plan } = theirs;
  const starts = scenario === undefined ? startsOf(plan) : [scenario];
  if (starts === undefined)
    throw new Error(`the walks of ${file} start from a scenario file that it does not hold: name it by --scenario`);
  const operations = options.operations(plan);
  const profile = options.profile ?? theirs.profile;
  const seed = options.seed ?? plan.seed;
  const declared = await declaredIn(profile);
  const side = await ownSide(profile, starts[0] as string | object);
  const gathered = new Gathered(declared);
  const heard = (operation: string, said: Said): void => gathered.add(operation, said);
  try {
    const { calls, walks } = await walkAlone({
      side,
      starts,
      operations,
      seed,
      count: plan.count,
      steps: options.steps,
      live: plan.service,
      heard,
      progress,
    });
    const result = compareShapes(gathered.replies, theirs.operations, declared);
    return { ...result, file, date, profile: theirs.profile, seed, walks, calls };
  } finally {
    await side.close();
  }
}

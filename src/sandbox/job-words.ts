import { JOB_KINDS } from '../areas.ts';
import { type JobKind, wordsOf } from '../declare/job.ts';
import type { Job } from '../engine/scheduler.ts';
import type { World } from '../engine/world.ts';

type Work = Pick<Job, 'kind' | 'payload'>;

/** Returns the kind and the subject of a job, in words. */
export const inWords = (world: World, { kind, payload }: Work) =>
  wordsOf(world, JOB_KINDS.get(kind) as JobKind, payload);

/** Returns the id of a job's subject. */
export const aboutOf = (world: World, { kind, payload }: Work): string =>
  (JOB_KINDS.get(kind) as JobKind).words.about(payload, world);

/** Returns a job with a sentence that says what it does, and the id of its subject. */
export function inPlainWords<J extends Work>(world: World, job: J) {
  const { verb, about, name } = inWords(world, job);
  return { ...job, does: `${verb} ${name}`, about };
}

import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { customerName, personName } from '../customers/index.ts';
import { expire } from './challenges.ts';
import { endReset, passLiveness } from './resets.ts';
import { SCA_CHALLENGES, SCA_RESETS } from './row.ts';

const ChallengePayload = lazy(() => z.strictObject({ challengeId: z.string() }));
const ResetPayload = lazy(() => z.strictObject({ resetId: z.string() }));

const expireChallenge = job({
  payload: ChallengePayload,
  refers: { challengeId: 'sca-challenges' },
  words: {
    verb: 'expire',
    about: ({ challengeId }, world) => world.rows(SCA_CHALLENGES).get(challengeId)?.subject ?? challengeId,
    name: (world, id) => {
      const whose = personName(world, world.rows(SCA_CHALLENGES).find('subject', id)?.customerId);
      return whose === undefined ? 'a challenge' : `the challenge of ${whose}`;
    },
  },
  write: (world, { challengeId }) => expire(world, challengeId),
});

/** Returns a kind of work on the reset of a customer. */
const onReset = (work: (world: World, id: string) => void, verb: string, policy = false): JobKind =>
  job({
    payload: ResetPayload,
    refers: { resetId: 'sca-resets' },
    policy,
    words: {
      verb,
      about: ({ resetId }) => resetId,
      name: (world, id) => {
        const { customerId = '' } = world.rows(SCA_RESETS).get(id) ?? {};
        return `the factor reset of ${customerName(world, customerId) ?? customerId}`;
      },
    },
    write: (world, { resetId }) => work(world, resetId),
  });

export const jobs: Readonly<Record<string, JobKind>> = {
  'sca.challenge.expire': expireChallenge,
  'sca.reset.expire': onReset(endReset, 'expire'),
  'sca.liveness': onReset(passLiveness, 'pass the liveness check of', true),
};

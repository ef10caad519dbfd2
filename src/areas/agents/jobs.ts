import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { bySuffix } from '../../contract/suffix.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { actionName, approve, DECIDE, reject } from './actions.ts';
import { DECISIONS } from './magic.ts';
import { ACTIONS, AGENTS } from './tables.ts';

const DecidePayload = lazy(() => z.strictObject({ actionId: z.string() }));

/** Returns the decision of the policy, by the name of the agent. */
function decisionOf(world: World, actionId: string): 'approve' | 'reject' {
  const agent = world.rows(AGENTS).get(world.rows(ACTIONS).get(actionId)?.agentId ?? '');
  return bySuffix(DECISIONS, agent?.name) ?? 'approve';
}

/** Decides on an action as a policy says; without a policy nothing is decided. */
const decide = job({
  payload: DecidePayload,
  refers: { actionId: 'agent-actions' },
  policy: 'hold',
  words: {
    verb: ({ actionId }, world) => decisionOf(world, actionId),
    about: ({ actionId }) => actionId,
    name: actionName,
  },
  write: (world, { actionId }) => {
    const action = world.rows(ACTIONS).get(actionId);
    if (action?.status !== 'PENDING_APPROVAL') return;
    if (decisionOf(world, actionId) === 'approve') approve(world, action);
    else reject(world, action, "the sandbox rejects: the agent's name ends in 002");
  },
});

export const jobs: Readonly<Record<string, JobKind>> = { [DECIDE]: decide };

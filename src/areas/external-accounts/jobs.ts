import * as z from 'zod';
import { type JobKind, job } from '../../kernel/job.ts';
import { lazy } from '../../kernel/lazy.ts';
import { move } from '../../kernel/machine.ts';
import { passLiveness } from './ownership.ts';
import { ACCOUNT, EXTERNAL_ACCOUNTS } from './rules.ts';

const ActivatePayload = lazy(() => z.strictObject({ accountId: z.string() }));
const LivenessPayload = lazy(() => z.strictObject({ accountId: z.string(), message: z.string() }));

/** The opening of a bank account that a policy put off; void when it is deleted or no longer waits. */
const activate = job(ActivatePayload, (world, { accountId }) => () => {
  const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
  if (account?.status === 'PENDING' && !account.isDeleted) move(world, ACCOUNT, account, 'activate');
});

/** The outcome of a liveness check; void when the account is deleted or another challenge has begun. */
const liveness = job(LivenessPayload, (world, { accountId, message }) => () => {
  const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
  if (account?.challenge?.message === message && !account.isDeleted) passLiveness(world, account);
});

export const jobs: Readonly<Record<string, JobKind>> = {
  'external-account.activate': activate,
  'external-account.liveness': liveness,
};

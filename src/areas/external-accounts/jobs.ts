import type { JobHandler } from '../../kernel/scheduler.ts';
import { passLiveness } from './ownership.ts';
import { EXTERNAL_ACCOUNTS, moveAccount } from './rules.ts';

/** The opening of a bank account that a policy put off; void when it is deleted or no longer waits. */
const activate: JobHandler = (world, job) => () => {
  const { accountId } = job.payload as { accountId: string };
  const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
  if (account?.status === 'PENDING' && !account.isDeleted) moveAccount(world, account, 'activate');
};

/** The outcome of a liveness check; void when the account is deleted or another challenge has begun. */
const liveness: JobHandler = (world, job) => () => {
  const { accountId, message } = job.payload as { accountId: string; message: string };
  const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
  if (account?.challenge?.message === message && !account.isDeleted) passLiveness(world, account);
};

export const jobs: Readonly<Record<string, JobHandler>> = {
  'external-account.activate': activate,
  'external-account.liveness': liveness,
};

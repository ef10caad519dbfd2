import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job, type Wording } from '../../declare/job.ts';
import { move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { customerName } from '../customers/index.ts';
import { passLiveness } from './ownership.ts';
import { ACCOUNT, EXTERNAL_ACCOUNTS } from './rules.ts';

const ActivatePayload = lazy(() => z.strictObject({ accountId: z.string() }));
const LivenessPayload = lazy(() => z.strictObject({ accountId: z.string(), message: z.string() }));

/** Returns the name of an account within a sentence: `the USD account of customer Ada Keller`. */
function accountName(world: World, id: string): string | undefined {
  const account = world.rows(EXTERNAL_ACCOUNTS).get(id);
  if (!account) return undefined;
  const owner = account.customerId === undefined ? undefined : customerName(world, account.customerId);
  return `the ${account.currency} account of ${owner ?? 'the platform'}`;
}

const words = (verb: string): Wording<{ accountId: string }> => ({
  verb,
  about: ({ accountId }) => accountId,
  name: accountName,
});

/** Opens a bank account later, as a policy says; does nothing if it was deleted or no longer waits. */
const activate = job({
  payload: ActivatePayload,
  policy: true,
  words: words('open'),
  write: (world, { accountId }) => {
    const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
    if (account?.status === 'PENDING' && !account.isDeleted) move(world, ACCOUNT, account, 'activate');
  },
});

/** Decides a liveness check; does nothing if the account was deleted or another challenge has begun. */
const liveness = job({
  payload: LivenessPayload,
  policy: true,
  words: words('finish the liveness check of'),
  write: (world, { accountId, message }) => {
    const account = world.rows(EXTERNAL_ACCOUNTS).get(accountId);
    if (account?.challenge?.message === message && !account.isDeleted) passLiveness(world, account);
  },
});

export const jobs: Readonly<Record<string, JobKind>> = {
  'external-account.activate': activate,
  'external-account.liveness': liveness,
};

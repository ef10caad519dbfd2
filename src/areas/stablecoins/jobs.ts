import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { STABLECOINS, type Step, takeStep } from './coins.ts';
import { expire, OPERATIONS, process, settle, submit } from './operations.ts';
import { checkLink, PROVIDER_ACCOUNTS } from './provider-accounts.ts';
import type { IssuerOperation } from './row.ts';

const CoinPayload = lazy(() => z.strictObject({ stablecoinId: z.string() }));
const OperationPayload = lazy(() => z.strictObject({ operationId: z.string() }));
const CheckPayload = lazy(() => z.strictObject({ accountId: z.string(), finding: z.enum(['invalidate', 'revoke']) }));

/** Returns the job for one step of a coin on its way to being a currency. */
const step = (name: Step, verb: string): JobKind =>
  job({
    payload: CoinPayload,
    refers: { stablecoinId: 'stablecoins' },
    policy: true,
    words: {
      verb,
      about: ({ stablecoinId }) => stablecoinId,
      name: (world, id) => world.rows(STABLECOINS).get(id)?.symbol,
    },
    write: (world, { stablecoinId }) => takeStep(world, stablecoinId, name),
  });

/** Returns the name of a mint or burn within a sentence: `the mint of 1000000 ACME`. */
function operationName(world: World, id: string): string | undefined {
  const operation = world.rows(OPERATIONS).get(id);
  if (!operation) return undefined;
  const coin = world.rows(STABLECOINS).get(operation.stablecoinId);
  return `the ${operation.operationType.toLowerCase()} of ${operation.amount} ${coin?.symbol}`;
}

/** Returns a kind of work on a mint or burn; it does nothing unless the operation still has this status. */
const work = (
  status: IssuerOperation['status'],
  verb: string,
  does: (world: World, operation: IssuerOperation) => IssuerOperation,
  policy = true,
): JobKind =>
  job({
    payload: OperationPayload,
    refers: { operationId: 'stablecoin-operations' },
    policy,
    words: { verb, about: ({ operationId }) => operationId, name: operationName },
    write: (world, { operationId }) => {
      const operation = world.rows(OPERATIONS).get(operationId);
      if (operation?.status === status) does(world, operation);
    },
  });

/** The provider's own check of a link. */
const check = job({
  payload: CheckPayload,
  refers: { accountId: 'stablecoin-provider-accounts' },
  policy: true,
  words: {
    verb: ({ finding }) => finding,
    about: ({ accountId }) => accountId,
    name: (world, id) => world.rows(PROVIDER_ACCOUNTS).get(id)?.providerAccountId,
  },
  write: (world, { accountId, finding }) => checkLink(world, accountId, finding),
});

export const jobs: Readonly<Record<string, JobKind>> = {
  'stablecoin-provider-account.check': check,
  'stablecoin.review': step('review', 'review'),
  'stablecoin.provision': step('provision', 'provision'),
  'stablecoin.approve': step('approve', 'approve the use of'),
  'stablecoin.enable': step('enable', 'enable'),
  'stablecoin-operation.submit': work('CREATED', 'submit', submit),
  'stablecoin-operation.process': work('PENDING_PROVIDER', 'start to process', process),
  'stablecoin-operation.settle': work('PROCESSING', 'finish', settle),
  'stablecoin-operation.expire': work('PENDING_FUNDING', 'expire', expire, false),
};

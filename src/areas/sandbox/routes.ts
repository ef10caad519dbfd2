import * as z from 'zod';
import { lazy } from '../../kernel/lazy.ts';
import { operation, reply } from '../../kernel/operation.ts';
import { fund, InternalAccountShape, showAccount } from '../accounts/index.ts';

const FundRequest = lazy(() =>
  z
    .object({ amount: z.int().min(1).max(100_000_000_000).describe('Minor units of the currency of the account') })
    .meta({ id: 'SandboxFundRequest' }),
);

export const routes = [
  operation({
    id: 'sandboxFundInternalAccount',
    method: 'POST',
    path: '/sandbox/internal-accounts/{accountId}/fund',
    tag: 'Sandbox',
    summary: 'Fund an internal account at once',
    permission: 'TRANSACT',
    body: FundRequest,
    replies: { 200: InternalAccountShape },
    refuses: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'AMOUNT_OUT_OF_RANGE'],
    run: ({ world, params, body }) => reply(200, showAccount(world, fund(world, params.accountId, body.amount))),
  }),
];

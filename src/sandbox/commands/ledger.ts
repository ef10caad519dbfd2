import * as z from 'zod';
import { pageInput } from '../../contract/shapes.ts';
import { command } from './command.ts';

/** Loads the views of the ledger when a caller first needs them. */
const views = () => import('../ledger-views.ts');

export const ledger = {
  list: command(
    'Every posting, newest first, as moves from one account to another with the balance of both after it',
    () => ({
      ...pageInput(),
      cause: z.string().optional().describe('Postings of this cause only: the id of a payment'),
    }),
    async ({ sandbox: { world } }, input) => (await views()).ledgerPage(world, input),
  ),
  check: command(
    'The trial balance of each currency, which sums to zero, and every rule of the ledger with what broke it',
    async ({ sandbox: { world } }) => (await views()).ledgerCheck(world),
  ),
  account: command(
    'One account as a statement: what it holds, its entries newest first with the balance after each, and its course',
    () => ({ id: z.string().describe('Id of the account, or a name such as outside:funding:USD'), ...pageInput() }),
    async ({ sandbox: { world } }, { id, ...paging }) => (await views()).statementOf(world, id, paging),
  ),
};

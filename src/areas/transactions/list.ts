import { lowerCase } from '../../contract/lower-case.ts';
import type { Infer } from '../../declare/operation.ts';
import { pageOfRows } from '../../engine/page.ts';
import type { World } from '../../engine/world.ts';
import { TRANSACTIONS } from './row.ts';
import type { TransactionQuery } from './schema.ts';
import { showTransaction } from './show.ts';

/** Returns an end of a payment as rows store it: a UMA address in lower case (spec 2.8), an account's id as it is. */
const endAs = (sent: string | undefined): string | undefined => (sent?.startsWith('$') ? lowerCase(sent) : sent);

/** Returns a page of the transactions that a query selects, as replies show them. */
export function transactionPage(world: World, q: Infer<typeof TransactionQuery>) {
  const both = q.type && q.status ? `${q.type} ${q.status}` : undefined;
  const page = world.rows(TRANSACTIONS).page({
    where: {
      customer: q.customerId,
      platformCustomer: q.platformCustomerId,
      party: endAs(q.accountIdentifier),
      sender: endAs(q.senderAccountIdentifier),
      receiver: endAs(q.receiverAccountIdentifier),
      reference: q.reference,
      typeAndStatus: both,
      status: both ? undefined : q.status,
      type: both ? undefined : q.type,
    },
    between: { by: (t) => t.createdAt, from: q.startDate, to: q.endDate },
    oldestFirst: q.sortOrder === 'asc',
    limit: q.limit,
    cursor: q.cursor,
  });
  return pageOfRows(page, showTransaction);
}

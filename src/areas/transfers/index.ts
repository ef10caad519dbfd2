/**
 * Transfers: money in from, and out to, an external account of the same currency.
 * Chosen where the specification is silent:
 * - A payment that is going to fail still returns 201; it fails afterwards, as its events say.
 * - Without `amount`, `/transfer-out` sends the whole balance; `/transfer-in` refuses, 400 `INVALID_AMOUNT`.
 * - Any bank account can be collected from, but no wallet. An embedded wallet pays by quote only.
 * - A transfer never connects accounts of different customers; the platform's own accounts can be combined with any.
 * - A collection emits no event while it is `PENDING`: `INCOMING_PAYMENT.PENDING` asks for approval, and a collection
 *   needs none.
 * - There is no fee. Payouts count towards `limits.transactionSize` and `limits.dailyVolume` like quotes; see there.
 */

import { area } from '../../declare/area.ts';
import { MAGIC } from './magic.ts';
import { routes, TRANSFER_IN_REFUSES, TRANSFER_OUT_REFUSES } from './routes.ts';

export { transferExample } from './examples.ts';
export { collectTransfer, payTransfer, prepareTransferIn, prepareTransferOut } from './rules.ts';
export { TransferInRequest, TransferOutRequest } from './schema.ts';
export { TRANSFER_IN_REFUSES, TRANSFER_OUT_REFUSES };

export const transfers = area('transfers', { magic: MAGIC, operations: routes });

import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { Text } from '../../contract/shapes.ts';
import { MAX_AMOUNT, PaymentRail, PurposeOfPayment } from '../transactions/index.ts';

/**
 * Returns the schema of an account by its id. Both transfers share it; the member that has it says which side it is.
 */
const account = (id: string, what: string) => z.object({ accountId: Text(200).describe(what) }).meta({ id });
const internalAccount = () => account('InternalAccountReference', 'The id of an internal account');

const amount = (absent: string) => z.int().min(1).max(MAX_AMOUNT).optional().describe(`Minor units. ${absent}`);

export const TransferInRequest = named('TransferInRequest', () =>
  z.object({
    source: account('ExternalAccountReference', 'The id of a bank account that can be collected from'),
    destination: internalAccount().describe('Where the money arrives'),
    amount: amount('Required: what a bank account holds is not known here'),
  }),
);

export const TransferOutRequest = named('TransferOutRequest', () =>
  z.object({
    source: internalAccount().describe('Where the money leaves'),
    destination: z
      .object({ accountId: Text(200).describe('A bank account or a wallet'), paymentRail: PaymentRail().optional() })
      .meta({ id: 'ExternalAccountDestinationReference' }),
    amount: amount('The whole balance, when it is not sent'),
    remittanceInformation: Text(80).optional(),
    purposeOfPayment: PurposeOfPayment().optional(),
  }),
);

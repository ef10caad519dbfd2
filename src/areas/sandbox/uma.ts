import { fail, failFields } from '../../kernel/errors.ts';
import { CURRENCIES } from '../../kernel/money.ts';
import type { Infer } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import { accountsOf } from '../accounts/index.ts';
import type { Customer } from '../customers/index.ts';
import { umaDepositAccountOf } from '../external-accounts/index.ts';
import { lookupUma, type UmaOutcome } from '../lookups/index.ts';
import { rateBetween } from '../rates/index.ts';
import {
  APPROVAL_MS,
  checkAmount,
  moverOf,
  openTransaction,
  type PlanName,
  type Transaction,
} from '../transactions/index.ts';
import { endpointOf } from '../webhooks/index.ts';
import type { UmaReceiveRequest } from './schema.ts';

type Request = Infer<typeof UmaReceiveRequest>;

/** Sandbox UMA addresses as senders: what follows on the platform's yes. */
const SENDERS: Readonly<Record<UmaOutcome, PlanName>> = {
  success: 'in success',
  pending: 'in slow',
  compliance: 'in refused for compliance',
};

/** What the sandbox's sending institution wants to know of a receiver, and where a customer keeps it. */
const WANTED = [
  {
    name: 'FULL_NAME',
    mandatory: true,
    of: ({ details }: Customer) => details.fullName ?? details.businessInfo?.legalName,
  },
  { name: 'NATIONALITY', mandatory: false, of: ({ details }: Customer) => details.nationality },
] as const;

/** Who is paid; 404 `UMA_NOT_FOUND` or `USER_NOT_FOUND`, 403 `USER_NOT_READY`. */
function receiverOf(world: World, sent: Request): Customer {
  if ((sent.receiverUmaAddress === undefined) === (sent.customerId === undefined))
    failFields([
      { field: 'receiverUmaAddress', message: 'exactly one of receiverUmaAddress and customerId is needed' },
    ]);
  const id = sent.customerId ?? lookupUma(world, sent.receiverUmaAddress as string).customerId;
  return (
    (id === undefined ? undefined : moverOf(world, id)) ??
    fail('UMA_NOT_FOUND', `${sent.receiverUmaAddress} is no customer of this platform`)
  );
}

/** Where the money arrives: the account that the customer chose for it, else the internal one of the currency. */
function payeeOf(world: World, customer: Customer, currency: string): string {
  const chosen = umaDepositAccountOf(world, customer.id);
  if (chosen?.currency === currency) return `outside:payout:${currency}`;
  return (
    accountsOf(world, customer.id).find((account) => account.currency === currency)?.id ??
    fail('INVALID_CURRENCY', `receivingCurrencyCode: ${customer.umaAddress} has no ${currency} account`)
  );
}

/**
 * A payment from a UMA address comes in: it is `PENDING`, and the answer to its event, or a call within 5 virtual
 * seconds, decides on it. 400 `WEBHOOK_ENDPOINT_NOT_SET` where nobody could be asked.
 */
export function receiveUma(world: World, sent: Request): Transaction {
  const sender = lookupUma(world, sent.senderUmaAddress);
  if (sender.customerId) failFields([{ field: 'senderUmaAddress', message: 'is not an address of the sandbox' }]);
  const customer = receiverOf(world, sent);
  const received = { amount: sent.receivingCurrencyAmount, currency: sent.receivingCurrencyCode };
  const payee = payeeOf(world, customer, received.currency);
  checkAmount(world, received, 'INCOMING');
  endpointOf(world);
  const from = sender.currencies[0] as string;
  const rate = rateBetween(world, from, received.currency);
  const shift = 10 ** ((CURRENCIES.get(from)?.decimals ?? 2) - (CURRENCIES.get(received.currency)?.decimals ?? 2));
  if (sender.outcome !== 'success')
    world.magic(`${sender.address}: once approved, the payment is to end as ${sender.outcome}`);
  const payer = `outside:uma:${received.currency}`;
  const opened = openTransaction(
    world,
    {
      type: 'INCOMING',
      customer,
      source: { kind: 'UMA_ADDRESS', umaAddress: sender.address, currency: from },
      destination: { kind: 'UMA_ADDRESS', umaAddress: customer.umaAddress, currency: received.currency },
      sent: { amount: Math.max(1, Math.round((received.amount / rate) * shift)), currency: from },
      received,
      fees: 0,
      platformFees: 0,
      payer,
      payee,
      refundTo: payer,
      cancellable: false,
      exchangeRate: 1 / rate,
      counterparty: { FULL_NAME: 'Sandbox Sender' },
      approval: {
        fields: WANTED.filter(({ of }) => of(customer) === undefined).map(({ name, mandatory }) => ({
          name,
          mandatory,
        })),
        next: SENDERS[sender.outcome],
      },
    },
    'announce',
  );
  world.later('transaction.approval', { transactionId: opened.id }, APPROVAL_MS);
  return opened;
}

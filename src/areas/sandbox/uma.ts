import { fail, failFields } from '../../contract/errors.ts';
import { CURRENCIES, powerOfTen } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { amountWorth } from '../../ledger/price.ts';
import type { Customer } from '../customers/index.ts';
import { lookupUma, type UmaOutcome, umaMagic } from '../lookups/index.ts';
import { rateBetween } from '../rates/index.ts';
import {
  announceUma,
  checkAmount,
  customerAllowedToMoveMoney,
  type PlanName,
  SANDBOX_SENDER,
  type Transaction,
  toldOf,
  type UmaHome,
  umaHome,
} from '../transactions/index.ts';
import { endpointOf } from '../webhooks/index.ts';
import type { UmaReceiveRequest } from './schema.ts';

type Request = Infer<typeof UmaReceiveRequest>;

/** Sandbox UMA addresses as senders: what follows once the platform approves. */
const SENDERS: Readonly<Record<UmaOutcome, PlanName | undefined>> = {
  success: undefined,
  pending: 'in slow',
  compliance: 'in refused for compliance',
};

/**
 * Returns the receiving customer. 404 UMA_NOT_FOUND or USER_NOT_FOUND, 403 USER_NOT_READY, 400
 * MISSING_MANDATORY_USER_INFO.
 */
function receiverOf(world: World, sent: Request): Customer {
  if ((sent.receiverUmaAddress === undefined) === (sent.customerId === undefined))
    failFields([
      { field: 'receiverUmaAddress', message: 'exactly one of receiverUmaAddress and customerId is needed' },
    ]);
  const id = sent.customerId ?? lookupUma(world, sent.receiverUmaAddress as string).customerId;
  return (
    (id === undefined ? undefined : customerAllowedToMoveMoney(world, id, sent.receivingCurrencyCode)) ??
    fail('UMA_NOT_FOUND', `${sent.receiverUmaAddress} is not a customer of this platform`)
  );
}

/** Returns the account that the money goes to. 400 INVALID_CURRENCY if the customer has none in that currency. */
const homeOf = (world: World, customer: Customer, currency: string): UmaHome =>
  umaHome(world, customer.id, currency) ??
  fail('INVALID_CURRENCY', `receivingCurrencyCode: ${customer.umaAddress} has no ${currency} account`);

/**
 * Simulates the sender of a payment to a UMA address. 400 WEBHOOK_ENDPOINT_NOT_SET, or WEBHOOK_DELIVERY_ERROR, if no
 * event can reach the platform.
 */
export function receiveUma(world: World, sent: Request): Transaction {
  const sender = lookupUma(world, sent.senderUmaAddress);
  if (sender.customerId) failFields([{ field: 'senderUmaAddress', message: 'is not an address of the sandbox' }]);
  const customer = receiverOf(world, sent);
  const received = { amount: sent.receivingCurrencyAmount, currency: sent.receivingCurrencyCode };
  const home = homeOf(world, customer, received.currency);
  checkAmount(world, received, 'INCOMING');
  const from = sender.currencies[0] as string;
  const rate = rateBetween(world, from, received.currency);
  const shift = powerOfTen((CURRENCIES.get(from)?.decimals ?? 2) - (CURRENCIES.get(received.currency)?.decimals ?? 2));
  const amount = Math.max(1, amountWorth(received.amount, rate / shift));
  if (!Number.isSafeInteger(amount))
    fail('AMOUNT_OUT_OF_RANGE', `receivingCurrencyAmount: it is worth more ${from} than can be counted exactly`);
  endpointOf(world);
  if (sender.outcome !== 'success')
    world.magic(
      `${sender.address}: once approved, the outcome of the payment will be "${sender.outcome}"`,
      umaMagic(sender.address),
    );
  return announceUma(world, {
    customer,
    home,
    source: { kind: 'UMA_ADDRESS', umaAddress: sender.address, currency: from },
    sent: { amount, currency: from },
    received,
    exchangeRate: 1 / rate,
    counterparty: toldOf(world, received.currency, SANDBOX_SENDER),
    next: SENDERS[sender.outcome],
  });
}

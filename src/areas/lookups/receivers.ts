import { money } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer, CUSTOMERS } from '../customers/index.ts';
import { externalAccountOf } from '../external-accounts/index.ts';
import { boundsOf, wantedOfSenders } from '../platform/index.ts';
import { rateBetween, receivingBounds } from '../rates/index.ts';
import { checkUma, lookupIdOf, lookupUma } from './rules.ts';
import type { AccountLookup, LookupQuery, UmaLookup } from './schema.ts';

type Sender = Infer<typeof LookupQuery>;

/** The data that sandbox receivers ask for; none is mandatory, so no payment is refused for it. */
const PAYER_DATA = [
  { name: 'FULL_NAME', mandatory: false },
  { name: 'BIRTH_DATE', mandatory: false },
] as const;

/**
 * Returns the currency that an estimate starts from: the sender's first, else the dollar. 404 for an unknown
 * `customerId`.
 */
function currencyOfSender(world: World, { senderUmaAddress, customerId }: Sender): string {
  const address = senderUmaAddress === undefined ? undefined : checkUma(senderUmaAddress);
  if (customerId !== undefined) return activeCustomer(world, customerId).currencies[0] ?? 'USD';
  if (address === undefined) return 'USD';
  return world.rows(CUSTOMERS).find('umaAddress', address)?.currencies[0] ?? 'USD';
}

/** Returns currencies with the amounts that a quote may lock; leaves out those in which nothing can be received. */
const preferences = (world: World, sender: Sender, codes: readonly string[], isOurs = false) => {
  const from = currencyOfSender(world, sender);
  return codes.flatMap((code) => {
    const incoming = isOurs ? boundsOf(world, code, 'INCOMING') : undefined;
    const bounds = isOurs && !incoming ? undefined : receivingBounds(world, from, code, incoming);
    if (!bounds) return [];
    return [{ currency: money(0, code).currency, estimatedExchangeRate: rateBetween(world, from, code), ...bounds }];
  });
};

/** Returns what can be sent to a UMA address (spec 2.8). Refuses as `lookupUma` does. */
export function umaReceiver(world: World, address: string, sender: Sender): Infer<typeof UmaLookup> {
  const receiver = lookupUma(world, address);
  const isOurs = receiver.customerId !== undefined;
  const supportedCurrencies = preferences(world, sender, receiver.currencies, isOurs);
  const codes = supportedCurrencies.map(({ currency }) => currency.code);
  return {
    supportedCurrencies,
    requiredPayerDataFields: [...(isOurs ? wantedOfSenders(world, codes) : PAYER_DATA)],
    lookupId: lookupIdOf(receiver.address),
    receiverUmaAddress: address,
  };
}

/** Returns what can be sent to an external account: its one currency. 404 REFERENCE_NOT_FOUND. */
export function accountReceiver(world: World, id: string, sender: Sender): Infer<typeof AccountLookup> {
  const account = externalAccountOf(world, id);
  return {
    supportedCurrencies: preferences(world, sender, [account.currency]),
    lookupId: lookupIdOf(id),
    accountId: id,
  };
}

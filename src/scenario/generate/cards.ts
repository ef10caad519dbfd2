import { type Card, issuePastCard, payByPastCard } from '../../areas/cards/index.ts';
import type { World } from '../../engine/world.ts';
import type { Payee } from './payee.ts';

/** The currency of accounts from which a made-up card spends. */
const CURRENCY = 'USD';

const MERCHANTS = [
  { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' },
  { descriptor: 'TRAIL SUPPLY CO', mcc: '5941', country: 'US' },
  { descriptor: 'HARBOUR HOTEL', mcc: '7011', country: 'GB' },
  { descriptor: 'CITY TRANSIT', mcc: '4111', country: 'US' },
  { descriptor: 'GREEN GROCER', mcc: '5411', country: 'US' },
  { descriptor: 'CLOUD HOSTING', mcc: '5734', country: 'US' },
  { descriptor: 'PAPER AND INK', mcc: '5943', country: 'DE' },
  { descriptor: 'CORNER PHARMACY', mcc: '5912', country: 'US' },
] as const;

/** Makes card payments of the past. A customer gets a card at the first of them. */
export class Cardholders {
  readonly #cards = new Map<string, Card>();

  /**
   * Pays an amount in minor units by the customer's card. Returns false for a payee without a card: the platform,
   * another currency.
   */
  pay(world: World, { customer, account }: Payee, amount: number, chance: number): boolean {
    if (customer?.kycStatus !== 'APPROVED' || account.currency !== CURRENCY) return false;
    let card = this.#cards.get(customer.id);
    if (!card) {
      card = issuePastCard(world, customer.id, account.id);
      this.#cards.set(customer.id, card);
    }
    const merchant = MERCHANTS[chance % MERCHANTS.length] as (typeof MERCHANTS)[number];
    payByPastCard(world, card, { amount, merchant });
    return true;
  }
}

import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { pinnedId, type Seed, seed } from '../../declare/seed.ts';
import type { World } from '../../engine/world.ts';
import { accountsOf } from '../accounts/index.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { CARD_PAYMENTS, CardMerchant, MAX_AMOUNT } from '../transactions/index.ts';
import { draftOf, newToken } from './authorize.ts';
import { clear, giveBack, openPayment } from './payments.ts';
import { CARDS, type Card } from './row.ts';
import { end, issueCard, provision, updateCard } from './rules.ts';
import { LIVE_STATES } from './schema.ts';

/** The functions that bring a new card to the state that a scenario wants. */
const WAYS: Readonly<Record<Card['cardState'], (world: World, card: Card) => Card>> = {
  PROCESSING: (_world, card) => card,
  ACTIVE: (world, card) => provision(world, card, 'activate'),
  FROZEN: (world, card) => updateCard(world, WAYS.ACTIVE(world, card), { state: 'FROZEN' }),
  CLOSED: (world, card) => end(world, WAYS.ACTIVE(world, card), 'close'),
};

/** A card payment in a scenario. */
const Payment = () =>
  z.strictObject({
    id: pinnedId('CardTransaction'),
    amount: z.int().min(1).max(MAX_AMOUNT).describe('What was authorized, in minor units'),
    currency: KnownCurrency().optional().describe("The card's, or USD for a card in USDB"),
    merchant: CardMerchant()
      .default({ descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' })
      .describe('Where the card was used'),
    cleared: z.int().min(1).max(MAX_AMOUNT).optional().describe('What was cleared, if anything'),
    returned: z.int().min(1).max(MAX_AMOUNT).optional().describe('What of that was returned'),
  });

/** Plants a payment as its messages would have made it. Refuses the scenario where the API would refuse the call. */
function pay(world: World, card: Card, past: z.output<ReturnType<typeof Payment>>): void {
  const { id, amount, currency, merchant, cleared, returned } = past;
  const request = { amount, currency: { code: currency ?? card.currency }, merchant };
  let t = openPayment(world, draftOf(world, card, request, 'DEBIT', newToken(world)), { id, past: true });
  if (cleared !== undefined) t = clear(world, t, cleared, true);
  if (returned !== undefined) giveBack(world, t, returned);
}

/** Issues a past card that pays from one account; 400 as `issueCard`. */
export const issuePastCard = (world: World, cardholderId: string, accountId: string): Card =>
  WAYS.ACTIVE(world, issueCard(world, { cardholderId, form: 'VIRTUAL', fundingSources: [accountId] }));

/** Plants a past card payment, cleared in full; `amount` in minor units of the card's currency. */
export const payByPastCard = (
  world: World,
  card: Card,
  { amount, merchant }: { amount: number; merchant: z.output<ReturnType<typeof CardMerchant>> },
): void => pay(world, card, { amount, merchant, cleared: amount });

export const seeds: readonly Seed[] = [
  seed(CARDS, {
    key: 'cards',
    about: 'Cards that are there from the start, and what was paid by them',
    example:
      '{ label: work, customer: ada, currencies: [USD], payments: [{ amount: 4200, cleared: 4200 }] }\n#   - { label: everyday, customer: ada, currencies: [USDB] }',
    members: () => ({
      customer: z.string().describe('Label of the cardholder'),
      currencies: z
        .array(KnownCurrency())
        .min(1)
        .default(['USD'])
        .describe("Currencies of the cardholder's accounts that pay, the first one first"),
      platformCardId: z.string().min(1).max(200).optional().describe('Your id of the card'),
      maxSpendPerTransaction: z.int().min(1).optional().describe('Most that one payment may authorize, in minor units'),
      state: z.enum(LIVE_STATES).default('ACTIVE').describe('Where it stands; PROCESSING waits for a decision'),
      payments: z.array(Payment()).default([]).describe('Payments of the past by this card, first ones first'),
    }),
    plant: (world, { id, customer, currencies, platformCardId, maxSpendPerTransaction, state, payments }, labels) => {
      const cardholderId = labels.idOf(CUSTOMERS, customer, 'customer');
      const own = accountsOf(world, cardholderId);
      const fundingSources = currencies.map(
        (currency) =>
          own.find((account) => account.currency === currency)?.id ??
          labels.refuse('currencies', `${customer} has no account in ${currency}`),
      );
      const card = issueCard(
        world,
        { cardholderId, form: 'VIRTUAL', fundingSources, platformCardId, maxSpendPerTransaction },
        id,
      );
      if (state === 'PROCESSING' && payments.length > 0) labels.refuse('payments', 'the card was never made');
      for (const [i, past] of payments.entries()) {
        if (past.id !== undefined && world.rows(CARD_PAYMENTS).get(past.id))
          labels.refuse(`payments.${i}.id`, `${past.id} is taken`);
        pay(world, card, past);
      }
      return WAYS[state](world, card).id;
    },
  }),
];

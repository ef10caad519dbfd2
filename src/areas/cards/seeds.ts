import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { type Seed, seed } from '../../declare/seed.ts';
import type { Resource } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { accountsOf } from '../accounts/index.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { CardMerchant, type CardPayment, MAX_AMOUNT, TRANSACTIONS } from '../transactions/index.ts';
import { draftOf, newToken } from './authorize.ts';
import { clear, giveBack, openPayment } from './payments.ts';
import { CARDS, type Card, cardOf } from './row.ts';
import { end, issueCard, provision, updateCard } from './rules.ts';
import { LIVE_STATES } from './schema.ts';

/** How a card comes to stand where a scenario wants it. */
const WAYS: Readonly<Record<Card['cardState'], (world: World, card: Card) => Card>> = {
  PROCESSING: (_world, card) => card,
  ACTIVE: (world, card) => provision(world, card, 'activate'),
  FROZEN: (world, card) => updateCard(world, WAYS.ACTIVE(world, card), { state: 'FROZEN' }),
  CLOSED: (world, card) => end(world, WAYS.ACTIVE(world, card), 'close'),
};

/** Payments by card among the transactions, with ids of their own. */
const CARD_PAYMENTS = {
  ...TRANSACTIONS,
  prefix: 'CardTransaction',
  one: 'Card payment',
} as unknown as Resource<CardPayment>;

export const seeds: readonly Seed[] = [
  seed(CARDS, {
    key: 'cards',
    about: 'Cards that are there from the start',
    example: '{ label: work, customer: ada, currencies: [USD], maxSpendPerTransaction: 20000 }',
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
    }),
    plant: (world, { id, customer, currencies, platformCardId, maxSpendPerTransaction, state }, labels) => {
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
      return WAYS[state](world, card).id;
    },
  }),
  seed(CARD_PAYMENTS, {
    key: 'cardPayments',
    about: 'Card payments that are there from the start',
    example: '{ label: lunch, card: work, amount: 4200, cleared: 4200 }',
    members: () => ({
      card: z.string().describe('Label of the card'),
      amount: z.int().min(1).max(MAX_AMOUNT).describe('What was authorized, in minor units'),
      currency: KnownCurrency().optional().describe("The card's, or USD for a card in USDB"),
      merchant: CardMerchant()
        .default({ descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' })
        .describe('Where the card was used'),
      cleared: z.int().min(1).max(MAX_AMOUNT).optional().describe('What was cleared, if anything'),
      returned: z.int().min(1).max(MAX_AMOUNT).optional().describe('What of that was returned'),
    }),
    plant: (world, { id, card: name, amount, currency, merchant, cleared, returned }, labels) => {
      const card = cardOf(world, labels.idOf(CARDS, name, 'card'));
      if (!card.issued) labels.refuse('card', `${name} was never made`);
      const asked = { amount, currency: { code: currency ?? card.currency }, merchant };
      const draft = draftOf(world, card, asked, 'DEBIT', newToken(world));
      let t = openPayment(world, draft, { id, past: true });
      if (cleared !== undefined) t = clear(world, t, cleared, true);
      if (returned !== undefined) t = giveBack(world, t, returned);
      return t.id;
    },
  }),
];

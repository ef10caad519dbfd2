import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import { lazyRow, type RowOf, table } from '../../engine/table.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { type Card, CardRow } from './card.ts';
import { cardPicture, cardStory } from './story.ts';

/** Returns a card as replies and webhooks show it (reference 3.2). */
export const showCard = ({ issued, cardState, stateReason, maxSpendPerTransaction, ...card }: Card) => ({
  ...card,
  state: cardState,
  ...issued,
  form: 'VIRTUAL' as const,
  stateReason: stateReason ?? null,
  maxSpendPerTransaction: maxSpendPerTransaction ?? null,
});

export const CARDS = resource('cards', {
  row: CardRow,
  indexes: {
    cardholder: (c) => c.cardholderId,
    account: (c) => c.fundingSources,
    platformCardId: (c) => c.platformCardId,
    state: (c) => c.cardState,
  },
  refers: {
    cardholderId: { of: (c) => c.cardholderId, in: ['customers'], by: 'cardholder' },
    fundingSources: { of: (c) => c.fundingSources, in: ['accounts'], by: 'account' },
  },
  titles: ['Cards', 'Card', 'Cards of customers, and what they may spend'],
  prefix: 'Card',
  main: true,
  label: ({ cardholderId, platformCardId, issued }, world) => {
    const holder = world.rows(CUSTOMERS).get(cardholderId);
    const name = (holder && CUSTOMERS.label?.(holder, world)) ?? platformCardId;
    return issued ? `${name} •••• ${issued.last4}` : name;
  },
  view: (row) => showCard(row),
  picture: cardPicture,
  story: cardStory,
  made: 'createCard',
  columns: {
    State: ['cardState', 'status'],
    Cardholder: ['cardholderId', 'id'],
    Currency: 'currency',
    'Platform id': 'platformCardId',
    Created: ['createdAt', 'time'],
  },
  tones: { ACTIVE: 'good', PROCESSING: 'warn', FROZEN: 'warn', CLOSED: 'bad' },
});

/** Returns one card. 404 REFERENCE_NOT_FOUND. */
export const cardOf = rowOr404(CARDS, 'REFERENCE_NOT_FOUND', 'card');

const SourceRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('CardFundingSource'),
    cardId: z.string(),
    accountId: z.string(),
    /** The active key with which the service signs for a wallet (reference 5). */
    delegatedKeyId: z.string().optional(),
    createdAt: Moment(),
  }),
);

/** An account that pays for a card, or once did. */
export type FundingSource = RowOf<typeof SourceRow>;

export const SOURCES = table('cards.sources', {
  row: SourceRow,
  many: 'Funding sources of cards',
  indexes: {
    cardId: (s) => s.cardId,
    accountId: (s) => s.accountId,
    binding: (s) => `${s.cardId} ${s.accountId}`,
  },
  refers: { cardId: 'cards', accountId: 'accounts', delegatedKeyId: 'delegated-keys' },
});

const RevealRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('CardReveal'),
    cardId: z.string(),
    /** The API token of the request. */
    actor: z.string(),
    createdAt: Moment(),
    expiresAt: Moment(),
  }),
);

export const REVEALS = resource('cards.reveals', {
  row: RevealRow,
  indexes: { cardId: (r) => r.cardId },
  refers: { cardId: 'cards' },
  chapterOf: ['cardId'],
  story: (r) => [{ at: r.createdAt, what: 'Number shown', detail: r.actor, about: r.id }],
  titles: ['Card reveals', 'Card reveal', 'Who looked at the number of a card, and when'],
  prefix: 'CardReveal',
  columns: { Card: ['cardId', 'id'], 'Requested by': 'actor', At: ['createdAt', 'time'] },
});
export type { Card } from './card.ts';

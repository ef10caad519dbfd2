import { a, type Fits, oneOf, text, wallet } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { pageOfRows } from '../../engine/page.ts';
import type { World } from '../../engine/world.ts';
import { ACTIVE } from './examples.ts';
import { reveal } from './reveal.ts';
import { CARDS, cardOf, showCard } from './row.ts';
import { checkIssuer, issueCard, provisionLater, updateCard } from './rules.ts';
import { CardCreate, CardPage, CardQuery, CardReveal, CardShape, CardUpdate } from './schema.ts';
import { simulators } from './simulators.ts';

const operation = operationsOf('Cards');

const issued = (world: World, id: string) => {
  checkIssuer(world);
  return cardOf(world, id);
};

export const routes = [
  operation({
    id: 'createCard',
    endpoint: 'POST /cards',
    summary: 'Issue a card to a customer',
    body: CardCreate,
    example: (the) => {
      const holds: Fits = ({ id }) => the.balance(the.accountOf(id, 'USD')?.id ?? '') > 0;
      const holder = the.who({}, holds) ?? the.who({}, ({ id }) => the.accountOf(id, 'USD') !== undefined);
      const { source } = the.choose([
        { isOfWallet: false, source: the.accountOf(holder?.id, 'USD')?.id ?? '<accountId>' },
        { isOfWallet: true, source: wallet },
      ]) as { source: string };
      return {
        body: {
          cardholderId: holder?.id ?? the.lacks('createCustomer'),
          form: 'VIRTUAL',
          fundingSources: [source],
        },
        vary: [
          ...['-001', '-002', '-005'].map((end) => ({ body: { platformCardId: text(`card-{n}${end}`, 'cards') } })),
          { body: { maxSpendPerTransaction: 1000 } },
        ],
      };
    },
    replies: { 201: CardShape },
    refuses: ['CARDHOLDER_KYC_NOT_APPROVED', 'FUNDING_SOURCE_INELIGIBLE', 'NOT_IMPLEMENTED'],
    load: ({ world }) => checkIssuer(world),
    write: ({ world, body }) => {
      const card = issueCard(world, body);
      provisionLater(world, card, body.platformCardId);
      return reply(201, showCard(card));
    },
  }),
  operation({
    id: 'listCards',
    endpoint: 'GET /cards',
    summary: 'List cards, newest first',
    query: CardQuery,
    replies: { 200: CardPage },
    refuses: ['NOT_IMPLEMENTED'],
    load: ({ world }) => checkIssuer(world),
    read: ({ world, query: q }) => {
      const page = world.rows(CARDS).page({
        where: {
          cardholder: q.cardholderId,
          account: q.accountId,
          platformCardId: q.platformCardId,
          state: q.state,
        },
        oldestFirst: q.sortOrder === 'asc',
        limit: q.limit,
        cursor: q.cursor,
      });
      return reply(200, pageOfRows(page, showCard));
    },
  }),
  operation({
    id: 'getCardById',
    endpoint: 'GET /cards/{id}',
    summary: 'Read a card',
    example: { params: { id: a('cards', {}, 'createCard') } },
    replies: { 200: CardShape },
    refuses: ['REFERENCE_NOT_FOUND', 'NOT_IMPLEMENTED'],
    load: ({ world, params }) => issued(world, params.id),
    read: (_ask, card) => reply(200, showCard(card), card),
  }),
  operation({
    id: 'updateCardById',
    endpoint: 'PATCH /cards/{id}',
    summary: 'Freeze, unfreeze or close a card, or change who pays for it and how much it may spend',
    body: CardUpdate,
    example: {
      params: { id: a('cards', ACTIVE, 'createCard') },
      body: oneOf({ state: 'FROZEN' }, { state: 'ACTIVE' }, { maxSpendPerTransaction: 500 }, { state: 'CLOSED' }, {}),
    },
    replies: { 200: CardShape },
    refuses: [
      'FUNDING_SOURCE_INELIGIBLE',
      'REFERENCE_NOT_FOUND',
      'CARD_ALREADY_CLOSED',
      'CARD_NOT_MUTABLE',
      'INVALID_STATE_TRANSITION',
      'NOT_IMPLEMENTED',
    ],
    load: ({ world, params }) => issued(world, params.id),
    write: ({ world, body }, card) => reply(200, showCard(updateCard(world, card, body))),
  }),
  operation({
    id: 'revealCard',
    endpoint: 'POST /cards/{id}/reveal',
    summary: 'Get the address of a page that shows the number of a card',
    example: { params: { id: a('cards', ACTIVE, 'createCard') } },
    replies: { 200: CardReveal },
    refuses: ['REFERENCE_NOT_FOUND', 'NOT_IMPLEMENTED'],
    load: ({ world, params }) => issued(world, params.id),
    write: ({ world, principal }, card) => reply(200, reveal(world, card, principal)),
  }),
  ...simulators,
];

import * as z from 'zod';
import { fail } from '../../src/contract/errors.ts';
import { limit } from '../../src/contract/limit.ts';
import { policyDelay } from '../../src/contract/policy.ts';
import { area } from '../../src/declare/area.ts';
import { decision } from '../../src/declare/decision.ts';
import { job } from '../../src/declare/job.ts';
import { operationsOf, reply } from '../../src/declare/operation.ts';
import { resource } from '../../src/engine/resource.ts';
import { secret } from '../../src/engine/secrets.ts';
import { lazyRow, type RowOf } from '../../src/engine/table.ts';
import type { World } from '../../src/engine/world.ts';

/** An area as a newcomer would add it, in one file: cards of customers, which the catalogue knows and nothing builds yet. */
const CardRow = lazyRow(() =>
  z.strictObject({
    id: z.string().startsWith('Card:'),
    customerId: z.string(),
    name: z.string(),
    stripe: secret(z.string()),
    state: z.enum(['MADE', 'OPEN', 'BURNT']),
    createdAt: z.string(),
  }),
);
type Card = RowOf<typeof CardRow>;
const CardShape = () =>
  z.object({ id: z.string(), customerId: z.string(), name: z.string(), state: z.string(), createdAt: z.string() });

const CARDS = resource('cards', {
  row: CardRow,
  indexes: { customerId: (c) => c.customerId },
  refers: { customerId: 'customers' },
  titles: ['Cards', 'Card', 'Plastic of customers'],
  prefix: 'Card',
  label: (c) => `card of ${c.name}`,
  view: ({ stripe: _, ...shown }) => shown,
  made: 'createCard',
  columns: { State: ['state', 'status'], Created: ['createdAt', 'time'] },
  tones: { BURNT: 'bad' },
});

const CARD_SECONDS = limit('cardSeconds', 60, 'Virtual seconds until a card opens; 60');

function moved(world: World, id: string, state: Card['state']): Omit<Card, 'stripe'> {
  const old = world.rows(CARDS).get(id) ?? fail('REFERENCE_NOT_FOUND', `no card ${id}`);
  const { stripe: _, ...card } = world.rows(CARDS).put({ ...old, state });
  world.emit(`CARD.${state}`, id, card);
  return card;
}

const Opening = () => z.strictObject({ cardId: z.string() });
const Fate = () => z.strictObject({ fate: z.enum(['BURNT']) });
const NewCard = () => z.object({ customerId: z.string(), name: z.string(), stripe: secret(z.string()) });

export const cards = area('cards', {
  tables: [CARDS],
  limits: [CARD_SECONDS],
  rules: [{ place: 'cards 1', about: 'Cards', says: 'A burnt card is not made again.' }],
  operations: [
    operationsOf('Cards')({
      id: 'createCard',
      endpoint: 'POST /cards',
      summary: 'Make a card',
      body: NewCard,
      replies: { 201: CardShape },
      write: ({ world, body }) => {
        const card = { ...body, id: world.newId('Card'), state: 'MADE' as const, createdAt: world.clock.iso() };
        const { stripe: _, ...shown } = world.rows(CARDS).insert(card);
        const wait = Math.max(world.limit(CARD_SECONDS) * 1000, policyDelay(world.policy('card.open')));
        world.schedule('card.open', { cardId: card.id }, wait);
        return reply(201, shown);
      },
    }),
  ],
  jobs: {
    'card.open': job({
      payload: Opening,
      refers: { cardId: 'cards' },
      policy: true,
      words: { verb: 'open', about: ({ cardId }) => cardId, name: (world, id) => world.rows(CARDS).get(id)?.name },
      run:
        (world, { cardId }) =>
        () =>
          void moved(world, cardId, 'OPEN'),
    }),
  },
  events: [{ name: 'card-update', summary: 'A card moved on', types: ['CARD.OPEN', 'CARD.BURNT'], data: CardShape }],
  decisions: [
    decision({
      table: CARDS,
      name: 'fate',
      about: 'Decide what becomes of a card',
      body: Fate,
      decide: (world, id, { fate }) => moved(world, id, fate),
      choices: (_, { state }) => (state === 'OPEN' ? [{ label: 'Burn it', body: { fate: 'BURNT' } }] : []),
    }),
  ],
});

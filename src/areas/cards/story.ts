import { moneyText } from '../../contract/money.ts';
import type { Moment, Picture } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import { CARD_PAYMENTS, credited, perUnit, pulled } from '../transactions/index.ts';
import type { Card } from './card.ts';

/** The most payments of a card that are added up; older ones are left out. */
const ADDED_UP = 1000;

/** Statuses of a payment for which more clearings are expected. */
const OPEN = ['AUTHORIZED', 'PARTIALLY_SETTLED'];

const words = (code: string): string => code.replaceAll('_', ' ').toLowerCase();

/** Returns the timeline of a card; its payments add theirs. */
export function cardStory(c: Card): Moment[] {
  const events = ['STATE_CHANGE'];
  const closed: Moment = {
    at: c.updatedAt,
    loose: true,
    what: 'Closed',
    tone: 'bad',
    detail: c.stateReason && words(c.stateReason),
  };
  return [
    { at: c.createdAt, what: 'Ordered', detail: c.platformCardId },
    ...(c.cardState === 'PROCESSING' ? [{ what: 'Is issued, or rejected', due: 'card.provision' }] : []),
    ...(c.cardState === 'ACTIVE'
      ? [{ at: c.updatedAt, loose: true as const, what: 'Active', tone: 'good' as const, events: events }]
      : []),
    ...(c.cardState === 'FROZEN'
      ? [{ at: c.updatedAt, loose: true as const, what: 'Frozen', tone: 'warn' as const, events: events }]
      : []),
    ...(c.cardState === 'CLOSED' ? [{ ...closed, events: events }] : []),
  ];
}

const BECAUSE: Readonly<Record<Card['cardState'], string>> = {
  PROCESSING: 'the issuer is making it',
  ACTIVE: 'active',
  FROZEN: 'frozen',
  CLOSED: 'closed, for good',
};

/** Returns the picture of a card for its page: whether it can pay, what it has spent, and what is held. */
export function cardPicture(c: Card, world: World): Picture {
  let [held, spent, n] = [0, 0, 0];
  for (const t of world.rows(CARD_PAYMENTS).newest({ where: { cardId: c.id } })) {
    if (t.direction === 'DEBIT') {
      const cleared = Math.min(t.settled * perUnit(t), pulled(t));
      if (OPEN.includes(t.status)) held += pulled(t) - cleared;
      spent += cleared - credited(t);
    }
    if ((n += 1) === ADDED_UP) break;
  }
  const limit = c.maxSpendPerTransaction;
  return {
    may: [{ what: 'Pay', ok: c.cardState === 'ACTIVE', because: BECAUSE[c.cardState] }],
    meters: [
      { what: 'Spent', used: spent, currency: c.currency },
      { what: 'Authorized, not cleared', used: held, currency: c.currency },
    ],
    facts: [
      ['Limit per payment', limit === undefined ? 'no limit' : moneyText(limit, c.currency)],
      ...(c.issued
        ? [
            [
              'Card',
              `${c.issued.brand} •••• ${c.issued.last4}, until ${String(c.issued.expMonth).padStart(2, '0')}/${c.issued.expYear}`,
            ] as const,
          ]
        : []),
    ],
  };
}

import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { lazy } from '../../contract/lazy.ts';
import { decision } from '../../declare/decision.ts';
import { decidedByHand } from '../../engine/decide-later.ts';
import type { World } from '../../engine/world.ts';
import { CARD_PAYMENTS, type CardPayment, showCardPayment, transactionOf } from '../transactions/index.ts';
import { confirmPull } from './payments.ts';
import { CARDS, type Card, cardOf, showCard } from './row.ts';
import { end, provision } from './rules.ts';

/** The outcomes that a tester can choose for a card. */
const CARD_OUTCOMES = {
  ACTIVATE: {
    of: ['PROCESSING'],
    label: 'Activate',
    decide: (world: World, card: Card) => provision(world, card, 'activate'),
  },
  REJECT: {
    of: ['PROCESSING'],
    label: 'Reject',
    decide: (world: World, card: Card) => provision(world, card, 'reject'),
  },
  CLOSE: {
    of: ['PROCESSING', 'ACTIVE', 'FROZEN'],
    label: 'Close it, as the service would',
    decide: (world: World, card: Card) => end(world, card, 'close by service'),
  },
} as const;
const OUTCOMES = Object.keys(CARD_OUTCOMES) as ['ACTIVATE', 'REJECT', 'CLOSE'];

const CardDecision = lazy(() => z.strictObject({ decision: z.enum(OUTCOMES) }));
const PullDecision = lazy(() => z.strictObject({ outcome: z.enum(['CONFIRMED', 'FAILED']) }));

const pendingIn = ({ pulls }: CardPayment): number => pulls.findIndex(({ stage }) => stage === 'PENDING');
const takesPulls = ({ direction, status }: CardPayment): boolean =>
  direction === 'DEBIT' && (status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED');

/**
 * Decides the pending pull; if there is none, `FAILED` makes the next one fail. 409 CONFLICT if neither is possible.
 */
function decidePull(world: World, id: string, outcome: 'CONFIRMED' | 'FAILED'): CardPayment {
  const t = transactionOf(world, id);
  if (t.type !== 'CARD') return fail('CONFLICT', `transaction ${id} is not a payment by card: it has no pulls`);
  const pending = pendingIn(t);
  if (pending >= 0) {
    decidedByHand(world, 'card.pull', { transactionId: id, pull: pending });
    return confirmPull(world, t, pending, outcome === 'FAILED');
  }
  if (outcome === 'CONFIRMED' || !takesPulls(t))
    fail('CONFLICT', `no pull of transaction ${id} waits for its confirmation`, {
      why: { rule: 'reference 4.4', seen: t.status },
    });
  return world.rows(CARD_PAYMENTS).put({ ...t, nextPull: 'FAILS' });
}

export const decisions = [
  decision({
    table: CARDS,
    name: 'decision',
    about: 'Decide what the issuer makes of a new card: ACTIVATE or REJECT; or CLOSE a card as the service does',
    body: CardDecision,
    decide: (world, id, { decision: what }) => {
      const decided = CARD_OUTCOMES[what].decide(world, cardOf(world, id));
      decidedByHand(world, 'card.provision', { cardId: id });
      return showCard(decided);
    },
    choices: (_world, { cardState }) =>
      OUTCOMES.filter((what) => CARD_OUTCOMES[what].of.some((from) => from === cardState)).map((what) => ({
        label: CARD_OUTCOMES[what].label,
        body: { decision: what },
        danger: what !== 'ACTIVATE',
      })),
  }),
  decision({
    table: CARD_PAYMENTS,
    name: 'pull',
    about:
      'Decide the pull of a card payment that waits for its confirmation: CONFIRMED or FAILED; where none waits, FAILED has the next one fail',
    body: PullDecision,
    decide: (world, id, { outcome }) => showCardPayment(decidePull(world, id, outcome)),
    choices: (_world, t) => {
      if (t.type !== 'CARD') return [];
      if (pendingIn(t) >= 0)
        return [
          { label: 'Confirm the pull', body: { outcome: 'CONFIRMED' } },
          { label: 'Fail the pull', body: { outcome: 'FAILED' }, danger: true },
        ];
      return takesPulls(t) && t.nextPull === undefined
        ? [{ label: 'Fail the next pull', body: { outcome: 'FAILED' }, danger: true }]
        : [];
    },
  }),
];

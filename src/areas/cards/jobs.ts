import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { moneyText } from '../../contract/money.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { personName } from '../customers/index.ts';
import { CARD_PAYMENTS, type CardPayment } from '../transactions/index.ts';
import { confirmPull, expire, isOpen } from './payments.ts';
import { CARDS } from './row.ts';
import { cardName, provision } from './rules.ts';

/** Returns the card payment with an id, if there is one. */
function cardPaymentIn(world: World, id: string): CardPayment | undefined {
  const t = world.rows(CARD_PAYMENTS).get(id);
  return t?.type === 'CARD' ? t : undefined;
}

function paymentName(world: World, id: string): string | undefined {
  const t = cardPaymentIn(world, id);
  const whose = personName(world, t?.customerId);
  return t && `the card payment of ${moneyText(t.authorized, t.currency)}${whose === undefined ? '' : ` by ${whose}`}`;
}
const about = ({ transactionId }: { transactionId: string }): string => transactionId;

const ProvisionPayload = lazy(() => z.strictObject({ cardId: z.string(), outcome: z.enum(['activate', 'reject']) }));
const PullPayload = lazy(() => z.strictObject({ transactionId: z.string(), pull: z.int().min(0), fails: z.boolean() }));
const HoldPayload = lazy(() => z.strictObject({ transactionId: z.string() }));

export const jobs: Readonly<Record<string, JobKind>> = {
  'card.provision': job({
    payload: ProvisionPayload,
    refers: { cardId: 'cards' },
    policy: true,
    words: { verb: ({ outcome }) => outcome, about: ({ cardId }) => cardId, name: cardName },
    write: (world, { cardId, outcome }) => {
      const card = world.rows(CARDS).get(cardId);
      if (card?.cardState === 'PROCESSING') provision(world, card, outcome);
    },
  }),
  'card.pull': job({
    payload: PullPayload,
    refers: { transactionId: 'transactions' },
    policy: true,
    words: {
      verb: ({ fails }) => (fails ? 'fail to confirm the pull for' : 'confirm the pull for'),
      about,
      name: paymentName,
    },
    write: (world, { transactionId, pull, fails }) => {
      const t = cardPaymentIn(world, transactionId);
      if (t) confirmPull(world, t, pull, fails);
    },
  }),
  'card.hold': job({
    payload: HoldPayload,
    refers: { transactionId: 'transactions' },
    words: { verb: 'release what is left of', about, name: paymentName },
    write: (world, { transactionId }) => {
      const t = cardPaymentIn(world, transactionId);
      if (t && isOpen(t)) expire(world, t);
    },
  }),
};

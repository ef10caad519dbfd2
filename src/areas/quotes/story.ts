import type { Moment, Picture } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import { TRANSACTIONS } from '../transactions/index.ts';
import type { Quote } from './row.ts';

/** Returns the timeline of a quote: its creation, and what its payment did. */
export function quoteStory(q: Quote, world: World): Moment[] {
  const payment = world.rows(TRANSACTIONS).get(q.transactionId);
  const [first, ...rest] = payment ? (TRANSACTIONS.story?.(payment, world) ?? []) : [];
  const open = payment && ['PENDING', 'PENDING_AUTHORIZATION'].includes(payment.status) && !isPaid(payment);
  return [
    { at: q.createdAt, what: 'Quoted', detail: first?.detail },
    ...rest,
    ...(open ? [{ at: q.expiresAt, what: 'Expires unless it is executed', due: 'quote.expire' as const }] : []),
  ];
}

const isPaid = (payment: object): boolean => 'debited' in payment && payment.debited === true;

/** Returns the picture of a quote for its page: its payment, and when it expires. */
export function quotePicture(q: Quote, world: World): Picture {
  const payment = world.rows(TRANSACTIONS).get(q.transactionId);
  const picture = payment ? TRANSACTIONS.picture?.(payment, world) : undefined;
  const open = payment?.status === 'PENDING' && !isPaid(payment);
  const left = Math.max(0, Math.round((Date.parse(q.expiresAt) - world.clock.now()) / 1000));
  return {
    ...picture,
    facts: open ? [['Can be executed for', left > 0 ? `${left} seconds more` : 'no longer']] : undefined,
  };
}

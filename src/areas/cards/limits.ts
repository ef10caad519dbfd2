import { limit } from '../../contract/limit.ts';

export const CARD_HOLD = limit(
  'cardHoldSeconds',
  7 * 86_400,
  'How long what a card payment authorizes is held without a clearing, in virtual seconds; 604800',
);
export const CARD_REVEAL = limit(
  'cardRevealSeconds',
  300,
  'How long the address that shows the number of a card works, in virtual seconds; 300',
);

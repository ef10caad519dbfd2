import { fail } from '../../contract/errors.ts';
import type { Principal } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { CARD_REVEAL } from './limits.ts';
import { type Card, REVEALS } from './row.ts';

/**
 * Records who asks to see the number of a card, and returns the address of the page that shows it (reference 3.1). 403
 * FORBIDDEN without an API token; 404 REFERENCE_NOT_FOUND while the issuer has not issued the card.
 */
export function reveal(world: World, card: Card, principal: Principal) {
  if (principal.kind !== 'platform')
    return fail('FORBIDDEN', 'a reveal is recorded with the token that asks for it', {
      why: { rule: 'reference 3.1' },
    });
  if (!card.issued)
    fail('REFERENCE_NOT_FOUND', `card ${card.id} is ${card.cardState} and has no number`, {
      why: { rule: 'reference 3.1', expected: 'a card that the issuer has made', seen: card.cardState },
    });
  const expiresAt = new Date(world.clock.now() + world.lasting(CARD_REVEAL)).toISOString();
  const record = world.rows(REVEALS).insert({
    id: world.newId('CardReveal'),
    cardId: card.id,
    actor: principal.tokenId,
    createdAt: world.clock.iso(),
    expiresAt,
  });
  const url = new URL('https://cards.example/embed');
  url.searchParams.set('reveal', record.id);
  url.searchParams.set('token', world.ids.hex(32));
  return { panEmbedUrl: url.href, expiresAt };
}

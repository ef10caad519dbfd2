/**
 * Invitations: a link with which a customer brings a new user to a UMA address.
 *
 * Chosen where the specification is silent:
 * - The inviter must be a customer who is not deleted; the invitee may have an address of any domain.
 * - `amountToSend` is in the inviter's first currency, and only shown: sending it is the platform's part.
 * - An expired invitation is 400 `INVALID_INPUT` with `details.expirationTime`; an end in the past is refused.
 * - A code is known to the sandbox that issued it. Other platforms claim it with a token of this sandbox: there is no
 *   second platform in one world, so 403 for a foreign cancel does not arise. The page behind `url` is not served.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { INVITATIONS } from './rules.ts';
import { InvitationShape } from './schema.ts';

export const invitations = area('invitations', {
  tables: [INVITATIONS],
  operations: routes,
  events: [
    {
      name: 'invitation-claimed',
      summary: 'An invitation was claimed',
      types: ['INVITATION.CLAIMED'],
      data: InvitationShape,
    },
  ],
});

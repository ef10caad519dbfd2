/**
 * Invitations: a link with which a customer brings a new user to a UMA address.
 * Chosen where the specification is silent:
 * - The inviter must be a customer who has not been deleted; the invitee may have an address of any domain.
 * - `amountToSend` is in the inviter's first currency, and only shown: the platform must send it.
 * - An expired invitation is 400 `INVALID_INPUT` with `details.expirationTime`; an expiry in the past is refused.
 * - Deleting the inviter cancels unclaimed invitations.
 * - Only the sandbox that issued a code knows it. Other platforms claim it with a token of this sandbox: there is no
 *   second platform in one world, so 403 for a foreign cancel never occurs. The page behind `url` is not served.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { INVITATION } from './machine.ts';
import { routes } from './routes.ts';
import { cancelAllOf, INVITATIONS } from './rules.ts';
import { InvitationShape } from './schema.ts';

export const invitations = area('invitations', {
  machines: [INVITATION],
  tables: [INVITATIONS],
  operations: routes,
  events: [
    {
      name: 'invitation-claimed',
      summary: 'An invitation was claimed',
      types: ['INVITATION.CLAIMED'],
      data: InvitationShape,
      after: { 'INVITATION.CLAIMED': [{ call: 'createInvitation', main: true }, 'claimInvitation'] },
    },
  ],
  reactions: [on(CUSTOMER_DELETED, cancelAllOf)],
});

import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyAmountShape } from '../../contract/money.ts';
import { Moment, SentMoment, Text } from '../../contract/shapes.ts';

const Uma = lazy(() =>
  z
    .string()
    .max(500)
    .meta({ examples: ['$rosa@pay.example'] }),
);

export const InvitationCreate = named('UmaInvitationCreateRequest', () =>
  z.object({
    inviterUma: Uma(),
    firstName: Text(200).min(1).optional(),
    amountToSend: z
      .int()
      .min(1)
      .optional()
      .describe(
        "Shown to the invitee, in the smallest unit of the inviter's currency; sending it is the inviter's part",
      ),
    expiresAt: SentMoment().optional(),
  }),
);

export const InvitationClaim = named('UmaInvitationClaimRequest', () => z.object({ inviteeUma: Uma() }));

export const InvitationShape = named('UmaInvitation', () =>
  z.strictObject({
    code: z.string().meta({ examples: ['0195a7c2'] }),
    createdAt: Moment(),
    claimedAt: Moment().optional(),
    url: z.url().describe('Where it can be claimed'),
    expiresAt: Moment().optional(),
    inviterUma: z.string(),
    inviteeUma: z.string().optional(),
    status: z.enum(['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED']),
    firstName: z.string().optional(),
    amountToSend: CurrencyAmountShape().optional(),
  }),
);

import { a, ahead, inDays, not, oneOf, who } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { cancel, claim, invitationOf, invite, openInvitation, showInvitation } from './rules.ts';
import { InvitationClaim, InvitationCreate, InvitationShape } from './schema.ts';

const operation = operationsOf('Invitations');
const OPEN = a('invitations', { status: 'PENDING', expiresAt: ahead }, 'createInvitation');

export const routes = [
  operation({
    id: 'createInvitation',
    endpoint: 'POST /invitations',
    summary: 'Invite somebody in the name of a customer',
    body: InvitationCreate,
    example: {
      body: {
        inviterUma: who({ umaAddress: not('') }, { member: 'umaAddress' }),
        firstName: 'Joe',
        amountToSend: 500,
        expiresAt: inDays(30),
      },
    },
    makes: { invitations: { id: 'code' } },
    replies: { 201: InvitationShape },
    refuses: ['INVITATIONS_NOT_CONFIGURED', 'INVALID_UMA_ADDRESS'],
    write: ({ world, body }) => reply(201, showInvitation(world, invite(world, body))),
  }),
  operation({
    id: 'getInvitation',
    endpoint: 'GET /invitations/{invitationCode}',
    summary: 'Read an invitation',
    example: { params: { invitationCode: a('invitations', {}, 'createInvitation') } },
    replies: { 200: InvitationShape },
    refuses: ['INVITATION_NOT_FOUND'],
    load: ({ world, params }) => invitationOf(world, params.invitationCode),
    read: ({ world }, invitation) => reply(200, showInvitation(world, invitation)),
  }),
  operation({
    id: 'claimInvitation',
    endpoint: 'POST /invitations/{invitationCode}/claim',
    summary: 'Claim an invitation',
    body: InvitationClaim,
    example: {
      params: { invitationCode: OPEN },
      body: { inviteeUma: oneOf('$joe@bank.example', '$success.usd@sandbox.uma.money') },
    },
    replies: { 200: InvitationShape },
    refuses: ['INVALID_UMA_ADDRESS', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED', 'INVITATION_NOT_FOUND'],
    load: ({ world, params }) => openInvitation(world, params.invitationCode),
    write: ({ world, body }, invitation) =>
      reply(200, showInvitation(world, claim(world, invitation, body.inviteeUma))),
  }),
  operation({
    id: 'cancelInvitation',
    endpoint: 'POST /invitations/{invitationCode}/cancel',
    summary: 'Take an invitation back',
    example: { params: { invitationCode: OPEN } },
    replies: { 200: InvitationShape },
    refuses: ['INVALID_INPUT', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED', 'INVITATION_NOT_FOUND'],
    load: ({ world, params }) => openInvitation(world, params.invitationCode),
    write: ({ world }, invitation) => reply(200, showInvitation(world, cancel(world, invitation))),
  }),
];

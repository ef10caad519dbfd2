import { operationsOf, reply } from '../../declare/operation.ts';
import { cancel, claim, invitationOf, invite, openInvitation, showInvitation } from './rules.ts';
import { InvitationClaim, InvitationCreate, InvitationShape } from './schema.ts';

const operation = operationsOf('Invitations');

export const routes = [
  operation({
    id: 'createInvitation',
    endpoint: 'POST /invitations',
    summary: 'Invite somebody in the name of a customer',
    body: InvitationCreate,
    replies: { 201: InvitationShape },
    refuses: ['INVITATIONS_NOT_CONFIGURED', 'INVALID_UMA_ADDRESS'],
    write: ({ world, body }) => reply(201, showInvitation(world, invite(world, body))),
  }),
  operation({
    id: 'getInvitation',
    endpoint: 'GET /invitations/{invitationCode}',
    summary: 'Read an invitation',
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
    replies: { 200: InvitationShape },
    refuses: ['INVALID_INPUT', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED', 'INVITATION_NOT_FOUND'],
    load: ({ world, params }) => openInvitation(world, params.invitationCode),
    write: ({ world }, invitation) => reply(200, showInvitation(world, cancel(world, invitation))),
  }),
];

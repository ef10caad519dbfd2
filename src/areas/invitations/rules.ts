import * as z from 'zod';
import { type ErrorCode, fail, failFields } from '../../contract/errors.ts';
import { lowerCase } from '../../contract/lower-case.ts';
import { CurrencyShape, money } from '../../contract/money.ts';
import { MinorUnits, Moment } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, type Customer } from '../customers/index.ts';
import { platformOf } from '../platform/index.ts';
import { INVITATION } from './machine.ts';
import type { InvitationCreate } from './schema.ts';

const InvitationRow = lazyRow(() =>
  z.strictObject({
    id: z.string().min(1),
    inviterUma: z.string(),
    /** The id of the inviting customer, whose address may change; missing in invitations of older states. */
    inviterId: z.string().optional(),
    firstName: z.string().optional(),
    amountToSend: AmountRow().optional(),
    status: z.enum(['PENDING', 'CLAIMED', 'CANCELLED']),
    inviteeUma: z.string().optional(),
    createdAt: Moment(),
    claimedAt: Moment().optional(),
    expiresAt: Moment().optional(),
  }),
);

/** An invitation; its code is its id. Its expiry is never written: each read compares the time. */
export type Invitation = RowOf<typeof InvitationRow>;
const AmountRow = () => z.strictObject({ amount: MinorUnits().min(0), currency: CurrencyShape().required() });

export const INVITATIONS = resource('invitations', {
  row: InvitationRow,
  indexes: { inviterUma: (i) => i.inviterUma, inviter: (i) => i.inviterId },
  refers: { inviterId: 'customers' },
  titles: ['Invitations', 'Invitation', 'Invitations by UMA address'],
  view: (row, world) => showInvitation(world, row),
  made: 'createInvitation',
  columns: { Status: ['status', 'status'], From: 'inviterUma', Created: ['createdAt', 'time'] },
  tones: { CLAIMED: 'good', CANCELLED: 'bad', EXPIRED: 'bad', PENDING: 'warn' },
});

/** Returns one invitation. 404 INVITATION_NOT_FOUND. */
export const invitationOf = rowOr404(INVITATIONS, 'INVITATION_NOT_FOUND', 'invitation');

const isExpired = (world: World, { status, expiresAt }: Invitation): boolean =>
  status === 'PENDING' && expiresAt !== undefined && Date.parse(expiresAt) <= world.clock.now();

/** Returns an invitation as replies and webhooks show it. */
export const showInvitation = (world: World, invitation: Invitation) => {
  const { id, status, inviterId: _, ...rest } = invitation;
  return {
    ...rest,
    code: id,
    url: `https://invite.example/i/${id}`,
    status: isExpired(world, invitation) ? ('EXPIRED' as const) : status,
  };
};

const INVITED = lifecycle(INVITATIONS, {
  state: 'status',
  machine: INVITATION,
  event: (_, end) => `INVITATION.${end}`,
  view: (invitation, world) => showInvitation(world, invitation),
});

const ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

function badUma(field: string, message: string, seen: string): never {
  return fail('INVALID_UMA_ADDRESS', `${field}: ${message}`, {
    details: { errors: [{ field, message }] },
    why: { rule: 'spec 2.8', seen },
  });
}

/**
 * Creates an invitation on behalf of a customer. 400 INVITATIONS_NOT_CONFIGURED if the platform has none, 400
 * INVALID_UMA_ADDRESS for an inviter who is not a customer, 400 INVALID_INPUT for an expiry in the past.
 */
export function invite(world: World, sent: Infer<typeof InvitationCreate>): Invitation {
  if (platformOf(world).invitations === false)
    fail(
      'INVITATIONS_NOT_CONFIGURED',
      'this platform has no invitations: its scenario says platform.invitations: false',
    );
  const inviterUma = lowerCase(sent.inviterUma);
  const inviter = world.rows(CUSTOMERS).find('umaAddress', inviterUma);
  if (!inviter) badUma('inviterUma', 'not the UMA address of a customer of this platform', sent.inviterUma);
  if (sent.expiresAt !== undefined && Date.parse(sent.expiresAt) <= world.clock.now())
    failFields([{ field: 'expiresAt', message: 'must be in the future' }]);
  const [currency = 'USD'] = inviter.currencies;
  return begin(world, INVITED, 'invite', (status) => ({
    id: freeCode(world),
    inviterUma,
    inviterId: inviter.id,
    firstName: sent.firstName,
    amountToSend: sent.amountToSend === undefined ? undefined : money(sent.amountToSend, currency),
    status,
    createdAt: world.clock.iso(),
    expiresAt: sent.expiresAt,
  }));
}

function freeCode(world: World): string {
  for (;;) {
    const code = world.ids.hex(4);
    if (!world.rows(INVITATIONS).get(code)) return code;
  }
}

/** The refusals for an invitation that was claimed or cancelled. */
const CLOSED: Readonly<Record<'CLAIMED' | 'CANCELLED', { code: ErrorCode; message: string }>> = {
  CLAIMED: { code: 'INVITATION_ALREADY_CLAIMED', message: 'was claimed before' },
  CANCELLED: { code: 'INVITATION_CANCELLED', message: 'was cancelled' },
};

/** Returns an invitation that can still be claimed or cancelled; both, and its expiry, are final. */
export function openInvitation(world: World, code: string): Invitation {
  const invitation = invitationOf(world, code);
  if (invitation.status !== 'PENDING') {
    const closed = CLOSED[invitation.status];
    fail(closed.code, `invitation ${code} ${closed.message}`, { why: { seen: invitation.status } });
  }
  if (isExpired(world, invitation))
    fail('INVALID_INPUT', `invitation ${code} expired at ${invitation.expiresAt}`, {
      details: { expirationTime: invitation.expiresAt },
      why: { rule: 'an invitation ends at its expiresAt', seen: world.clock.iso() },
    });
  return invitation;
}

/** Claims an invitation for a UMA address of any platform; the inviter's platform is notified. */
export function claim(world: World, invitation: Invitation, invitee: string): Invitation {
  const inviteeUma = lowerCase(invitee);
  if (!ADDRESS.test(inviteeUma)) badUma('inviteeUma', 'not of the form $username@domain', invitee);
  return move(world, INVITED, invitation, 'claim', { inviteeUma, claimedAt: world.clock.iso() });
}

/** Take an invitation back. */
export const cancel = (world: World, invitation: Invitation): Invitation => move(world, INVITED, invitation, 'cancel');

/**
 * Cancels the open invitations of a deleted customer, whatever address they were sent from; expired ones stay as they
 * are.
 */
export function cancelAllOf(world: World, { id, umaAddress }: Customer): void {
  if (!world.holds(INVITATIONS)) return;
  const invitations = world.rows(INVITATIONS);
  const older = [...invitations.all('inviterUma', umaAddress)].filter(({ inviterId }) => inviterId === undefined);
  for (const invitation of [...invitations.all('inviter', id), ...older])
    if (invitation.status === 'PENDING' && !isExpired(world, invitation)) cancel(world, invitation);
}

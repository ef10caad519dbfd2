import { type ErrorCode, fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { accountOf, changeWallet, walletsOf } from '../accounts/index.ts';
import { forgetSessions, renameSessionsOf } from '../sessions/index.ts';
import { endCode } from './kinds/otp.ts';
import type { Credential } from './row.ts';
import { CREDENTIALS, credentialsOf, linkedTo, updateCredential } from './rules.ts';

/** The two contacts that credentials can be tied to, with the credential type and the refusal code of each. */
export const CONTACT_KINDS = {
  email: { type: 'EMAIL_OTP', taken: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS' },
  phoneNumber: { type: 'SMS_OTP', taken: 'CONFLICT' },
} as const satisfies Record<string, { type: 'EMAIL_OTP' | 'SMS_OTP'; taken: ErrorCode }>;
export type ContactKind = keyof typeof CONTACT_KINDS;

/** Returns the credentials of a customer's wallets that are tied to this contact (spec 4.1). */
export const linkedCredentials = (world: World, customerId: string, kind: ContactKind): Credential[] =>
  walletsOf(world, customerId).flatMap((wallet) =>
    credentialsOf(world, wallet.id).filter((c) => c.type === CONTACT_KINDS[kind].type),
  );

/**
 * Refuses a contact that a credential on this or another wallet is already tied to: 409 (spec 7). A holder who is no
 * longer a customer frees it.
 */
export function contactClash(
  world: World,
  kind: ContactKind,
  contact: string,
  isActive: (customerId: string) => boolean,
): void {
  const { type, taken } = CONTACT_KINDS[kind];
  const holder = linkedTo(world, type, contact).find(({ accountId }) => {
    const { customerId } = accountOf(world, accountId);
    return customerId !== undefined && isActive(customerId);
  });
  if (holder)
    fail(taken, `${contact} is tied to an ${type} credential already`, {
      why: { rule: 'spec 7, status 409', seen: holder.id },
    });
}

/**
 * Changes the contact of a customer's wallets, their tied credentials and the sessions together (spec 4.1). A code that
 * was sent to the old address ends.
 */
export function changeContact(world: World, customerId: string, kind: ContactKind, contact: string | undefined): void {
  for (const credential of linkedCredentials(world, customerId, kind)) {
    if (contact !== undefined) {
      updateCredential(world, credential, { nickname: contact });
      renameSessionsOf(world, credential.id, contact);
    }
    endCode(world, credential.id);
  }
  for (const wallet of walletsOf(world, customerId))
    changeWallet(world, wallet, { contact: { ...wallet.contact, [kind]: contact } });
}

/**
 * Closes the wallets of a deleted customer: nobody can log in, sign or export any more, and their contacts are free
 * again. A wallet, its credentials and its sessions are unknown from then on (404).
 */
export function closeWallets(world: World, customerId: string): void {
  for (const wallet of walletsOf(world, customerId)) {
    for (const credential of credentialsOf(world, wallet.id)) {
      endCode(world, credential.id);
      world.rows(CREDENTIALS).remove(credential.id);
    }
    forgetSessions(world, wallet.id);
    changeWallet(world, wallet, { ownerDeleted: true });
  }
}

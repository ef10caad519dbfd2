import { type ErrorCode, fail } from '../../kernel/errors.ts';
import type { World } from '../../kernel/world.ts';
import { accountOf, changeWallet, walletsOf } from '../accounts/index.ts';
import { type Credential, credentialsOf, tiedTo, touch } from './rules.ts';

/** The two contacts that credentials are tied to, and what belongs to each. */
export const CONTACT_KINDS = {
  email: { type: 'EMAIL_OTP', taken: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS' },
  phoneNumber: { type: 'SMS_OTP', taken: 'CONFLICT' },
} as const satisfies Record<string, { type: 'EMAIL_OTP' | 'SMS_OTP'; taken: ErrorCode }>;
export type ContactKind = keyof typeof CONTACT_KINDS;

/** The credentials of a customer's wallets that are tied to this contact of theirs (spec 4.1). */
export const tiedCredentials = (world: World, customerId: string, kind: ContactKind): Credential[] =>
  walletsOf(world, customerId).flatMap((wallet) =>
    credentialsOf(world, wallet.id).filter((c) => c.type === CONTACT_KINDS[kind].type),
  );

/**
 * Refuses a contact that is tied to a credential already, on this wallet or another: 409 (spec 7). A holder who is no
 * longer a customer frees it.
 */
export function contactClash(
  world: World,
  kind: ContactKind,
  contact: string,
  isActive: (customerId: string) => boolean,
): void {
  const { type, taken } = CONTACT_KINDS[kind];
  const holder = tiedTo(world, type, contact).find(({ accountId }) => {
    const { customerId } = accountOf(world, accountId);
    return customerId !== undefined && isActive(customerId);
  });
  if (holder)
    fail(taken, `${contact} is tied to an ${type} credential already`, {
      why: { rule: 'spec 7, status 409', seen: holder.id },
    });
}

/** The owner of these wallets is reached elsewhere: wallets and tied credentials change together (spec 4.1). */
export function changeContact(world: World, customerId: string, kind: ContactKind, contact: string | undefined): void {
  if (contact !== undefined)
    for (const credential of tiedCredentials(world, customerId, kind)) touch(world, credential, { nickname: contact });
  for (const wallet of walletsOf(world, customerId))
    changeWallet(world, wallet, { contact: { ...wallet.contact, [kind]: contact } });
}

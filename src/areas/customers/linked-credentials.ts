import { fail } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { walletsOf } from '../accounts/index.ts';
import { type ContactKind, contactClash, linkedCredentials } from '../credentials/index.ts';
import { activity, walletIds } from '../signing/index.ts';
import type { Customer } from './row.ts';
import { activeCustomer, customerOf } from './rules.ts';
import type { CustomerUpdate } from './schema.ts';
import { type PlannedUpdate, planUpdate } from './update.ts';

type Update = Infer<typeof CustomerUpdate>;

/** The activity with which a wallet's owner authorizes the change of each contact. */
const ACTIVITIES = {
  email: { type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameter: 'userEmail' },
  phoneNumber: { type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', parameter: 'userPhoneNumber' },
} as const;

/**
 * Returns whether a change gives a contact another value. Clearing a tied contact is refused, so it needs no signature.
 */
const differs = (customer: Customer, change: Update, kind: ContactKind): boolean =>
  typeof change[kind] === 'string' && change[kind] !== customer[kind];

/** Returns the contact in a change that credentials are tied to, which needs a signature (spec 4.1). */
export const linkedContact = (world: World, customer: Customer, change: Update): ContactKind | undefined =>
  (['email', 'phoneNumber'] as const).find(
    (kind) => differs(customer, change, kind) && linkedCredentials(world, customer.id, kind).length > 0,
  );

/**
 * Refuses a contact that another customer's credential is tied to: 409 EMAIL_OTP_EMAIL_ALREADY_EXISTS, for a phone
 * CONFLICT. Deleting its holder frees it (spec 7).
 */
function checkTiedElsewhere(world: World, { id }: Customer, kind: ContactKind, contact: string): void {
  contactClash(world, kind, contact, (holder) => holder !== id && !customerOf(world, holder).isDeleted);
}

/** Refuses a new phone number that another customer's credential is tied to: 409 CONFLICT (spec 7). */
export function checkPhoneFree(world: World, customer: Customer, phoneNumber: string): void {
  if (differs(customer, { phoneNumber }, 'phoneNumber'))
    checkTiedElsewhere(world, customer, 'phoneNumber', phoneNumber);
}

/** A planned change, with the contact that needs a signature. */
export interface LinkedUpdate extends PlannedUpdate {
  readonly linked: ContactKind | undefined;
}

/**
 * Plans a change that a wallet's owner may have to sign. Two contacts in one call are 400 if one is tied, and in
 * profile `grid` always. A contact tied to another customer's credential is 409 EMAIL_OTP_EMAIL_ALREADY_EXISTS, for a
 * phone CONFLICT. 404 USER_NOT_FOUND, else as `planUpdate` refuses.
 */
export function planLinkedUpdate(world: World, id: string, change: Update): LinkedUpdate {
  const customer = activeCustomer(world, id);
  const linked = linkedContact(world, customer, change);
  const changed = (['email', 'phoneNumber'] as const).filter((kind) => differs(customer, change, kind));
  if (changed.length > 1 && (linked !== undefined || world.profile.rules.contactsApart))
    fail('INVALID_INPUT', 'email and phoneNumber are changed in separate calls', { why: { rule: 'spec 4.1' } });
  for (const kind of changed) checkTiedElsewhere(world, customer, kind, change[kind] as string);
  return { ...planUpdate(world, customer, change), linked };
}

/** Returns the ids of a customer's wallets: any session of any of them may sign. */
export const walletIdsOf = (world: World, id: string): string[] => walletsOf(world, id).map((wallet) => wallet.id);

/** Returns the text to sign: the new contact, on behalf of the customer's first wallet. */
export function linkedPayload(world: World, { old, next, linked = 'email' }: LinkedUpdate): string {
  const [wallet] = walletsOf(world, old.id);
  if (!wallet) throw new Error('a tied credential has a wallet');
  const { type, parameter } = ACTIVITIES[linked];
  return activity(world, wallet.id, type, { [parameter]: next[linked], userId: walletIds(wallet.id).userId });
}

/** Returns the ids of the tied credentials as they are now; a retry must find the same ones. */
export const linkedSet = (world: World, { old, linked }: LinkedUpdate): string =>
  linked === undefined
    ? ''
    : linkedCredentials(world, old.id, linked)
        .map((credential) => `${credential.id} ${credential.nickname}`)
        .sort()
        .join(', ');

/** Refuses a retry whose tied credentials are not those that were signed for: 409. */
export const linkedSetChanged = (): never =>
  fail('EMAIL_OTP_CREDENTIAL_SET_CHANGED', 'the tied credentials changed after the challenge was issued; start again', {
    why: { rule: 'spec 7, status 409' },
  });

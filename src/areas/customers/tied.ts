import { fail } from '../../kernel/errors.ts';
import type { Infer } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import { walletsOf } from '../accounts/index.ts';
import { type ContactKind, contactClash, tiedCredentials } from '../credentials/index.ts';
import { activity, walletIds } from '../signing/index.ts';
import { activeCustomer, type Customer, customerOf } from './rules.ts';
import type { CustomerUpdate } from './schema.ts';
import { updateCustomer } from './update.ts';

type Update = Infer<typeof CustomerUpdate>;

/** How a wallet's owner authorizes each contact's change. */
const ACTIVITIES = {
  email: { type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameter: 'userEmail' },
  phoneNumber: { type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', parameter: 'userPhoneNumber' },
} as const;

/** Whether a change gives a contact another value; clearing one that is tied is refused, not signed for. */
const differs = (customer: Customer, change: Update, kind: ContactKind): boolean =>
  typeof change[kind] === 'string' && change[kind] !== customer[kind];

/** The contacts that a change would change and that credentials are tied to (spec 4.1). */
const tiedChanges = (world: World, id: string, change: Update): ContactKind[] => {
  const customer = activeCustomer(world, id);
  return (['email', 'phoneNumber'] as const).filter(
    (kind) => differs(customer, change, kind) && tiedCredentials(world, id, kind).length > 0,
  );
};

/** The contact whose change has to be signed for, if this is such a change. */
export const tiedChange = (world: World, id: string, change: Update): ContactKind | undefined =>
  tiedChanges(world, id, change)[0];

/**
 * Preconditions of a signed contact change: one contact a call (400), and not one that another credential is tied to
 * (409 `EMAIL_OTP_EMAIL_ALREADY_EXISTS`, for a phone `CONFLICT`), unless its holder is deleted.
 */
export function checkTiedChange(world: World, id: string, change: Update): void {
  const kind = tiedChange(world, id, change);
  if (kind === undefined) return;
  const customer = activeCustomer(world, id);
  if (differs(customer, change, 'email') && differs(customer, change, 'phoneNumber'))
    fail('INVALID_INPUT', 'email and phoneNumber are changed in separate calls', { why: { rule: 'spec 4.1' } });
  const isOther = (holder: string) => holder !== id && !customerOf(world, holder).isDeleted;
  contactClash(world, kind, change[kind] as string, isOther);
  rehearse(world, () => updateCustomer(world, id, change));
}

/** Let work refuse what it would refuse, and take it back: nobody is asked to sign for what cannot be done. */
function rehearse(world: World, work: () => void): void {
  const over = new Error('the rehearsal is over');
  try {
    world.transact(() => {
      work();
      throw over;
    });
  } catch (error) {
    if (error !== over) throw error;
  }
}

/** The ids of a customer's wallets: any session of any of them may sign. */
export const walletIdsOf = (world: World, id: string): string[] => walletsOf(world, id).map((wallet) => wallet.id);

/** What is signed: the new contact, in the name of the customer's first wallet. */
export function tiedPayload(world: World, id: string, change: Update): string {
  const kind = tiedChange(world, id, change) ?? 'email';
  const [wallet] = walletsOf(world, id);
  if (!wallet) throw new Error('a tied credential has a wallet');
  const { type, parameter } = ACTIVITIES[kind];
  return activity(world, wallet.id, type, { [parameter]: change[kind], userId: walletIds(wallet.id).userId });
}

/** The tied credentials as they are now; the retry must find the same ones. */
export function tiedSet(world: World, id: string, change: Update): string {
  const kind = tiedChange(world, id, change);
  return kind === undefined
    ? ''
    : tiedCredentials(world, id, kind)
        .map((credential) => `${credential.id} ${credential.nickname}`)
        .sort()
        .join(', ');
}

/** The set is not the one that was signed for: 409. */
export const tiedSetChanged = (): never =>
  fail('EMAIL_OTP_CREDENTIAL_SET_CHANGED', 'the tied credentials changed after the challenge was issued; begin anew', {
    why: { rule: 'spec 7, status 409' },
  });

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, failFields } from '../../contract/errors.ts';
import { lowerCase } from '../../contract/lower-case.ts';
import { present } from '../../contract/shapes.ts';
import type { World } from '../../engine/world.ts';
import { type ContactKind, changeContact, linkedCredentials } from '../credentials/index.ts';
import { platformOf } from '../platform/index.ts';
import { ADDRESS_OF, type Channel } from './channels.ts';
import { changedDetails, refuseDetails, type Update, unchangeable, wrongDetails } from './details.ts';
import { requireAfter, usableCurrencies } from './required.ts';
import type { Customer } from './row.ts';
import { activeCustomer, CUSTOMERS, checkFree, openFor } from './rules.ts';
import { awaitsTerms, checkConsent } from './terms.ts';
import { umaAddress } from './uma.ts';

const CONTACTS: readonly ContactKind[] = ['email', 'phoneNumber'];

/** Returns the value after a change: the one sent, undefined for `null`, the old one if nothing was sent. */
const changed = <T>(old: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? old : (sent ?? undefined);

/** A change that passed every check: the customer before and after it. */
export interface PlannedUpdate {
  readonly old: Customer;
  readonly next: Customer;
}

/**
 * Plans a change of a customer (spec 4.1). Members that are not sent stay; `null` clears an optional member. Only what
 * differs from the stored row is checked. 400 INVALID_INPUT, INVALID_UMA_ADDRESS, INVALID_CURRENCY or
 * MISSING_MANDATORY_USER_INFO, 409 UMA_ADDRESS_EXISTS.
 */
export function planUpdate(world: World, old: Customer, sent: Update): PlannedUpdate {
  refuseFixed(world, old, sent);
  const next: Customer = { ...changedData(world, old, sent), updatedAt: old.updatedAt };
  refuseDetails(wrongDetails(world, next, old));
  if (!isDeepStrictEqual(next.endUserTermsConsent, old.endUserTermsConsent)) checkConsent(next.endUserTermsConsent);
  refuseCleared(world, old, next);
  requireAfter(world, old, next);
  if (next.umaAddress !== old.umaAddress) checkFree(world, next.umaAddress, old.id);
  return { old, next };
}

/** Applies a planned change; writes nothing if nothing differs. */
export function applyUpdate(world: World, { old, next }: PlannedUpdate): Customer {
  if (isDeepStrictEqual(present(next), present(old))) return old;
  for (const kind of CONTACTS) if (next[kind] !== old[kind]) changeContact(world, old.id, kind, next[kind]);
  const platform = platformOf(world);
  if (awaitsTerms(platform, old) && !awaitsTerms(platform, next)) openFor(world, next);
  return world.rows(CUSTOMERS).put({ ...next, updatedAt: world.clock.iso() });
}

/** Plans and applies a change of an active customer. 404 USER_NOT_FOUND, else as `planUpdate` refuses. */
export const updateCustomer = (world: World, id: string, sent: Update): Customer =>
  applyUpdate(world, planUpdate(world, activeCustomer(world, id), sent));

/** Returns what is wrong with a change beyond the schema; nothing for an unknown or deleted customer. */
export function wrongChanges(world: World, id: string, sent: Update): readonly FieldError[] {
  const old = world.rows(CUSTOMERS).get(id);
  return old && !old.isDeleted ? [...fixedErrors(old, sent), ...detailsAfter(world, old, sent)] : [];
}

/** Returns what breaks a rule between fields after a change. */
const detailsAfter = (world: World, old: Customer, sent: Update): readonly FieldError[] =>
  wrongDetails(world, changedData(world, old, { ...sent, umaAddress: undefined }), old);

/**
 * Refuses a new value for a member that never changes, and members of the other type: 400 INVALID_INPUT, with all other
 * errors.
 */
function refuseFixed(world: World, old: Customer, sent: Update): void {
  const errors = fixedErrors(old, sent);
  if (errors.length > 0) failFields([...errors, ...detailsAfter(world, old, sent)], 'INVALID_INPUT', 'spec 2.1');
}

function fixedErrors(old: Customer, sent: Update): FieldError[] {
  const errors: FieldError[] = unchangeable(old.customerType, old, sent);
  if (sent.customerType !== undefined && sent.customerType !== old.customerType)
    errors.unshift({
      field: 'customerType',
      message: `cannot change: this customer is ${old.customerType}`,
      constraint: { enum: [old.customerType] },
    });
  if (sent.umaAddress === null)
    errors.push({ field: 'umaAddress', message: 'cannot be cleared: every customer has one' });
  return errors;
}

function changedData(world: World, old: Customer, sent: Update): Customer {
  const data: Customer = {
    ...old,
    umaAddress: addressAfter(world, old, sent.umaAddress ?? old.umaAddress),
    email: changed(old.email, sent.email),
    phoneNumber: changed(old.phoneNumber, sent.phoneNumber),
    endUserTermsConsent: changed(old.endUserTermsConsent, sent.endUserTermsConsent),
    details: changedDetails(old.customerType, old.details, sent),
    identifier: old.customerType === 'INDIVIDUAL' ? changed(old.identifier, sent.identifier) : undefined,
  };
  return { ...data, ...currenciesAfter(world, old, data, sent), contactVerification: unverified(old, data) };
}

const addressAfter = (world: World, old: Customer, sent: string): string =>
  lowerCase(sent) === old.umaAddress ? old.umaAddress : umaAddress(world, sent);

/**
 * Returns the list that was sent, if any. A customer who never named one keeps the old list, plus what this change has
 * made usable.
 */
function currenciesAfter(
  world: World,
  old: Customer,
  data: Customer,
  sent: Update,
): Pick<Customer, 'currencies' | 'currenciesFollow'> {
  if (sent.currencies && !sameCodes(sent.currencies, old.currencies))
    return { currencies: [...new Set(sent.currencies)], currenciesFollow: undefined };
  if (sent.currencies === null) return { currencies: usableCurrencies(world, data), currenciesFollow: true };
  const { currencies, currenciesFollow } = old;
  if (!currenciesFollow) return { currencies, currenciesFollow };
  const before = usableCurrencies(world, old);
  const more = usableCurrencies(world, data).filter((code) => !before.includes(code) && !currencies.includes(code));
  return { currencies: more.length > 0 ? [...currencies, ...more] : currencies, currenciesFollow };
}

const sameCodes = (sent: readonly string[], kept: readonly string[]): boolean =>
  isDeepStrictEqual([...new Set(sent)], [...kept]);

/** Returns the verification states after a change: a changed contact must be verified again. */
function unverified(old: Customer, next: Customer): Customer['contactVerification'] {
  if (!old.contactVerification) return undefined;
  const states = { ...old.contactVerification };
  for (const channel of Object.keys(states) as Channel[])
    if (next[ADDRESS_OF[channel]] !== old[ADDRESS_OF[channel]]) states[channel] = 'PENDING';
  return states;
}

/**
 * Refuses to clear a contact that is to be verified or is tied to a credential, or a consent that the platform
 * requires: 400.
 */
function refuseCleared(world: World, old: Customer, next: Customer): void {
  const cleared = <K extends 'email' | 'phoneNumber' | 'endUserTermsConsent'>(field: K) =>
    old[field] !== undefined && next[field] === undefined;
  const errors: FieldError[] = [];
  for (const [channel, kind] of Object.entries(ADDRESS_OF) as [Channel, ContactKind][]) {
    if (!cleared(kind)) continue;
    if (old.contactVerification?.[channel]) errors.push({ field: kind, message: 'required: the provider verifies it' });
    else if (linkedCredentials(world, old.id, kind).length > 0)
      errors.push({ field: kind, message: 'required: a wallet credential is tied to it' });
  }
  if (cleared('endUserTermsConsent') && awaitsTerms(platformOf(world), next))
    errors.push({ field: 'endUserTermsConsent', message: 'required: the platform asks for it' });
  if (errors.length > 0) failFields(errors);
}

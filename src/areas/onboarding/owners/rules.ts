import { isDeepStrictEqual } from 'node:util';
import { type FieldError, failFields } from '../../../contract/errors.ts';
import { IdOf, patched } from '../../../contract/shapes.ts';
import { magicName } from '../../../contract/suffix.ts';
import type { Infer } from '../../../declare/operation.ts';
import { begin, lifecycle, move, transition } from '../../../engine/machine.ts';
import { resource, rowOr404 } from '../../../engine/resource.ts';
import { lazyRow, type RowOf } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import {
  activeCustomer,
  BeneficialOwnerShape,
  birthDateError,
  CUSTOMERS,
  mirrorOwners,
} from '../../customers/index.ts';
import { OWNER, type Trigger } from './machine.ts';
import { OWNER_SUFFIXES } from './magic.ts';
import type { OwnerCreate, OwnerUpdate } from './schema.ts';

const OwnerRow = lazyRow(() => BeneficialOwnerShape().extend({ id: IdOf('BeneficialOwner') }));

/** An owner or officer of a business; the row is what the API shows (spec 2.3). */
export type Owner = RowOf<typeof OwnerRow>;

export const OWNERS = resource('owners', {
  row: OwnerRow,
  indexes: { customerId: (o) => o.customerId },
  refers: { customerId: 'customers' },
  titles: ['Beneficial owners', 'Beneficial owner', 'People who own or direct a business'],
  prefix: 'BeneficialOwner',
  view: (row) => row,
  made: 'createBeneficialOwner',
  columns: { Status: ['kycStatus', 'status'], Customer: ['customerId', 'id'], Created: ['createdAt', 'time'] },
});

const REVIEW = lifecycle(OWNERS, { state: 'kycStatus', machine: OWNER });

/** Returns one owner. 404 REFERENCE_NOT_FOUND (the specification has no code of its own for owners). */
export const ownerOf = rowOr404(OWNERS, 'REFERENCE_NOT_FOUND', 'beneficial owner');

/** Returns the owners of a business, oldest first. */
export const ownersOf = (world: World, customerId: string): Owner[] => world.rows(OWNERS).all('customerId', customerId);

/** The members of a request that rules beyond the schema check; each may be missing from a refused body. */
interface Judged {
  readonly customerId?: string | undefined;
  readonly personalInfo?: { readonly birthDate?: string | undefined } | undefined;
}

/** Returns what is wrong with a new owner beyond the schema; nothing about an unknown customer. */
export const wrongOwner = (world: World, { customerId, personalInfo }: Judged): readonly FieldError[] => [
  ...holderErrors(world, customerId),
  ...birthErrors(world, personalInfo?.birthDate),
];

/** Returns what is wrong with a change beyond the schema; nothing if the owner is unknown or its customer deleted. */
export function wrongOwnerChange(world: World, id: string, { personalInfo }: Judged): readonly FieldError[] {
  const old = world.rows(OWNERS).get(id);
  return old && holderOf(world, old.customerId) ? birthErrors(world, personalInfo?.birthDate, old) : [];
}

/** Returns the customer with an id, if it exists and has not been deleted. */
function holderOf(world: World, customerId = '') {
  const holder = world.rows(CUSTOMERS).get(customerId);
  return holder?.isDeleted ? undefined : holder;
}

function holderErrors(world: World, customerId: string | undefined): readonly FieldError[] {
  const type = holderOf(world, customerId)?.customerType ?? 'BUSINESS';
  return type === 'BUSINESS'
    ? []
    : [{ field: 'customerId', message: 'not a business: only a BUSINESS has beneficial owners' }];
}

/** Returns what is wrong with an impossible birth date, unless it was so before the change. */
function birthErrors(world: World, birthDate: string | undefined, old?: Owner): readonly FieldError[] {
  const message = birthDateError(birthDate, world.clock.iso().slice(0, 10));
  const stands = birthDate === old?.personalInfo.birthDate;
  return message === undefined || stands ? [] : [{ field: 'personalInfo.birthDate', message }];
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'spec 2.3');
}

/**
 * Creates an owner of a business (spec 4.4). 404 for an unknown customer; 400 INVALID_INPUT for an individual and for
 * an impossible birth date, both in one reply.
 */
export function createOwner(world: World, sent: Infer<typeof OwnerCreate>): Owner {
  activeCustomer(world, sent.customerId);
  refuse(wrongOwner(world, sent));
  const now = world.clock.iso();
  const first = world.profile.rules.unverifiedFirst ? 'create unsubmitted' : 'create';
  const owner = begin(world, REVIEW, first, (kycStatus) => ({
    id: world.newId('BeneficialOwner'),
    ...sent,
    kycStatus,
    createdAt: now,
    updatedAt: now,
  }));
  mirror(world, owner.customerId);
  return owner;
}

/**
 * Changes an owner: members not sent stay, `null` clears optional ones; writes nothing if nothing differs. 404
 * USER_NOT_FOUND if the business no longer exists.
 */
export function updateOwner(world: World, old: Owner, sent: Infer<typeof OwnerUpdate>): Owner {
  activeCustomer(world, old.customerId);
  const next: Owner = {
    ...old,
    roles: sent.roles ?? old.roles,
    ownershipPercentage: sent.ownershipPercentage ?? old.ownershipPercentage,
    personalInfo: patched(old.personalInfo, sent.personalInfo ?? {}),
  };
  if (isDeepStrictEqual(next, old)) return old;
  refuse(birthErrors(world, next.personalInfo.birthDate, old));
  const owner = world.rows(OWNERS).put({ ...next, updatedAt: world.clock.iso() });
  mirror(world, owner.customerId);
  return owner;
}

/** Puts the owners of a business under review, with the business. */
export const submitOwners = (world: World, customerId: string): void => moveOwners(world, customerId, () => 'submit');

/**
 * Decides the owners of a business that was decided, one by one: each is approved unless a magic suffix says otherwise.
 */
export function decideOwners(world: World, customerId: string): void {
  moveOwners(world, customerId, ({ id, personalInfo }) => {
    const suffix = personalInfo.lastName.slice(-3);
    const magic = OWNER_SUFFIXES[suffix];
    const to = magic && transition(OWNER, 'PENDING', magic)?.to;
    if (magic)
      world.magic(
        `personalInfo.lastName of ${id} ends in ${suffix}: the owner is ${to}`,
        magicName('personalInfo.lastName', suffix),
      );
    return magic ?? 'approve';
  });
}

function moveOwners(world: World, customerId: string, triggerOf: (owner: Owner) => Trigger): void {
  const owners = ownersOf(world, customerId);
  if (owners.length === 0) return;
  for (const owner of owners) move(world, REVIEW, owner, triggerOf(owner));
  mirror(world, customerId);
}

const mirror = (world: World, customerId: string) => mirrorOwners(world, customerId, ownersOf(world, customerId));

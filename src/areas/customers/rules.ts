import { type FieldError, fail } from '../../contract/errors.ts';
import { magicName } from '../../contract/suffix.ts';
import { decidedByHand, decideLater, isPutOff } from '../../engine/decide-later.ts';
import { begin, beginMoved, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { Hook, World } from '../../engine/world.ts';
import { accountsOf, type InternalAccount, openAccount, openAccounts } from '../accounts/index.ts';
import { closeWallets, createDefaultCredential } from '../credentials/index.ts';
import { addedCurrencies, type CurrencyConfig, channelsFor, type Platform, platformOf } from '../platform/index.ts';
import { ADDRESS_OF, type Channel } from './channels.ts';
import { type Create, type Draft, detailsOf, refuseDetails, wrongDetails } from './details.ts';
import { KYC, type Trigger } from './machine.ts';
import { CARRIER, fateOf } from './magic.ts';
import { lackingFor, requireFor, usableCurrencies } from './required.ts';
import type { Customer } from './row.ts';
import { CustomerRow } from './row.ts';
import { customerPicture, customerStory } from './story.ts';
import { awaitsTerms, checkConsent } from './terms.ts';
import { generatedUma, umaAddress } from './uma.ts';

export const CUSTOMERS = resource('customers', {
  row: CustomerRow,
  indexes: {
    platformCustomerId: (c) => c.platformCustomerId,
    umaAddress: (c) => c.umaAddress,
    customerType: (c) => c.customerType,
    region: (c) => c.region,
    currency: (c) => c.currencies,
  },
  hidden: (c) => c.isDeleted,
  titles: ['Customers', 'Customer', 'People and businesses of the platform'],
  prefix: 'Customer',
  main: true,
  label: ({ details }) => details.fullName ?? details.businessInfo?.legalName,
  view: (row) => showCustomer(row),
  picture: customerPicture,
  story: customerStory,
  made: 'createCustomer',
  columns: {
    Status: [(c) => (c.isDeleted ? 'DELETED' : c.kycStatus), 'status'],
    Type: 'customerType',
    'Platform id': 'platformCustomerId',
    Created: ['createdAt', 'time'],
  },
  sought: ['kycStatus', 'email', 'umaAddress'],
  tones: { APPROVED: 'good', REJECTED: 'bad', DELETED: 'bad', PENDING: 'warn', UNVERIFIED: 'warn' },
});

/** Returns one customer, deleted ones included, as they are kept as records (spec 2.1). 404 USER_NOT_FOUND. */
export const customerOf = rowOr404(CUSTOMERS, 'USER_NOT_FOUND', 'customer');

/**
 * Returns a customer who has not been deleted. 404 USER_NOT_FOUND: for anything but a read, a deleted customer does not
 * exist.
 */
export function activeCustomer(world: World, id: string): Customer {
  const customer = customerOf(world, id);
  if (customer.isDeleted)
    fail('USER_NOT_FOUND', `customer ${id} is deleted`, { why: { rule: 'spec 4.1: deletion is permanent', seen: id } });
  return customer;
}

/** Returns the country that counts for a customer: the region, else that of the address. */
export const countryOf = ({ region, details }: Customer): string | undefined => region ?? details.address?.country;

/** Returns a customer who may move money. 403 USER_NOT_READY unless approved (spec 3.1). */
export function readyCustomer(world: World, id: string): Customer {
  const customer = activeCustomer(world, id);
  if (customer.kycStatus !== 'APPROVED')
    fail('USER_NOT_READY', `customer ${id} is ${customer.kycStatus}: only an APPROVED customer may move money`, {
      why: { rule: 'spec 3.1', expected: 'APPROVED', seen: customer.kycStatus },
    });
  return customer;
}

/** Returns the bare name of a customer; undefined for the platform and for an unknown customer. */
export function personName(world: World, id: string | undefined): string | undefined {
  const customer = id === undefined ? undefined : world.rows(CUSTOMERS).get(id);
  return customer && CUSTOMERS.label?.(customer, world);
}

/** Returns the name of a customer within a sentence: `customer Ada Keller`. */
export function customerName(world: World, id: string): string | undefined {
  const name = personName(world, id);
  return name === undefined ? undefined : `customer ${name}`;
}

/** Returns a customer as replies and webhooks show it (spec 2.1). A business has its status under both names. */
export function showCustomer(c: Customer): ReturnType<typeof shown> {
  if (lately?.row !== c) lately = { row: c, shown: shown(c) };
  return lately.shown;
}

/** The row that was shown last: an event and the reply after it show the same one. */
let lately: { readonly row: Customer; readonly shown: ReturnType<typeof shown> } | undefined;

function shown(c: Customer) {
  const business = c.customerType === 'BUSINESS';
  return {
    id: c.id,
    platformCustomerId: c.platformCustomerId,
    customerType: c.customerType,
    region: c.region,
    currencies: c.currencies,
    email: c.email,
    phoneNumber: c.phoneNumber,
    umaAddress: c.umaAddress,
    kycStatus: c.kycStatus,
    ...(business ? { kybStatus: c.kycStatus, beneficialOwners: c.owners ?? [] } : {}),
    ...c.details,
    endUserTermsConsent: c.endUserTermsConsent,
    contactVerification: c.contactVerification,
    createdAt: c.createdAt,
    updatedAt: c.updatedAt,
    isDeleted: c.isDeleted,
  };
}

/** Changes of `kycStatus`; event types depend on the type of customer (spec 3.1, 6). */
const CUSTOMER = lifecycle(CUSTOMERS, {
  state: 'kycStatus',
  machine: KYC,
  event: ({ customerType }, end) => `CUSTOMER.${customerType === 'BUSINESS' ? 'KYB' : 'KYC'}_${end}`,
  view: showCustomer,
});

/** Refuses a UMA address that another active customer has: 409 UMA_ADDRESS_EXISTS. */
export function checkFree(world: World, address: string, except?: string): void {
  const holder = world.rows(CUSTOMERS).find('umaAddress', address);
  if (holder && holder.id !== except)
    fail('UMA_ADDRESS_EXISTS', `${address} belongs to another customer`, {
      why: { rule: 'spec 7, status 409', seen: holder.id },
    });
}

/**
 * Refuses a platform's own id that an active customer has, unless their UMA addresses differ (spec 2.1 rule 3). A new
 * customer without an address of its own conflicts, too. 409 CONFLICT.
 */
function checkPlatformId(world: World, id: string | undefined, address: string | undefined): void {
  if (id === undefined) return;
  const clash = world
    .rows(CUSTOMERS)
    .all('platformCustomerId', id)
    .find((c) => address === undefined || c.umaAddress === address);
  if (clash)
    fail('CONFLICT', `platformCustomerId ${id} belongs to an active customer`, {
      details: { errors: [{ field: 'platformCustomerId', message: 'belongs to an active customer' }] },
      why: { rule: 'spec 2.1 (3)', seen: clash.id },
    });
}

/**
 * Returns the channels that the provider requires to be verified, by the customer's region, else the country of the
 * address.
 */
const channelsOf = (world: World, sent: Create): readonly Channel[] =>
  channelsFor(platformOf(world), sent.region ?? sent.address?.country);

/** Returns the initial state of each contact to be verified (spec 2.1, contactVerification). */
function firstContacts(channels: readonly Channel[]): Customer['contactVerification'] {
  return channels.length === 0
    ? undefined
    : Object.fromEntries(channels.map((channel) => [channel, 'PENDING' as const]));
}

const draftOf = (sent: Create, isImported?: boolean) => ({
  customerType: sent.customerType,
  region: sent.region,
  email: sent.email,
  phoneNumber: sent.phoneNumber,
  details: detailsOf(sent.customerType, sent),
  identifier: 'identifier' in sent ? sent.identifier : undefined,
  isImported,
});

/** Returns what is wrong with a new customer beyond the schema: rules between fields, and missing contacts. */
export const wrongFields = (world: World, sent: Create, draft: Draft = draftOf(sent)): readonly FieldError[] => [
  ...wrongDetails(world, draft),
  ...channelsOf(world, sent)
    .map((channel) => ADDRESS_OF[channel])
    .filter((field) => sent[field] === undefined)
    .map((field) => ({ field, message: 'required: the provider verifies it' })),
];

type AccountIds = Readonly<Record<string, string | undefined>>;

/**
 * Creates a customer (spec 4.1) with its internal accounts (spec 2.1 rule 2). On a regulated platform it is approved.
 * Otherwise the sandbox decides as a magic suffix says, or approves, when the policy `customer.decide` says (spec 3.1,
 * 5.1 rule 6). A scenario may pin the id, and those of its accounts by currency.
 */
export const createCustomer = (world: World, sent: Create, id?: string, accountIds?: AccountIds): Customer =>
  make(world, sent, { id, accountIds });

/** Creates a customer from a row of a file: a business may lack facts that have no column there (reference 14.1). */
export const importCustomer = (world: World, sent: Create): Customer => make(world, sent, { isImported: true });

interface Origin {
  readonly id?: string | undefined;
  readonly accountIds?: AccountIds | undefined;
  readonly isImported?: boolean;
}

function make(world: World, sent: Create, { id, accountIds, isImported }: Origin): Customer {
  const platform = platformOf(world);
  const type = sent.customerType;
  const draft = draftOf(sent, isImported);
  const { details, identifier, region, email, phoneNumber } = draft;
  refuseDetails(wrongFields(world, sent, draft));
  const address = sent.umaAddress === undefined ? undefined : umaAddress(world, sent.umaAddress);
  checkConsent(sent.endUserTermsConsent);
  const contactVerification = firstContacts(channelsOf(world, sent));
  if (sent.currencies) requireFor(world, sent.currencies, draft);
  checkPlatformId(world, sent.platformCustomerId, address);
  if (address) checkFree(world, address);

  const magicField = type === 'INDIVIDUAL' ? details.fullName : details.businessInfo?.registrationNumber;
  const magic = platform.regulated ? undefined : fateOf(type, magicField);
  const simulatedOutcome =
    magic?.simulatedOutcome ?? (world.profile.rules.unverifiedFirst && type === 'BUSINESS' ? 'unsubmitted' : 'approve');
  const automatic =
    !platform.regulated && (simulatedOutcome === 'approve' || simulatedOutcome === 'reject')
      ? simulatedOutcome
      : undefined;
  const waits = automatic && isPutOff(world, 'customer.decide');
  const unsubmitted = world.profile.rules.unverifiedFirst && (simulatedOutcome === 'unsubmitted' || waits);
  const first: Trigger = platform.regulated ? 'create regulated' : unsubmitted ? 'create unsubmitted' : 'create';
  const now = world.clock.iso();
  const rowIn = (kycStatus: Customer['kycStatus']): Customer => ({
    id: id ?? world.newId('Customer'),
    platformCustomerId: sent.platformCustomerId ?? world.ids.hex(8),
    customerType: type,
    umaAddress: address ?? freeUma(world),
    kycStatus,
    region,
    currencies: sent.currencies ? [...new Set(sent.currencies)] : usableOf(world, platform, draft),
    currenciesFollow: sent.currencies ? undefined : (true as const),
    email,
    phoneNumber,
    endUserTermsConsent: sent.endUserTermsConsent,
    details,
    identifier,
    contactVerification,
    createdAt: now,
    updatedAt: now,
    isDeleted: false,
  });
  // A customer who is decided in the same call is written once, with one event at the end.
  const decided = automatic && !waits ? beginMoved(world, CUSTOMER, [first, automatic], rowIn) : undefined;
  const created = decided?.row ?? begin(world, CUSTOMER, first, rowIn);
  if (!awaitsTerms(platform, created)) openFor(world, created, accountIds);
  if (magic)
    world.magic(
      `${CARRIER[type]} ends in ${magic.suffix}: ${magic.simulatedOutcome}`,
      magicName(CARRIER[type], magic.suffix),
    );
  if (waits) decideLater(world, 'customer.decide', { customerId: created.id, decision: automatic });
  decided?.emit();
  return created;
}

/**
 * Returns the contact details for a wallet. Wallets are long-lived and most owners have no phone, so no room is kept
 * for one.
 */
const contactOf = ({ email, phoneNumber }: Customer) =>
  phoneNumber === undefined ? { email } : { email, phoneNumber };

/**
 * Opens the accounts that a customer still lacks (spec 2.1 rule 2). An embedded wallet gets its owner's contact details
 * and a credential for their email (spec 5 rule 6).
 */
export function openFor(world: World, customer: Customer, ids?: AccountIds): void {
  for (const account of openAccounts(world, customer.id, contactOf(customer), ids))
    if (account.type === 'EMBEDDED_WALLET') createDefaultCredential(world, account.id, customer.email);
}

/**
 * Returns the account for a refund in an asset, of a customer or the platform. Opens it if there is none (reference
 * 11.4). A wallet then gets a credential for its owner, unless the customer was deleted.
 */
export function accountForRefund(world: World, currency: string, customerId?: string): InternalAccount {
  const kept = accountsOf(world, customerId).find((account) => account.currency === currency);
  if (kept) return kept;
  const customer = customerId === undefined ? undefined : customerOf(world, customerId);
  const opened = openAccount(world, currency, customerId, customer && contactOf(customer));
  if (!customer || opened.type !== 'EMBEDDED_WALLET') return opened;
  if (customer.isDeleted) closeWallets(world, customer.id);
  else createDefaultCredential(world, opened.id, customer.email);
  return opened;
}

/**
 * Gives customers the currencies that a change of the configuration added. Those who named none get each one whose
 * required fields they have (spec 2.1 rule 1). All get the missing accounts, except customers who must consent first.
 */
export function addCurrencies(world: World, before: Platform, after: Platform): void {
  const added = addedCurrencies(before, after);
  if (added.length === 0) return;
  const lists = new Map<string, string[]>();
  for (const customer of [...world.rows(CUSTOMERS).rows()]) {
    if (customer.isDeleted) continue;
    if (customer.currenciesFollow) follow(world, customer, added, lists);
    if (!awaitsTerms(after, customer)) openFor(world, customer);
  }
}

/** Adds the currencies that a customer may use to the customer's own; customers with equal lists share one array. */
function follow(
  world: World,
  customer: Customer,
  added: readonly CurrencyConfig[],
  lists: Map<string, string[]>,
): void {
  const more = added
    .filter((config) => !customer.currencies.includes(config.currencyCode) && lackingFor(config, customer).length === 0)
    .map(({ currencyCode }) => currencyCode);
  if (more.length === 0) return;
  const codes = [...customer.currencies, ...more];
  const currencies = lists.get(codes.join()) ?? codes;
  lists.set(codes.join(), currencies);
  world.rows(CUSTOMERS).put({ ...customer, currencies, updatedAt: world.clock.iso() });
}

const codesOf = new WeakMap<object, readonly string[]>();

/** Returns the currencies of a customer who named none; those who may use all of the platform's share one array. */
function usableOf(world: World, { currencies }: Platform, draft: Parameters<typeof usableCurrencies>[1]) {
  for (const config of currencies) if (lackingFor(config, draft).length > 0) return usableCurrencies(world, draft);
  let codes = codesOf.get(currencies);
  if (!codes) {
    codes = usableCurrencies(world, draft);
    codesOf.set(currencies, codes);
  }
  return codes;
}

function freeUma(world: World): string {
  for (;;) {
    const address = generatedUma(world);
    if (!world.rows(CUSTOMERS).find('umaAddress', address)) return address;
  }
}

/** Submits a customer for review, in whichever way (spec 3.1): sets `PENDING` and emits the event. */
export function submitCustomer(world: World, id: string): Customer {
  dropDecision(world, id);
  return move(world, CUSTOMER, activeCustomer(world, id), 'submit', { submitted: true });
}

/** Cancels the decision that a new customer waits for: a review, or a person, decides instead. */
export const dropDecision = (world: World, customerId: string): void =>
  decidedByHand(world, 'customer.decide', { customerId });

/**
 * Decides on a customer under review (spec 3.1), or puts it on hold, which emits no event. 409 CONFLICT if there is
 * nothing to decide.
 */
export const decide = (world: World, customer: Customer, decision: 'approve' | 'reject' | 'hold'): Customer =>
  move(world, CUSTOMER, customer, decision);

/** Stores the beneficial owners that a business shows; the records themselves belong to another area. */
export function mirrorOwners(world: World, id: string, owners: NonNullable<Customer['owners']>): Customer {
  return world.rows(CUSTOMERS).put({ ...activeCustomer(world, id), owners, updatedAt: world.clock.iso() });
}

/** Called when a customer was deleted. */
export const CUSTOMER_DELETED: Hook<[customer: Customer]> = { name: 'customer deleted' };

/** Marks a customer as deleted, for good (spec 4.1). 410 CUSTOMER_DELETED if that was done before. */
export function deleteCustomer(world: World, customer: Customer): Customer {
  if (customer.isDeleted)
    fail('CUSTOMER_DELETED', `customer ${customer.id} was deleted before`, {
      why: { rule: 'spec 4.1: deletion is permanent' },
    });
  closeWallets(world, customer.id);
  if (isPutOff(world, 'customer.decide')) dropDecision(world, customer.id);
  const deleted = world.rows(CUSTOMERS).put({ ...customer, isDeleted: true, updatedAt: world.clock.iso() });
  world.react(CUSTOMER_DELETED, deleted);
  return deleted;
}

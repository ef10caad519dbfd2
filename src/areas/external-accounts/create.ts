import * as z from 'zod';
import { type FieldError, fail, failFields } from '../../contract/errors.ts';
import { knownCurrency } from '../../contract/money.ts';
import { magicName } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import { decideLater, isPutOff } from '../../engine/decide-later.ts';
import { begin } from '../../engine/machine.ts';
import { lazyRow, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer, birthDateError } from '../customers/index.ts';
import type { AccountType } from './fields.ts';
import type { Trigger } from './machine.ts';
import { type Finding, NAME_CHECKS } from './magic.ts';
import { payoutRoutes } from './payout-routes.ts';
import type { ExternalAccount } from './row.ts';
import { ACCOUNT, EXTERNAL_ACCOUNTS, isWallet, sameKey, suffixOf } from './rules.ts';
import type { AccountInfo, ExternalAccountCreate, SentInfo } from './schema.ts';
import { typeOf } from './types.ts';

type Create = Infer<typeof ExternalAccountCreate>;

/** The rules of the platform's jurisdiction for wallets: one row, and only if a scenario sets it. */
export const RULES = table('external-account-rules', {
  row: lazyRow(() => z.strictObject({ id: z.literal('rules'), counterpartyRules: z.boolean() })),
});

/** Puts this platform under counterparty rules: wallets must name their owner, and self-custody must be proven. */
export const setCounterpartyRules = (world: World, counterpartyRules: boolean): void => {
  if (counterpartyRules) world.rows(RULES).insert({ id: 'rules', counterpartyRules });
};
const underRules = (world: World): boolean => world.rows(RULES).first()?.counterpartyRules ?? false;

/**
 * Registers an account of a customer, or of the platform if no customer is named. A scenario may pin the id. Refuses in
 * this order:
 * - 400 INVALID_CURRENCY;
 * - 400 INVALID_INPUT for a currency that the type cannot hold, members that the chosen way lacks, and what
 *   counterparty rules require;
 * - 404 USER_NOT_FOUND;
 * - 400 INVALID_BANK_ACCOUNT by magic suffix;
 * - 409 CONFLICT for a second registration of the same account.
 */
export function createExternalAccount(world: World, sent: Create, id?: string): ExternalAccount {
  const { customerId, currency } = sent;
  const type = typeOf(sent.accountInfo.accountType);
  knownCurrency(currency);
  const errors = wrongInput(world, sent);
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'conditional requirements of the account type');
  if (customerId !== undefined) activeCustomer(world, customerId);
  const info = detailsOf(type, sent.accountInfo, payoutRoutes(type, sent.accountInfo).rails);
  const finding = nameCheck(world, info);
  checkNew(world, customerId, currency, info);

  const on = firstTrigger(world, type, sent);
  const now = world.clock.iso();
  if (sent.defaultUmaDepositAccount && customerId !== undefined) clearDefault(world, customerId);
  const account = begin(world, ACCOUNT, on, (status) => ({
    id: id ?? world.newId('ExternalAccount'),
    customerId,
    status,
    currency,
    platformAccountId: sent.platformAccountId,
    ownershipType: sent.ownershipType,
    defaultUmaDepositAccount: customerId === undefined ? undefined : (sent.defaultUmaDepositAccount ?? false),
    beneficiaryVerificationStatus: finding,
    beneficiaryVerifiedData: verifiedData(finding, info),
    accountInfo: info,
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  }));
  if (on === 'create later') decideLater(world, 'external-account.activate', { accountId: account.id });
  return account;
}

/** The members of a request that rules beyond the schema check; each may be missing from a refused request. */
interface Judged extends Pick<Create, 'customerId' | 'ownershipType' | 'defaultUmaDepositAccount'> {
  readonly currency?: string | undefined;
  readonly accountInfo?: SentInfo | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns what is wrong with a new account beyond the schema; fields in `bad` count as given. */
export function wrongInput(world: World, sent: Judged, bad = NONE): FieldError[] {
  const { accountInfo, ownershipType } = sent;
  const type = accountInfo?.accountType === undefined ? undefined : typeOf(accountInfo.accountType);
  const errors = type && accountInfo ? infoErrors(world, type, accountInfo, sent.currency, bad) : [];
  if (sent.defaultUmaDepositAccount && sent.customerId === undefined && !bad.has('customerId'))
    errors.push({ field: 'defaultUmaDepositAccount', message: "only a customer's account can be the default" });
  if (type?.network !== undefined && underRules(world)) {
    if (ownershipType === undefined) errors.push({ field: 'ownershipType', message: 'required for wallets here' });
    if (type.beneficiary && ownershipType === 'THIRD_PARTY' && accountInfo?.beneficiary === undefined)
      errors.push({ field: 'accountInfo.beneficiary', message: 'required for the wallet of a third party' });
  }
  return errors;
}

/** Returns what is wrong with the details of an account, and with a currency that it cannot hold. */
function infoErrors(
  world: World,
  type: AccountType,
  info: SentInfo,
  currency: string | undefined,
  bad: ReadonlySet<string>,
): FieldError[] {
  const { errors } = payoutRoutes(type, info, (name) => info[name] !== undefined || bad.has(`accountInfo.${name}`));
  if (currency !== undefined && !type.currencies.includes(currency))
    errors.unshift({
      field: 'currency',
      message: `a ${type.accountType} cannot hold ${currency}`,
      constraint: { enum: type.currencies },
    });
  // A type without a beneficiary, and a beneficiary of the other kind, drop members that they do not know.
  if (!type.beneficiary || type.custody || info.beneficiary?.beneficiaryType !== 'INDIVIDUAL') return errors;
  const { countryOfResidence, birthDate } = info.beneficiary;
  if (world.profile.rules.residenceRequired && type.beneficiary.residence && countryOfResidence === undefined)
    errors.push({ field: 'accountInfo.beneficiary.countryOfResidence', message: 'required' });
  const born = typeof birthDate === 'string' ? birthDateError(birthDate, world.clock.iso().slice(0, 10)) : undefined;
  if (born !== undefined) errors.push({ field: 'accountInfo.beneficiary.birthDate', message: born });
  return errors;
}

/** Returns the details to store: what was sent, what the service derives, and the rails. */
function detailsOf(type: AccountType, sent: AccountInfo, rails: readonly string[]): AccountInfo {
  const found: Record<string, string> = {};
  for (const { member, from, table: known, length } of type.resolves ?? []) {
    const value = known[String(sent[from]).slice(0, length)];
    if (sent[member] === undefined && value !== undefined) found[member] = value;
  }
  return { ...sent, ...found, ...(rails.length > 0 ? { paymentRails: rails } : {}) };
}

/** Returns the result of checking the beneficiary's name; undefined for a wallet, which has no name to check. */
function nameCheck(world: World, info: AccountInfo): ExternalAccount['beneficiaryVerificationStatus'] {
  if (isWallet({ accountInfo: info })) return undefined;
  const suffix = suffixOf({ accountInfo: info });
  const finding: Finding = NAME_CHECKS[suffix] ?? 'MATCHED';
  if (NAME_CHECKS[suffix])
    world.magic(
      `the account's identifier ends in ${suffix}: beneficiary check ${finding}`,
      magicName('account identifier', suffix),
    );
  if (finding !== 'refused') return finding;
  return fail('INVALID_BANK_ACCOUNT', 'there is no such account at this bank', {
    details: {
      errors: [{ field: `accountInfo.${typeOf(info.accountType).identifier[0]}`, message: 'no such account' }],
    },
    why: { rule: 'sandbox: identifiers that end in 105', seen: suffix },
  });
}

/** Returns the name as the rail has it: the given one, or a near match. */
function verifiedData(finding: Finding | undefined, { beneficiary }: AccountInfo): { fullName?: string } | undefined {
  const name = beneficiary?.fullName ?? beneficiary?.legalName;
  if (name === undefined) return undefined;
  if (finding === 'MATCHED') return { fullName: name };
  if (finding !== 'PARTIAL_MATCH') return undefined;
  const [first = '', ...rest] = name.split(' ');
  return { fullName: rest.length > 0 ? `${first.slice(0, 1)}. ${rest.join(' ')}` : `${name} Jr` };
}

function checkNew(world: World, customerId: string | undefined, currency: string, info: AccountInfo): void {
  const twin = world.rows(EXTERNAL_ACCOUNTS).find('same', sameKey(customerId, currency, info));
  if (twin)
    fail('CONFLICT', `this account is registered already, as ${twin.id}`, {
      details: { reason: 'EXTERNAL_ACCOUNT_EXISTS', externalAccountId: twin.id },
      why: { rule: 'one registration an owner and account', seen: twin.id },
    });
}

/**
 * Returns the first trigger. Wallets can be paid at once unless their owner must be proven; bank accounts open as the
 * policy says.
 */
function firstTrigger(world: World, type: AccountType, { ownershipType, accountInfo }: Create): Trigger {
  if (type.network === undefined) return isPutOff(world, 'external-account.activate') ? 'create later' : 'create';
  const selfCustody = type.custody && accountInfo.vaspName === undefined;
  return selfCustody && ownershipType === 'FIRST_PARTY' && underRules(world) ? 'create unproven' : 'create';
}

/** Removes the default flag, which at most one account of a customer can have. */
function clearDefault(world: World, customerId: string): void {
  const accounts = world.rows(EXTERNAL_ACCOUNTS);
  for (const account of accounts.all('owner', customerId))
    if (account.defaultUmaDepositAccount)
      accounts.put({ ...account, defaultUmaDepositAccount: false, updatedAt: world.clock.iso() });
}

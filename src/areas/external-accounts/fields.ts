/** One member of an account's details: its format, and whether it is required. */
export interface Field {
  readonly required: boolean;
  readonly pattern?: RegExp;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  /** Documented values; others are accepted, too. */
  readonly known?: readonly string[];
  readonly example?: string;
}

/** One way to send money to an account: its rails, the members they need, and who may be paid by them. */
export interface PayoutRoute {
  readonly rails: readonly string[];
  readonly needs: readonly string[];
  /** The only type of beneficiary that can be paid this way. */
  readonly beneficiary?: 'INDIVIDUAL' | 'BUSINESS';
  /** Members that must have one of these values. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** Members of an individual beneficiary that an account type requires, or has beyond the common ones. */
export interface BeneficiaryRules {
  readonly requires?: readonly string[];
  /** Set if the country of residence is required in profiles that say so; it may always be left out elsewhere. */
  readonly residence?: true;
  readonly knows?: Readonly<Record<string, Field>>;
}

export interface Resolved {
  readonly member: string;
  readonly from: string;
  readonly length: number;
  readonly table: Readonly<Record<string, string>>;
}

/** Everything that differs between account types; shared code reads this record, never the name. */
export interface AccountType {
  readonly accountType: string;
  /** The currencies that such an account can hold. */
  readonly currencies: readonly string[];
  /** The country; undefined if the type serves several countries. */
  readonly country?: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The members that identify the account: the first one present carries the sandbox suffix. */
  readonly identifier: readonly string[];
  /** Members that, with the identifier, decide whether two accounts are the same. */
  readonly identityFields: readonly string[];
  readonly routes: readonly PayoutRoute[];
  /** Members that the service derives from the first `length` characters of another. */
  readonly resolves?: readonly Resolved[];
  /** Set if the details must match exactly one way. */
  readonly oneRoute?: true;
  /** False if the type has no beneficiary at all. */
  readonly beneficiary: BeneficiaryRules | false;
  /** Wallets only: the blockchain. */
  readonly network?: string;
  /** Base58 addresses only: addresses that differ in case are different accounts. Elsewhere case does not matter. */
  readonly caseCounts?: true;
  /** Wallets only: how the owner signs a message, in the terms of `crypto/wallet-proof.ts`. */
  readonly signature?: 'evm' | 'tron' | 'bitcoin' | 'solana';
  /** Wallets only: true if the name of a custodian may be given. */
  readonly custody?: boolean;
}

export const required = (pattern: RegExp, example: string, min?: number, max?: number): Field => ({
  required: true,
  pattern,
  example,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
export const optional = (field: Field): Field => ({ ...field, required: false });
export const text = (max: number, example: string, min = 1): Field => ({ required: true, min, max, example });
export const choice = (...values: string[]): Field => ({ required: true, values });

export const digits = (from: number, to = from): Field =>
  required(
    from === to ? new RegExp(`^[0-9]{${from}}$`) : new RegExp(`^[0-9]{${from},${to}}$`),
    '123456789012345678'.slice(0, from),
    from,
    to,
  );
export const BANK_NAME = text(255, 'Example Bank');
export const ACCOUNT_NUMBER = text(34, '1234567890');
export const BIC = required(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'DEUTDEFF', 8, 11);
export const PHONE = required(/^\+[0-9]{6,14}$/, '+15550123456', 7, 15);
export const phone = (prefix: string, from = 9, to = from): Field =>
  required(
    new RegExp(from === to ? `^\\+${prefix}[0-9]{${from}}$` : `^\\+${prefix}[0-9]{${from},${to}}$`),
    `+${prefix}${'7'.repeat(from)}`,
    7,
    15,
  );
export const IBAN = required(/^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/, 'DE89370400440532013000', 15, 34);
export const KIND = choice('CHECKING', 'SAVINGS');
export const PROVIDER = text(255, 'MTN');

/** One member of an account's details: what it must look like, and whether it is always there. */
export interface Field {
  readonly required: boolean;
  readonly pattern?: RegExp;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  /** Values that are documented; others are let through. */
  readonly known?: readonly string[];
  readonly example?: string;
}

/** One way money can reach an account: its rails, what they need, and who may be paid by them. */
export interface PayoutRoute {
  readonly rails: readonly string[];
  readonly needs: readonly string[];
  /** Only a beneficiary of this type. */
  readonly beneficiary?: 'INDIVIDUAL' | 'BUSINESS';
  /** Members that must have one of these values on this way. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** Members of an individual beneficiary that an account type demands, or knows beyond the common ones. */
export interface BeneficiaryRules {
  readonly requires?: readonly string[];
  /** The country of residence is required where the profile says so, and may be unknown elsewhere. */
  readonly residence?: true;
  readonly knows?: Readonly<Record<string, Field>>;
}

export interface Resolved {
  readonly member: string;
  readonly from: string;
  readonly length: number;
  readonly table: Readonly<Record<string, string>>;
}

/** Everything that differs from one account type to the next; shared code asks the record, never the name. */
export interface AccountType {
  readonly accountType: string;
  /** Currencies that such an account can hold. */
  readonly currencies: readonly string[];
  /** The country; absent where one type serves several countries. */
  readonly country?: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The members that name the account: the first that is present carries the sandbox suffix. */
  readonly identifier: readonly string[];
  /** Members that, with the identifier, make an account one and the same. */
  readonly identityFields: readonly string[];
  readonly routes: readonly PayoutRoute[];
  /** Members that the service finds out by the first `length` characters of another. */
  readonly resolves?: readonly Resolved[];
  /** Refuses details that make two ways: they must make one. */
  readonly oneRoute?: true;
  /** `false`: the type has no beneficiary at all. */
  readonly beneficiary: BeneficiaryRules | false;
  /** Wallets only: the chain. */
  readonly network?: string;
  /** Base58 addresses only: two that differ in letters' case are two accounts. Elsewhere case makes no difference. */
  readonly caseCounts?: true;
  /** Wallets only: how their owner signs a message, as `crypto/wallet-proof.ts` knows it. */
  readonly signature?: 'evm' | 'tron' | 'bitcoin' | 'solana';
  /** Wallets only: a custodian's name may be given. */
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

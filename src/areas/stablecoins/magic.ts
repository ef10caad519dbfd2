import type { ErrorCode } from '../../contract/errors.ts';
import { bySuffix, type MagicValues } from '../../contract/suffix.ts';
import type { LinkTrigger } from './machine.ts';

/** The effect of a value that ends in certain characters; `says` is for the request log. */
interface Magic {
  readonly says: string;
}

/** Reads a table of suffixes; it knows the field and its values. */
const ending = <M extends Magic>(field: string, table: Readonly<Record<string, M>>) =>
  Object.assign((value: string): M | undefined => bySuffix(table, value), { field, values: Object.keys(table) });

interface ClientMagic extends Magic {
  /** Linking is refused with this; `unlessNamed`: only where no provider account is named. */
  readonly refusal?: ErrorCode;
  readonly unlessNamed?: true;
  /** The status that the link reaches by itself. */
  readonly becomes?: LinkTrigger;
}

/** The end of `apiClientId`. */
export const clientMagic = ending<ClientMagic>('apiClientId', {
  '002': { says: 'the provider refuses the credentials', refusal: 'STABLECOIN_PROVIDER_ACCOUNT_INVALID' },
  '003': {
    says: 'the credentials open several provider accounts',
    refusal: 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
    unlessNamed: true,
  },
  '004': { says: 'the credentials are found INVALID later', becomes: 'invalidate' },
  '005': { says: 'the link is REVOKED later', becomes: 'revoke' },
});

interface CoinMagic extends Magic {
  /** The step of its registration at which it stops, and whether it waits there or ends. */
  readonly stops?: { readonly at: 'review' | 'provision' | 'approve'; readonly on?: 'reject' | 'fail' };
  /** The provider takes no mint and no burn. */
  readonly unavailable?: true;
}

/** The end of `providerTokenIdentifier`. */
export const coinMagic = ending<CoinMagic>('providerTokenIdentifier', {
  '001': { says: 'the coin stays PENDING_REVIEW', stops: { at: 'review' } },
  '002': { says: 'the coin is REJECTED', stops: { at: 'review', on: 'reject' } },
  '003': { says: 'provisioning the coin has FAILED', stops: { at: 'provision', on: 'fail' } },
  '004': { says: 'the coin stays PENDING_APPROVAL', stops: { at: 'approve' } },
  '005': { says: 'the provider is unavailable for mints and burns', unavailable: true },
});

/** The failure of a transfer to or from an account elsewhere. */
interface TransferMagic extends Magic {
  /** Virtual milliseconds that it is `PROCESSING` before. */
  readonly afterMs?: number;
}
const FAILS: TransferMagic = { says: 'the transfer fails' };
const FAILS_LATE: TransferMagic = { says: 'the transfer fails after 30 seconds', afterMs: 30_000 };

/** The end of a bank account that is debited for a mint, or paid by a burn. */
export const bankMagic = ending<TransferMagic>('account identifier', {
  '002': FAILS,
  '003': FAILS,
  '004': FAILS,
  '005': FAILS_LATE,
});
/** The end of the address of a wallet that a mint is for. */
export const walletMagic = ending<TransferMagic>('account identifier', { '003': FAILS, '005': FAILS_LATE });

/** Every suffix of these tables, but for those that refuse the call: they count as its refusal. */
export const MAGIC = (): readonly MagicValues[] => [
  { field: clientMagic.field, values: clientMagic.values.filter((value) => !clientMagic(value)?.refusal) },
  ...[coinMagic, bankMagic, walletMagic].map(({ field, values }) => ({ field, values })),
];

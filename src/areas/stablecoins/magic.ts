import type { ErrorCode } from '../../contract/errors.ts';
import { bySuffix, type MagicValues } from '../../contract/suffix.ts';
import type { LinkTrigger } from './machine.ts';

/** The effect of a value with a magic suffix; `says` is for the request log. */
interface Magic {
  readonly says: string;
}

/** Returns a reader of a suffix table, with the table's field and values. */
const ending = <M extends Magic>(field: string, table: Readonly<Record<string, M>>) =>
  Object.assign((value: string): M | undefined => bySuffix(table, value), { field, values: Object.keys(table) });

interface ClientMagic extends Magic {
  /** The refusal of linking; with `unlessNamed`, only if no provider account is named. */
  readonly refusal?: ErrorCode;
  readonly unlessNamed?: true;
  /** The trigger that the link takes by itself. */
  readonly becomes?: LinkTrigger;
}

/** By the ending of `apiClientId`. */
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
  /** The registration step at which it stops, where it waits or, with `on`, ends. */
  readonly stops?: { readonly at: 'review' | 'provision' | 'approve'; readonly on?: 'reject' | 'fail' };
  /** Set if the provider accepts no mint and no burn. */
  readonly unavailable?: true;
}

/** By the ending of `providerTokenIdentifier`. */
export const coinMagic = ending<CoinMagic>('providerTokenIdentifier', {
  '001': { says: 'the coin stays PENDING_REVIEW', stops: { at: 'review' } },
  '002': { says: 'the coin is REJECTED', stops: { at: 'review', on: 'reject' } },
  '003': { says: 'provisioning the coin has FAILED', stops: { at: 'provision', on: 'fail' } },
  '004': { says: 'the coin stays PENDING_APPROVAL', stops: { at: 'approve' } },
  '005': { says: 'the provider is unavailable for mints and burns', unavailable: true },
});

/** The failure of a transfer to or from an external account. */
interface TransferMagic extends Magic {
  /** The virtual milliseconds that it is `PROCESSING` first. */
  readonly afterMs?: number;
}
const FAILS: TransferMagic = { says: 'the transfer fails' };
const FAILS_LATE: TransferMagic = { says: 'the transfer fails after 30 seconds', afterMs: 30_000 };

/** By the ending of a bank account that a mint debits or a burn pays. */
export const bankMagic = ending<TransferMagic>('account identifier', {
  '002': FAILS,
  '003': FAILS,
  '004': FAILS,
  '005': FAILS_LATE,
});
/** By the ending of the wallet address that a mint goes to. */
export const walletMagic = ending<TransferMagic>('account identifier', { '003': FAILS, '005': FAILS_LATE });

/** Every suffix of these tables, except those that refuse the call, which count as its refusal. */
export const MAGIC = (): readonly MagicValues[] => [
  { field: clientMagic.field, values: clientMagic.values.filter((value) => !clientMagic(value)?.refusal) },
  ...[coinMagic, bankMagic, walletMagic].map(({ field, values }) => ({ field, values })),
];

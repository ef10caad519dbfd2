import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { STATUSES } from './schema.ts';

const DelegatedKeyRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('DelegatedKey'),
    cardId: z.string(),
    fundingSourceId: z.string(),
    accountId: z.string(),
    publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/, 'not a compressed P-256 point in hex'),
    nickname: z.string(),
    status: z.enum(STATUSES),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** A key with which the service signs for a card that a wallet pays for; stored as it is shown. */
export type DelegatedKey = RowOf<typeof DelegatedKeyRow>;

export const DELEGATED_KEYS = resource('delegated-keys', {
  row: DelegatedKeyRow,
  indexes: {
    cardId: (k) => k.cardId,
    accountId: (k) => k.accountId,
    fundingSourceId: (k) => k.fundingSourceId,
  },
  refers: { cardId: 'cards', accountId: 'accounts', fundingSourceId: 'cards.sources' },
  titles: ['Delegated keys', 'Delegated key', 'Keys with which the service signs for cards of wallets'],
  prefix: 'DelegatedKey',
  label: (k) => k.nickname,
  story: (k) => [
    { at: k.createdAt, what: 'Delegated key requested', about: k.id },
    ...(k.status === 'PENDING'
      ? []
      : [
          {
            at: k.updatedAt,
            what: k.status === 'ACTIVE' ? 'Delegated key active' : 'Delegated key revoked',
            about: k.id,
          },
        ]),
  ],
  chapterOf: ['cardId'],
  made: 'createDelegatedKey',
  columns: {
    Status: ['status', 'status'],
    Card: ['cardId', 'id'],
    Wallet: ['accountId', 'id'],
    Created: ['createdAt', 'time'],
  },
  tones: { ACTIVE: 'good', PENDING: 'warn', REVOKED: 'bad' },
});

/** Returns one delegated key. 404 REFERENCE_NOT_FOUND. */
export const delegatedKeyOf = rowOr404(DELEGATED_KEYS, 'REFERENCE_NOT_FOUND', 'delegated key');

import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';

/** The stored row of a token. */
export const TokenRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Token'),
    name: z.string(),
    permissions: z.array(z.enum(['VIEW', 'TRANSACT', 'MANAGE'])),
    clientId: z.string().min(1),
    secretHash: secret(z.string().regex(/^[0-9a-f]{64}$/, 'not a SHA-256 in hex')).optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** A token. Only the hash of its secret is stored, and none for tokens that log in by other means. */
export type Token = RowOf<typeof TokenRow>;

/** A client id that was deleted. */
export const RevokedRow = lazyRow(() => z.strictObject({ id: z.string().min(1) }));

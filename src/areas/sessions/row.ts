import * as z from 'zod';
import { IdOf, Instant, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { CredentialTypeShape } from '../signing/index.ts';

/** The stored row of a session. */
export const SessionRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Session'),
    accountId: z.string(),
    /** The id of the credential that issued it. */
    authMethodId: z.string(),
    type: CredentialTypeShape(),
    nickname: z.string(),
    /** The WebAuthn credential id of a passkey. */
    credentialId: z.string().optional(),
    /** The session API key: compressed, lower-case hex. */
    publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/, 'not a compressed P-256 key in lower-case hex'),
    createdAt: Moment(),
    updatedAt: Moment(),
    expiresAt: Instant(),
    /** Set if it was revoked before its expiry. It is kept, because a client that still uses it gets another reply. */
    revokedAt: Moment().optional(),
  }),
);

/** A key that may sign for a wallet for a time (spec 2.5, 3.5). Expiry is a comparison, never an event. */
export type Session = RowOf<typeof SessionRow>;

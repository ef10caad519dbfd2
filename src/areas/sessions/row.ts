import * as z from 'zod';
import { IdOf, Instant, Moment } from '../../contract/shapes.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import type { CredentialType } from '../signing/index.ts';
import { CredentialTypeShape } from '../signing/index.ts';

/** A key that may sign for a wallet, for a while (spec 2.5, 3.5). Expiry is a comparison, never an event. */
export interface Session extends Row {
  readonly accountId: string;
  /** The credential that issued it. */
  readonly authMethodId: string;
  readonly type: CredentialType;
  readonly nickname: string;
  /** The WebAuthn credential id of a passkey. */
  readonly credentialId?: string | undefined;
  /** The session API key: compressed, lower-case hex. */
  readonly publicKey: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: number;
  /** Ended before its time; it is remembered, for a client that still uses it is told so. */
  readonly revokedAt?: string | undefined;
}
/** A session as it is kept. */
export const SessionRow = rowShape<Session>()(() =>
  z.strictObject({
    id: IdOf('Session'),
    accountId: z.string(),
    authMethodId: z.string(),
    type: CredentialTypeShape(),
    nickname: z.string(),
    credentialId: z.string().optional(),
    publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/, 'not a compressed P-256 key in lower-case hex'),
    createdAt: Moment(),
    updatedAt: Moment(),
    expiresAt: Instant(),
    revokedAt: Moment().optional(),
  }),
);

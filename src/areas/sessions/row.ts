import * as z from 'zod';
import { IdOf, Instant, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import { CredentialTypeShape } from '../signing/index.ts';
import type { Session } from './rules.ts';

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

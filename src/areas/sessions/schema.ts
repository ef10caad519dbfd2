import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment } from '../../contract/shapes.ts';
import { CLIENT_PUBLIC_KEY, normalise } from '../../crypto/index.ts';
import { secret } from '../../engine/secrets.ts';
import { CredentialTypeShape } from '../signing/index.ts';

/** A client's P-256 public key: compressed, or uncompressed for the sealed flow. */
export const ClientPublicKey = lazy(() =>
  z
    .string()
    .min(66)
    .max(130)
    .regex(CLIENT_PUBLIC_KEY, 'not a P-256 public key in hex')
    .refine((hex) => normalise(hex) !== undefined, 'not a point on P-256'),
);

/** The `accountId` of the two lists: required and well formed; an unknown one lists nothing. */
export const AccountQuery = lazy(() =>
  z.object({
    accountId: z.string().regex(/^InternalAccount:[0-9a-f-]{36}$/i, 'not the id of an internal account'),
  }),
);

/** A session as replies show it (spec 2.5). */
export const AuthSession = named('AuthSession', () =>
  z.strictObject({
    id: z.string(),
    accountId: z.string(),
    type: CredentialTypeShape(),
    credentialId: z.string().optional().describe('PASSKEY only: the WebAuthn credential id'),
    nickname: z.string(),
    createdAt: Moment(),
    updatedAt: Moment(),
    expiresAt: Moment(),
    encryptedSessionSigningKey: secret(z.string())
      .optional()
      .describe('Sealed to clientPublicKey; delivered once, never listed'),
  }),
);

export const SessionList = named('AuthSessionListResponse', () => z.strictObject({ data: z.array(AuthSession()) }));

export const SessionRefresh = named('AuthSessionRefreshRequest', () =>
  z.object({ clientPublicKey: ClientPublicKey() }),
);

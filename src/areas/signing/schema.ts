import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { Moment } from '../../contract/shapes.ts';

export const CREDENTIAL_TYPES = ['OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];
export const CredentialTypeShape = named('AuthMethodType', () => z.enum(CREDENTIAL_TYPES));

const challenge = () => ({
  payloadToSign: z.string().describe('To be signed byte for byte as it stands'),
  requestId: z.string().describe('Goes into the Request-Id header of the retry; single use'),
  expiresAt: Moment(),
});

/** The reply to a first call (spec 2.6). */
export const SignedRequestChallenge = named('SignedRequestChallenge', () => z.strictObject(challenge()));

/** The same, with the type of the credential that it concerns. */
export const AuthSignedRequestChallenge = named('AuthSignedRequestChallenge', () =>
  z.strictObject({ ...challenge(), type: CredentialTypeShape() }),
);

import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { Moment } from '../../contract/shapes.ts';

export const CREDENTIAL_TYPES = ['OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];
export const CredentialTypeShape = lazy(() => z.enum(CREDENTIAL_TYPES).meta({ id: 'AuthMethodType' }));

const challenge = () => ({
  payloadToSign: z.string().describe('To be signed byte for byte as it stands'),
  requestId: z.string().describe('Goes into the Request-Id header of the retry; single use'),
  expiresAt: Moment(),
});

/** What a first call is answered with (spec 2.6). */
export const SignedRequestChallenge = lazy(() => z.strictObject(challenge()).meta({ id: 'SignedRequestChallenge' }));

/** The same with the credential type that it concerns. */
export const AuthSignedRequestChallenge = lazy(() =>
  z.strictObject({ ...challenge(), type: CredentialTypeShape() }).meta({ id: 'AuthSignedRequestChallenge' }),
);

import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment, Text } from '../../contract/shapes.ts';
import { CLIENT_PUBLIC_KEY } from '../../crypto/index.ts';
import { secret } from '../../engine/secrets.ts';
import { ClientPublicKey } from '../sessions/index.ts';
import { CredentialTypeShape } from '../signing/index.ts';

const Base64url = () => Text(100_000).regex(/^[A-Za-z0-9_-]+={0,2}$/, 'not base64url');
const NICKNAME = "1 to 100 letters, digits, spaces and . _ - ' ( )";
const AccountId = () => Text(200).min(1);
const TRANSPORTS = ['usb', 'nfc', 'ble', 'internal', 'hybrid'] as const;

/** The body of adding a credential (spec 4.5). */
export const CredentialCreate = named('AuthCredentialCreateRequest', () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('EMAIL_OTP'), accountId: AccountId() }).meta({ id: 'EmailOtpCredentialCreateRequest' }),
    z.object({ type: z.literal('SMS_OTP'), accountId: AccountId() }).meta({ id: 'SmsOtpCredentialCreateRequest' }),
    z
      .object({ type: z.literal('OAUTH'), accountId: AccountId(), oidcToken: secret(Text(20_000).min(1)) })
      .meta({ id: 'OauthCredentialCreateRequest' }),
    z
      .object({
        type: z.literal('PASSKEY'),
        accountId: AccountId(),
        nickname: z
          .string()
          .trim()
          .regex(/^[\p{L}\p{N} ._\-'()]{1,100}$/u, NICKNAME)
          .describe(NICKNAME),
        challenge: Text(2000).min(1).describe("The platform's own registration challenge, base64url"),
        attestation: z.object({
          credentialId: Base64url(),
          clientDataJson: Base64url(),
          attestationObject: Base64url(),
          transports: z.array(z.enum(TRANSPORTS)).max(10).optional(),
        }),
      })
      .meta({ id: 'PasskeyCredentialCreateRequest' }),
  ]),
);

/**
 * The body of a challenge. One-time-code credentials ignore it, so its member is checked only for a passkey
 * (`PasskeyChallenge`).
 */
export const CredentialChallenge = named('AuthCredentialChallengeRequest', () =>
  z.object({
    clientPublicKey: z
      .unknown()
      .optional()
      .meta({
        type: ['string', 'null'],
        minLength: 66,
        maxLength: 130,
        pattern: CLIENT_PUBLIC_KEY.source,
        description: 'PASSKEY only, where it is required; ignored for EMAIL_OTP and SMS_OTP',
      }),
  }),
);

/** The body of a challenge for a passkey. */
export const PasskeyChallenge = lazy(() => z.object({ clientPublicKey: ClientPublicKey() }));

/** The body of a login (spec 4.5). */
export const CredentialVerify = lazy(() => {
  const otp = {
    encryptedOtpBundle: secret(Text(10_000).min(1)).describe('JSON text with encappedPublic and ciphertext'),
  };
  return z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('EMAIL_OTP'), ...otp }).meta({ id: 'EmailOtpCredentialVerifyRequest' }),
      z.object({ type: z.literal('SMS_OTP'), ...otp }).meta({ id: 'SmsOtpCredentialVerifyRequest' }),
      z
        .object({
          type: z.literal('OAUTH'),
          oidcToken: secret(Text(20_000).min(1)),
          clientPublicKey: ClientPublicKey(),
        })
        .meta({ id: 'OauthCredentialVerifyRequest' }),
      z
        .object({
          type: z.literal('PASSKEY'),
          assertion: z.object({
            credentialId: Base64url(),
            clientDataJson: Base64url(),
            authenticatorData: Base64url(),
            signature: Text(10_000).min(1),
            userHandle: Text(1000).nullish(),
          }),
        })
        .meta({ id: 'PasskeyCredentialVerifyRequest' }),
    ])
    .meta({ id: 'AuthCredentialVerifyRequest' });
});

const CredentialId = () => z.string().describe('PASSKEY only: the WebAuthn credential id');
const shown = () => ({
  id: z.string(),
  accountId: z.string(),
  type: CredentialTypeShape(),
  credentialId: CredentialId().optional(),
  nickname: z.string(),
  createdAt: Moment(),
  updatedAt: Moment(),
});
const Bundle = () => z.string().describe('JSON text: version, data, dataSignature, enclaveQuorumPublic');

/** A credential as lists show it (spec 2.4). */
export const AuthMethod = named('AuthMethod', () => z.strictObject(shown()));

/** A credential that was just added, or challenged by one-time code. */
export const AuthMethodResponse = named('AuthMethodResponse', () =>
  z.strictObject({
    ...shown(),
    otpEncryptionTargetBundle: Bundle().optional(),
  }),
);

/** The reply of `/challenge`: a passkey's has the challenge, the others the bundle (spec 2.6). */
export const ChallengeResponse = named('AuthCredentialChallengeResponse', () =>
  z.discriminatedUnion('type', [
    z
      .strictObject({
        ...shown(),
        type: CredentialTypeShape().exclude(['PASSKEY']),
        otpEncryptionTargetBundle: Bundle().optional(),
      })
      .meta({ id: 'AuthMethodChallenge' }),
    z
      .strictObject({
        ...shown(),
        type: z.literal('PASSKEY'),
        credentialId: CredentialId(),
        challenge: z.string().describe('64 lower-case hex characters, signed as that text'),
        requestId: z.string(),
        expiresAt: Moment(),
      })
      .meta({ id: 'PasskeyAuthChallenge' }),
  ]),
);

export const CredentialList = named('AuthMethodListResponse', () => z.strictObject({ data: z.array(AuthMethod()) }));

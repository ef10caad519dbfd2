import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { AnyRecord, Moment, Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

const FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const;
export type Factor = (typeof FACTORS)[number];

export const ScaFactor = named('ScaFactor', () => z.enum(FACTORS));
/** The options or the result of a WebAuthn ceremony. */
const Ceremony = () => z.record(z.string(), z.unknown());

export const ScaChallenge = named('ScaChallenge', () =>
  z.strictObject({
    id: z.string(),
    expiresAt: Moment(),
    factor: ScaFactor(),
    availableFactors: z.array(ScaFactor()),
    purpose: z.string().nullable().optional(),
    passkeyAssertionOptions: Ceremony().nullable().optional(),
    passkeyAllowedOrigins: z.array(z.string()).nullable().optional(),
  }),
);

/** The customer that factors, logins and resets belong to. */
export const OfCustomer = lazy(() => z.object({ customerId: Text(200).min(1).describe('The customer') }));

const proof = () => ({
  code: secret(Text(64)).nullish().describe('For SMS_OTP and TOTP; in the sandbox 123456'),
  passkeyAssertion: AnyRecord().nullish().describe('For PASSKEY: what the device made of the options'),
  origin: Text(300).nullish().describe('Where it was made; required with passkeyAssertion'),
});

export const ScaAuthorization = named('ScaAuthorization', () =>
  z.object({ ...proof(), endUserIpAddress: Text(64).nullish() }),
);

export const TrustConfirmRequest = named('BeneficiaryTrustConfirmRequest', () =>
  z.object({ challengeId: Text(200).nullish().describe('scaChallenge.id of the start'), ...proof() }),
);
export const TrustStart = named('BeneficiaryTrustStart', () =>
  z.strictObject({ scaChallenge: ScaChallenge().optional() }),
);
export const TrustConfirm = named('BeneficiaryTrustConfirm', () => z.strictObject({ trusted: z.boolean() }));

const FactorView = named('ScaFactorView', () =>
  z.strictObject({ factor: ScaFactor(), credentialId: z.string().optional(), name: z.string().optional() }),
);
export const FactorList = named('ScaFactorList', () => z.strictObject({ factors: z.array(FactorView()) }));

export const EnrollRequest = named('ScaFactorEnrollRequestOneOf', () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('TOTP') }).meta({ id: 'TotpFactorEnrollRequest' }),
    z.object({ type: z.literal('PASSKEY') }).meta({ id: 'PasskeyFactorEnrollRequest' }),
  ]),
);

export const EnrollStart = named('ScaFactorEnrollStartOneOf', () =>
  z.discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('TOTP'),
        secret: secret(z.string()),
        secretBase32Encoded: secret(z.string()),
        totpUri: secret(z.string()),
      })
      .meta({ id: 'TotpEnrollmentStart' }),
    z
      .strictObject({
        type: z.literal('PASSKEY'),
        options: Ceremony(),
        allowedOrigins: z.array(z.string()),
        relyingPartyId: z.string(),
      })
      .meta({ id: 'PasskeyEnrollmentStart' }),
  ]),
);

export const ConfirmRequest = named('ScaFactorConfirmRequestOneOf', () =>
  z.discriminatedUnion('type', [
    z
      .object({ type: z.literal('TOTP'), secret: secret(Text(200).min(1)), code: secret(Text(64).min(1)) })
      .meta({ id: 'TotpEnrollmentConfirmRequest' }),
    z
      .object({ type: z.literal('PASSKEY'), origin: Text(300).min(1), credential: AnyRecord() })
      .meta({ id: 'PasskeyEnrollmentConfirmRequest' }),
  ]),
);

export const ConfirmResponse = named('ScaFactorConfirmResponseOneOf', () =>
  z.discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('TOTP'), recoveryCodes: secret(z.array(z.string())) })
      .meta({ id: 'TotpEnrollmentConfirmResponse' }),
    z
      .strictObject({ type: z.literal('PASSKEY'), factor: FactorView() })
      .meta({ id: 'PasskeyEnrollmentConfirmResponse' }),
  ]),
);

export const LoginStartRequest = named('ScaLoginStartRequest', () => z.object({ factor: ScaFactor() }));
export const LoginStart = named('ScaLoginStart', () =>
  z.strictObject({
    factor: ScaFactor(),
    challengeId: z.string().nullable().optional(),
    expiresAt: Moment().nullable().optional(),
    passkeyOptions: Ceremony().nullable().optional(),
    allowedOrigins: z.array(z.string()).nullable().optional(),
    relyingPartyId: z.string().nullable().optional(),
  }),
);

export const LoginCompleteRequest = named('ScaLoginCompleteRequest', () =>
  z.object({
    factor: ScaFactor(),
    endUserIpAddress: Text(64).min(1).describe("The end user's address"),
    challengeId: Text(200).nullish().describe('Of the start; required for SMS_OTP'),
    ...proof(),
  }),
);
export const LoginComplete = named('ScaLoginComplete', () =>
  z.strictObject({ status: z.string(), sessionExpiresAt: Moment().nullable().optional() }),
);

const SecurityEvent = () => z.enum(['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT']);
export const SecurityEventRequest = named('RecordSecurityEventRequest', () => z.object({ eventType: SecurityEvent() }));
export const SecurityEventResponse = named('RecordSecurityEventResponse', () =>
  z.strictObject({
    eventType: SecurityEvent(),
    suspended: z.boolean(),
    lockedUntil: Moment().nullable().optional(),
    failedAttempts: z.int().min(0),
  }),
);

export const RESET_STATUSES = [
  'INITIATED',
  'PENDING_REVIEW',
  'LIVENESS_PASSED',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
] as const;

export const ResetStartRequest = named('TwoFactorResetStartRequest', () => z.object({ factor: ScaFactor() }));
export const ResetStart = named('TwoFactorResetStart', () =>
  z.strictObject({
    resetId: z.string(),
    livenessAccessToken: secret(z.string()).nullable().optional(),
    verificationLink: secret(z.string()).nullable().optional(),
    expiresAt: Moment().nullable().optional(),
  }),
);
export const ResetStatus = named('TwoFactorResetStatus', () =>
  z.strictObject({
    status: z.enum(RESET_STATUSES),
    factor: ScaFactor(),
    enrollmentStatus: z.enum(['PENDING', 'COMPLETED']).nullable().optional(),
    expiresAt: Moment(),
    completedAt: Moment().nullable().optional(),
  }),
);
export const ResetCompleteRequest = named('TwoFactorResetCompleteRequest', () =>
  z.object({
    mobile: z
      .object({
        countryCode: Text(8)
          .describe('With its +')
          .meta({ examples: ['+49'] }),
        number: Text(20).describe('Without the country code'),
      })
      .optional()
      .describe('The new phone number; required for SMS_OTP'),
  }),
);

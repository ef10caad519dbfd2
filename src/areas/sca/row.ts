import * as z from 'zod';
import { IdOf, Instant, Moment } from '../../contract/shapes.ts';
import { resource } from '../../engine/resource.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { RESET_STATUSES, ScaFactor } from './schema.ts';
import { CHALLENGE_NAMES, challengeStory, FACTOR_NAMES, factorStory, resetStory } from './story.ts';

/** The hexadecimal text of a SHA-256. */
const Digest = () => z.string().regex(/^[0-9a-f]{64}$/, 'not 64 hex characters');

const FactorRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('ScaFactor'),
    customerId: z.string(),
    type: z.enum(['TOTP', 'PASSKEY']),
    status: z.enum(['PENDING', 'ACTIVE', 'LAPSED', 'REMOVED']),
    /** The secret of an authenticator app, in hexadecimal; `lastStep` is the time step of the last code used. */
    secret: secret(z.string().regex(/^(?:[0-9a-f]{2})+$/, 'not hexadecimal')).optional(),
    lastStep: z.int().min(0).optional(),
    /** The digests of the unused recovery codes. */
    recovery: secret(z.array(Digest())).optional(),
    /** The registration of a passkey; one without a public key was accepted unread. */
    passkey: z
      .strictObject({
        credentialId: z.string().optional(),
        publicKey: z.string().optional(),
        counter: z.int().min(0),
        rpIdHash: z.string().optional(),
      })
      .optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
    confirmedAt: Moment().optional(),
  }),
);

/** A factor that a customer enrols. The code by SMS has no row, as every customer with a phone has it. */
export type FactorRow = RowOf<typeof FactorRow>;

export const SCA_FACTORS = resource('sca-factors', {
  row: FactorRow,
  indexes: { customerId: (f) => f.customerId },
  refers: { customerId: 'customers' },
  titles: ['Authentication factors', 'Authentication factor', 'Authenticator apps and passkeys of customers'],
  prefix: 'ScaFactor',
  label: ({ type }) => FACTOR_NAMES[type],
  story: (f) => factorStory(f),
  made: 'startScaFactorEnrollment',
  columns: {
    Status: ['status', 'status'],
    Type: 'type',
    Customer: ['customerId', 'id'],
    Created: ['createdAt', 'time'],
  },
  tones: { ACTIVE: 'good', PENDING: 'warn', LAPSED: 'bad', REMOVED: 'bad' },
});

const ChallengeRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('ScaChallenge'),
    kind: z.enum(['ENROLMENT', 'LOGIN', 'PAYMENT', 'TRUST']),
    customerId: z.string(),
    /** The id of the quote, account, factor or customer that it is about. */
    subject: z.string(),
    /** The factors that may answer it; the first one was requested. */
    factors: z.array(ScaFactor()).min(1),
    purpose: z.string().optional(),
    /** The text that a passkey signs, as these digits. */
    nonce: Digest().optional(),
    status: z.enum(['PENDING', 'PASSED', 'EXHAUSTED', 'REPLACED', 'EXPIRED']),
    /** The number of wrong answers, and the times at which codes were sent again. */
    misses: z.int().min(0),
    resent: z.array(Instant()),
    /** The id of the job that expires it. */
    expiry: z.string(),
    expiresAt: Moment(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** A challenge: a proof that a customer must give within a time. */
export type Challenge = RowOf<typeof ChallengeRow>;

export const SCA_CHALLENGES = resource('sca-challenges', {
  row: ChallengeRow,
  indexes: { subject: (c) => c.subject, customerId: (c) => c.customerId },
  refers: {
    customerId: 'customers',
    subject: { of: (c) => c.subject, in: ['quotes', 'external-accounts', 'sca-factors', 'customers'] },
  },
  titles: ['Authentication challenges', 'Authentication challenge', 'Proofs that customers owe'],
  prefix: 'ScaChallenge',
  label: ({ kind }) => CHALLENGE_NAMES[kind],
  story: (c) => challengeStory(c),
  note: ({ status, factors }) =>
    status === 'PENDING' && factors.includes('SMS_OTP') ? 'Its code is on the page "Sent codes".' : undefined,
  follows: ({ subject }) => [subject],
  columns: {
    Status: ['status', 'status'],
    Kind: 'kind',
    About: ['subject', 'id'],
    Expires: ['expiresAt', 'time'],
  },
  tones: { PASSED: 'good', PENDING: 'warn', EXHAUSTED: 'bad', EXPIRED: 'bad' },
});

const ResetRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('ScaReset'),
    customerId: z.string(),
    factor: ScaFactor(),
    status: z.enum(RESET_STATUSES),
    expiry: z.string(),
    /** The id of the job that decides on its liveness. */
    liveness: z.string().optional(),
    expiresAt: Moment(),
    createdAt: Moment(),
    updatedAt: Moment(),
    completedAt: Moment().optional(),
  }),
);

/** The reset of a factor that a customer lost. */
export type Reset = RowOf<typeof ResetRow>;

export const SCA_RESETS = resource('sca-resets', {
  row: ResetRow,
  indexes: { customerId: (r) => r.customerId },
  refers: { customerId: 'customers' },
  titles: ['Factor resets', 'Factor reset', 'Resets of lost authentication factors'],
  prefix: 'ScaReset',
  label: ({ factor }) => `Reset of ${FACTOR_NAMES[factor].toLowerCase()}`,
  story: (r) => resetStory(r),
  made: 'startTwoFactorReset',
  columns: {
    Status: ['status', 'status'],
    Factor: 'factor',
    Customer: ['customerId', 'id'],
    Expires: ['expiresAt', 'time'],
  },
  tones: { COMPLETED: 'good', LIVENESS_PASSED: 'good', REJECTED: 'bad', EXPIRED: 'bad', PENDING_REVIEW: 'warn' },
});

const LoginRow = lazyRow(() =>
  z.strictObject({
    /** The id of the customer. */
    id: z.string(),
    failedAttempts: z.int().min(0),
    lockedUntil: Moment().optional(),
    suspended: z.boolean(),
    /** The end of the newest login. */
    sessionUntil: Moment().optional(),
  }),
);

/** The state of a customer's logins; a customer who never tried has no row. */
export type LoginState = RowOf<typeof LoginRow>;

export const SCA_LOGINS = resource('sca-logins', {
  row: LoginRow,
  refers: { id: 'customers' },
  titles: ['Customer logins', 'Customer login', 'Sessions, failed attempts and locks of customers'],
  columns: {
    'Failed attempts': ['failedAttempts', 'number'],
    'Locked until': ['lockedUntil', 'time'],
    Suspended: 'suspended',
    'Session until': ['sessionUntil', 'time'],
  },
});

const TrustRow = lazyRow(() =>
  z.strictObject({
    /** The id of the external account. */
    id: z.string(),
    customerId: z.string(),
    status: z.enum(['UNTRUSTED', 'TRUST_PENDING', 'TRUSTED', 'UNTRUST_PENDING']),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** The trust in an account; an account whose trust never changed has no row. */
export type Trust = RowOf<typeof TrustRow>;

export const SCA_TRUST = resource('sca-trust', {
  row: TrustRow,
  refers: { id: 'external-accounts', customerId: 'customers' },
  titles: ['Trusted accounts', 'Trusted account', 'Accounts elsewhere that are paid without a challenge'],
  made: 'startBeneficiaryTrust',
  columns: { Status: ['status', 'status'], Customer: ['customerId', 'id'], Changed: ['updatedAt', 'time'] },
  tones: { TRUSTED: 'good', TRUST_PENDING: 'warn', UNTRUST_PENDING: 'warn' },
});

import type * as z from 'zod';
import type { Moment } from '../../engine/story.ts';
import type { ScaFactor } from './schema.ts';

type Factor = z.output<ReturnType<typeof ScaFactor>>;

/** The members of each row that its timeline needs: the rows themselves are declared with their timelines. */
interface Dated {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
interface FactorRow extends Dated {
  readonly status: 'PENDING' | 'ACTIVE' | 'LAPSED' | 'REMOVED';
  readonly confirmedAt?: string | undefined;
}
interface Challenge extends Dated {
  readonly kind: 'ENROLMENT' | 'LOGIN' | 'PAYMENT' | 'TRUST';
  readonly status: 'PENDING' | 'PASSED' | 'EXHAUSTED' | 'REPLACED' | 'EXPIRED';
  readonly resent: readonly number[];
  readonly misses: number;
  readonly expiresAt: string;
}
interface Reset extends Dated {
  readonly status: string;
  readonly completedAt?: string | undefined;
  readonly expiresAt: string;
}

/** The factors by the names that people use. */
export const FACTOR_NAMES: Readonly<Record<Factor, string>> = {
  SMS_OTP: 'Code by SMS',
  TOTP: 'Authenticator app',
  PASSKEY: 'Passkey',
};

/** The challenges by the names that people use. */
export const CHALLENGE_NAMES: Readonly<Record<Challenge['kind'], string>> = {
  ENROLMENT: 'Challenge to enrol a factor',
  LOGIN: 'Login challenge',
  PAYMENT: 'Payment challenge',
  TRUST: 'Challenge to trust an account',
};

const FACTOR_ENDS: Readonly<Partial<Record<FactorRow['status'], string>>> = {
  LAPSED: 'Lapsed: nobody confirmed it',
  REMOVED: 'Removed',
};

/** Returns the timeline of a factor. */
export function factorStory({ id, createdAt, confirmedAt, updatedAt, status }: FactorRow): Moment[] {
  const end = FACTOR_ENDS[status];
  return [
    { at: createdAt, what: 'Enrolment started', about: id },
    ...(confirmedAt === undefined ? [] : [{ at: confirmedAt, what: 'Confirmed', tone: 'good' as const, about: id }]),
    ...(end === undefined ? [] : [{ at: updatedAt, what: end, tone: 'bad' as const, about: id }]),
  ];
}

const CHALLENGE_ENDS: Readonly<Record<Exclude<Challenge['status'], 'PENDING'>, Pick<Moment, 'what' | 'tone'>>> = {
  PASSED: { what: 'Passed', tone: 'good' },
  EXHAUSTED: { what: 'Ended after too many wrong answers', tone: 'bad' },
  REPLACED: { what: 'Replaced by a newer challenge' },
  EXPIRED: { what: 'Expired', tone: 'bad' },
};

/** Returns the timeline of a challenge, with its expiry. */
export function challengeStory({ id, createdAt, resent, status, updatedAt, expiresAt, misses }: Challenge): Moment[] {
  return [
    { at: createdAt, what: 'Challenge opened', about: id },
    ...resent.map((at) => ({ at: new Date(at).toISOString(), what: 'Code sent again', about: id })),
    ...(misses > 0 ? [{ what: 'Wrong answers', detail: String(misses), tone: 'warn' as const }] : []),
    status === 'PENDING'
      ? { at: expiresAt, what: 'Expires', due: true as const }
      : { at: updatedAt, ...CHALLENGE_ENDS[status], about: id },
  ];
}

const words = (status: string): string => status.replaceAll('_', ' ').toLowerCase();

/** Returns the timeline of a reset, with its expiry. */
export function resetStory({ id, createdAt, status, updatedAt, completedAt, expiresAt }: Reset): Moment[] {
  const isOver = status === 'COMPLETED' || status === 'REJECTED' || status === 'EXPIRED';
  return [
    { at: createdAt, what: 'Reset requested', about: id },
    { at: completedAt ?? updatedAt, what: `Now ${words(status)}`, about: id },
    ...(isOver ? [] : [{ at: expiresAt, what: 'Expires', due: true as const }]),
  ];
}

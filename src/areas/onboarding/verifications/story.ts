import type { Moment, Tone } from '../../../engine/story.ts';
import type { VerificationStatus } from './schema.ts';

/** The facts that the timeline of a submission needs. */
interface Submission {
  readonly id: string;
  readonly verificationStatus: VerificationStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Returns the timeline of a submission: its arrival, and the decision or what was still required. */
export function verificationStory(v: Submission): Moment[] {
  const end = ENDS[v.verificationStatus];
  return [
    { at: v.createdAt, what: 'Submitted for review', about: v.id },
    ...(end ? [{ at: v.updatedAt, ...end, about: v.id }] : []),
    ...(end?.tone === 'bad' || end?.tone === 'good'
      ? []
      : [{ what: 'Is decided', due: 'verification.decide' as const }]),
  ];
}

const ENDS: Readonly<Record<string, { what: string; tone: Tone }>> = {
  APPROVED: { what: 'Submission approved', tone: 'good' },
  REJECTED: { what: 'Submission rejected', tone: 'bad' },
  RESOLVE_ERRORS: { what: 'More information requested', tone: 'warn' },
  PENDING_MANUAL_REVIEW: { what: 'Looked at by a person', tone: 'warn' },
};

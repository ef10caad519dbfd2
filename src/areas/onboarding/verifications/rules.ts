import { failFields } from '../../../contract/errors.ts';
import { IdOf, Moment } from '../../../contract/shapes.ts';
import { magicName } from '../../../contract/suffix.ts';
import { decidedByHand, decideLater } from '../../../engine/decide-later.ts';
import { begin, lifecycle, move } from '../../../engine/machine.ts';
import { mapPage, type Page } from '../../../engine/page.ts';
import { resource, rowOr404 } from '../../../engine/resource.ts';
import { lazyRow, type RowOf } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import { activeCustomer, type Customer, decide, submitCustomer, unverifiedChannels } from '../../customers/index.ts';
import { documentsOf, submitDocuments } from '../documents/rules.ts';
import { decideOwners, ownersOf, submitOwners } from '../owners/rules.ts';
import { businessGaps } from './business.ts';
import { Gaps, type VerificationError } from './gaps.ts';
import { identityOf, individualGaps } from './individual.ts';
import { type Trigger, VERIFICATION } from './machine.ts';
import { type ReviewPath, reviewPathOf } from './magic.ts';
import { VERIFICATION_STATUSES, VerificationShape, type VerificationStatus } from './schema.ts';
import { verificationStory } from './story.ts';

const isOpen = (v: Verification): boolean =>
  v.verificationStatus === 'IN_PROGRESS' || v.verificationStatus === 'PENDING_MANUAL_REVIEW';

const VerificationRow = lazyRow(() => VerificationShape().extend({ id: IdOf('Verification'), updatedAt: Moment() }));

/** One submission and its outcome (spec 2.3). */
export type Verification = RowOf<typeof VerificationRow>;

export const VERIFICATIONS = resource('verifications', {
  row: VerificationRow,
  indexes: {
    customerId: (v) => v.customerId,
    verificationStatus: (v) => v.verificationStatus,
    open: (v) => (isOpen(v) ? v.customerId : undefined),
  },
  refers: { customerId: 'customers' },
  titles: ['Verifications', 'Verification', 'Submissions for review'],
  prefix: 'Verification',
  view: (row, world) => showVerification(world, row),
  story: (v) => verificationStory(v),
  chapterOf: ['customerId'],
  made: 'createVerification',
  columns: { Status: ['verificationStatus', 'status'], Customer: ['customerId', 'id'], Created: ['createdAt', 'time'] },
  tones: {
    APPROVED: 'good',
    REJECTED: 'bad',
    IN_PROGRESS: 'warn',
    PENDING_MANUAL_REVIEW: 'warn',
    RESOLVE_ERRORS: 'warn',
  },
});

/** Returns one verification. 404 REFERENCE_NOT_FOUND (the specification has no code of its own for verifications). */
export const verificationOf = rowOr404(VERIFICATIONS, 'REFERENCE_NOT_FOUND', 'verification');

function record(world: World, customerId: string, on: Trigger, errors: VerificationError[] = []): Verification {
  const now = world.clock.iso();
  const id = world.newId('Verification');
  return begin(world, REVIEW, on, (verificationStatus) => ({
    id,
    customerId,
    verificationStatus,
    errors,
    createdAt: now,
    updatedAt: now,
  }));
}

/**
 * Returns a verification as replies and webhooks show it. Without ends of its own, it stays `IN_PROGRESS` (spec 2.3).
 */
export const showVerification = (world: World, verification: Verification): Verification =>
  world.profile.rules.verificationEnds || verification.verificationStatus === 'RESOLVE_ERRORS'
    ? verification
    : { ...verification, verificationStatus: 'IN_PROGRESS', errors: [] };

interface Listing {
  readonly customerId: string | undefined;
  readonly verificationStatus: VerificationStatus | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Returns a page of verifications, newest first, by the status that they show. 400 for a status that this profile does
 * not have.
 */
export function listVerifications(
  world: World,
  { customerId, verificationStatus, ...page }: Listing,
): Page<Verification> {
  const absent = world.profile.absent['VerificationStatus'] ?? [];
  if (verificationStatus !== undefined && absent.includes(verificationStatus)) {
    const allowed = VERIFICATION_STATUSES.filter((status) => !absent.includes(status));
    failFields([
      { field: 'verificationStatus', message: 'not one of the allowed values', constraint: { enum: allowed } },
    ]);
  }
  const shown = (v: Verification) => showVerification(world, v);
  const filter = (v: Verification): boolean =>
    verificationStatus === undefined || shown(v).verificationStatus === verificationStatus;
  return mapPage(world.rows(VERIFICATIONS).page({ where: { customerId }, filter, ...page }), shown);
}

/** The state changes of a verification (spec 3.3); an end that is not shown emits nothing. */
const REVIEW = lifecycle(VERIFICATIONS, {
  state: 'verificationStatus',
  machine: VERIFICATION,
  event: (verification, end, world) => {
    const { verificationStatus: shown } = showVerification(world, verification);
    const isEnd = end === 'APPROVED' || end === 'REJECTED';
    return isEnd && shown !== end ? undefined : `VERIFICATION.${shown}`;
  },
  view: (verification, world) => showVerification(world, verification),
});

/**
 * Submits a customer for review (spec 4.4). 404 for an unknown customer; 400 while contacts are unverified, or (newer)
 * once decided.
 */
export function submit(world: World, customerId: string): Verification {
  const customer = activeCustomer(world, customerId);
  refuseUnready(world, customer);
  const { path, suffix, magicField } = reviewPathOf(customer, world.profile.rules.verificationEnds);
  const missingRequirements = path.kind === 'immediately' ? [] : gapsOf(world, customer);
  if (missingRequirements.length > 0) return record(world, customerId, 'ask for more', missingRequirements);
  if (suffix !== undefined && magicField !== undefined)
    world.magic(`${magicField} ends in ${suffix}: ${sentence(path)}`, magicName(magicField, suffix));
  if (path.kind === 'poor quality') return askAgain(world, customer);
  return review(world, customer, path);
}

const gapsOf = (world: World, customer: Customer): VerificationError[] =>
  customer.customerType === 'BUSINESS' ? businessGaps(world, customer) : individualGaps(world, customer);

const sentence = (path: ReviewPath): string =>
  'decision' in path ? `${path.decision}, ${path.kind}` : `${path.kind} review`;

function refuseUnready(world: World, customer: Customer): void {
  const waiting = unverifiedChannels(customer);
  if (waiting.length > 0)
    failFields(
      waiting.map((channel) => ({ field: `contactVerification.${channel}`, message: 'must be VERIFIED first' })),
      'INVALID_INPUT',
      'spec 3.2',
    );
  const decided = customer.kycStatus === 'APPROVED' || customer.kycStatus === 'REJECTED';
  if (world.profile.rules.decisionIsFinal && decided)
    failFields(
      [{ field: 'customerId', message: `is ${customer.kycStatus} already` }],
      'INVALID_INPUT',
      'the newer contract ends with a decision; spec 3.1 allows submission from any state',
    );
}

/** Returns the complaint about a bad photograph: about the identity document, or about a customer who has none. */
function poorQuality(world: World, customer: Customer): VerificationError[] {
  const missingRequirements = new Gaps();
  const [document] = identityOf(documentsOf(world, customer.id));
  if (document)
    missingRequirements.problem(document, 'POOR_QUALITY_DOCUMENT', 'the picture is not good enough: upload another');
  return document
    ? missingRequirements.found
    : [{ resourceId: customer.id, type: 'POOR_QUALITY_DOCUMENT', reason: 'the picture is not good enough' }];
}

/**
 * Begins the review, in whichever way it was requested: the customer is `PENDING`, and events are emitted, the
 * verification's first (spec 3.1, 6 rule 1). The newest submission decides: pending decisions on earlier ones are
 * cancelled.
 */
export function review(world: World, customer: Customer, path: ReviewPath): Verification {
  const { id } = customer;
  dropReviews(world, id);
  submitDocuments(world, [id, ...ownersOf(world, id).map((owner) => owner.id)]);
  submitOwners(world, id);
  if (path.kind === 'immediately') {
    record(world, id, 'submit, decided in the reply');
    return decideReview(world, submitCustomer(world, id), path.decision) as Verification;
  }
  const made = record(world, id, path.kind === 'manual' ? 'submit to people' : 'submit');
  submitCustomer(world, id);
  if (path.kind === 'decide')
    decideLater(world, 'verification.decide', { verificationId: made.id, decision: path.decision });
  return made;
}

/** Records that the provider wants something again: nothing is submitted, and the verification says what (spec 3.3). */
export const askAgain = (world: World, customer: Customer): Verification =>
  record(world, customer.id, 'ask for more', poorQuality(world, customer));

/**
 * Decides on a customer: ends open verifications, decides a business's owners one by one, and changes the customer last
 * (spec 3.1). Cancels jobs that would decide, except that of verification `by`, which is running. Returns the newest
 * verification that this ended, if any. 409 CONFLICT if there is nothing to decide.
 */
export function decideReview(
  world: World,
  customer: Customer,
  decision: 'approve' | 'reject',
  by?: string,
): Verification | undefined {
  dropReviews(world, customer.id, by);
  const errors = decision === 'approve' ? [] : [rejection(customer)];
  let last: Verification | undefined;
  for (const open of world.rows(VERIFICATIONS).all('open', customer.id))
    last = move(world, REVIEW, open, decision, { errors });
  if (customer.customerType === 'BUSINESS') decideOwners(world, customer.id);
  decide(world, activeCustomer(world, customer.id), decision);
  return last;
}

/**
 * Cancels the pending decisions on a customer's open verifications, except `but`, because another decision replaces
 * them.
 */
export function dropReviews(world: World, customerId: string, but?: string): void {
  if (!world.holds(VERIFICATIONS)) return;
  for (const { id } of world.rows(VERIFICATIONS).all('open', customerId))
    if (id !== but) decidedByHand(world, 'verification.decide', { verificationId: id });
}

const rejection = (customer: Customer): VerificationError => ({
  resourceId: customer.id,
  type: 'APPLICANT_REJECTED',
  reason: 'the applicant was rejected',
});

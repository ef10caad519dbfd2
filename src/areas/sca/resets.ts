import * as z from 'zod';
import { fail, failFields } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { policyDelay } from '../../contract/policy.ts';
import { Phone } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { type Customer, checkPhoneFree, customerOf, updateCustomer, verifiedChannel } from '../customers/index.ts';
import { factorsOf } from './challenges.ts';
import { activeFactor } from './factor-rows.ts';
import { remove } from './factors.ts';
import { RESET } from './machine.ts';
import { type Reset, SCA_RESETS } from './row.ts';
import type { Factor, ResetCompleteRequest } from './schema.ts';

/** The virtual seconds within which a reset must be completed. */
export const RESET_SECONDS = limit(
  'scaResetSeconds',
  1800,
  'Virtual seconds that the reset of a factor can take; 1800',
);
export const RESETS_PER_DAY = limit(
  'scaResetsPerDay',
  5,
  'Resets of factors that a customer may start within 24 hours; 5',
  () => z.int().min(1),
);
const DAY_MS = 86_400_000;

const RESETS = lifecycle(SCA_RESETS, { state: 'status', machine: RESET });
const OPEN: ReadonlySet<Reset['status']> = new Set(['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED']);

/** Refuses more resets than a customer may start within 24 hours: 429 RATE_LIMITED (reference 8). */
function checkRate(world: World, earlier: readonly Reset[]): void {
  const now = world.clock.now();
  const recent = earlier.map(({ createdAt }) => Date.parse(createdAt)).filter((time) => now - time < DAY_MS);
  const most = world.limit(RESETS_PER_DAY);
  const [oldest] = recent.slice(-most);
  if (recent.length >= most && oldest !== undefined)
    fail('RATE_LIMITED', `more than ${most} resets of factors within 24 hours`, {
      retryAfter: Math.max(1, Math.ceil((oldest + DAY_MS - now) / 1000)),
      why: { rule: 'reference 8', expected: `at most ${most} in 24 hours`, seen: recent.length + 1 },
    });
}

/**
 * Starts the reset of a factor that a customer has lost; ends an open reset of it. 400 INVALID_INPUT for a factor that
 * is not enrolled, except the code by SMS: a phone can be lost before it was verified. 429 RATE_LIMITED (reference 8).
 */
export function startReset(world: World, customer: Customer, factor: Factor): Reset {
  if (factor !== 'SMS_OTP' && !factorsOf(world, customer).includes(factor))
    failFields([{ field: 'factor', message: 'is not enrolled' }], 'INVALID_INPUT', 'reference 8');
  const earlier = world.rows(SCA_RESETS).all('customerId', customer.id);
  checkRate(world, earlier);
  for (const old of earlier) if (old.factor === factor) endReset(world, old.id);
  const id = world.newId('ScaReset');
  const lasts = world.lasting(RESET_SECONDS);
  const reset = begin(world, RESETS, 'start', (status) => ({
    id,
    customerId: customer.id,
    factor,
    status,
    expiry: world.schedule('sca.reset.expire', { resetId: id }, lasts),
    liveness: world.schedule('sca.liveness', { resetId: id }, policyDelay(world.policy('sca.liveness'))),
    expiresAt: new Date(world.clock.now() + lasts).toISOString(),
    createdAt: world.clock.iso(),
    updatedAt: world.clock.iso(),
  }));
  return reset;
}

/** Returns a reset of a customer. 404 REFERENCE_NOT_FOUND (reference 8). */
export function resetOf(world: World, customer: Customer, id: string): Reset {
  const reset = world.rows(SCA_RESETS).get(id);
  return reset?.customerId === customer.id
    ? reset
    : fail('REFERENCE_NOT_FOUND', `${customer.id} has no reset ${id}`, {
        why: { rule: 'spec 7, status 404', seen: id },
      });
}

/** Cancels the job that would decide on the liveness of a reset. */
function decided(world: World, { liveness }: Reset): void {
  if (liveness !== undefined) world.scheduler.cancel(liveness);
}

/** Ends a reset that was not completed in time or is replaced by another. */
export function endReset(world: World, id: string): void {
  const reset = world.rows(SCA_RESETS).get(id);
  if (!reset || !OPEN.has(reset.status)) return;
  world.scheduler.cancel(reset.expiry);
  decided(world, reset);
  move(world, RESETS, reset, 'expire');
}

/** Ends every open reset of a customer. */
export function endResets(world: World, customerId: string): void {
  for (const { id } of world.rows(SCA_RESETS).all('customerId', customerId)) endReset(world, id);
}

/** Passes the liveness check, unless it was decided by hand before. */
export function passLiveness(world: World, id: string): void {
  const reset = world.rows(SCA_RESETS).get(id);
  if (reset?.status === 'INITIATED') move(world, RESETS, reset, 'pass');
}

/** Decides on a customer's liveness by hand. 409 CONFLICT if it is already decided (reference 8.4). */
export function decideLiveness(world: World, reset: Reset, on: 'pass' | 'review' | 'reject'): Reset {
  const moved = move(world, RESETS, reset, on);
  decided(world, reset);
  if (on === 'reject') world.scheduler.cancel(reset.expiry);
  return moved;
}

const PENDING = ['LIVENESS_NOT_PASSED', 'the check of liveness has not passed yet'] as const;

/** The refusal to complete a reset: `details.reason`, and the message. */
const NOT_READY = {
  INITIATED: PENDING,
  PENDING_REVIEW: PENDING,
  REJECTED: ['REJECTED', 'the check of liveness was rejected; start another'],
  EXPIRED: ['EXPIRED', 'it has expired; start another'],
} as const satisfies Partial<Record<Reset['status'], readonly [string, string]>>;

/**
 * Completes a reset: removes the factor, which can be enrolled again. For the code by SMS, the new number becomes the
 * customer's, verified. 400 INVALID_INPUT if liveness has not passed, the reset has ended, or the number is missing.
 * 409 CONFLICT if it was completed before (reference 8.4), or as `checkPhoneFree` refuses.
 */
export function completeReset(world: World, reset: Reset, sent: Infer<typeof ResetCompleteRequest> | undefined): void {
  const { status } = reset;
  const why = { rule: 'reference 8.4', expected: 'LIVENESS_PASSED', seen: status };
  if (status === 'COMPLETED')
    fail('CONFLICT', 'the reset was completed before', { details: { reason: 'ALREADY_COMPLETED' }, why });
  if (status !== 'LIVENESS_PASSED') {
    const [reason, says] = NOT_READY[status];
    fail('INVALID_INPUT', `the reset is not ready: ${says}`, { details: { reason }, passes: OPEN.has(status), why });
  }
  const { customerId, factor } = reset;
  const phoneNumber = factor === 'SMS_OTP' ? numberOf(sent?.mobile) : undefined;
  if (phoneNumber !== undefined) checkPhoneFree(world, customerOf(world, customerId), phoneNumber);
  move(world, RESETS, reset, 'complete', { completedAt: world.clock.iso() });
  world.scheduler.cancel(reset.expiry);
  if (phoneNumber !== undefined) changePhone(world, customerId, phoneNumber);
  const enrolled = factor === 'SMS_OTP' ? undefined : activeFactor(world, customerId, factor);
  if (enrolled) remove(world, enrolled);
}

/** Returns the new phone number that completes a reset. 400 INVALID_INPUT if there is none. */
function numberOf(mobile: Infer<typeof ResetCompleteRequest>['mobile']): string {
  if (!mobile)
    return failFields([{ field: 'mobile', message: 'required for SMS_OTP' }], 'INVALID_INPUT', 'reference 8');
  const number = Phone().safeParse(`${mobile.countryCode}${mobile.number}`);
  return number.success
    ? number.data
    : failFields([{ field: 'mobile.number', message: 'makes no E.164 phone number with countryCode' }]);
}

function changePhone(world: World, customerId: string, phoneNumber: string): void {
  const customer = updateCustomer(world, customerId, { phoneNumber });
  if (customer.contactVerification?.phone === 'PENDING') verifiedChannel(world, customer, 'phone');
}

/** Returns whether the factor was enrolled again since; null for the code by SMS, which is never enrolled. */
function enrolmentAfter(world: World, { customerId, factor, completedAt }: Reset): 'PENDING' | 'COMPLETED' | null {
  if (factor === 'SMS_OTP') return null;
  const { confirmedAt = '' } = activeFactor(world, customerId, factor) ?? {};
  return completedAt !== undefined && confirmedAt >= completedAt ? 'COMPLETED' : 'PENDING';
}

/** Returns a reset as replies show it (reference 8.1). */
export const showReset = (world: World, reset: Reset) => ({
  status: reset.status,
  factor: reset.factor,
  enrollmentStatus: enrolmentAfter(world, reset),
  expiresAt: reset.expiresAt,
  completedAt: reset.completedAt ?? null,
});

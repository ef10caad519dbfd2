import { fail, failFields } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, move, transition } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, type Customer } from '../customers/index.ts';
import {
  answerable,
  challengeAbout,
  endChallenge,
  factorsOf,
  issue,
  openChallenge,
  pass,
  refuseProof,
} from './challenges.ts';
import { TRUST } from './machine.ts';
import { requiresSca } from './policy.ts';
import { checkForm, checkHas, type Verdict } from './proof.ts';
import { type Challenge, SCA_CHALLENGES, SCA_TRUST, type Trust } from './row.ts';
import type { Factor, TrustConfirmRequest } from './schema.ts';

const TRUSTED = lifecycle(SCA_TRUST, { state: 'status', machine: TRUST });
/** The requested change: to be paid without challenges from now on, or no longer. */
export type Change = 'trust' | 'untrust';

const PENDING: Readonly<Record<Change, Trust['status']>> = { trust: 'TRUST_PENDING', untrust: 'UNTRUST_PENDING' };

/** Returns whether payments to an account need no challenge; an unconfirmed change has no effect (reference 10). */
export function isTrusted(world: World, accountId: string): boolean {
  const status = world.rows(SCA_TRUST).get(accountId)?.status;
  return status === 'TRUSTED' || status === 'UNTRUST_PENDING';
}

/**
 * Refuses to delete an account that its customer trusts: 409 BENEFICIARY_TRUSTED (reference 10). Trust does not count
 * any more once the customer was deleted or is no longer subject to strong customer authentication, and so cannot end
 * it.
 */
export function checkUntrusted(world: World, accountId: string): void {
  const trust = world.rows(SCA_TRUST).get(accountId);
  const customer = trust && world.rows(CUSTOMERS).get(trust.customerId);
  if (!customer || customer.isDeleted || !requiresSca(world, customer) || !isTrusted(world, accountId)) return;
  fail('BENEFICIARY_TRUSTED', `external account ${accountId} is trusted: untrust it first`, {
    why: { rule: 'reference 10', seen: trust.status },
  });
}

/** Returns the factors that may confirm a change of trust, a passkey first. */
const trustFactors = (world: World, customer: Customer): Factor[] =>
  factorsOf(world, customer)
    .filter((factor) => factor !== 'TOTP')
    .reverse();

/** The refusal to trust a trusted account, or to end trust that does not exist. */
const NOTHING_TO_CHANGE = {
  trust: ['ALREADY_TRUSTED', 'is trusted already'],
  untrust: ['NOT_TRUSTED', 'is not trusted'],
} as const;

/** Refuses a change of trust that would change nothing: 409 CONFLICT (reference 10). */
function checkChange({ id, status }: Trust, change: Change): void {
  if (transition(TRUST, status, change)) return;
  const [reason, says] = NOTHING_TO_CHANGE[change];
  fail('CONFLICT', `external account ${id} ${says}`, {
    details: { reason },
    why: { rule: 'reference 10', seen: status },
  });
}

/**
 * Issues a challenge to confirm that a customer trusts an account, or no longer does. 400 INVALID_INPUT for a customer
 * with neither phone nor passkey, 409 CONFLICT if that is already so (reference 10).
 */
export function askForTrust(world: World, customer: Customer, accountId: string, change: Change): Challenge {
  const factors = trustFactors(world, customer);
  if (factors.length === 0)
    fail('INVALID_INPUT', `${customer.id} has neither a verified phone nor a passkey to confirm with`, {
      why: { rule: 'reference 8' },
    });
  const known =
    world.rows(SCA_TRUST).get(accountId) ??
    begin(world, TRUSTED, 'know', (status) => ({
      id: accountId,
      customerId: customer.id,
      status,
      createdAt: world.clock.iso(),
      updatedAt: world.clock.iso(),
    }));
  checkChange(known, change);
  move(world, TRUSTED, known, change);
  return issue(world, { kind: 'TRUST', customerId: customer.id, subject: accountId, factors });
}

/**
 * Returns the challenge that a confirmation answers. 400 INVALID_INPUT if it has ended, is not the pending one, or its
 * factor was lost; 409 CONFLICT if the change was not requested (reference 10).
 */
export function trustChallenge(
  world: World,
  accountId: string,
  change: Change,
  sent: Infer<typeof TrustConfirmRequest>,
): Challenge {
  const status = world.rows(SCA_TRUST).get(accountId)?.status;
  const named = challengeAbout(world, accountId, sent.challengeId);
  if (named && named.status !== 'PENDING') answerable(world, named);
  if (status !== PENDING[change])
    fail('CONFLICT', `${change} of ${accountId} was not requested`, {
      passes: true,
      why: { rule: 'reference 10', expected: PENDING[change], seen: status },
    });
  if (sent.challengeId == null)
    failFields(
      [{ field: 'challengeId', message: 'required: a challenge was issued' }],
      'INVALID_INPUT',
      'reference 10',
    );
  const challenge = answerable(world, named);
  checkForm(world, challenge.factors, sent);
  checkHas(world, challenge, sent);
  return challenge;
}

/** Confirms a change of trust. 400 INVALID_INPUT for a wrong proof (reference 10). */
export function confirmTrust(world: World, challenge: Challenge, change: Change, verdict: Verdict): void {
  const { customerId, subject } = challenge;
  if (!verdict.ok) refuseProof(world, { kind: 'TRUST', customerId, challenge, reason: verdict.reason });
  verdict.value?.(world);
  pass(world, challenge);
  const trust = world.rows(SCA_TRUST).get(subject) as Trust;
  move(world, TRUSTED, trust, change === 'trust' ? 'confirm trust' : 'confirm untrust');
}

/** Drops a change of trust that was not confirmed. */
export function lapseTrust(world: World, accountId: string): void {
  const trust = world.rows(SCA_TRUST).get(accountId);
  if (trust && Object.values(PENDING).includes(trust.status)) move(world, TRUSTED, trust, 'lapse');
}

/** Ends the challenge about a deleted account, as nobody can confirm a change of trust in it any more. */
export function endTrustChallenge(world: World, accountId: string): void {
  const open = world.holds(SCA_CHALLENGES) ? openChallenge(world, accountId) : undefined;
  if (open) endChallenge(world, open);
}

/** Plants trust that exists according to a scenario. */
export const plantTrust = (world: World, customerId: string, id: string): Trust =>
  begin(world, TRUSTED, 'plant', (status) => ({
    id,
    customerId,
    status,
    createdAt: world.clock.iso(),
    updatedAt: world.clock.iso(),
  }));

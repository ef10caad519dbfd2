import { fail } from '../../contract/errors.ts';
import type { Outcome } from '../../crypto/outcome.ts';
import type { Infer } from '../../declare/operation.ts';
import { decideLater } from '../../engine/decide-later.ts';
import { move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { CHALLENGE_SECONDS } from '../signing/index.ts';
import type { Challenge, ExternalAccount } from './row.ts';
import { ACCOUNT, identifierOf } from './rules.ts';
import type { OwnershipChallenge, OwnershipVerifyRequest } from './schema.ts';
import { typeOf } from './types.ts';

/** A signature that the sandbox accepts unchecked: sandbox addresses rarely have a key behind them. */
export const LEGACY_SIGNATURE = 'sandbox-valid-signature';

/** Refuses an account whose owner cannot be proven at all: 409 CONFLICT. */
function checkProvable(account: ExternalAccount): void {
  const type = typeOf(account.accountInfo.accountType);
  const why =
    (!type.signature && 'only a crypto wallet can be proven') ||
    (account.accountInfo.vaspName !== undefined && 'a custodian holds this wallet') ||
    (account.ownershipType !== 'FIRST_PARTY' && 'only a FIRST_PARTY wallet can be proven') ||
    (account.status === 'ACTIVE' && 'who owns this wallet is verified already');
  if (why) fail('CONFLICT', why, { why: { rule: 'ownership challenge', seen: account.status } });
}

/**
 * Starts a challenge for proof of ownership; an earlier one becomes void. 409 CONFLICT unless the account is a
 * first-party self-custody wallet that waits for one. The policy `external-account.liveness` says when a liveness check
 * is decided; a signature is sent to the verify operation.
 */
export function challengeOwner(
  world: World,
  account: ExternalAccount,
  method: Challenge['method'],
  origin: string,
): Infer<typeof OwnershipChallenge> {
  checkProvable(account);
  const expiresAt = new Date(world.clock.now() + world.lasting(CHALLENGE_SECONDS)).toISOString();
  const token = world.ids.hex(16);
  const message = [
    'I own this wallet.',
    `Address: ${identifierOf(account)}`,
    `Account: ${account.id}`,
    `Nonce: ${token}`,
    `Valid until: ${expiresAt}`,
  ].join('\n');
  const challenged = move(world, ACCOUNT, account, 'challenge', { challenge: { method, message, expiresAt } });
  if (method === 'WALLET_SIGNATURE') return { method, messageToSign: message, expiresAt };
  // There is no camera here: the check passes, at once or when the policy says.
  const now = () => passLiveness(world, challenged);
  decideLater(world, 'external-account.liveness', { accountId: account.id, message }, { now });
  return { method, verificationLink: `${origin}/liveness/${token}`, token, expiresAt };
}

/** Decides a liveness check: it passes, unless the challenge has ended. */
export function passLiveness(world: World, account: ExternalAccount): void {
  const inTime = world.clock.iso() < (account.challenge?.expiresAt ?? '');
  move(world, ACCOUNT, account, inTime ? 'prove' : 'fail', { challenge: undefined });
}

/** Returns the challenge that a signature must answer. 409 CONFLICT if there is none. */
export function pendingChallenge(account: ExternalAccount): Challenge {
  const { challenge } = account;
  if (challenge?.method !== 'WALLET_SIGNATURE' || account.status !== 'PENDING_OWNERSHIP_VERIFICATION')
    fail('CONFLICT', `no signature of ${account.id} is awaited: start a challenge first`, {
      passes: true,
      why: { rule: 'ownership challenge', expected: 'WALLET_SIGNATURE', seen: challenge?.method },
    });
  return challenge as Challenge;
}

/** The verdict on a signature, and the challenge that it answers. */
interface Verdict {
  readonly challenge: Challenge;
  readonly outcome: Outcome<true>;
}

/** Returns whether a signature answers the pending challenge, and if not, why. Writes nothing. */
export async function verifyOwnershipProof(
  world: World,
  account: ExternalAccount,
  { signature, signatureScheme }: Infer<typeof OwnershipVerifyRequest>,
): Promise<Verdict> {
  const challenge = pendingChallenge(account);
  const verdict = (outcome: Outcome<true>): Verdict => ({ challenge, outcome });
  const scheme = typeOf(account.accountInfo.accountType).signature;
  if (!scheme || world.clock.iso() >= challenge.expiresAt)
    return verdict({ ok: false, reason: 'the challenge has expired' });
  if (signature === LEGACY_SIGNATURE) return verdict({ ok: true, value: true });
  const { provesWallet } = await import('../../crypto/wallet-proof.ts');
  const { message } = challenge;
  return verdict(
    await provesWallet(scheme, { address: identifierOf(account), message, signature, format: signatureScheme }),
  );
}

/**
 * Applies the verdict: with a good signature, the wallet is `ACTIVE`. A bad one is 400 INVALID_INPUT with the reason;
 * it ends the challenge, and the account stays `UNVERIFIED` until the next. 409 CONFLICT if the challenge was answered
 * or replaced while the signature was checked.
 */
export function applyProofResult(
  world: World,
  account: ExternalAccount,
  { challenge, outcome }: Verdict,
  signature: string,
): ExternalAccount {
  if (pendingChallenge(account).message !== challenge.message)
    fail('CONFLICT', `another challenge of ${account.id} was started in the meantime`);
  if (!outcome.ok)
    fail('INVALID_INPUT', `signature: ${outcome.reason}`, {
      details: { reason: outcome.reason, errors: [{ field: 'signature', message: outcome.reason }] },
      why: { rule: 'ownership challenge: a bad or late signature', seen: outcome.reason },
      onRefusal: () => move(world, ACCOUNT, account, 'fail', { challenge: undefined }),
    });
  if (signature === LEGACY_SIGNATURE) world.magic(`signature is ${LEGACY_SIGNATURE}: ownership taken as proven`);
  return move(world, ACCOUNT, account, 'prove', { challenge: undefined });
}

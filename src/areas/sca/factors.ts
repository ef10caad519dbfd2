import { fail, failFields } from '../../contract/errors.ts';
import { register, sha256, unpadded } from '../../crypto/index.ts';
import { bad, good, type Outcome } from '../../crypto/outcome.ts';
import type { Totp } from '../../crypto/totp.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import type { Customer } from '../customers/index.ts';
import { platformOf } from '../platform/index.ts';
import {
  answerable,
  browserChallenge,
  CHALLENGE_SECONDS,
  factorsOf,
  issue,
  newestChallenge,
  openChallenge,
  pass,
  refuseProof,
  replace,
} from './challenges.ts';
import { activeFactor } from './factor-rows.ts';
import { FACTOR } from './machine.ts';
import { SCA_CODE } from './magic.ts';
import { rulesOf } from './policy.ts';
import { checkCeremony, checkOrigin, forAnother, recoveryDigest, refusedUnread, spelled, stepOf } from './proof.ts';
import { type Challenge, type FactorRow, SCA_FACTORS } from './row.ts';
import type { ConfirmRequest, Factor } from './schema.ts';

const FACTORS = lifecycle(SCA_FACTORS, { state: 'status', machine: FACTOR });

const NAMES: Readonly<Record<Factor, string>> = {
  SMS_OTP: 'Code by SMS',
  TOTP: 'Authenticator app',
  PASSKEY: 'Passkey',
};

/** Returns a factor as replies show it; only passkeys can be deleted by their id. */
export const showFactor = (factor: Factor, credentialId?: string) => ({ factor, credentialId, name: NAMES[factor] });

/** Returns the factors that a customer can authenticate with, the code by SMS first (reference 8). */
export const listFactors = (world: World, customer: Customer) => ({
  factors: factorsOf(world, customer).map((factor) =>
    showFactor(factor, factor === 'PASSKEY' ? activeFactor(world, customer.id, 'PASSKEY')?.id : undefined),
  ),
});

/** Refuses a second passkey: 409 PASSKEY_ALREADY_ENROLLED (reference 8). */
export function checkOnePasskey(world: World, customerId: string, type: FactorRow['type']): void {
  if (type === 'PASSKEY' && activeFactor(world, customerId, type))
    fail('PASSKEY_ALREADY_ENROLLED', `${customerId} has a passkey already: delete it first`, {
      why: { rule: 'reference 8', expected: 'at most one passkey per customer' },
    });
}

const pendingFactor = (world: World, customerId: string, type: FactorRow['type']): FactorRow | undefined =>
  world
    .rows(SCA_FACTORS)
    .all('customerId', customerId)
    .find((one) => one.type === type && one.status === 'PENDING');

/** Returns the challenge of the newest enrolment of a type, whatever its status. */
function newestOf(world: World, customerId: string, type: FactorRow['type']): Challenge | undefined {
  const factor = world
    .rows(SCA_FACTORS)
    .all('customerId', customerId)
    .findLast((one) => one.type === type);
  return factor && newestChallenge(world, factor.id);
}

/** The changes that remove from a factor the secrets that no longer count. */
const STRIPPED = { secret: undefined, recovery: undefined, lastStep: undefined };

const SECRET_BYTES = 20;

/** Begins to enrol a factor; an earlier unconfirmed enrolment of the same type lapses (reference 8). */
export function enrol(
  world: World,
  customer: Customer,
  type: FactorRow['type'],
): { factor: FactorRow; challenge: Challenge } {
  checkOnePasskey(world, customer.id, type);
  const old = pendingFactor(world, customer.id, type);
  const begun = old && openChallenge(world, old.id);
  const factor = begin(world, FACTORS, 'enrol', (status) => ({
    id: world.newId('ScaFactor'),
    customerId: customer.id,
    type,
    status,
    ...(type === 'TOTP' ? { secret: world.ids.hex(SECRET_BYTES) } : {}),
    createdAt: world.clock.iso(),
    updatedAt: world.clock.iso(),
  }));
  if (old) lapse(world, old);
  if (begun) replace(world, begun);
  const challenge = issue(world, { kind: 'ENROLMENT', customerId: customer.id, subject: factor.id, factors: [type] });
  return { factor, challenge };
}

/** Ends an enrolment that was not confirmed. */
export const lapse = (world: World, factor: FactorRow): FactorRow => move(world, FACTORS, factor, 'lapse', STRIPPED);

/** Returns the data for setting up an authenticator app; the issuer is the platform's domain. */
export function showTotpStart(world: World, customer: Customer, { secret = '' }: FactorRow, codes: Totp) {
  const { base32, uri } = codes.shown(secret, platformOf(world).umaDomain, customer.umaAddress);
  return { type: 'TOTP' as const, secret, secretBase32Encoded: base32, totpUri: uri };
}

/** Returns the options with which a browser creates a passkey. */
export function showPasskeyStart(world: World, customer: Customer, { nonce = '' }: Challenge) {
  const { origins, relyingPartyId } = rulesOf(world);
  return {
    type: 'PASSKEY' as const,
    options: {
      challenge: browserChallenge(nonce),
      rp: { id: relyingPartyId, name: relyingPartyId },
      user: {
        id: Buffer.from(customer.id, 'utf8').toString('base64url'),
        name: customer.umaAddress,
        displayName: customer.umaAddress,
      },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      timeout: world.lasting(CHALLENGE_SECONDS),
    },
    allowedOrigins: [...origins],
    relyingPartyId,
  };
}

type Confirm = Infer<typeof ConfirmRequest>;

/** An enrolment that can be confirmed. */
export interface Enrolment {
  readonly factor: FactorRow;
  readonly challenge: Challenge;
}

/**
 * Returns the enrolment that a confirmation is for. 400 INVALID_INPUT if there is none, or another secret was sent
 * (reference 8).
 */
export function enrolmentOf(world: World, customer: Customer, sent: Confirm): Enrolment {
  checkOnePasskey(world, customer.id, sent.type);
  const factor = pendingFactor(world, customer.id, sent.type);
  const challenge = answerable(world, newestOf(world, customer.id, sent.type));
  if (!factor) throw new Error('an open challenge has its factor');
  if (sent.type === 'TOTP' && sent.secret !== factor.secret)
    failFields([{ field: 'secret', message: 'not the secret of the start' }], 'INVALID_INPUT', 'reference 8.1');
  if (sent.type === 'PASSKEY') {
    checkOrigin(world, sent.origin);
    checkCeremony('credential', sent.credential);
  }
  return { factor, challenge };
}

type Found = Outcome<Partial<FactorRow>>;

/** The verdict on the proof of an enrolment, the data to store from it, and the id of its challenge. */
interface Judged {
  readonly challengeId: string;
  readonly found: Found;
}

/** Judges the proof of an enrolment. Asynchronous because of a library; writes nothing. */
export async function judgeEnrolment(world: World, enrolment: Enrolment, sent: Confirm): Promise<Judged> {
  return { challengeId: enrolment.challenge.id, found: await judgeProof(world, enrolment, sent) };
}

async function judgeProof(world: World, { factor, challenge }: Enrolment, sent: Confirm): Promise<Found> {
  if (sent.type === 'PASSKEY') return judgeCredential(world, challenge.nonce ?? '', sent.credential, sent.origin);
  if (sent.code === SCA_CODE) return good({});
  const step = await stepOf(world, factor, sent.code);
  return step.ok ? good({ lastStep: step.value }) : step;
}

async function judgeCredential(world: World, nonce: string, made: object, origin: string): Promise<Found> {
  const read = spelled(made, 'clientDataJSON', 'attestationObject');
  if (!read) {
    if (forAnother(made, nonce)) return bad('the credential is for another challenge');
    const id: unknown = Reflect.get(made, 'id');
    return good({ passkey: { ...(typeof id === 'string' ? { credentialId: id } : {}), counter: 0 } });
  }
  const outcome = await register({
    credentialId: read.id,
    clientDataJson: read.clientDataJSON,
    attestationObject: read.attestationObject,
    challenge: browserChallenge(nonce),
  });
  if (!outcome.ok) return refusedUnread('credential', outcome);
  const { publicKey, counter, rpIdHash } = outcome.value;
  if (outcome.value.origin !== origin) return bad('the credential was made at another origin');
  if (rpIdHash !== sha256(rulesOf(world).relyingPartyId)) return bad('the credential is of another relying party');
  return good({ passkey: { credentialId: unpadded(read.id), publicKey, counter, rpIdHash } });
}

const RECOVERY_CODES = 8;

/** Returns codes that replace an authenticator app, each usable once. */
const recoveryCodes = (world: World): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (world.ids.hex(6).toUpperCase().match(/.{4}/g) as string[]).join('-'));

/**
 * Confirms an enrolment, and returns the factor with its recovery codes, which are never shown again. 400 INVALID_INPUT
 * for a wrong proof; 409 PASSKEY_ALREADY_ENROLLED (reference 8).
 */
export function confirm(
  world: World,
  { factor, challenge }: Enrolment,
  { challengeId, found }: Judged,
): { factor: FactorRow; codes: string[] } {
  const { customerId, type } = factor;
  if (challengeId !== challenge.id)
    fail('INVALID_INPUT', 'another enrolment has begun: confirm that one', {
      why: { rule: 'reference 8', expected: challenge.id, seen: challengeId },
    });
  if (!found.ok) return refuseProof(world, { kind: 'ENROLMENT', customerId, challenge, reason: found.reason });
  const old = activeFactor(world, customerId, type);
  if (old) remove(world, old);
  const codes = type === 'TOTP' ? recoveryCodes(world) : [];
  const confirmed = move(world, FACTORS, factor, 'confirm', {
    ...found.value,
    ...(type === 'TOTP' ? { recovery: codes.map(recoveryDigest) } : {}),
    confirmedAt: world.clock.iso(),
  });
  pass(world, challenge);
  return { factor: confirmed, codes };
}

/** Removes a factor: it can be enrolled again. */
export const remove = (world: World, factor: FactorRow): FactorRow =>
  move(world, FACTORS, factor, 'remove', { ...STRIPPED, passkey: undefined });

/** Returns a customer's passkey by the id that the list shows. 404 REFERENCE_NOT_FOUND (reference 8). */
export function passkeyOf(world: World, customer: Customer, id: string): FactorRow {
  const passkey = activeFactor(world, customer.id, 'PASSKEY');
  return passkey?.id === id
    ? passkey
    : fail('REFERENCE_NOT_FOUND', `${customer.id} has no factor ${id}`, {
        why: { rule: 'spec 7, status 404', seen: id },
      });
}

/** Plants a factor that is enrolled according to a scenario. */
export function plantFactor(
  world: World,
  planted: Pick<FactorRow, 'customerId' | 'type' | 'secret' | 'passkey'>,
  id: string | undefined,
): FactorRow {
  return begin(world, FACTORS, 'plant', (status) => ({
    ...planted,
    id: id ?? world.newId('ScaFactor'),
    status,
    createdAt: world.clock.iso(),
    updatedAt: world.clock.iso(),
    confirmedAt: world.clock.iso(),
  }));
}

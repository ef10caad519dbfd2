import { createHash } from 'node:crypto';
import { fail, failFields } from '../../contract/errors.ts';
import { magicName } from '../../contract/suffix.ts';
import { assert } from '../../crypto/index.ts';
import { bad, good, type Outcome } from '../../crypto/outcome.ts';
import { fromBase64url, jsonObject, unpadded } from '../../crypto/text.ts';
import { totp } from '../../crypto/totp.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { customerOf } from '../customers/index.ts';
import { browserChallenge, factorsOf } from './challenges.ts';
import { activeFactor } from './factor-rows.ts';
import { SCA_CODE } from './magic.ts';
import { rulesOf } from './policy.ts';
import { type Challenge, type FactorRow, SCA_CHALLENGES, SCA_FACTORS } from './row.ts';
import type { Factor, ScaAuthorization } from './schema.ts';

/** A customer's proof: a code, or the result of a passkey. */
export type Proof = Pick<Infer<typeof ScaAuthorization>, 'code' | 'passkeyAssertion' | 'origin'>;

/** The verdict on a proof: what to write about the factor that was used, or why the proof is refused. */
export type Verdict = Outcome<((world: World) => void) | undefined>;

/** The customer who must give a proof, the factors, and the text that a passkey must sign. */
export type Ask = Pick<Challenge, 'customerId' | 'factors' | 'nonce'> & Partial<Pick<Challenge, 'id'>>;

/** Returns the digest under which a recovery code is stored; case and dashes do not matter. */
export const recoveryDigest = (code: string): string =>
  createHash('sha256')
    .update(`recovery ${code.replaceAll('-', '').toUpperCase()}`)
    .digest('hex');

/**
 * Refuses a malformed proof: 400 INVALID_INPUT unless it is one code, or one assertion with its origin, of a requested
 * factor. It does not count as an attempt.
 */
export function checkForm(world: World, factors: readonly Factor[], { code, passkeyAssertion, origin }: Proof): void {
  const asksForCode = factors.some((factor) => factor !== 'PASSKEY');
  if ((code ?? undefined) === undefined && (passkeyAssertion ?? undefined) === undefined)
    failFields(
      [{ field: asksForCode ? 'code' : 'passkeyAssertion', message: 'required' }],
      'INVALID_INPUT',
      'reference 9',
    );
  if (code != null && passkeyAssertion != null)
    failFields(
      [{ field: 'passkeyAssertion', message: 'a code or an assertion, not both' }],
      'INVALID_INPUT',
      'reference 9',
    );
  if (code != null && !asksForCode)
    failFields(
      [{ field: 'code', message: 'must be left out: this challenge needs a passkey' }],
      'INVALID_INPUT',
      'reference 9',
    );
  if (passkeyAssertion == null) return;
  if (!factors.includes('PASSKEY'))
    failFields(
      [{ field: 'passkeyAssertion', message: 'must be left out: this challenge needs a code' }],
      'INVALID_INPUT',
      'reference 9',
    );
  checkOrigin(world, origin);
  checkCeremony('passkeyAssertion', passkeyAssertion);
}

/** The reasons why a lost factor cannot answer a challenge. */
const LOST: Readonly<Record<Factor, string>> = {
  SMS_OTP: 'no verified phone receives codes',
  TOTP: 'no authenticator app is enrolled',
  PASSKEY: 'no passkey is enrolled',
};

/**
 * Refuses a proof by a factor that the customer has lost since the challenge; it does not count as an attempt. 400
 * INVALID_INPUT. The challenge can be answered again once the customer has the factor (reference 8).
 */
export function checkHas(world: World, { customerId, factors }: Challenge, { passkeyAssertion }: Proof): void {
  const has = factorsOf(world, customerOf(world, customerId));
  const answers = factors.filter((factor) => (factor === 'PASSKEY') === (passkeyAssertion != null));
  if (answers.some((factor) => has.includes(factor))) return;
  const reason = LOST[answers[0] as Factor];
  fail('INVALID_INPUT', `the proof is refused: ${reason}`, {
    details: { reason },
    passes: true,
    why: { rule: 'reference 8', expected: answers, seen: has },
  });
}

/** Refuses an origin at which passkeys are not allowed: 400 INVALID_INPUT. */
export function checkOrigin(world: World, origin: string | null | undefined): void {
  const { origins } = rulesOf(world);
  if (origin == null) failFields([{ field: 'origin', message: 'required with a passkey' }]);
  else if (!origins.includes(origin))
    failFields([{ field: 'origin', message: 'not one of allowedOrigins', constraint: { enum: [...origins] } }]);
}

/** Refuses an empty object in place of a device's result: 400 INVALID_INPUT. */
export function checkCeremony(field: string, made: object): void {
  if (Object.keys(made).length === 0) failFields([{ field, message: 'is empty' }]);
}

const textIn = (value: unknown, name: string): string | undefined => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : undefined;
};

/** Returns the members of a ceremony's result by the names that browsers use; undefined unless all are present. */
export function spelled<N extends string>(made: object, ...names: readonly N[]): Record<N | 'id', string> | undefined {
  const response: unknown = Reflect.get(made, 'response');
  const found = [['id', textIn(made, 'id')], ...names.map((name) => [name, textIn(response, name)])];
  return found.every(([, text]) => text !== undefined)
    ? (Object.fromEntries(found) as Record<N | 'id', string>)
    : undefined;
}

/** The names that browsers use for the parts of a ceremony's result, if they differ. */
const SPELLED: Readonly<Record<string, string>> = { clientDataJson: 'clientDataJSON' };

/** Refuses what cannot be parsed: 400 INVALID_INPUT. It does not count as an attempt. Returns any other refusal. */
export function refusedUnread<T extends { reason: string; unread?: string }>(within: string, refused: T): T {
  const { unread, reason } = refused;
  if (unread !== undefined)
    failFields(
      [{ field: `${within}.response.${SPELLED[unread] ?? unread}`, message: reason }],
      'INVALID_INPUT',
      'reference 9',
    );
  return refused;
}

/** Returns whether a result that is otherwise accepted unread names another challenge. */
export function forAnother(made: object, nonce: string): boolean {
  const clientData = textIn(Reflect.get(made, 'response'), 'clientDataJSON') ?? textIn(made, 'clientDataJSON');
  const signed = clientData === undefined ? undefined : textIn(jsonObject(fromBase64url(clientData)), 'challenge');
  const named = signed ?? textIn(made, 'challenge');
  return named !== undefined && unpadded(named) !== browserChallenge(nonce);
}

/** Judges a proof; `checkForm` runs before. Asynchronous only if a library is needed; writes nothing. */
export function judge(world: World, ask: Ask, proof: Proof): Verdict | Promise<Verdict> {
  if (proof.passkeyAssertion != null) return judgePasskey(world, ask, proof.passkeyAssertion, proof.origin ?? '');
  const code = proof.code ?? '';
  if (code === SCA_CODE)
    return good(
      noted(
        `code ${SCA_CODE}: the sandbox code of strong customer authentication`,
        undefined,
        magicName('code of strong authentication', SCA_CODE),
      ),
    );
  if (ask.factors.includes('TOTP')) return judgeTotp(world, ask.customerId, code);
  return bad('the code is wrong');
}

const noted =
  (sentence: string, then?: (world: World) => void, value?: string) =>
  (world: World): void => {
    world.magic(sentence, value);
    then?.(world);
  };

function judgeTotp(world: World, customerId: string, code: string): Verdict | Promise<Verdict> {
  const factor = activeFactor(world, customerId, 'TOTP');
  if (!factor) return bad(LOST.TOTP);
  const digest = recoveryDigest(code);
  const { recovery = [] } = factor;
  if (recovery.includes(digest))
    return good((now) => use(now, factor, { recovery: recovery.filter((one) => one !== digest) }));
  return stepOf(world, factor, code).then((step) =>
    step.ok ? good((now: World) => use(now, factor, { lastStep: step.value })) : step,
  );
}

/** Returns the time step of an authenticator app's code. Refuses a code that is wrong, too old, or was used before. */
export async function stepOf(
  world: World,
  { secret = '', lastStep = -1 }: FactorRow,
  code: string,
): Promise<Outcome<number>> {
  const step = (await totp()).stepOf(secret, code, world.clock.now());
  if (step === undefined) return bad('the code is wrong, or of another time');
  return step > lastStep ? good(step) : bad('the code was used before');
}

/** Records the use of a factor. Refuses if the factor was used or removed while the proof was judged. */
function use(world: World, seen: FactorRow, change: Partial<FactorRow>): void {
  if (world.rows(SCA_FACTORS).get(seen.id) !== seen)
    fail('INVALID_INPUT', 'the factor has been used or removed since: try again', {
      passes: true,
      why: { rule: 'reference 8', seen: seen.id },
    });
  world.rows(SCA_FACTORS).put({ ...seen, ...change, updatedAt: world.clock.iso() });
}

/** Refuses a proof whose challenge ended while it was judged. */
function checkAsked(world: World, id: string | undefined): void {
  if (id !== undefined && world.rows(SCA_CHALLENGES).get(id)?.status !== 'PENDING')
    fail('INVALID_INPUT', 'the challenge was answered or replaced in the meantime', {
      why: { rule: 'reference 9', seen: id },
    });
}

async function judgePasskey(
  world: World,
  { id, customerId, nonce = '' }: Ask,
  made: object,
  origin: string,
): Promise<Verdict> {
  const factor = activeFactor(world, customerId, 'PASSKEY');
  const { passkey } = factor ?? {};
  if (!factor || !passkey) return bad(LOST.PASSKEY);
  const { credentialId, publicKey, counter, rpIdHash } = passkey;
  const read = spelled(made, 'clientDataJSON', 'authenticatorData', 'signature');
  if (!read || credentialId === undefined || publicKey === undefined || rpIdHash === undefined)
    return forAnother(made, nonce)
      ? bad('the assertion is for another challenge')
      : good(
          noted('the passkey assertion was taken unread: it, or the passkey, is opaque', (now) => checkAsked(now, id)),
        );
  const outcome = await assert({
    credentialId: read.id,
    clientDataJson: read.clientDataJSON,
    authenticatorData: read.authenticatorData,
    signature: read.signature,
    expected: { credentialId, publicKey, counter, origin, rpIdHash, challengeHex: nonce },
  });
  if (!outcome.ok) return refusedUnread('passkeyAssertion', outcome);
  return good((now) => {
    checkAsked(now, id);
    use(now, factor, { passkey: { ...passkey, counter: outcome.value.counter } });
  });
}

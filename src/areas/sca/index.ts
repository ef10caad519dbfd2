/**
 * Strong customer authentication: factors, logins, resets, and the challenges that payments and trust require.
 * Chosen where the specification is silent:
 * - No customer is subject to it unless the scenario says `platform.sca`, in either profile. Then those customers are
 *   whose region, or else the country of the address, is in its `regions`: by default the European Economic Area.
 * - The code by SMS is a factor of every customer with a phone, which must be verified if the platform requires that.
 * - If the factor of a challenge was lost, a proof by it is 400 and does not count; sending its code again is 409.
 * - `123456` is right for every code. So are the real codes of the enrolled secret (RFC 6238, one step of 30 seconds
 *   either way on the virtual clock), each once; recovery codes work once, too.
 * - Passkeys: what has the format of browsers is verified; anything else that is not empty is accepted unread, unless
 *   it names another challenge. A passkey that was registered unread cannot be verified later.
 * - Enrolling an authenticator app again replaces the old one once it is confirmed; a second passkey is 409.
 * - Challenges last 5 virtual minutes (`limits.scaChallengeSeconds`) and allow three wrong answers
 *   (`limits.scaWrongAnswers`). For a payment the third is 429, and so is every later one until the challenge ends;
 *   elsewhere it is 400, and the customer starts again.
 * - `availableFactors` names what can answer this challenge: for a payment its one factor, for trust all factors.
 * - Wrong proofs of logins and payments count towards the lock, those of enrolments and trust do not. A right one
 *   clears nothing.
 * - A session is required only if the scenario says `platform.sca.requireSession`, and by payments alone.
 * - Liveness passes by itself right after the start of a reset, unless the policy `sca.liveness` says otherwise; people
 *   can decide instead. A reset lasts 30 minutes (`limits.scaResetSeconds`); a newer one of the same factor ends it.
 * - A reset of the code by SMS needs no signature of a wallet; credentials tied to the phone move to the new number. A
 *   number that another customer's credential is tied to is 409 `CONFLICT`, as it is for a change of the customer.
 * - Trusting a trusted account, or ending trust that does not exist, is 409. Trust can be confirmed by code or by
 *   passkey.
 * - Deleting a customer ends in the same call what is open: challenges, enrolments, resets and the login.
 * - This area emits no events, except for payments that wait for a challenge.
 */

import { area, on } from '../../declare/area.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMER_DELETED, type Customer } from '../customers/index.ts';
import { abandon, CHALLENGE_EXPIRED, CHALLENGE_SECONDS, MOST_MISSES, MOST_RESENT } from './challenges.ts';
import { decisions } from './decisions.ts';
import { lapse } from './factors.ts';
import { jobs } from './jobs.ts';
import { clearLogin, SESSION_SECONDS } from './logins.ts';
import { CHALLENGE, FACTOR, RESET, TRUST } from './machine.ts';
import { MAGIC } from './magic.ts';
import { SCA_RULES } from './policy.ts';
import { endResets, RESET_SECONDS, RESETS_PER_DAY } from './resets.ts';
import { routes } from './routes.ts';
import { type Challenge, SCA_CHALLENGES, SCA_FACTORS, SCA_LOGINS, SCA_RESETS, SCA_TRUST } from './row.ts';
import { factorSeed } from './seeds.ts';
import { lapseTrust } from './trust.ts';

export {
  answerable,
  CHALLENGE_EXPIRED,
  checkAttempts,
  endChallenge,
  factorsOf,
  issue,
  openChallenge,
  pass,
  passedChallenges,
  refuseProof,
  resend,
  showChallenge,
} from './challenges.ts';
export { isAnswerable } from './examples.ts';
export { checkEnrolled } from './login.ts';
export { checkUnlocked, hasSession } from './logins.ts';
export { checkConcerned, requiresSca, rulesOf, ScaPolicy, setScaPolicy } from './policy.ts';
export { checkForm, checkHas, judge, type Verdict } from './proof.ts';
export type { Challenge } from './row.ts';
export {
  type Factor,
  ScaAuthorization,
  ScaChallenge,
  ScaFactor,
  TrustConfirm,
  TrustConfirmRequest,
  TrustStart,
} from './schema.ts';
export {
  askForTrust,
  type Change,
  checkUntrusted,
  confirmTrust,
  endTrustChallenge,
  isTrusted,
  plantTrust,
  trustChallenge,
} from './trust.ts';

/** Ends what waited for a challenge that was not answered; the area of payments does that for payments. */
function lapseWith(world: World, { kind, subject }: Challenge): void {
  const factor = kind === 'ENROLMENT' ? world.rows(SCA_FACTORS).get(subject) : undefined;
  if (factor?.status === 'PENDING') lapse(world, factor);
  if (kind === 'TRUST') lapseTrust(world, subject);
}

/** Ends the challenges, enrolments, resets and the login of a deleted customer, in the same call. */
function endWith(world: World, { id }: Customer): void {
  if (world.holds(SCA_CHALLENGES)) abandon(world, id);
  if (world.holds(SCA_RESETS)) endResets(world, id);
  if (world.holds(SCA_LOGINS)) clearLogin(world, id);
}

export const sca = area('sca', {
  machines: [FACTOR, CHALLENGE, RESET, TRUST],
  magic: MAGIC,
  tables: [SCA_RULES, SCA_FACTORS, SCA_CHALLENGES, SCA_RESETS, SCA_LOGINS, SCA_TRUST],
  operations: routes,
  jobs,
  limits: [CHALLENGE_SECONDS, MOST_MISSES, MOST_RESENT, SESSION_SECONDS, RESET_SECONDS, RESETS_PER_DAY],
  decisions,
  seeds: [factorSeed],
  reactions: [on(CHALLENGE_EXPIRED, lapseWith), on(CUSTOMER_DELETED, endWith)],
  rules: [
    {
      place: 'reference 8',
      about: 'Strong customer authentication',
      says: 'It is for customers of the regions that platform.sca of the scenario names; a factor must be enrolled, and its proof must be right.',
    },
    {
      place: 'reference 8.1',
      about: 'Strong customer authentication',
      says: 'The call that finishes an enrolment or a login carries what the first call returned: the secret, or the challengeId.',
    },
    {
      place: 'reference 8.2',
      about: 'Strong customer authentication',
      says: 'Failed attempts add up: the fifth locks the login for 15 minutes, the eighth for a day, the ninth suspends it until a new password is recorded.',
    },
    {
      place: 'reference 8.3',
      about: 'Strong customer authentication',
      says: 'Where platform.sca.requireSession is true, payments are authorized only while the customer is logged in.',
    },
    {
      place: 'reference 8.4',
      about: 'Strong customer authentication',
      says: 'A factor reset is completed once the check of liveness has passed, before it expires.',
    },
    {
      place: 'reference 9',
      about: 'Strong customer authentication',
      says: 'A challenge is answered by its own factor, before it expires, and within a few tries.',
    },
    {
      place: 'reference 10',
      about: 'Trusted accounts',
      says: 'Trust in an account, and the end of it, is requested and then confirmed by the customer; while it holds, the account cannot be deleted.',
    },
  ],
});

/**
 * The signed-retry pattern (spec 5.4), and the payloads that wallets sign.
 * Chosen where the specification is silent: a retry is checked in this order: header pair, request id (unknown, of
 * another request, spent, expired), preconditions, form of the stamp, body, signature, signer, changed state. A failed
 * signature does not spend the request id. Bodies are compared as JSON, whatever their spacing. An operation that needs
 * no signature for a call ignores the headers, unless the call is the retry of one that was challenged. No body and
 * `{}` are equal. `reason` is in `details.reason` and at the top of the error body.
 */
import { LEGACY_STAMP } from '../../crypto/index.ts';
import { area } from '../../declare/area.ts';
import { CHALLENGE_SECONDS, CHALLENGES } from './rules.ts';

export { canonical } from './canonical.ts';
export {
  activity,
  CHALLENGE_SECONDS,
  CHALLENGES,
  type Challenge,
  keyMaterial,
  transactionActivity,
  unauthorized,
  walletIds,
} from './rules.ts';
export { type CredentialType, CredentialTypeShape } from './schema.ts';
export { walletSignature } from './signature.ts';

export const signing = area('signing', {
  magic: () => [{ field: 'wallet signature', values: [LEGACY_STAMP] }],
  tables: [CHALLENGES],
  limits: [CHALLENGE_SECONDS],
});

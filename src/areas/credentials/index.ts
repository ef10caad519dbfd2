/**
 * Credentials of embedded wallets: one-time codes, passkeys, OIDC tokens (spec 2.4, 4.5, 5, 5.1).
 * Chosen where the specification is silent:
 * - A wallet whose owner has no email starts without a credential, and its first one is added without a signature.
 * - Of two challenges only the newer counts.
 * - A wrong code leaves the code usable. A code that was right in time can be signed for until its challenge ends.
 * - A contact is added as it was signed for.
 * - The age of an OIDC token counts on the first call only; its retry may follow minutes later.
 * - The same identity twice on a wallet is 400 `INVALID_INPUT`.
 * - Removing an OTP credential signs the contact's removal (an empty string).
 * - RP id and origin of a passkey are those of its registration, whose challenge counts once.
 * - A change of address ends the code that was sent to the old one.
 * - A wallet whose customer was deleted is unknown, and so are its credentials and sessions.
 * - A refused call leaves no trace, so wrong codes are not counted: only `/challenge` is limited
 *   (`limits.challengesPerMinute`).
 */
import { LEGACY_ASSERTION } from '../../crypto/index.ts';
import { area } from '../../declare/area.ts';
import { ISSUANCES } from './kinds/otp.ts';
import { PENDING, USED } from './kinds/passkey.ts';
import { CHALLENGES_PER_MINUTE, RECENT } from './limit.ts';
import { routes } from './routes.ts';
import { CREDENTIALS } from './rules.ts';

export { type ContactKind, changeContact, closeWallets, contactClash, linkedCredentials } from './contact.ts';
export { addCredential, createDefaultCredential, walletBackendKey } from './rules.ts';

export const credentials = area('credentials', {
  magic: () => [{ field: 'assertion.signature', values: [LEGACY_ASSERTION] }],
  tables: [CREDENTIALS, ISSUANCES, PENDING, RECENT, USED],
  operations: routes,
  limits: [CHALLENGES_PER_MINUTE],
});

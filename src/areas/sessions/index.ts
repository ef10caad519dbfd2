/**
 * Sessions of embedded wallets (spec 2.5, 3.5, 4.6).
 * Chosen where the specification is silent: a refreshed session stays valid until its own end; refreshing one that
 * expired or was revoked is 401, one that was never issued 404; revoking an inactive one is 404;
 * `limits.sessionSeconds` changes the 15 minutes. A session expires by comparison, not by an event. When the contact of
 * a credential changes, its active sessions show the new nickname, as the credential does.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { SESSION_SECONDS, SESSIONS } from './rules.ts';

export {
  forgetSessions,
  type Issuer,
  openSession,
  refusalOf,
  renameSessionsOf,
  revokeSessionsOf,
  type SessionKey,
  sessionKey,
  showSession,
} from './rules.ts';
export { AccountQuery, AuthSession, ClientPublicKey } from './schema.ts';

export const sessions = area('sessions', { tables: [SESSIONS], operations: routes, limits: [SESSION_SECONDS] });

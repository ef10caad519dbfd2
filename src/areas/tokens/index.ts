/**
 * API tokens: the credentials of a platform, and the permissions of each.
 * Chosen where the specification is silent:
 * - The credentials of the scenario, and those of a sandbox made at run time, are tokens like any other: named after
 *   their client id, listed, and deletable. A state restored from elsewhere may lack them; they can still log in.
 * - The token in use cannot be deleted (400). Deleting needs `MANAGE`, so one token with `MANAGE` always remains.
 * - A deleted client id stays refused (401) even under `--auth open`, where an unknown one opens a sandbox of its own.
 * - A token may be given permissions that its creator lacks. Only a hash of its secret is stored.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { REVOKED, TOKENS } from './rules.ts';

export { checkNotRevoked, forgetTokens, isRevoked, issuedIn, listToken, openToken, tokenLogin } from './rules.ts';

export const tokens = area('tokens', { tables: [TOKENS, REVOKED], operations: routes });

import { fail, failFields } from '../../../contract/errors.ts';
import {
  checkOidc,
  nonceFor,
  type OidcClaims,
  parseOidc,
  UNSUPPORTED_ISSUER,
  verifyOidcSignature,
} from '../../../crypto/index.ts';
import type { World } from '../../../engine/world.ts';
import { platformOf } from '../../platform/index.ts';
import { sessionKey } from '../../sessions/index.ts';
import { activity, unauthorized, walletIds } from '../../signing/index.ts';
import { credentialsOf } from '../rules.ts';
import { issuerOf, type Kind } from './kind.ts';

/** The issuers that the sandbox knows, with their display names. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  'https://accounts.google.com': 'Google',
  'accounts.google.com': 'Google',
  'https://appleid.apple.com': 'Apple',
};

/**
 * Returns the claims of a token that passes every check (spec 5.1 rule 3). 400 INVALID_INPUT for a malformed token or
 * an unsupported issuer; 401 with the reason for any other failure. A retry does not check the token's age: it was
 * fresh when the first call arrived.
 */
async function claimsOf(world: World, token: string, fresh: boolean): Promise<OidcClaims> {
  const parsed = parseOidc(token);
  if (!parsed.ok) return failFields([{ field: 'oidcToken', message: parsed.reason }], 'INVALID_INPUT', 'spec 5.1 (5)');
  const { oidc } = platformOf(world);
  const issuers = [...Object.keys(PROVIDERS), ...oidc.issuers];
  const checked = checkOidc(parsed.value, world.clock.now(), { issuers, fresh });
  if (!checked.ok && checked.reason === UNSUPPORTED_ISSUER)
    return failFields(
      [{ field: 'oidcToken', message: checked.reason, constraint: { enum: issuers } }],
      'INVALID_INPUT',
      'spec 5.1 (3)',
    );
  if (!checked.ok) return unauthorized(checked.reason);
  if (oidc.verifySignatures) {
    const signature = await verifyOidcSignature(token, oidc.jwks, checked.value.iss);
    if (!signature.ok) return unauthorized(signature.reason);
  }
  return checked.value;
}

/** Returns the identity that a token claims, unchecked: for rules that must not be asynchronous. */
function identityOf(token: string): string {
  const parsed = parseOidc(token);
  const { iss, aud, sub } = parsed.ok ? parsed.value : {};
  return JSON.stringify([iss, Array.isArray(aud) ? aud[0] : aud, sub]);
}

const turns = new WeakMap<World['ids'], { readonly drawn: number; readonly turn: number }>();

/**
 * Returns the number of logins checked since the last success moved the id stream. Two calls may send one token at
 * once, and no key may be delivered twice.
 */
function turnOf(world: World): number {
  const { drawn } = world.ids.mark();
  const last = turns.get(world.ids);
  const turn = last?.drawn === drawn ? last.turn + 1 : 0;
  turns.set(world.ids, { drawn, turn });
  return turn;
}

export const oauth: Kind = {
  refuseDouble: (world, wallet, body) => {
    if (!('oidcToken' in body)) return;
    const identity = identityOf(body.oidcToken);
    const known = credentialsOf(world, wallet.id).some(
      ({ oauth: o }) => o && JSON.stringify([o.iss, o.aud, o.sub]) === identity,
    );
    if (known)
      failFields(
        [{ field: 'oidcToken', message: 'this wallet has a credential of this identity already' }],
        'INVALID_INPUT',
        'spec 8',
      );
  },
  draft: async (world, _wallet, body, retry) => {
    if (!('oidcToken' in body)) throw new Error('the body was checked before');
    const { iss, aud, sub, email } = await claimsOf(world, body.oidcToken, !retry);
    return { type: 'OAUTH', nickname: email ?? sub, oauth: { iss, aud, sub } };
  },
  addPayload: (world, wallet, body, draft) =>
    activity(world, wallet.id, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', {
      oauthProviders: [
        {
          oidcToken: 'oidcToken' in body ? body.oidcToken : '',
          providerName: PROVIDERS[draft.oauth?.iss ?? ''] ?? draft.oauth?.iss,
        },
      ],
      userId: walletIds(wallet.id).userId,
    }),
  removePayload: (world, { accountId, id }) =>
    activity(world, accountId, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', {
      providerIds: [id],
      userId: walletIds(accountId).userId,
    }),
  challenge: () =>
    fail('INVALID_INPUT', 'an OAUTH credential has no challenge: verify it with a fresh token', {
      why: { rule: 'spec 4.5 (3)' },
    }),
  twoStep: false,
  login: async ({ world, body }, credential) => {
    if (!('oidcToken' in body)) throw new Error('the body was checked before');
    const claims = await claimsOf(world, body.oidcToken, true);
    for (const claim of ['iss', 'aud', 'sub'] as const)
      if (claims[claim] !== credential.oauth?.[claim])
        unauthorized(`OIDC ${claim} does not match the credential`, 'UNAUTHORIZED', claims[claim]);
    if (claims.nonce !== nonceFor(body.clientPublicKey))
      unauthorized('OIDC nonce does not match clientPublicKey', 'UNAUTHORIZED', claims.nonce);
    const label = `oauth ${credential.id} ${body.oidcToken} ${turnOf(world)}`;
    const key = await sessionKey(world, body.clientPublicKey, label);
    return { issuer: issuerOf(credential), key, settle: () => {} };
  },
};

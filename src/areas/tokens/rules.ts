import { fail } from '../../contract/errors.ts';
import { sha256 } from '../../crypto/index.ts';
import type { Infer, PlatformPrincipal, Principal } from '../../declare/operation.ts';
import { drawnApart } from '../../engine/apart.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import { table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { Token } from './row.ts';
import { RevokedRow, TokenRow } from './row.ts';
import type { TokenCreate } from './schema.ts';

export const TOKENS = resource('tokens', {
  row: TokenRow,
  indexes: { clientId: (t) => t.clientId, name: (t) => t.name },
  titles: ['API tokens', 'API token', 'Who may log in'],
  prefix: 'Token',
  label: (t) => t.name,
  view: (row) => showToken(row),
  made: 'createToken',
  columns: { 'Client id': 'clientId', Created: ['createdAt', 'time'] },
});

/** Client ids that were deleted: they stay refused, even where unknown ones are accepted. */
export const REVOKED = table('tokens.revoked', { row: RevokedRow });

/** Returns one token. 404 TOKEN_NOT_FOUND. */
export const tokenOf = rowOr404(TOKENS, 'TOKEN_NOT_FOUND', 'token');

/** Returns a token as replies show it. */
export const showToken = ({ secretHash, ...token }: Token, clientSecret?: string) => ({
  ...token,
  ...(clientSecret === undefined ? {} : { clientSecret }),
});

/**
 * Creates a token and returns its secret, for the only time. The client id depends on the world's id, so that worlds of
 * one seed do not issue the same one. The id of a sandbox or a credential is passed over: it was drawn in an earlier
 * life, and a late call opened the sandbox, or somebody wrote it into the scenario.
 */
export function createToken(world: World, sent: Infer<typeof TokenCreate>): { token: Token; clientSecret: string } {
  const clientSecret = world.ids.hex(18);
  const now = world.clock.iso();
  const id = world.newId('Token');
  const draw = (): string => {
    const drawn = sha256(`${world.id} ${world.ids.hex(16)}`).slice(0, 32);
    return world.isGiven(drawn) ? draw() : drawn;
  };
  const clientId = drawnApart(world, draw, (other, drawn) => tokenLogin(other, drawn) !== undefined);
  const token = world.rows(TOKENS).insert({
    id,
    name: sent.name,
    permissions: [...new Set(sent.permissions)],
    clientId,
    secretHash: sha256(clientSecret),
    createdAt: now,
    updatedAt: now,
  });
  return { token, clientSecret };
}

/** Adds a credential of the scenario, or of a sandbox made at run time, to the tokens. */
export function openToken(world: World, credential: PlatformPrincipal, id = world.newId('Token')): void {
  const now = world.clock.iso();
  world.rows(TOKENS).insert({
    id,
    name: credential.tokenId,
    permissions: [...credential.permissions],
    clientId: credential.tokenId,
    createdAt: now,
    updatedAt: now,
  });
}

/**
 * Lists a credential of this start among the tokens of a state, with the permissions that it has now; one that was
 * deleted stays deleted.
 */
export function listToken(world: World, credential: PlatformPrincipal): void {
  const listed = world.rows(TOKENS).find('clientId', credential.tokenId);
  const permissions = [...credential.permissions];
  // Not drawn from the seed: a fork, or a restored state, goes on with the ids that its origin would have drawn. Its name
  // alone decides: starts one after another each add credentials to a state.
  if (!listed && !isRevoked(world, credential.tokenId))
    openToken(world, credential, world.idOf('Token', credential.tokenId));
  else if (listed && `${listed.permissions}` !== `${permissions}`) world.rows(TOKENS).put({ ...listed, permissions });
}

/**
 * Removes the tokens that cannot log in here, without a trace. They are credentials of a start that are not this
 * sandbox's own, and tokens that log in to another sandbox.
 */
export function forgetTokens(
  world: World,
  isOwn: (clientId: string) => boolean,
  isElsewhere: (clientId: string) => boolean,
): void {
  const tokens = world.rows(TOKENS);
  for (const { id, clientId, secretHash } of [...tokens.rows()])
    if (!isOwn(clientId) && (secretHash === undefined || isElsewhere(clientId))) tokens.remove(id);
}

/** Refuses to delete the token that is in use: 400 INVALID_INPUT. */
export function checkNotInUse(token: Token, principal: Principal): void {
  if (principal.kind === 'platform' && token.clientId === principal.tokenId)
    fail('INVALID_INPUT', 'a token cannot delete itself: log in with another one', {
      why: { rule: 'a platform must not lock itself out', seen: token.id },
    });
}

/** Deletes a token for good; its credential is refused from then on. */
export function deleteToken(world: World, token: Token): void {
  world.rows(TOKENS).remove(token.id);
  world.rows(REVOKED).insert({ id: token.clientId });
}

/** Returns whether a token with this client id was deleted here. */
export const isRevoked = (world: World, clientId: string): boolean => world.rows(REVOKED).get(clientId) !== undefined;

/** Returns the client ids of the tokens that the API created here. */
export const issuedIn = (world: World): string[] =>
  [...world.rows(TOKENS).rows()].flatMap(({ clientId, secretHash }) => (secretHash === undefined ? [] : [clientId]));

/** Refuses a client id whose token was deleted here: 401 UNAUTHORIZED (reference 16.4). */
export function checkNotRevoked(world: World, clientId: string): void {
  if (isRevoked(world, clientId))
    fail('UNAUTHORIZED', `token ${clientId} was deleted`, { why: { rule: 'reference 16.4' } });
}

/** A caller who may log in with a token made through the API. */
export interface Login {
  readonly principal: PlatformPrincipal;
  accepts(secret: string): boolean;
}

const logins = new WeakMap<Token, Login>();

/** Returns the login of a token made through the API, if it belongs to this world. One index lookup. */
export function tokenLogin(world: World, clientId: string): Login | undefined {
  const token = world.holds(TOKENS) ? world.rows(TOKENS).find('clientId', clientId) : undefined;
  if (token?.secretHash === undefined) return undefined;
  let login = logins.get(token);
  if (!login) {
    const principal: PlatformPrincipal = {
      kind: 'platform',
      tokenId: clientId,
      permissions: new Set(token.permissions),
    };
    logins.set(token, (login = { principal, accepts: (secret) => sha256(secret) === token.secretHash }));
  }
  return login;
}

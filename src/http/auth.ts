import { Failure, fail } from '../contract/errors.ts';
import type { Operation, Permission, PlatformPrincipal, Principal } from '../declare/operation.ts';
import type { Host, Login } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { App } from './exchange.ts';

const decoded = new Map<string, { id: string; secret: string }>();
const MOST_DECODED = 2000;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads bytes as UTF-8, or as Latin-1, which some clients send: two token ids must never become the same text. */
function textOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Returns the token id and secret of a Basic header, if it is one. */
function readBasic(header: string): { id: string; secret: string } | undefined {
  const known = decoded.get(header);
  if (known) return known;
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header);
  const text = match ? textOf(Buffer.from(match[1] as string, 'base64')) : '';
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const credentials = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  if (decoded.size >= MOST_DECODED) decoded.clear();
  decoded.set(header, credentials);
  return credentials;
}

/**
 * Returns whether Basic has split the `id` of an API token from its secret at the first colon, which belongs to the id.
 */
const isSplitId = ({ id, secret }: { id: string; secret: string }): boolean =>
  id === 'Token' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}:/i.test(secret);

/**
 * Returns the token id and secret of a Basic header (spec 5 rule 1). 401 `UNAUTHORIZED` if there are none, or if the
 * user name is the `id` of an API token in place of its `clientId`: such a caller would get a sandbox of that odd name.
 */
export function basicCredentials(header: string | undefined): { id: string; secret: string } {
  if (header === undefined)
    return fail('UNAUTHORIZED', 'no credentials: send HTTP Basic authentication, <api token id>:<api client secret>', {
      why: { rule: 'spec 5 (1)' },
    });
  const credentials =
    readBasic(header) ??
    fail('UNAUTHORIZED', 'the Authorization header is not HTTP Basic with <api token id>:<api client secret>', {
      why: { rule: 'spec 5 (1)' },
    });
  if (isSplitId(credentials))
    fail('UNAUTHORIZED', 'the user name is the id of an API token: send its clientId, with its clientSecret', {
      why: { rule: 'spec 5 (1)' },
    });
  return credentials;
}

/** Returns the access token of a Bearer header, if it is one. */
export const bearerIn = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/**
 * Returns the principal of an access token, and its sandbox. Refuses 401 `UNAUTHORIZED` without a token, with other
 * credentials, and for an unknown token.
 */
export function agentOf(app: App, header: string | undefined): Login {
  const token = bearerIn(header);
  if (token === undefined)
    return fail('UNAUTHORIZED', 'this call takes the access token of an agent: Authorization: Bearer <access token>');
  return agentIn(app, token) ?? fail('UNAUTHORIZED', 'the access token is unknown, or its agent was deleted');
}

function agentIn({ host, principals }: App, token: string | undefined): Login | undefined {
  if (token === undefined) return undefined;
  for (const sandbox of host.sandboxes)
    for (const principalOf of principals) {
      const principal = principalOf(sandbox.world, token);
      if (principal) return { sandbox, principal };
    }
  return undefined;
}

const ANONYMOUS: Principal = { kind: 'anonymous' };

/** Returns the token id and secret that a header has, if a sandbox can be theirs. */
function platformIn(header: string | undefined): { id: string; secret: string } | undefined {
  const credentials = header === undefined ? undefined : readBasic(header);
  return credentials && !isSplitId(credentials) ? credentials : undefined;
}

/** Returns the sandbox of Basic credentials that are right, if there are any; those of a new token id open it. */
async function ownSandbox(host: Host, header: string | undefined): Promise<Sandbox | undefined> {
  const credentials = platformIn(header);
  if (!credentials) return undefined;
  try {
    return (await host.authenticate(credentials.id, credentials.secret)).sandbox;
  } catch (error) {
    if (error instanceof Failure && error.code === 'UNAUTHORIZED') return undefined;
    throw error;
  }
}

/** Returns the sandbox that credentials name, be they right or wrong; a new token id names none. */
export function sandboxNamed(app: App, header: string | undefined): Sandbox | undefined {
  const credentials = platformIn(header);
  return credentials ? app.host.find(credentials.id) : agentIn(app, bearerIn(header))?.sandbox;
}

/**
 * Opens the sandbox of a caller whose call no operation serves, and returns it: its log is where the caller looks for
 * the call. Undefined for other credentials than those of a platform, and if there is no room for one more.
 */
export async function sandboxOfCaller({ host }: App, header: string | undefined): Promise<Sandbox | undefined> {
  try {
    return await ownSandbox(host, header);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * Returns the sandbox for a call without credentials, by its operation; that which credentials name, or the default
 * one, refuses a call that belongs to none. If several match, because they began alike, right Basic credentials choose
 * one of them. 429 `RATE_LIMITED` as `Host.create`.
 */
export async function sandboxFor(
  app: App,
  op: Operation,
  params: Readonly<Record<string, string>>,
  header: string | undefined,
): Promise<Login> {
  const { host } = app;
  const own = await ownSandbox(host, header);
  const matches = [...host.sandboxes].filter(({ world }) => op.isFor?.(world, params));
  const fitting = matches.find((one) => one === own) ?? matches[0];
  return { sandbox: fitting ?? own ?? sandboxNamed(app, header) ?? host.default, principal: ANONYMOUS };
}

/** Refuses a call that a token's permissions do not cover: 403 `FORBIDDEN`. */
export function requirePermission(principal: PlatformPrincipal, needed: Permission): void {
  if (!principal.permissions.has(needed))
    fail('FORBIDDEN', `this token lacks the permission ${needed}`, {
      why: { expected: needed, seen: [...principal.permissions] },
    });
}

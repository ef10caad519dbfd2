import { fail } from '../kernel/errors.ts';
import type { Permission, Principal } from '../kernel/operation.ts';

const decoded = new Map<string, { id: string; secret: string }>();
const MOST_DECODED = 2000;

/** Token id and secret of a Basic header (spec 5 rule 1); 401 `UNAUTHORIZED` when there are none. */
export function basicCredentials(header: string | undefined): { id: string; secret: string } {
  if (header === undefined)
    return fail('UNAUTHORIZED', 'no credentials: send HTTP Basic authentication, <api token id>:<api client secret>', {
      why: { rule: 'spec 5 (1)' },
    });
  const known = decoded.get(header);
  if (known) return known;
  const match = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header);
  const text = match ? Buffer.from(match[1] as string, 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 1)
    return fail('UNAUTHORIZED', 'the Authorization header is not HTTP Basic with <api token id>:<api client secret>', {
      why: { rule: 'spec 5 (1)' },
    });
  const credentials = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  if (decoded.size >= MOST_DECODED) decoded.clear();
  decoded.set(header, credentials);
  return credentials;
}

/** Refuse 403 `FORBIDDEN` what a token's permissions do not cover. */
export function requirePermission(principal: Principal, needed: Permission): void {
  if (!principal.permissions.has(needed))
    fail('FORBIDDEN', `this token lacks the permission ${needed}`, {
      why: { expected: needed, seen: [...principal.permissions] },
    });
}

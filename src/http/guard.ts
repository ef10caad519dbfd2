import type { Context } from 'hono';
import { fail } from '../kernel/errors.ts';

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Only this machine's own programs and pages may use the control API: a foreign `Host` (a rebound DNS name), a
 * foreign `Origin` or a cross-site page is refused 403 `FORBIDDEN`. `open` is a server bound to more than loopback.
 */
export function guard(c: Context, open: boolean): void {
  const host = guardHost(c, open);
  const origin = c.req.header('origin');
  if (origin !== undefined && !sameHost(origin, host)) refuse('Origin', origin);
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse('Sec-Fetch-Site', site);
}

/** The rule about `Host` alone, for pages that people may follow a link to. Returns the host. */
export function guardHost(c: Context, open: boolean): string {
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  const socket = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket;
  if (socket && !open && !LOOPBACK.test(host)) refuse('Host', host);
  return host;
}

function sameHost(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}

const refuse = (header: string, value: string): never =>
  fail('FORBIDDEN', `the control API answers this machine only; ${header} was ${value}`, {
    why: { rule: 'DNS rebinding and drive-by pages', seen: value },
  });

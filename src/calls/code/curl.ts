import type { ShownCall } from './shown-call.ts';

/** Returns a text as one word of a shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns the caller as curl takes it: a secret other than the scenario's own stays a variable, and so does an access
 * token.
 */
export function curlLogin(login: ShownCall['login']): string | undefined {
  if (login === undefined) return undefined;
  if (login === 'bearer') return '-H "Authorization: Bearer $ACCESS_TOKEN"';
  return `-u ${login.secret === undefined ? `${shellQuote(`${login.id}:`)}"$SECRET"` : shellQuote(`${login.id}:${login.secret}`)}`;
}

/** Returns the call as a line for a terminal. */
export function curl({ method, url, login, headers, body }: ShownCall): string {
  // curl reads brackets and braces of an address as patterns by default.
  const parts = [/[[\]{}]/.test(url) ? 'curl -s -g' : 'curl -s'];
  // With -X HEAD curl waits for the body that the headers announce.
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET' && !(method === 'POST' && body !== '')) parts.push(`-X ${shellQuote(method)}`);
  const user = curlLogin(login);
  if (user !== undefined) parts.push(user);
  parts.push(shellQuote(url));
  for (const [name, value] of headers) parts.push(`\\\n  -H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== '') parts.push(`\\\n  --data-raw ${shellQuote(body)}`);
  return parts.join(' ');
}

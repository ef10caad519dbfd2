import { maskHeaders, maskSent, maskTarget } from '../sandbox/mask.ts';
import type { Entry } from '../sandbox/request-log.ts';
import type { PageContext } from './page-context.ts';

/** Headers that curl sets by itself, or that say nothing about the call. */
const LEFT_OUT =
  /^(?:host|connection|user-agent|accept|accept-.*|content-length|transfer-encoding|authorization|cookie|origin|referer|sec-.*|keep-alive|priority|pragma|cache-control)$/;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Who called, as curl takes it: a secret that is not the scenario's own stays a variable, and so does an access token. */
function login(visit: PageContext, entry: Entry): string | undefined {
  for (let i = 0; i + 1 < entry.headers.length; i += 2) {
    if (entry.headers[i]?.toLowerCase() !== 'authorization') continue;
    if (/^bearer /i.test(entry.headers[i + 1] as string)) return '-H "Authorization: Bearer $ACCESS_TOKEN"';
    const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(entry.headers[i + 1] as string) ?? [];
    const id = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '';
    if (id === '') return undefined;
    const known = visit.sandbox.credentials.find((credential) => credential.tokenId === id)?.secret;
    return `-u ${known === undefined ? `${quote(`${id}:`)}"$SECRET"` : quote(`${id}:${known}`)}`;
  }
  return undefined;
}

/** The call as a line for a terminal. What is masked in the log is masked here. */
export function curlOfEntry(visit: PageContext, entry: Entry): string {
  const parts = ['curl -s'];
  if (entry.method !== 'GET' && !(entry.method === 'POST' && entry.body !== ''))
    parts.push(`-X ${quote(entry.method)}`);
  const user = login(visit, entry);
  if (user !== undefined) parts.push(user);
  parts.push(quote(`${visit.origin}${maskTarget(entry)}`));
  for (const [name, value] of Object.entries(maskHeaders(entry.headers)))
    if (!LEFT_OUT.test(name)) parts.push(`\\\n  -H ${quote(`${name}: ${value}`)}`);
  if (entry.body !== '') parts.push(`\\\n  -d ${quote(maskSent(entry))}`);
  return parts.join(' ');
}

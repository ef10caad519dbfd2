import { maskHeaders, maskSent, maskTarget } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** A request as a program would write it, masked as in the log. */
export interface ShownCall {
  readonly method: string;
  readonly url: string;
  /**
   * The caller: an id with its secret, if that is the scenario's own; an access token, which is never shown; or none.
   */
  readonly login: { readonly id: string; readonly secret: string | undefined } | 'bearer' | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers that a client sets by itself, or that do not matter to the call. */
const LEFT_OUT =
  /^(?:host|connection|user-agent|accept|accept-.*|content-length|transfer-encoding|authorization|cookie|origin|referer|sec-.*|keep-alive|priority|pragma|cache-control)$/;

/** Returns a request of the log as a call of the API at an origin such as `http://127.0.0.1:4010`. */
export const shownCall = (sandbox: Sandbox, entry: Entry, origin: string): ShownCall => ({
  method: entry.method,
  url: `${origin}${maskTarget(entry)}`,
  login: loginOf(sandbox, entry),
  headers: Object.entries(maskHeaders(entry.headers)).filter(([name]) => !LEFT_OUT.test(name)),
  body: maskSent(entry),
});

function loginOf({ credentials }: Sandbox, { headers }: Entry): ShownCall['login'] {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  const authorization = at < 0 ? '' : (headers[at + 1] as string);
  if (/^bearer /i.test(authorization)) return 'bearer';
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  const id = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '';
  if (id === '') return undefined;
  return { id, secret: credentials.find((credential) => credential.tokenId === id)?.secret };
}

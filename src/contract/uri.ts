import * as z from 'zod';

/** Characters of path, query and fragment in RFC 3986; any other is percent-encoded. */
const PART = String.raw`(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*`;
/** Characters of a name in an authority. */
const NAME = String.raw`(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*`;
const AUTHORITY = String.raw`(?:(?:${NAME}:)*${NAME}@)?(?:\[[\da-f:.]+\]|${NAME})(?::\d*)?(?=[/?#]|$)`;
const URI = new RegExp(String.raw`^[a-z][a-z\d+.-]*:(?://${AUTHORITY}|(?!//)(?=[^?#]))${PART}(?:#${PART})?$`, 'i');

/** Returns whether a text is a URI as RFC 3986 has it, which contains less than browsers accept. */
export const isUri = (text: string): boolean => URI.test(text) && URL.canParse(text);

/** Returns the schema of a URI that a request sets and a reply shows as it was set. */
export const Uri = (options?: Parameters<typeof z.url>[0]): z.ZodURL =>
  z.url(options).refine(isUri, 'not a URI: percent-encode what RFC 3986 does not allow, and write the host in ASCII');

/** Returns the URI of a URL that browsers accept, without its fragment, percent-encoded as RFC 3986 asks. */
export function uriOf(text: string): string {
  const [plain = ''] = text.split('#');
  if (isUri(plain)) return plain;
  const { href, pathname, search } = new URL(plain);
  const path = pathname + search;
  return href.slice(0, -path.length) + path.replace(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi, encodeURIComponent);
}

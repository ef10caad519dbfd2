import { VERSION } from '../../version.ts';
import type { Address } from './connection.ts';

/** An endpoint as every try needs it. */
export interface Target {
  readonly url: URL;
  /** Where it listens, and its line and header of each request; nothing for one that Node's own client asks. */
  readonly plain: { readonly address: Address; readonly line: string; readonly host: string } | undefined;
  /** A host name that is sent to instead of the URL's. */
  readonly hostname: string | undefined;
}

export const USER_AGENT = `sandbox-emulator/${VERSION}`;

/** Endpoints that were sent to lately; each sandbox has one. */
const known = new Map<string, Target>();
const MOST_KNOWN = 1000;

/** Reads an endpoint. Throws on what is no URL. */
export function targetOf(endpoint: string): Target {
  const before = known.get(endpoint);
  if (before) return before;
  const url = new URL(endpoint);
  const hostname = url.hostname.endsWith('.localhost') ? '127.0.0.1' : undefined;
  const target = { url, hostname, plain: plainOf(url, hostname) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(endpoint, target);
  return target;
}

function plainOf(url: URL, instead: string | undefined): Target['plain'] {
  if (url.protocol !== 'http:' || url.username !== '' || url.password !== '') return undefined;
  const name = instead ?? url.hostname;
  const port = url.port === '' ? 80 : Number(url.port);
  return {
    // An address of version 6 stands in brackets in a URL only.
    address: { host: name.replace(/^\[(.*)\]$/, '$1'), port },
    line: `POST ${url.pathname}${url.search} HTTP/1.1`,
    host: `${name}${url.port === '' ? '' : `:${url.port}`}`,
  };
}

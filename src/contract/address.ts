import { BlockList, isIP } from 'node:net';

/** The port that the command line and `startEmulator` use by default. */
export const DEFAULT_PORT = 4010;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns whether a host is the name of this machine for itself (RFC 6761), in any case: `localhost`, or a name below it.
 */
export const isLoopbackName = (host: string): boolean => /^(?:.+\.)?localhost$/i.test(host);

/**
 * Returns whether a host, as URLs or sockets write it, can only mean this machine: a loopback name, an IPv4 address of
 * 127.0.0.0/8, `::1` with or without brackets, or such an IPv4 address mapped into IPv6.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? isLoopbackName(host) : LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** The addresses that servers print which listen everywhere, and those at which a client on this machine finds them. */
const ANYWHERE: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** Returns the host of a URL, with `0.0.0.0` and `[::]` as the loopback address at which a client reaches them. */
export const reachable = (hostname: string): string => ANYWHERE.get(hostname) ?? hostname;

/** Returns the name or address in a `Host` header, as URLs have it; undefined if it is not a host. */
export function hostnameOf(header: string): string | undefined {
  if (/[\s/\\?#@]/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname.replace(/\.$/, '') || undefined;
}

/** Returns whether a text is a name that a `Host` header can carry: no scheme, no port, no path. */
export const isHostName = (text: string): boolean => /^[^\s:*]+$/.test(text) && hostnameOf(text) !== undefined;

/**
 * Returns whether a text is an origin as browsers send it: scheme and host, a port unless it is the default, no path.
 */
export const isOrigin = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/i.test(text) &&
  URL.canParse(text) &&
  (!/^https?:/i.test(text) || new URL(text).origin === text.toLowerCase());

/** Returns whether a text is an http or https URL. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** Returns whether a text is a path such as `/some/path`, without characters that a URL would escape. */
export const isPath = (text: string): boolean => /^(?:\/[\w.~-]+)+$/.test(text);

/** First path segments that neither a public URL nor a base path may have, because the two would be ambiguous. */
const OWN_PATHS: ReadonlySet<string> = new Set(['_emulator', 'inspector', 'kyc', 'openapi.json', 'favicon.ico']);

/** The form of a base path, as the end of a sentence after its verb. */
export const BASE_PATH_FORM = 'look like /some/path, and not begin with a path of the emulator such as /_emulator';

/** Returns whether a text can be the base path of the API. */
export const isBasePath = (text: string): boolean =>
  isPath(text) && !/\/\.\.?(?:\/|$)/.test(text) && !OWN_PATHS.has(text.split('/')[1] ?? '');

/** The form of a public URL, as the end of a sentence after its verb. */
export const PUBLIC_URL_FORM =
  'be an http or https URL such as https://demo.example/sandbox, without query and credentials, and not below a path of the emulator';

/** Returns whether a text can be the public URL of the emulator: scheme, host, a port, a path. */
export function isPublicUrl(text: string): boolean {
  if (!isHttpUrl(text) || /[?#]/.test(text)) return false;
  const { username, password, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return (
    username === '' && password === '' && (path === '' || (isPath(path) && !OWN_PATHS.has(path.split('/')[1] ?? '')))
  );
}

/** The form of a sandbox name that a user chooses: it is used in paths and in Basic credentials. */
export const SANDBOX_ID = /^(?!\.\.?$)[\w.-]{1,100}$/;

/** The form of a control token, as the end of a sentence: characters that headers carry unchanged. */
export const TOKEN_FORM = 'be one or more printable ASCII characters without spaces';

/** Returns whether a text can be a control token: a header carries it unchanged. */
export const isControlToken = (text: string): boolean => /^[!-~]+$/.test(text);

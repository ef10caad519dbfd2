/** The name or address in a `Host` header as URLs have it; nothing when it is no host. */
export function hostnameOf(header: string): string | undefined {
  if (/[\s/\\?#@]/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname.replace(/\.$/, '') || undefined;
}

/** Whether a text is a name that a `Host` header can carry: no scheme, no port, no path. */
export const isHostName = (text: string): boolean => /^[^\s:*]+$/.test(text) && hostnameOf(text) !== undefined;

/** Whether a text is an origin as browsers send it: scheme and host, a port where it is not the usual one, no path. */
export const isOrigin = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/i.test(text) &&
  URL.canParse(text) &&
  (!/^https?:/i.test(text) || new URL(text).origin === text.toLowerCase());

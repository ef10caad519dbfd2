/** Error codes of Node and OpenSSL, and their meaning for the person who named the address. The first match counts. */
const MEANINGS: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME)$/, (host) => `no address is known for ${host}`],
  [/^ECONNREFUSED$/, (host) => `nothing answers at ${host}`],
  [/^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/, (host) => `${host} cannot be reached`],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, (host) => `${host} closes the connection without an answer`],
  [/^HPE_/, (host) => `what ${host} answers is not HTTP`],
  [/ALERT_CERTIFICATE_REQUIRED$/, (host) => `${host} asks for a certificate of its client, and none is sent`],
  [/CERT|SIGNATURE|ISSUER/, (host) => `the certificate of ${host} is not trusted`],
  [
    /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/,
    (host) => `no secure connection to ${host}: it speaks no TLS there, or another one`,
  ],
];

/** Returns the meaning of a network error as one sentence with its code; undefined for any other error. */
export function networkTrouble(host: string, { code = '' }: { readonly code?: string }): string | undefined {
  const [, says] = MEANINGS.find(([form]) => form.test(code)) ?? [];
  return says && `${says(host)} (${code})`;
}

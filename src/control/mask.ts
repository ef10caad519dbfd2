/** Members that are nobody's business in a log. */
const SECRET =
  /("(?:clientSecret|secret|identifier|otp|code|oidcToken|encryptedOtpBundle|encryptedSessionSigningKey|encryptedWalletCredentials)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/** A body with its secrets masked. */
export const maskBody = (text: string): string => text.replaceAll(SECRET, '$1"•••"');

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'service-wallet-signature',
  'grid-wallet-signature',
]);

/** Headers as an object, secrets masked. */
export function maskHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    headers[name] = SECRET_HEADERS.has(name) ? '•••' : (raw[i + 1] as string);
  }
  return headers;
}

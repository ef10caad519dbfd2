import { bad, good, type Outcome } from './outcome.ts';
import { isDerSignature, normalise } from './p256.ts';
import { fromBase64url, jsonObject } from './text.ts';

/** The legacy value of the wallet signature header, accepted for every signed operation (spec 5.1 rule 4). */
export const LEGACY_STAMP = 'sandbox-valid-signature';

const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256';

/**
 * Parses the wallet signature header (spec 5 rule 3) into the signer's compressed key and the DER signature; verifies
 * nothing.
 */
export function parseStamp(header: string): Outcome<{ publicKey: string; signature: string }> {
  const bytes = fromBase64url(header.trim());
  if (!bytes) return bad('wallet signature is not base64url');
  const fields = jsonObject(bytes);
  if (!fields) return bad('wallet signature is not a base64url JSON object');
  const { publicKey: sent, scheme, signature } = fields;
  if (scheme !== SCHEME) return bad(`wallet signature scheme is not ${SCHEME}`);
  const publicKey = typeof sent === 'string' ? normalise(sent) : undefined;
  if (!publicKey) return bad('wallet signature publicKey is not a point on P-256');
  if (typeof signature !== 'string' || !isDerSignature(signature))
    return bad('wallet signature field signature is not a DER signature in hexadecimal');
  return good({ publicKey, signature: signature.toLowerCase() });
}

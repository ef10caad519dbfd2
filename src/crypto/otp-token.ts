import type { KeyPair } from './p256.ts';
import type { Signer } from './signer.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Returns the compact JWS that an OTP login asks its client to sign: `payloadToSign` of the first verify call (spec
 * 4.5).
 */
export function otpToken(
  signer: Signer,
  quorum: KeyPair,
  claims: {
    id: string;
    verificationType: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS';
    contact: string;
    organizationId: string;
    /** The client's key, compressed, as it was sealed in the bundle. */
    publicKey: string;
    /** The expiry, in milliseconds since 1970. */
    expMs: number;
  },
): string {
  const body = {
    id: claims.id,
    verification_type: claims.verificationType,
    contact: claims.contact,
    organization_id: claims.organizationId,
    public_key: claims.publicKey,
    exp: String(claims.expMs),
  };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(body)}`;
  return `${signed}.${Buffer.from(signer.raw(quorum, Buffer.from(signed))).toString('base64url')}`;
}

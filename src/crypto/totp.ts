/** Seconds of one step of a code, and how many steps a clock may be off by, either way. */
const STEP_SECONDS = 30;
const DRIFT = 1;

/**
 * The parameters that an authenticator app and its service share: times steps of 30 seconds, six digits, SHA-1 (RFC 6238).
 */
export interface Totp {
  /** The secret as people type it in, and as a QR code has it; the secret is given in hexadecimal. */
  shown(secret: string, issuer: string, label: string): { base32: string; uri: string };
  /** The step that a code is of, up to one step before or after this moment in milliseconds; nothing for a wrong code. */
  stepOf(secret: string, code: string, now: number): number | undefined;
}

/** Loads one-time codes by time at first use. */
export async function totp(): Promise<Totp> {
  const { Secret, TOTP } = await import('otpauth');
  return {
    shown: (hex, issuer, label) => {
      const secret = Secret.fromHex(hex);
      return { base32: secret.base32, uri: new TOTP({ issuer, label, secret }).toString() };
    },
    stepOf: (hex, code, now) => {
      const off = TOTP.validate({ token: code, secret: Secret.fromHex(hex), timestamp: now, window: DRIFT });
      return off === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + off;
    },
  };
}

/** Seconds per time step, and how many steps a clock may be off, either way. */
const STEP_SECONDS = 30;
const DRIFT = 1;

/**
 * One-time codes as an authenticator app and its service share them: steps of 30 seconds, six digits, SHA-1 (RFC 6238).
 */
export interface Totp {
  /** Returns a hexadecimal secret as people type it in, and as the URI in a QR code. */
  shown(secret: string, issuer: string, label: string): { base32: string; uri: string };
  /** Returns the time step of a code, at most one step away from `now` in milliseconds; undefined for a wrong code. */
  stepOf(secret: string, code: string, now: number): number | undefined;
}

/** Loads the library for time-based one-time codes at first use. */
export async function totp(): Promise<Totp> {
  const { Secret, TOTP } = await import('otpauth');
  return {
    shown: (hex, issuer, label) => {
      const secret = Secret.fromHex(hex);
      return { base32: secret.base32, uri: new TOTP({ issuer, label, secret }).toString() };
    },
    stepOf: (hex, code, now) => {
      // The library throws for six characters that take more bytes, such as full-width digits.
      if (!/^\d{6}$/.test(code)) return undefined;
      const off = TOTP.validate({ token: code, secret: Secret.fromHex(hex), timestamp: now, window: DRIFT });
      return off === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + off;
    },
  };
}

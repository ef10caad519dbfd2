import type { CredentialType } from '../../signing/index.ts';
import type { Kind } from './kind.ts';
import { oauth } from './oauth.ts';
import { emailOtp, smsOtp } from './otp.ts';
import { passkey } from './passkey.ts';

/** The rules of each credential type. */
export const KINDS: Readonly<Record<CredentialType, Kind>> = {
  EMAIL_OTP: emailOtp,
  SMS_OTP: smsOtp,
  OAUTH: oauth,
  PASSKEY: passkey,
};

export { exportBundle, openOtp, parseOtpBundle, sessionBundle, targetBundle } from './bundles.ts';
export { sha256 } from './digest.ts';
export { open, type Sealed, seal } from './hpke.ts';
export { mnemonicFrom } from './mnemonic.ts';
export {
  checkOidc,
  nonceFor,
  type OidcClaims,
  parseOidc,
  UNSUPPORTED_ISSUER,
  verifyOidcSignature,
} from './oidc.ts';
export { otpToken } from './otp-token.ts';
export {
  CLIENT_PUBLIC_KEY,
  type KeyPair,
  keyPairFrom,
  normalise,
  uncompressed,
  verifyDer,
} from './p256.ts';
export { loadSigner, type Signer } from './signer.ts';
export { LEGACY_STAMP, parseStamp } from './stamp.ts';
export { unpadded } from './text.ts';
export { assert, LEGACY_ASSERTION, readAssertion, register } from './webauthn.ts';

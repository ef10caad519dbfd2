/** What is used of the library: named one by one, so that a build leaves its certificates out, nine tenths of it. */
export {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';

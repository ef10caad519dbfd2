/** The part of the library that is used, named one by one: a build leaves out its certificates, nine tenths of it. */
export {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';

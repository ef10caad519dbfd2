/** The functions in use, named one by one: a build then leaves out the library's certificates, nine tenths of it. */
export {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';

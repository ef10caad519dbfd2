import { createRequire } from 'node:module';

// Required, not imported: the types of these packages would bring the browser's library into our whole program.
const require = createRequire(import.meta.url);

interface Stamper {
  stamp(payload: string): Promise<{ stampHeaderName: string; stampHeaderValue: string }>;
  sign(payload: string, format: 'der' | 'raw'): Promise<string>;
}

interface StampLibrary {
  ApiKeyStamper: new (config: {
    apiPublicKey: string;
    apiPrivateKey: string;
    runtimeOverride?: 'browser' | 'node' | 'purejs';
  }) => Stamper;
}

interface CryptoLibrary {
  decryptCredentialBundle(bundle: string, privateKey: string): string;
  decryptExportBundle(input: {
    exportBundle: string;
    embeddedKey: string;
    organizationId: string;
    returnMnemonic: boolean;
    dangerouslyOverrideSignerPublicKey?: string;
  }): Promise<string>;
  encryptOtpCodeToBundle(code: string, targetBundle: string, publicKey: string, quorum?: string): Promise<string>;
  formatHpkeBuf(sealed: Uint8Array): string;
  hpkeDecrypt(input: { ciphertextBuf: Uint8Array; encappedKeyBuf: Uint8Array; receiverPriv: string }): Uint8Array;
  hpkeEncrypt(input: { plainTextBuf: Uint8Array; targetKeyBuf: Uint8Array }): Uint8Array;
  verifyOtpVerificationToken(token: string, quorum?: string): Promise<Record<string, string>>;
}

/** The client libraries that apps of the real service use, so that our side is never checked with itself. */
export const { ApiKeyStamper }: StampLibrary = require('@turnkey/api-key-stamper');
export const walletClient: CryptoLibrary = require('@turnkey/crypto');

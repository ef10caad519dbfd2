import { createECDH } from 'node:crypto';
import { ApiKeyStamper, walletClient } from '../crypto/clients.ts';
import { type Answer, type CallOptions, type Kit, kit } from './sandbox.ts';

/** A client's P-256 key, made by Node, never by our own code. */
export interface ClientKey {
  privateKey: string;
  compressed: string;
  uncompressed: string;
}

export function clientKey(): ClientKey {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return {
    privateKey: ecdh.getPrivateKey('hex').padStart(64, '0'),
    compressed: ecdh.getPublicKey('hex', 'compressed'),
    uncompressed: ecdh.getPublicKey('hex', 'uncompressed'),
  };
}

/** The client that holds a session key again, from its scalar. */
export function keyFrom(privateKey: string): ClientKey {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'hex');
  return {
    privateKey,
    compressed: ecdh.getPublicKey('hex', 'compressed'),
    uncompressed: ecdh.getPublicKey('hex', 'uncompressed'),
  };
}

/** The value of the wallet signature header, by the stamper that real clients use. */
export async function stampOf(key: ClientKey, payload: string): Promise<string> {
  const stamper = new ApiKeyStamper({ apiPublicKey: key.compressed, apiPrivateKey: key.privateKey });
  return (await stamper.stamp(payload)).stampHeaderValue;
}

/** The two headers of a retry. */
export const proof = async (key: ClientKey, challenge: Answer): Promise<Record<string, string>> => ({
  'service-wallet-signature': await stampOf(key, challenge.body.payloadToSign),
  'request-id': challenge.body.requestId,
});

export interface WalletKit extends Kit {
  accountId: string;
  customerId: string;
  /** The EMAIL_OTP credential that the wallet was born with. */
  emailOtp: string;
  /** First call, signature, retry: what the retry answered. */
  sign(key: ClientKey, method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** `/challenge` and a sealed code: the body of `/verify`. */
  sealedCode(key: ClientKey, code?: string, credential?: string): Promise<{ type: string; encryptedOtpBundle: string }>;
  /** A whole login by email code. */
  login(key?: ClientKey, credential?: string): Promise<{ key: ClientKey; session: Answer['body'] }>;
}

/** Scenario `wallet`: Zoe and her funded wallet, with the calls of a real client. */
export async function walletKit(options: Parameters<typeof kit>[0] = {}): Promise<WalletKit> {
  const base = await kit({ scenario: 'wallet', ...options });
  const account = (await base.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' })).body.data[0];
  const emailOtp = (await base.get('/auth/credentials', { accountId: account.id })).body.data[0]?.id;
  const { quorumPublicKey } = (await base.control('GET', '/wallet-key')).body;
  const sign: WalletKit['sign'] = async (key, method, path, body, callOptions = {}) => {
    const first = await base.call(method, path, body, callOptions);
    if (first.status !== 202) return first;
    return base.call(method, path, body, {
      ...callOptions,
      headers: { ...callOptions.headers, ...(await proof(key, first)) },
    });
  };
  const sealedCode: WalletKit['sealedCode'] = async (key, code = '000000', credential = emailOtp) => {
    const challenge = await base.post(`/auth/credentials/${credential}/challenge`, {});
    const bundle = await walletClient.encryptOtpCodeToBundle(
      code,
      challenge.body.otpEncryptionTargetBundle,
      key.compressed,
      quorumPublicKey,
    );
    return { type: challenge.body.type, encryptedOtpBundle: bundle };
  };
  const login: WalletKit['login'] = async (key = clientKey(), credential = emailOtp) => {
    const session = await sign(
      key,
      'POST',
      `/auth/credentials/${credential}/verify`,
      await sealedCode(key, '000000', credential),
    );
    return { key, session: session.body };
  };
  return { ...base, accountId: account.id, customerId: account.customerId, emailOtp, sign, sealedCode, login };
}

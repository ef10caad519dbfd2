import { createECDH, createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { assertion, coseOf, registration } from '../crypto/authenticator.ts';
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

/** The two headers of a retry; the first is named as the profile names it. */
export const proof = async (
  key: ClientKey,
  challenge: Answer,
  header = 'service-wallet-signature',
): Promise<Record<string, string>> => ({
  [header]: await stampOf(key, challenge.body.payloadToSign),
  'request-id': challenge.body.requestId,
});

/** The code, status and reason of a refusal. */
export const refused = (answer: { status: number; body: { code: string; reason?: string } }) => [
  answer.status,
  answer.body.code,
  answer.body.reason,
];

/** An authenticator with one passkey, made of Node's crypto: the browser's side of WebAuthn. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly credentialId = this.id.toString('base64url');
  readonly keys: { publicKey: KeyObject; privateKey: KeyObject };
  counter = 0;

  constructor(keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })) {
    this.keys = keys;
  }

  /** What the platform's page sends on after `navigator.credentials.create`. */
  create(options: Omit<Parameters<typeof registration>[0], 'cose'> = {}) {
    const challenge = options.challenge ?? randomBytes(32).toString('base64url');
    const { clientDataJson, attestationObject } = registration({
      cose: coseOf(this.keys.publicKey),
      id: this.id,
      ...options,
      challenge,
    });
    return { challenge, attestation: { credentialId: this.credentialId, clientDataJson, attestationObject } };
  }

  /** What it sends on after `navigator.credentials.get`; the counter grows. */
  get(challengeHex: string, options: Parameters<typeof assertion>[1] = {}) {
    this.counter += 1;
    const signed = assertion(this.keys.privateKey, { challengeHex, counter: this.counter, ...options });
    return { ...signed, credentialId: this.credentialId };
  }
}

/** The claims of a good token of the issuer, at this moment of virtual milliseconds. */
export const claims = (nowMs: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: 'https://accounts.google.com',
  aud: 'app-1',
  sub: 'user-1',
  email: 'zoe.oidc@example.org',
  iat: Math.floor(nowMs / 1000),
  exp: Math.floor(nowMs / 1000) + 300,
  ...more,
});

/** A token with the dummy signature that the sandbox takes. */
export const token = (payload: object, header: object = { alg: 'RS256', typ: 'JWT' }): string =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.sandbox-signature';

/** What binds a token to a client's key: SHA-256 over the key's text. */
export const nonceOf = (clientPublicKey: string): string => createHash('sha256').update(clientPublicKey).digest('hex');

/** Which form of its key a client sends: uncompressed gets a sealed session key, compressed holds its own. */
export type Form = 'compressed' | 'uncompressed';

/** The key that a session is signed with: opened by the library of real clients, or the client's own. */
export const sessionKeyOf = (client: ClientKey, session: Answer['body']): ClientKey =>
  session.encryptedSessionSigningKey === undefined
    ? client
    : keyFrom(walletClient.decryptCredentialBundle(session.encryptedSessionSigningKey, client.privateKey));

export interface Login {
  key: ClientKey;
  session: Answer['body'];
}

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
  login(key?: ClientKey, credential?: string): Promise<Login>;
  /** Virtual milliseconds. */
  now(): number;
  /** The key that signs target bundles. */
  quorumPublicKey: string;
  /** Register a passkey, signed for by a session: the credential. */
  addPasskey(key: ClientKey, authenticator: Authenticator, nickname?: string): Promise<Answer['body']>;
  /** `/challenge` and the assertion: what `/verify` is to be asked. */
  asserted(
    credential: string,
    authenticator: Authenticator,
    client: ClientKey,
    form?: Form,
    options?: Parameters<typeof assertion>[1],
  ): Promise<{ path: string; body: { type: string; assertion: Assertion }; headers: Record<string, string> }>;
  /** A whole login by passkey. */
  passkeyLogin(credential: string, authenticator: Authenticator, form?: Form): Promise<Login>;
  /** Add an identity of the issuer, signed for by a session: the credential. */
  addOauth(key: ClientKey, more?: Record<string, unknown>): Promise<Answer['body']>;
  /** A whole login by token. */
  oauthLogin(credential: string, form?: Form, more?: Record<string, unknown>): Promise<Login>;
}

export type Assertion = ReturnType<Authenticator['get']>;

/** Scenario `wallet`: Zoe and her funded wallet, with the calls of a real client. */
export async function walletKit(options: Parameters<typeof kit>[0] = {}): Promise<WalletKit> {
  const base = await kit({ scenario: 'wallet', ...options });
  const account = (await base.get('/customers/internal-accounts', { type: 'EMBEDDED_WALLET' })).body.data[0];
  const emailOtp = (await base.get('/auth/credentials', { accountId: account.id })).body.data[0]?.id;
  const { quorumPublicKey } = (await base.control('GET', '/wallet-key')).body;
  const header = base.host.profile.walletSignatureHeader.toLowerCase();
  const sign: WalletKit['sign'] = async (key, method, path, body, callOptions = {}) => {
    const first = await base.call(method, path, body, callOptions);
    if (first.status !== 202) return first;
    return base.call(method, path, body, {
      ...callOptions,
      headers: { ...callOptions.headers, ...(await proof(key, first, header)) },
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
  const now = () => base.sandbox.world.clock.now();
  const add = async (key: ClientKey, body: object) =>
    (await sign(key, 'POST', '/auth/credentials', { accountId: account.id, ...body })).body;
  const addPasskey: WalletKit['addPasskey'] = (key, authenticator, nickname = 'Phone') =>
    add(key, { type: 'PASSKEY', nickname, ...authenticator.create() });
  const asserted: WalletKit['asserted'] = async (id, authenticator, client, form = 'uncompressed', options = {}) => {
    const { body } = await base.post(`/auth/credentials/${id}/challenge`, { clientPublicKey: client[form] });
    return {
      path: `/auth/credentials/${id}/verify`,
      body: { type: 'PASSKEY', assertion: authenticator.get(body.challenge, options) },
      headers: { 'request-id': body.requestId },
    };
  };
  const passkeyLogin: WalletKit['passkeyLogin'] = async (id, authenticator, form = 'uncompressed') => {
    const client = clientKey();
    const { path, body, headers } = await asserted(id, authenticator, client, form);
    const session = (await base.post(path, body, { headers })).body;
    return { key: sessionKeyOf(client, session), session };
  };
  const addOauth: WalletKit['addOauth'] = (key, more) =>
    add(key, { type: 'OAUTH', oidcToken: token(claims(now(), more)) });
  const oauthLogin: WalletKit['oauthLogin'] = async (id, form = 'uncompressed', more = {}) => {
    const client = clientKey();
    const oidcToken = token(claims(now(), { nonce: nonceOf(client[form]), ...more }));
    const body = { type: 'OAUTH', oidcToken, clientPublicKey: client[form] };
    const session = (await base.post(`/auth/credentials/${id}/verify`, body)).body;
    return { key: sessionKeyOf(client, session), session };
  };
  return {
    ...base,
    accountId: account.id,
    customerId: account.customerId,
    emailOtp,
    quorumPublicKey,
    sign,
    sealedCode,
    login,
    now,
    addPasskey,
    asserted,
    passkeyLogin,
    addOauth,
    oauthLogin,
  };
}

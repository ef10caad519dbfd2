import type { SoftwareAuthenticator } from './authenticator.ts';
import { base64url, random } from './bytes.ts';
import { type ClientKey, createClientKey } from './keys.ts';
import { mintOidcToken, type OidcTokenOptions } from './oidc.ts';
import { type Answer, type Fetch, send, WalletError } from './transport.ts';
import { openSessionKey, openWalletExport, sealOtp, stamp } from './wallet.ts';

export type CredentialType = 'EMAIL_OTP' | 'SMS_OTP' | 'OAUTH' | 'PASSKEY';

/** A credential as the API shows it. */
export interface WalletCredential {
  id: string;
  accountId: string;
  type: CredentialType;
  nickname: string;
  credentialId?: string;
  createdAt: string;
  updatedAt: string;
}

/** A session as the API shows it. */
export interface ListedSession extends WalletCredential {
  expiresAt: string;
}

/** A delegated key as the API shows it. */
export interface DelegatedKey {
  id: string;
  cardId: string;
  fundingSourceId: string;
  accountId: string;
  publicKey: string;
  nickname: string;
  status: 'PENDING' | 'ACTIVE' | 'REVOKED';
  createdAt: string;
  updatedAt: string;
}

/** A session of this client: what the API shows, and the key that signs. */
export interface WalletSession extends ListedSession {
  key: ClientKey;
}

export interface WalletClientOptions {
  /** The base URL, with the version segment. */
  baseUrl: string;
  /** The whole `Authorization` header. */
  authorization: string;
  /** The id of the wallet: `InternalAccount:<uuid>`. */
  accountId: string;
  /** The name of the signature header. Default `Service-Wallet-Signature`. */
  signatureHeader?: string;
  /** The key that verifies the signature of OTP target bundles. */
  quorumPublicKey?: string;
  /** Makes every key of this client repeatable. */
  seed?: string;
  /**
   * Returns the time for new OIDC tokens, as milliseconds or ISO 8601; needed with a virtual clock:
   * `sandbox.clock.now`.
   */
  now?: () => number | string;
  fetch?: Fetch;
}

/** The session that signs; by default the client's own. */
export interface SignedBy {
  session?: WalletSession;
}

/** `service`: the service creates the session key and seals it to the client. `client`: the client's own key signs. */
export interface KeyHolder {
  keyHeldBy?: 'service' | 'client';
}

/** The client side of a wallet: each flow in one call, with real cryptography. A refusal rejects with `WalletError`. */
export class WalletClient {
  /** The session of the last login or refresh; it signs whatever needs a signature. */
  session: WalletSession | undefined;
  readonly accountId: string;
  readonly #options: WalletClientOptions;
  readonly #target: { baseUrl: string; authorization: string; fetch: Fetch };
  #keys = 0;

  constructor(options: WalletClientOptions) {
    this.#options = options;
    this.accountId = options.accountId;
    const { baseUrl, authorization, fetch: given = (url, init) => fetch(url, init) } = options;
    this.#target = { baseUrl: baseUrl.replace(/\/+$/, ''), authorization, fetch: given };
  }

  /** Returns the client of a customer's wallet, which it looks up. Rejects if the customer has none. */
  static async ofCustomer(customerId: string, options: Omit<WalletClientOptions, 'accountId'>): Promise<WalletClient> {
    const finder = new WalletClient({ ...options, accountId: '' });
    const query = `customerId=${encodeURIComponent(customerId)}&type=EMBEDDED_WALLET`;
    const [account] = (await finder.call('GET', `/customers/internal-accounts?${query}`)).body.data;
    if (!account) throw new Error(`${customerId} has no EMBEDDED_WALLET account: is the wallet currency configured?`);
    return new WalletClient({ ...options, accountId: account.id });
  }

  /** Makes one plain call, for operations that have no method here. */
  call(method: string, path: string, body?: unknown, headers: { [name: string]: string } = {}): Promise<Answer> {
    return send(this.#target, method, path, body, headers);
  }

  /**
   * Makes a call and signs if required: signs the `payloadToSign` of a 202 with the session's key and retries, as often
   * as required. A call that needs no signature returns at once.
   */
  async signed(method: string, path: string, body?: unknown, by: SignedBy = {}): Promise<Answer> {
    let answer = await this.call(method, path, body);
    while (answer.status === 202 && answer.body?.payloadToSign !== undefined)
      answer = await this.#retry(answer, method, path, body, this.#signer(by).key);
    return answer;
  }

  /**
   * Executes a quote that the wallet pays, signed with the session's key. Returns the quote as it is then:
   * `PENDING_AUTHORIZATION` if the customer must authenticate as well.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a quote has many members, and tests say what they expect of them
  async pay(quote: string | { id: string }, options: SignedBy = {}): Promise<any> {
    const path = `/quotes/${encodeURIComponent(typeof quote === 'string' ? quote : quote.id)}`;
    const { key } = this.#signer(options);
    try {
      return (await this.signed('POST', `${path}/execute`, undefined, options)).body;
    } catch (error) {
      // A quote that is not challenged on execution has carried its payload all along.
      if (!(error instanceof WalletError) || error.code !== 'WALLET_SIGNATURE_MISSING') throw error;
      const payload = payloadIn((await this.call('GET', path)).body);
      if (payload === undefined) throw error;
      return (await this.call('POST', `${path}/execute`, undefined, { [this.#header]: stamp(key, payload) })).body;
    }
  }

  async listCredentials(): Promise<WalletCredential[]> {
    return (await this.call('GET', `/auth/credentials?accountId=${this.accountId}`)).body.data;
  }

  /** Returns the active sessions only. */
  async listSessions(): Promise<ListedSession[]> {
    return (await this.call('GET', `/auth/sessions?accountId=${this.accountId}`)).body.data;
  }

  /** Logs in with a one-time code by email (or SMS, by `credentialId`). The client's key becomes the session's. */
  async loginWithOtp(options: { code?: string; credentialId?: string; sealUncompressed?: boolean } = {}) {
    const { type, id } = await this.#credential('EMAIL_OTP', options.credentialId);
    const challenge = await this.call('POST', `/auth/credentials/${id}/challenge`);
    const key = this.#newKey();
    const sent = options.sealUncompressed ? key.uncompressed : key.compressed;
    const bundle = challenge.body.otpEncryptionTargetBundle;
    const { quorumPublicKey } = this.#options;
    const body = { type, encryptedOtpBundle: await sealOtp(bundle, options.code ?? '000000', sent, quorumPublicKey) };
    const path = `/auth/credentials/${id}/verify`;
    const session = await this.#retry(await this.call('POST', path, body), 'POST', path, body, key);
    return this.#opened(session, key);
  }

  /** Registers a passkey. The platform chooses the challenge: random unless given. */
  addPasskey(
    authenticator: SoftwareAuthenticator,
    options: { nickname?: string; challenge?: string } & SignedBy = {},
  ): Promise<WalletCredential> {
    const { nickname = 'Passkey', challenge = base64url(random(32)) } = options;
    const attestation = authenticator.register(challenge);
    return this.#add({ type: 'PASSKEY', nickname, challenge, attestation }, options);
  }

  /** Logs in with a passkey that was added. */
  async loginWithPasskey(authenticator: SoftwareAuthenticator, options: KeyHolder = {}): Promise<WalletSession> {
    const passkeys = await this.listCredentials();
    const { id } = passkeys.find(({ credentialId }) => credentialId === authenticator.credentialId) ?? {};
    if (!id) throw new Error(`The wallet has no passkey ${authenticator.credentialId}`);
    const key = this.#newKey();
    const clientPublicKey = sentKey(key, options);
    const { body } = await this.call('POST', `/auth/credentials/${id}/challenge`, { clientPublicKey });
    const assertion = authenticator.assert(body.challenge);
    const verify = { type: 'PASSKEY', assertion };
    const headers = { 'Request-Id': body.requestId };
    return this.#opened(await this.call('POST', `/auth/credentials/${id}/verify`, verify, headers), key);
  }

  /** Adds an identity: an OIDC token, or options for a new one. */
  async addOAuth(token: string | OidcTokenOptions = {}, options: SignedBy = {}): Promise<WalletCredential> {
    const oidcToken = typeof token === 'string' ? token : await this.#mint(token);
    return this.#add({ type: 'OAUTH', oidcToken }, options);
  }

  /** Logs in with a fresh token, bound to a new client key. */
  async loginWithOAuth(
    token: OidcTokenOptions = {},
    options: { credentialId?: string } & KeyHolder = {},
  ): Promise<WalletSession> {
    const { id } = await this.#credential('OAUTH', options.credentialId);
    const key = this.#newKey();
    const clientPublicKey = sentKey(key, options);
    const oidcToken = await this.#mint({ ...token, nonceFor: clientPublicKey });
    const body = { type: 'OAUTH', oidcToken, clientPublicKey };
    return this.#opened(await this.call('POST', `/auth/credentials/${id}/verify`, body), key);
  }

  /** Adds one-time codes by email or SMS; log in with the credential's id. */
  addOtp(type: 'EMAIL_OTP' | 'SMS_OTP', options: SignedBy = {}): Promise<WalletCredential> {
    return this.#add({ type }, options);
  }

  /** Replaces the session with a new one that has a new key. */
  async refresh(options: SignedBy & KeyHolder = {}): Promise<WalletSession> {
    const key = this.#newKey();
    const body = { clientPublicKey: sentKey(key, options) };
    const { id } = this.#signer(options);
    return this.#opened(await this.signed('POST', `/auth/sessions/${id}/refresh`, body, options), key);
  }

  /** Returns the wallet's mnemonic, after checking that it belongs to the organization that was signed for. */
  async exportWallet(options: SignedBy = {}): Promise<string> {
    const key = this.#newKey();
    const path = `/internal-accounts/${this.accountId}/export`;
    const body = { clientPublicKey: key.uncompressed };
    const first = await this.call('POST', path, body);
    const { organizationId } = JSON.parse(first.body.payloadToSign);
    const answer = await this.#retry(first, 'POST', path, body, this.#signer(options).key);
    return openWalletExport(answer.body.encryptedWalletCredentials, key, { organizationId });
  }

  /** Changes the privacy of the wallet. Returns the account as it is then. */
  async setPrivacy(privateEnabled: boolean, options: SignedBy = {}): Promise<{ id: string; privateEnabled?: boolean }> {
    const path = `/internal-accounts/${this.accountId}`;
    return (await this.signed('PATCH', path, { privateEnabled }, options)).body;
  }

  /**
   * Lets the service sign for a card that the wallet pays for; this takes two signatures. Returns the key, `ACTIVE`.
   */
  async delegateKey(cardId: string, options: { nickname?: string } & SignedBy = {}): Promise<DelegatedKey> {
    const { nickname = 'Card payments', ...by } = options;
    const body = { cardId, internalAccountId: this.accountId, nickname };
    return (await this.signed('POST', '/auth/delegated-keys', body, by)).body;
  }

  /** Changes the email of the wallet's owner and of the credentials tied to it. Returns the customer. */
  async changeEmail(
    customerId: string,
    email: string,
    options: SignedBy = {},
  ): Promise<{ id: string; email?: string }> {
    return (await this.signed('PATCH', `/customers/${customerId}`, { email }, options)).body;
  }

  /** Revokes a credential; the session that signs must come from another one. */
  async revokeCredential(id: string, options: SignedBy = {}): Promise<void> {
    await this.signed('DELETE', `/auth/credentials/${id}`, undefined, options);
  }

  async revokeSession(id: string, options: SignedBy = {}): Promise<void> {
    await this.signed('DELETE', `/auth/sessions/${id}`, undefined, options);
    if (this.session?.id === id) this.session = undefined;
  }

  /** Revokes the client's own session. */
  signOut(): Promise<void> {
    return this.revokeSession(this.#signer({}).id);
  }

  get #header(): string {
    return this.#options.signatureHeader ?? 'Service-Wallet-Signature';
  }

  #newKey(): ClientKey {
    const { seed } = this.#options;
    this.#keys += 1;
    return createClientKey(seed === undefined ? undefined : `${seed} ${this.#keys}`);
  }

  #signer({ session = this.session }: SignedBy): WalletSession {
    if (!session) throw new Error('There is no session to sign with: log in first');
    return session;
  }

  #mint(options: OidcTokenOptions): Promise<string> {
    const { now = Date.now } = this.#options;
    return mintOidcToken({ iat: Math.floor(new Date(now()).getTime() / 1000), ...options });
  }

  async #credential(type: CredentialType, id: string | undefined): Promise<WalletCredential> {
    const all = await this.listCredentials();
    const found = all.find((credential) => (id === undefined ? credential.type === type : credential.id === id));
    if (!found) throw new Error(`The wallet has no credential ${id ?? type}`);
    return found;
  }

  async #add(fields: object, options: SignedBy): Promise<WalletCredential> {
    const body = { accountId: this.accountId, ...fields };
    return (await this.signed('POST', '/auth/credentials', body, options)).body;
  }

  /** Makes the second call of a signed retry. */
  #retry(first: Answer, method: string, path: string, body: unknown, key: ClientKey): Promise<Answer> {
    const { payloadToSign, requestId } = first.body;
    return this.call(method, path, body, { [this.#header]: stamp(key, payloadToSign), 'Request-Id': requestId });
  }

  /** Keeps a new session: its key is the one sealed in it, or else the client's. */
  async #opened({ body }: Answer, clientKey: ClientKey): Promise<WalletSession> {
    const { encryptedSessionSigningKey: sealed, ...shown } = body;
    this.session = { ...shown, key: sealed === undefined ? clientKey : await openSessionKey(sealed, clientKey) };
    return this.#signer({});
  }
}

interface Instructed {
  paymentInstructions?: { accountOrWalletInfo?: { payloadToSign?: string } }[];
}

/** Returns the payload of a quote that its wallet must sign. */
const payloadIn = ({ paymentInstructions = [] }: Instructed): string | undefined =>
  paymentInstructions.find(({ accountOrWalletInfo }) => accountOrWalletInfo?.payloadToSign)?.accountOrWalletInfo
    ?.payloadToSign;

const sentKey = (key: ClientKey, { keyHeldBy = 'service' }: KeyHolder): string =>
  keyHeldBy === 'service' ? key.uncompressed : key.compressed;

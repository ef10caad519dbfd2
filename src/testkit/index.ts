/**
 * The client side of a test: what an app does with a wallet, with real cryptography. It is built on libraries only, as
 * a second implementation, so that tests never check the emulator against itself.
 */
export { type AgentAction, AgentClient, type AgentOptions, redeemAgent } from './agent.ts';
export {
  type Assertion,
  type AssertionJson,
  type Attestation,
  type AuthenticatorOptions,
  type CeremonyFaults,
  type RegistrationJson,
  SoftwareAuthenticator,
} from './authenticator.ts';
export {
  type CardMerchant,
  CardNetwork,
  type CardNetworkOptions,
  type CardPayment,
  type CardUse,
} from './card-network.ts';
export {
  type CredentialType,
  type DelegatedKey,
  type KeyHolder,
  type ListedSession,
  type SignedBy,
  WalletClient,
  type WalletClientOptions,
  type WalletCredential,
  type WalletSession,
} from './client.ts';
export { type ClientKey, createClientKey } from './keys.ts';
export { createOidcKey, mintOidcToken, type OidcKey, type OidcTokenOptions } from './oidc.ts';
export { type TotpOptions, totpCode } from './totp.ts';
export { type Answer, type Fetch, WalletError } from './transport.ts';
export { LEGACY_WALLET_SIGNATURE, openSessionKey, openWalletExport, sealOtp, stamp } from './wallet.ts';
export {
  verifyWebhook,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookEvent,
  WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhooks.ts';

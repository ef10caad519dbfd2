import { machine, type TriggerOf } from '../../engine/machine.ts';

/** The `status` of a linked provider account. It emits no event: the area has no events. */
export const PROVIDER_ACCOUNT = machine('stablecoin provider account', 'reference: stablecoins, provider accounts', [
  { from: 'none', on: 'link', to: 'ACTIVE' },
  { from: ['ACTIVE'], on: 'invalidate', to: 'INVALID' },
  { from: ['INVALID'], on: 'verify', to: 'ACTIVE' },
  { from: ['ACTIVE', 'INVALID'], on: 'revoke', to: 'REVOKED' },
]);

/** The `issuanceStatus` of a coin: how far the provider has issued it. */
export const ISSUANCE = machine('issuance of the stablecoin', 'reference: stablecoins, issuance', [
  { from: 'none', on: 'register', to: 'PENDING_REVIEW' },
  { from: ['PENDING_REVIEW'], on: 'review', to: 'PROVISIONING' },
  { from: ['PENDING_REVIEW'], on: 'reject', to: 'REJECTED' },
  { from: ['PROVISIONING'], on: 'provision', to: 'PROVISIONED' },
  { from: ['PENDING_REVIEW', 'PROVISIONING'], on: 'fail', to: 'FAILED' },
]);

/** The `serviceOperationsStatus` of a coin: whether it is a currency here. */
export const SERVICE = machine('use of the stablecoin', 'reference: stablecoins, use as a currency', [
  { from: ['NOT_ENABLED'], on: 'request', to: 'PENDING_APPROVAL' },
  { from: ['PENDING_APPROVAL'], on: 'approve', to: 'ENABLING' },
  { from: ['ENABLING', 'DISABLED'], on: 'enable', to: 'ENABLED' },
  { from: ['PENDING_APPROVAL', 'ENABLING', 'ENABLED'], on: 'disable', to: 'DISABLED' },
]);

/** The `status` of a mint or a burn. */
export const OPERATION = machine('stablecoin operation', 'reference: stablecoins, mints and burns', [
  { from: 'none', on: 'create', to: 'CREATED' },
  { from: ['CREATED'], on: 'await funding', to: 'PENDING_FUNDING' },
  { from: ['CREATED'], on: 'submit', to: 'PENDING_PROVIDER' },
  { from: ['PENDING_FUNDING', 'PENDING_PROVIDER'], on: 'process', to: 'PROCESSING' },
  { from: ['PROCESSING'], on: 'complete', to: 'COMPLETED' },
  { from: ['PENDING_FUNDING'], on: 'expire', to: 'EXPIRED' },
  { from: ['CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING'], on: 'fail', to: 'FAILED' },
]);

export type LinkTrigger = TriggerOf<typeof PROVIDER_ACCOUNT>;

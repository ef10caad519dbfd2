import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type Choice, decision } from '../../declare/decision.ts';
import { transition } from '../../engine/machine.ts';
import { decideIssuance, decideUse, ISSUANCE_OUTCOMES, STABLECOINS, showStablecoin, stablecoinOf } from './coins.ts';
import { OPERATION, PROVIDER_ACCOUNT, SERVICE } from './machine.ts';
import { decideEnd, OPERATIONS, receiveFunds } from './operations.ts';
import { decideLink, PROVIDER_ACCOUNTS, showProviderAccount } from './provider-accounts.ts';
import { LINK_STATUSES } from './schema.ts';
import { showOperation } from './show.ts';

const LinkStatus = lazy(() => z.strictObject({ status: z.enum(LINK_STATUSES) }));
const Issuance = lazy(() => z.strictObject({ outcome: z.enum(ISSUANCE_OUTCOMES) }));
const Use = lazy(() => z.strictObject({ outcome: z.enum(['ENABLED', 'DISABLED']) }));
const Nothing = lazy(() => z.strictObject({}));
const End = lazy(() =>
  z.strictObject({
    outcome: z.enum(['COMPLETED', 'FAILED']),
    reason: z
      .string()
      .regex(/^[A-Z][A-Z_]{0,99}$/)
      .optional()
      .describe('failureReason of one that FAILED; PROVIDER_TRANSFER_FAILED without'),
  }),
);

const choice = (label: string, body: object, danger = false): Choice => ({ label, body, danger });

export const decisions = [
  decision({
    table: PROVIDER_ACCOUNTS,
    name: 'status',
    about: 'Decide what the provider says of the linked credentials',
    body: LinkStatus,
    decide: (world, id, { status }) => showProviderAccount(decideLink(world, id, status)),
    choices: (_world, { status }) =>
      [
        { on: 'verify' as const, shown: choice('Verify', { status: 'ACTIVE' }) },
        { on: 'invalidate' as const, shown: choice('Find invalid', { status: 'INVALID' }, true) },
        { on: 'revoke' as const, shown: choice('Revoke', { status: 'REVOKED' }, true) },
      ].flatMap(({ on, shown }) => (transition(PROVIDER_ACCOUNT, status, on) ? [shown] : [])),
  }),
  decision({
    table: STABLECOINS,
    name: 'issuance',
    about: 'Decide what the provider makes of a coin, now: PROVISIONED, REJECTED (under review only) or FAILED',
    body: Issuance,
    decide: (world, id, { outcome }) => showStablecoin(decideIssuance(world, id, outcome)),
    choices: (_world, { issuanceStatus }) => {
      const isReviewed = issuanceStatus === 'PENDING_REVIEW';
      if (!isReviewed && issuanceStatus !== 'PROVISIONING') return [];
      return [
        choice('Provision', { outcome: 'PROVISIONED' }),
        ...(isReviewed ? [choice('Reject', { outcome: 'REJECTED' }, true)] : []),
        choice('Fail', { outcome: 'FAILED' }, true),
      ];
    },
  }),
  decision({
    table: STABLECOINS,
    name: 'use',
    about: 'Decide whether a provisioned coin is a currency here, now: ENABLED or DISABLED',
    body: Use,
    decide: (world, id, { outcome }) => showStablecoin(decideUse(world, id, outcome)),
    choices: (_world, { serviceOperationsStatus: status }) => [
      ...(status === 'PENDING_APPROVAL' || transition(SERVICE, status, 'enable')
        ? [choice('Enable', { outcome: 'ENABLED' })]
        : []),
      ...(transition(SERVICE, status, 'disable') ? [choice('Disable', { outcome: 'DISABLED' }, true)] : []),
    ],
  }),
  decision({
    table: OPERATIONS,
    name: 'funds',
    about: 'The funds of a mint by wire, or the tokens of a burn from outside, have come',
    body: Nothing,
    decide: (world, id) => {
      const operation = receiveFunds(world, id);
      return showOperation(stablecoinOf(world, operation.stablecoinId), operation);
    },
    choices: (_world, { status }) => (status === 'PENDING_FUNDING' ? [choice('Funds have come', {})] : []),
  }),
  decision({
    table: OPERATIONS,
    name: 'outcome',
    about: 'Decide how a mint or burn ends, now, whatever was planned: COMPLETED or FAILED',
    body: End,
    decide: (world, id, { outcome, reason }) => {
      const operation = decideEnd(world, id, outcome, reason);
      return showOperation(stablecoinOf(world, operation.stablecoinId), operation);
    },
    choices: (_world, { status }) =>
      transition(OPERATION, status, 'fail')
        ? [choice('Complete', { outcome: 'COMPLETED' }), choice('Fail', { outcome: 'FAILED' }, true)]
        : [],
  }),
];

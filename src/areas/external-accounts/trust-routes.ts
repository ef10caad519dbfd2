import { a, type Deciding, ofConcerned, ofSomebody, oneOf } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer } from '../customers/index.ts';
import {
  askForTrust,
  type Change,
  checkConcerned,
  confirmTrust,
  isAnswerable,
  judge,
  showChallenge,
  TrustConfirm,
  TrustConfirmRequest,
  TrustStart,
  trustChallenge,
} from '../sca/index.ts';
import { accountOnSide, CUSTOMERS_KEY } from './rules.ts';

const operation = operationsOf('Strong Customer Authentication');

const TRUSTED = a('sca-trust', { status: 'TRUSTED' }, 'confirmBeneficiaryTrust');
/** An example about an account that its owner does not trust yet. */
const untrusted: Deciding = (the) => {
  const row = the.row(
    'external-accounts',
    { isDeleted: false, customerId: ofConcerned },
    'createCustomerExternalAccount',
    ({ id }) => {
      const status = the.newest('sca-trust', { id })?.['status'] ?? 'UNTRUSTED';
      return status === 'UNTRUSTED' || status === 'TRUST_PENDING';
    },
  );
  return { params: { externalAccountId: row.id } };
};
/** Returns an example about an account whose trust waits for a proof, with that proof. */
const awaited =
  (status: string, maker: string): Deciding =>
  (the) => {
    const { id } = the.row('sca-trust', { status, customerId: ofSomebody }, maker, isAnswerable);
    const challenge = the.newest('sca-challenges', { kind: 'TRUST', subject: id, status: 'PENDING' });
    return {
      params: { externalAccountId: id },
      body: { challengeId: challenge?.id ?? '<challengeId>', code: oneOf('123456', '999999') },
    };
  };

/**
 * Returns a customer's account and its owner, who must be subject to strong customer authentication. 404, 409 CONFLICT
 * (reference 10).
 */
function accountAndOwner(world: World, id: string) {
  const account = accountOnSide(world, id, CUSTOMERS_KEY);
  const customer = checkConcerned(world, activeCustomer(world, account.customerId as string));
  return { account, customer };
}

const CHANGES: readonly { change: Change; name: string; trusted: boolean; asks: string; confirms: string }[] = [
  {
    change: 'trust',
    name: 'Trust',
    trusted: true,
    asks: 'Ask a customer to trust an external account: payments to it will need no challenge',
    confirms: 'Confirm that an external account is trusted',
  },
  {
    change: 'untrust',
    name: 'Untrust',
    trusted: false,
    asks: 'Ask a customer to trust an external account no longer',
    confirms: 'Confirm that an external account is trusted no longer',
  },
];

const REFUSES = ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'CONFLICT'] as const;

export const trustRoutes = CHANGES.flatMap(({ change, name, trusted, asks, confirms }) => [
  operation({
    id: `startBeneficiary${name}`,
    endpoint: `POST /customers/external-accounts/{externalAccountId}/${change}`,
    summary: asks,
    example: trusted ? untrusted : { params: { externalAccountId: TRUSTED } },
    makes: {
      'sca-trust': { id: '{externalAccountId}' },
      'sca-challenges': { id: 'scaChallenge.challengeId', subject: '{externalAccountId}' },
    },
    replies: { 200: TrustStart },
    refuses: ['INVALID_INPUT', ...REFUSES],
    load: ({ world, params }) => accountAndOwner(world, params.externalAccountId),
    write: ({ world }, { account, customer }) =>
      reply(200, { scaChallenge: showChallenge(world, askForTrust(world, customer, account.id, change)) }),
  }),
  operation({
    id: `confirmBeneficiary${name}`,
    endpoint: `POST /customers/external-accounts/{externalAccountId}/${change}/confirm`,
    summary: confirms,
    body: TrustConfirmRequest,
    example: awaited(`${change.toUpperCase()}_PENDING`, `startBeneficiary${name}`),
    makes: { 'sca-trust': { id: '{externalAccountId}' } },
    replies: { 200: TrustConfirm },
    refuses: REFUSES,
    load: ({ world, params, body }) => {
      const { account } = accountAndOwner(world, params.externalAccountId);
      return trustChallenge(world, account.id, change, body);
    },
    wait: ({ world, body }, challenge) => judge(world, challenge, body),
    write: ({ world }, challenge, verdict) => {
      confirmTrust(world, challenge, change, verdict);
      return reply(200, { trusted });
    },
  }),
]);

import { fundingInstructions } from '../accounts/index.ts';
import { ENVIRONMENT } from './provider-accounts.ts';
import type { IssuerOperation, Stablecoin } from './row.ts';

/** The provider's name for each status. */
const PROVIDER_STATUS: Readonly<Record<IssuerOperation['status'], string | undefined>> = {
  CREATED: undefined,
  PENDING_FUNDING: 'awaiting_funds',
  PENDING_PROVIDER: 'pending',
  PROCESSING: 'processing',
  COMPLETED: 'complete',
  FAILED: 'failed',
  EXPIRED: 'expired',
};

/** The duration of each rail, in words. */
const TIMING: Readonly<Record<NonNullable<IssuerOperation['destination']['rail']>, string>> = {
  WIRE: 'Same business day',
  ACH_CREDIT: '1-3 business days',
  SAME_DAY_ACH_CREDIT: 'Same business day',
  RTP_CREDIT: 'Within minutes',
};

/**
 * The instructions for sending funds to the provider, by the kind of source that the outside world provides; derived
 * from the id.
 */
const INSTRUCTIONS: Readonly<Record<string, (coin: Stablecoin, operation: IssuerOperation) => object>> = {
  WIRE: ({ baseCurrency }, { id }) => {
    const [way] = fundingInstructions({ id, currency: baseCurrency });
    const { accountType: _, paymentRails: __, ...details } = way?.accountOrWalletInfo ?? { accountType: '' };
    return { rail: 'WIRE', beneficiaryName: 'Sandbox Stablecoin Provider', ...details };
  },
  EXTERNAL_ACCOUNT: ({ network, providerTokenIdentifier }, { id }) => {
    const [way] = fundingInstructions({ id, currency: providerTokenIdentifier }, [`${network}_WALLET`]);
    return { rail: network, network, address: way?.accountOrWalletInfo['address'], valueType: providerTokenIdentifier };
  },
};

/** Returns what a burn pays, and when it arrives. */
function delivery({ decimals, baseCurrency }: Stablecoin, { amount, destination }: IssuerOperation) {
  const { rail } = destination;
  if (rail === undefined) return undefined;
  const cents = BigInt(amount) / 10n ** BigInt(decimals - 2);
  return { rail, amount: String(cents), currency: baseCurrency, timing: TIMING[rail] };
}

/** Returns a mint or burn as replies show it. */
export function showOperation(coin: Stablecoin, operation: IssuerOperation) {
  const { status, source } = operation;
  return {
    ...operation,
    provider: coin.provider,
    providerEnvironment: ENVIRONMENT,
    fundingInstructions: status === 'CREATED' ? undefined : INSTRUCTIONS[source.type]?.(coin, operation),
    estimatedDelivery: delivery(coin, operation),
    providerStatus: PROVIDER_STATUS[status],
  };
}

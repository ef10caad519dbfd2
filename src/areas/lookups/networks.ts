import { fail, failFields } from '../../contract/errors.ts';
import { knownCurrency, moneyText, powerOfTen } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { accountOf } from '../accounts/index.ts';
import { ACCOUNT_TYPES } from '../external-accounts/index.ts';
import { rateBetween } from '../rates/index.ts';
import type { FeeEstimate, FeeEstimateRequest } from './schema.ts';

/** The fee of a transfer on a blockchain. */
interface Network {
  /** The fee in the smallest unit of the asset. */
  readonly fee: number;
  readonly asset: string;
  /** The same fee in US dollars. */
  readonly usd: number;
  /** The currencies on the blockchain and the form of its addresses, if no account type says so. */
  readonly currencies?: readonly string[];
  readonly address?: RegExp;
}

/** Fixed fees by network: the same for every withdrawal, so that a test can rely on them. */
const NETWORKS: ReadonlyMap<string, Network> = new Map(
  Object.entries<Network>({
    SOLANA: { fee: 5000, asset: 'SOL', usd: 0.005 },
    ETHEREUM: { fee: 500_000_000_000_000, asset: 'ETH', usd: 1.5 },
    BASE: { fee: 1_000_000_000_000, asset: 'ETH', usd: 0.003 },
    POLYGON: { fee: 4_000_000_000_000_000, asset: 'POL', usd: 0.002 },
    TRON: { fee: 6_500_000, asset: 'TRX', usd: 1.6 },
    PLASMA: { fee: 2_000_000_000_000_000, asset: 'XPL', usd: 0.002 },
    BITCOIN: {
      fee: 1500,
      asset: 'BTC',
      usd: 1.8,
      currencies: ['BTC'],
      address: /^(?:bc1|tb1|bcrt1|[13mn2])[0-9a-zA-Z]{20,90}$/,
    },
    LIGHTNING: { fee: 10, asset: 'BTC', usd: 0.012 },
    SPARK: { fee: 2, asset: 'BTC', usd: 0.0024 },
  }),
);
const NAMES = [...NETWORKS.keys()];

/** Returns the currencies that move on a network, and the patterns of its addresses. */
function trafficOn(name: string): { currencies: readonly string[]; addresses: readonly RegExp[] } {
  const { currencies, address } = NETWORKS.get(name) as Network;
  if (currencies && address) return { currencies, addresses: [address] };
  const types = ACCOUNT_TYPES.filter((type) => type.network === name);
  return {
    currencies: types.flatMap((type) => type.currencies),
    addresses: types.flatMap((type) => type.identifier.flatMap((member) => type.fields[member]?.pattern ?? [])),
  };
}

/** Refuses every mismatch of network, currency and address at once: 400 INVALID_INPUT. */
function checkRoute({ currency, cryptoNetwork, destinationAddress }: Infer<typeof FeeEstimateRequest>): Network {
  const network = NETWORKS.get(cryptoNetwork);
  if (!network)
    return failFields([
      {
        field: 'cryptoNetwork',
        message: 'not a network of this service',
        constraint: { enum: NAMES },
      },
    ]);
  const { currencies, addresses } = trafficOn(cryptoNetwork);
  const errors = [];
  if (!currencies.includes(currency))
    errors.push({
      field: 'cryptoNetwork',
      message: `${currency} does not move on ${cryptoNetwork}`,
      constraint: { enum: NAMES.filter((name) => trafficOn(name).currencies.includes(currency)) },
    });
  if (!addresses.some((pattern) => pattern.test(destinationAddress)))
    errors.push({ field: 'destinationAddress', message: `not an address of ${cryptoNetwork}` });
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'networks, and the assets that move on them');
  return network;
}

/**
 * Returns the fee of a withdrawal to a blockchain (reference: withdrawal fee estimate). 404 REFERENCE_NOT_FOUND for the
 * account. 400 INVALID_CURRENCY if it holds another currency. 400 INVALID_INPUT for a network or address that does not
 * match. 400 AMOUNT_OUT_OF_RANGE if the amount does not exceed the fee.
 */
export function estimateFee(world: World, request: Infer<typeof FeeEstimateRequest>): Infer<typeof FeeEstimate> {
  const account = accountOf(world, request.internalAccountId);
  const { decimals } = knownCurrency(request.currency);
  if (account.currency !== request.currency)
    fail('INVALID_CURRENCY', `currency: ${account.id} holds ${account.currency}`, {
      why: { rule: 'the currency of the account', expected: account.currency, seen: request.currency },
    });
  const { fee, asset, usd } = checkRoute(request);
  const converted = Math.ceil(
    Number((usd * rateBetween(world, 'USD', request.currency) * powerOfTen(decimals)).toPrecision(10)),
  );
  const totalFee = asset === request.currency ? fee : converted;
  if (request.amount <= totalFee)
    fail(
      'AMOUNT_OUT_OF_RANGE',
      `amount: the fee of ${moneyText(totalFee, request.currency)} leaves nothing of ${moneyText(request.amount, request.currency)}`,
      {
        why: {
          rule: 'the amount must exceed the fee',
          expected: `more than ${moneyText(totalFee, request.currency)}`,
          seen: moneyText(request.amount, request.currency),
        },
      },
    );
  return { networkFee: fee, networkFeeAsset: asset, applicationFee: 0, totalFee, netAmount: request.amount - totalFee };
}

import { fail, failFields } from '../../contract/errors.ts';
import { knownCurrency, moneyText, powerOfTen } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { exchangeRateOf, type Fee, type Price, priceOf } from '../../ledger/price.ts';
import { platformFee, rateBetween, serviceFee } from '../rates/index.ts';
import { feeAccount, type Transaction } from '../transactions/index.ts';
import type { QuoteRequest } from './schema.ts';

type Request = Infer<typeof QuoteRequest>;

/** Returns the platform's fee for a quote: its override, else the one configured for payments across currencies. */
export function feeOfPlatform(world: World, sent: Request, from: string, to: string): Fee {
  const override = sent.platformFeeOverride;
  if (override) {
    const field = 'platformFeeOverride.platformFixedFee.currency';
    if (from !== 'USD') failFields([{ field: 'platformFeeOverride', message: 'for quotes that send USD only' }]);
    if (override.platformFixedFee.currency !== from) failFields([{ field, message: `must be ${from}` }]);
    return { bps: override.platformVariableFeeBps, fixed: override.platformFixedFee.amount };
  }
  return platformFee(world, from, to);
}

/** Returns a number with twelve significant digits, which hides the error of binary fractions. */
const rounded = (number: number): number => Number(number.toPrecision(12));

interface Offer extends Price {
  readonly exchangeRate: number;
  readonly rateDetails: NonNullable<Transaction['rateDetails']>;
}

/** Prices a payment. 400 AMOUNT_OUT_OF_RANGE if the fees leave nothing, or an amount is not a safe integer. */
export function offer(
  world: World,
  locked: Parameters<typeof priceOf>[0],
  from: string,
  to: string,
  platform = platformFee(world, from, to),
): Offer {
  const service = serviceFee(world, from, to);
  const [sending, receiving] = [knownCurrency(from), knownCurrency(to)];
  const rate = rateBetween(world, from, to) * powerOfTen(receiving.decimals - sending.decimals);
  const price = priceOf(locked, rate, platform, service);
  if (!price) {
    const said = moneyText(locked.amount, locked.side === 'SENDING' ? from : to);
    return fail('AMOUNT_OUT_OF_RANGE', `${said} leaves nothing to pay after fees, or is too much to count`, {
      why: { rule: 'reference 15', seen: said },
    });
  }
  if (price.platformFees > 0 && !feeAccount(world, from))
    fail('INVALID_INPUT', `the platform has no ${from} account that its fee could go to`);
  const msat = rateBetween(world, from, 'BTC') * powerOfTen(11 - sending.decimals);
  return {
    ...price,
    exchangeRate: exchangeRateOf(price, sending.decimals, receiving.decimals),
    rateDetails: {
      counterpartyMultiplier: rounded(rate / msat),
      counterpartyFixedFee: 0,
      serviceApiMultiplier: rounded((msat * (10_000 - service.bps - platform.bps)) / 10_000),
      serviceApiFixedFee: service.fixed,
      serviceApiVariableFeeRate: service.bps / 10_000,
      serviceApiVariableFeeAmount: price.fees - price.platformFees - service.fixed,
    },
  };
}

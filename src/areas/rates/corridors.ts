import { fail } from '../../contract/errors.ts';
import { CURRENCIES, type Currency, knownCurrency, money, moneyText, powerOfTen } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { payoutOf } from '../../ledger/price.ts';
import { ACCOUNT_TYPES } from '../external-accounts/index.ts';
import { platformOf } from '../platform/index.ts';
import { platformFee, rateBetween, refreshedAt, serviceFee } from './rules.ts';

/** The rails that reach a currency: those of the account types that hold it and no other. */
const RAILS: ReadonlyMap<string, readonly string[]> = new Map(
  [...CURRENCIES.keys()].map((code) => [
    code,
    [
      ...new Set(
        ACCOUNT_TYPES.filter(({ currencies }) => currencies.length === 1 && currencies[0] === code).flatMap(
          ({ routes }) => routes.flatMap((route) => route.rails),
        ),
      ),
    ],
  ]),
);

/** The least and the most that moves at once: worth 1 and 100,000 US dollars, in minor units of a currency. */
export function boundsOf(world: World, code: string): { min: number; max: number } {
  const dollar = rateBetween(world, 'USD', code) * powerOfTen(knownCurrency(code).decimals);
  return { min: Math.max(1, Math.round(dollar)), max: Math.round(100_000 * dollar) };
}

const SIGNIFICANT = 7;

/** Returns what one rail pays out for an amount, all fees taken (spec 8: rates include platform fees). */
function quoteRow(world: World, source: Currency, destination: Currency, rail: string, sendingAmount: number) {
  const rate = rateBetween(world, source.code, destination.code);
  const platform = platformFee(world, source.code, destination.code);
  const service = serviceFee(source.code, destination.code);
  const scale = powerOfTen(destination.decimals - source.decimals);
  const { received: receivingAmount, fees } = payoutOf(sendingAmount, rate * scale, platform, service);
  if (!Number.isSafeInteger(receivingAmount))
    fail(
      'AMOUNT_OUT_OF_RANGE',
      `sendingAmount: ${moneyText(sendingAmount, source.code)} is too much to count in ${destination.code}`,
      {
        details: { errors: [{ field: 'sendingAmount', message: 'too much to count' }] },
        why: { rule: 'reference 15', seen: moneyText(sendingAmount, source.code) },
      },
    );
  const { min, max } = boundsOf(world, source.code);
  // An amount that fees eat up has no rate of its own; the plain one stands in.
  const allIn = receivingAmount > 0 ? (sendingAmount * scale) / receivingAmount : 1 / rate;
  return {
    sourceCurrency: money(0, source.code).currency,
    destinationCurrency: money(0, destination.code).currency,
    destinationPaymentRail: rail,
    minSendingAmount: min,
    maxSendingAmount: max,
    sendingAmount,
    receivingAmount,
    exchangeRate: Number(allIn.toPrecision(SIGNIFICANT)),
    fees: { fixed: platform.fixed + service.fixed, total: fees },
    updatedAt: refreshedAt(world),
  };
}

/**
 * One row a rail of each destination. Without a source: from every currency of the platform; without destinations: to
 * every currency that a rail reaches. A currency to itself has no row. 400 `INVALID_CURRENCY` for an unknown code,
 * `AMOUNT_OUT_OF_RANGE` for an amount that becomes more than a number counts.
 */
export function exchangeRates(
  world: World,
  filter: { source?: string | undefined; destinations?: readonly string[] | undefined; sendingAmount: number },
) {
  const sources =
    filter.source === undefined ? platformOf(world).currencies.map((c) => c.currencyCode) : [filter.source];
  const from = sources.map((code) => knownCurrency(code, 'sourceCurrency'));
  const to = [...new Set(filter.destinations ?? CURRENCIES.keys())].map((code) =>
    knownCurrency(code, 'destinationCurrency'),
  );
  return from.flatMap((source) =>
    to
      .filter((destination) => destination.code !== source.code)
      .flatMap((destination) =>
        (RAILS.get(destination.code) ?? []).map((rail) =>
          quoteRow(world, source, destination, rail, filter.sendingAmount),
        ),
      ),
  );
}

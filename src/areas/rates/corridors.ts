import { fail } from '../../contract/errors.ts';
import { CURRENCIES, type Currency, knownCurrency, money, moneyText, powerOfTen } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { payoutOf, priceOf } from '../../ledger/price.ts';
import { ACCOUNT_TYPES } from '../external-accounts/index.ts';
import { type Bounds, boundsOf, outgoingBounds, platformOf } from '../platform/index.ts';
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

/**
 * Returns the smallest number of a range for which `holds` is true, which then is true for all above; undefined if
 * there is none.
 */
function firstOf({ min, max }: Bounds, holds: (n: number) => boolean): number | undefined {
  if (max < min || holds(min)) return max < min ? undefined : min;
  if (!holds(max)) return undefined;
  let [no, yes] = [min, max];
  while (yes - no > 1) {
    const middle = no + Math.floor((yes - no) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** Returns the part of a range in which numbers are enough, and none too much; undefined if it is empty. */
function within(bounds: Bounds, enough: (n: number) => boolean, tooMuch: (n: number) => boolean): Bounds | undefined {
  const min = firstOf(bounds, enough);
  if (min === undefined || tooMuch(min)) return undefined;
  return { min, max: (firstOf({ min, max: bounds.max }, tooMuch) ?? bounds.max + 1) - 1 };
}

/** Returns the rate in minor units and the fees between two currencies, as `priceOf` expects them. */
const termsOf = (world: World, from: string, to: string) => {
  const scale = powerOfTen(knownCurrency(to).decimals - knownCurrency(from).decimals);
  const rate = rateBetween(world, from, to) * scale;
  return [rate, platformFee(world, from, to), serviceFee(world, from, to)] as const;
};

/** Returns the minimum and the maximum that a quote may send, in minor units sent; undefined if it may send nothing. */
function sendingBounds(world: World, from: string, to: string): Bounds | undefined {
  const bounds = outgoingBounds(world, from, to);
  const terms = termsOf(world, from, to);
  const payout = (sent: number) => payoutOf(sent, ...terms);
  return (
    bounds &&
    within(
      bounds,
      (sent) => payout(sent).received > 0 && payout(sent).fees < sent,
      (sent) => !Number.isSafeInteger(payout(sent).received),
    )
  );
}

/**
 * Returns the minimum and the maximum that a quote may lock on the receiving side, in minor units received; undefined
 * if it may lock nothing.
 */
export function receivingBounds(world: World, from: string, to: string, most?: Bounds): Bounds | undefined {
  const bounds = outgoingBounds(world, from, to);
  const terms = termsOf(world, from, to);
  const sentFor = (amount: number) =>
    priceOf({ side: 'RECEIVING', amount }, ...terms)?.sent ?? Number.POSITIVE_INFINITY;
  return (
    bounds &&
    within(
      { min: Math.max(1, most?.min ?? 1), max: Math.min(MOST, most?.max ?? MOST) },
      (received) => sentFor(received) >= bounds.min,
      (received) => sentFor(received) > bounds.max,
    )
  );
}
/** The most that a request can lock, in minor units. */
const MOST = 9_000_000_000_000_000;

/** The bounds of a corridor that allows no amount. */
const NOTHING: Bounds = { min: 0, max: 0 };

const SIGNIFICANT = 7;

/** Returns what one rail pays out for an amount, after all fees (spec 8: rates include platform fees). */
function quoteRow(
  world: World,
  [source, destination]: readonly [Currency, Currency],
  { min, max }: Bounds,
  rail: string,
  sendingAmount: number,
) {
  const rate = rateBetween(world, source.code, destination.code);
  const platform = platformFee(world, source.code, destination.code);
  const service = serviceFee(world, source.code, destination.code);
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
  // If fees use up the amount, it has no rate of its own; the plain rate is shown.
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
 * Returns one row per rail of each destination. Without a source: from every currency of the platform; without
 * destinations: to every currency that a rail reaches. Pairs of one currency, and sources that the platform does not
 * send, have no row. 400 INVALID_CURRENCY for an unknown code, AMOUNT_OUT_OF_RANGE if a result is not a safe integer.
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
  const sent = from.filter(({ code }) => boundsOf(world, code, 'OUTGOING'));
  return sent.flatMap((source) =>
    to
      .filter((destination) => destination.code !== source.code)
      .flatMap((destination) => {
        const rails = RAILS.get(destination.code) ?? [];
        const bounds = (rails.length > 0 && sendingBounds(world, source.code, destination.code)) || NOTHING;
        return rails.map((rail) => quoteRow(world, [source, destination], bounds, rail, filter.sendingAmount));
      }),
  );
}

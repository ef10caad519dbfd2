import { CURRENCIES } from '../contract/money.ts';
import { valueAt } from './draft.ts';

type Path = readonly PropertyKey[];

/** An amount that a text writes with a decimal point: parsed data does not show the point of 70.00. */
export interface Pointed {
  readonly path: Path;
  /** The number as the text has it. */
  readonly written: string;
}

/** Members of scenarios that are amounts in minor units. */
const AMOUNTS: ReadonlySet<unknown> = new Set([
  'amount',
  'cleared',
  'returned',
  'minAmount',
  'maxAmount',
  'maxSpendPerTransaction',
  'perTransactionLimit',
  'dailyLimit',
  'monthlyLimit',
]);

/** Members with an amount per currency or per corridor. */
const BY_CURRENCY: ReadonlySet<unknown> = new Set(['accounts', 'transactionSize', 'dailyVolume']);

/** Returns whether a place in a scenario is an amount in minor units. */
export const isAmount = (path: Path): boolean => AMOUNTS.has(path.at(-1)) || BY_CURRENCY.has(path.at(-2));

/** Returns the sentence about an amount with a decimal point, with the number to write if its currency is known. */
export function pointSentence(one: Pointed, data: unknown): string {
  const minor = minorUnitsOf(one, data);
  if (minor === undefined) return 'amounts are in minor units, without a decimal point';
  return `amounts are in minor units: ${one.written} ${currencyOf(one.path, data)} is ${minor}`;
}

/**
 * Returns an amount with a decimal point in minor units; undefined if its currency is unknown or has fewer decimals.
 */
export function minorUnitsOf({ path, written }: Pointed, data: unknown): number | undefined {
  const decimals = CURRENCIES.get(currencyOf(path, data) ?? '')?.decimals;
  return decimals === undefined ? undefined : inMinorUnits(written, decimals);
}

/** Returns the currency of an amount: its own name, or a member of the objects around it. */
function currencyOf(path: Path, data: unknown): string | undefined {
  const own = BY_CURRENCY.has(path.at(-2)) ? String(path.at(-1)).split('/')[0] : undefined;
  if (own !== undefined) return CURRENCIES.has(own) ? own : undefined;
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const { currency, code, currencies } = Object(valueAt(data, path.slice(0, depth)));
    const found: unknown = currency ?? code ?? Object(currencies)[0] ?? (isCard(path, depth) ? 'USD' : undefined);
    if (found !== undefined) return typeof found === 'string' && CURRENCIES.has(found) ? found : undefined;
  }
  return undefined;
}

/** Returns whether that many steps of a path lead to a card, whose currency is USD by default. */
const isCard = (path: Path, depth: number): boolean => path[0] === 'cards' && depth === 2;

/**
 * Returns a decimal number in minor units; undefined if it has more decimals than its currency, or is not a safe
 * integer.
 */
function inMinorUnits(written: string, decimals: number): number | undefined {
  const [, whole = '', part = ''] = /^(-?\d+)\.(\d*?)0*$/.exec(written) ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const minor = Number(`${whole}${part.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/**
 * What one currency is worth in another. The table is fixed (kernel/money.ts), a scenario may override pairs, and
 * nothing drifts: a test sees the same rate today and tomorrow.
 */
export { currencyOf, fixRates, rateBetween, refreshedAt } from './rules.ts';

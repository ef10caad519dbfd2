import type { PlanName } from '../transactions/index.ts';

/**
 * Bank accounts that `/transfer-out` pays: the plan by the last three characters of the identifier (spec 5.1 rule 8).
 */
export const OUT: Readonly<Record<string, PlanName>> = {
  '002': 'out insufficient funds',
  '003': 'out account invalid',
  '004': 'out rejected by the bank',
  '005': 'out timeout',
};

/** Bank accounts that `/transfer-in` collects from. */
export const IN: Readonly<Record<string, PlanName>> = {
  '002': 'in collection failed',
  '003': 'in collection failed',
  '004': 'in collection failed',
  '005': 'in timeout',
};

/** The suffixes of accounts that transfers pay or collect from. */
export const MAGIC = () => [OUT, IN].map((table) => ({ field: 'account identifier', values: Object.keys(table) }));

import type { UmaOutcome } from '../lookups/index.ts';
import type { PlanName } from '../transactions/index.ts';

/** Bank accounts as destinations: the plan by the last three characters of the identifier, chosen at the quote. */
export const BANKS: Readonly<Record<string, PlanName>> = {
  '002': 'out execution failed',
  '003': 'out slow',
  '004': 'out not deliverable',
  '005': 'out returned',
  '006': 'out user cancellation',
  '007': 'out refund fails',
};

/** Bank accounts as sources: the suffixes of those that no money can be collected from. */
export const UNCOLLECTABLE: ReadonlySet<string> = new Set(['002', '003', '004', '005']);

/** Sandbox UMA addresses as receivers. */
export const UMA: Readonly<Record<UmaOutcome, PlanName>> = {
  success: 'out success',
  pending: 'out slow',
  compliance: 'out refused for compliance',
};

/** The suffixes of destination accounts. */
export const MAGIC = () => [{ field: 'account identifier', values: Object.keys(BANKS) }];

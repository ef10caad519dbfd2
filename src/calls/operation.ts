import { OPERATIONS } from '../areas.ts';
import { fail } from '../contract/errors.ts';
import type { Operation } from '../declare/operation.ts';
import { didYouMean, nearest } from '../scenario/nearest.ts';

/** Returns the operation with a name. 404 `REFERENCE_NOT_FOUND` with the nearest one. */
export function operationNamed(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found) return found;
  const ids = OPERATIONS.map((one) => one.id);
  // Prefixes first: getCustomer means getCustomerById, even if another name differs by fewer letters.
  const begun = id.length > 3 ? ids.filter((one) => one.startsWith(id)).sort((a, b) => a.length - b.length) : [];
  const near = begun[0] ?? nearest(id.slice(0, 100), ids);
  return fail('REFERENCE_NOT_FOUND', `there is no operation ${id.slice(0, 100)}${didYouMean(near)}`, {
    details: near ? { nearest: near } : undefined,
  });
}

/** Returns the names of the parameters in a path, in order. */
export const pathNames = ({ path }: Pick<Operation, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

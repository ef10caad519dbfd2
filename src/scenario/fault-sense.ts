import { FACTS, OPERATIONS } from '../areas.ts';
import { type FaultRule, meetsType } from '../kernel/faults.ts';
import { nearest } from './load.ts';

/** Why a fault could never meet anything, if so: an operation or an event type that there is not. */
export function emptyFault({ match }: FaultRule): string | undefined {
  if ('webhook' in match) {
    const types = FACTS.flatMap((group) => group.types);
    if (types.some((type) => meetsType(match.webhook, type))) return undefined;
    return `match.webhook: no event has the type ${match.webhook}${meant(match.webhook, types)}`;
  }
  const ids = OPERATIONS.map((operation) => operation.id);
  if (match.operation === undefined || ids.includes(match.operation)) return undefined;
  return `match.operation: there is no operation ${match.operation}${meant(match.operation, ids)}`;
}

function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

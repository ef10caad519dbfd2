import * as z from 'zod';
import { EVENTS, OPERATIONS } from '../areas.ts';
import { FaultRule, meetsType } from '../contract/faults.ts';
import { lazy } from '../contract/lazy.ts';
import { didYouMean, nearest } from './nearest.ts';

/** A mistake in what a fault matches: the member, and a sentence. */
interface Mistake {
  readonly field: 'match.webhook' | 'match.operation';
  readonly message: string;
}

/** The members of a rule that its names need: other members may be wrong, too. */
const Names = lazy(() =>
  z.object({ match: z.object({ webhook: z.string().optional(), operation: z.string().optional() }) }),
);

/** Returns the unknown operation or event type that a fault names: the fault could never match anything. */
export function unknownName(rule: unknown): Mistake | undefined {
  const { webhook, operation } = Names().safeParse(rule).data?.match ?? {};
  if (webhook !== undefined) {
    const types = EVENTS.flatMap((group) => group.types);
    if (types.some((type) => meetsType(webhook, type))) return undefined;
    return {
      field: 'match.webhook',
      message: `no event has the type ${webhook}${didYouMean(nearest(webhook, types))}`,
    };
  }
  const ids = OPERATIONS.map(({ id }) => id);
  if (operation === undefined || ids.includes(operation)) return undefined;
  return {
    field: 'match.operation',
    message: `there is no operation ${operation}${didYouMean(nearest(operation, ids))}`,
  };
}

/**
 * A fault that can match something. Names are checked whatever else is wrong, so that every mistake is reported at
 * once.
 */
export const SensibleFault = lazy(() =>
  (['match.webhook', 'match.operation'] as const).reduce(
    (rule, field) =>
      rule.refine((value) => unknownName(value)?.field !== field, {
        when: () => true,
        path: field.split('.'),
        error: ({ input }) => unknownName(input)?.message,
      }),
    FaultRule(),
  ),
);

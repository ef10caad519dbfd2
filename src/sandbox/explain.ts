import { DELIVERIES } from '../areas/webhooks/index.ts';
import { OPERATIONS } from '../areas.ts';
import type { FieldError, Why } from '../contract/errors.ts';
import { jsonIn } from '../contract/json.ts';
import type { Entry } from './request-log.ts';
import { ruleOf } from './rules.ts';
import type { Sandbox } from './sandbox.ts';

/** The source of the rule for refusals of a status that name no rule of their own. */
const WRITTEN: Readonly<Record<number, string>> = {
  400: 'spec 7, status 400',
  401: 'spec 7, status 401',
  403: 'reference: permissions and readiness, status 403',
  404: 'spec 7, status 404',
  405: 'the path exists, this method on it does not',
  409: 'spec 7, status 409',
  410: 'the resource was deleted',
  429: 'spec 7, status 429',
  500: 'a fault of the emulator itself; its log says more',
  501: 'spec 7, status 501',
};

/** The log's explanation of an outcome; refusals alone have more than the outcome. */
export interface Explanation extends Why {
  outcome: 'done' | 'refused' | 'dropped' | 'waits for a signature or an approval';
  code?: string;
  /** The text of that rule, in a sentence. */
  says?: string | undefined;
  /** The section of the specification or the reference, if the rule names one. */
  section?: string | undefined;
  fields?: readonly FieldError[];
}

/** Operations whose only reply is 202: their 202 does not mean that they wait for an approval. */
let accepting: ReadonlySet<string> | undefined;
const accepts = (id: string | undefined): boolean => {
  accepting ??= new Set(
    OPERATIONS.filter(({ replies }) => Object.keys(replies).every((status) => status === '202')).map((op) => op.id),
  );
  return id !== undefined && accepting.has(id);
};

function outcomeOf({ code, status, operation }: Entry): Explanation['outcome'] {
  if (status === 0) return 'dropped';
  if (code !== undefined) return 'refused';
  return status === 202 && !accepts(operation) ? 'waits for a signature or an approval' : 'done';
}

/**
 * Returns why a request ended as it did: the rule that decided, what it expected and saw, and its source. Only the log
 * says this; the reply stays as the service would send it.
 */
export function explain(entry: Entry): Explanation {
  const { code, status, why, fault } = entry;
  const outcome = outcomeOf(entry);
  const repeats = why?.repeats === undefined ? {} : { repeats: why.repeats };
  if (code === undefined) return { outcome, ...(fault ? { rule: fault } : {}), ...repeats };
  const { message, fields } = said(entry.reply);
  const rule = why?.rule ?? WRITTEN[status] ?? `status ${status}`;
  return {
    outcome,
    code,
    rule,
    says: ruleOf(rule)?.says,
    section:
      why?.rule?.match(/^(?:spec|reference) [\d.]+(?: \(\d+\))?/)?.[0] ?? WRITTEN[status]?.match(/^spec [\d.]+/)?.[0],
    message: message ?? why?.message,
    expected: why?.expected,
    seen: why?.seen,
    ...(why?.steps ? { steps: why.steps } : {}),
    ...repeats,
    ...(fields ? { fields } : {}),
  };
}

function said(reply: string): { message?: string; fields?: FieldError[] } {
  const body = jsonIn(reply) as { message?: string; details?: { errors?: FieldError[] } } | null | undefined;
  return {
    ...(body?.message ? { message: body.message } : {}),
    ...(body?.details?.errors ? { fields: body.details.errors } : {}),
  };
}

/**
 * Returns the events and jobs that a request caused, with their present state, and those that its jobs caused in turn.
 */
export function caused({ world }: Sandbox, { caused: known, undone }: Entry) {
  // With a seed, a later call draws again the ids that a rewind gave back: they now belong to other things.
  const gone = undone ? ('UNDONE' as const) : ('FORGOTTEN' as const);
  const deliveries = world.rows(DELIVERIES);
  return {
    webhooks: (known?.events ?? []).map((id) => {
      const delivery = deliveries.get(id);
      if (!delivery || undone) return { id, state: gone };
      const { type, subject, state, attempts, unsentReason } = delivery;
      const reason = unsentReason === undefined ? {} : { reason: unsentReason };
      return { id, type, subject, state, attempts: attempts?.length ?? 0, ...reason };
    }),
    jobs: (known?.jobs ?? []).map(({ id, kind }) => {
      const job = undone ? undefined : world.scheduler.jobs.get(id);
      if (!job) return { id, kind, state: undone || known?.undone?.has(id) ? gone : ('DONE' as const) };
      if (job.broken) return { id, kind, state: 'BROKEN' as const };
      if (job.dueAt === null) return { id, kind, state: 'HELD' as const };
      return { id, kind, state: 'WAITING' as const, dueAt: new Date(job.dueAt).toISOString() };
    }),
  };
}

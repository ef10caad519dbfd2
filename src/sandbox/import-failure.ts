import { BULK_ERRORS, BULK_JOBS } from '../areas/bulk/index.ts';
import type { World } from '../engine/world.ts';
import type { Entry } from './request-log.ts';

/** Operations whose reply is a bulk import. */
const CALLS: ReadonlySet<string | undefined> = new Set(['uploadCustomersCsv', 'getBulkCustomerImportJob']);

/**
 * Returns how many rows of a call's bulk import have failed, and why the first one did; undefined if none has. The
 * import itself ends as COMPLETED.
 */
export function importFailure(world: World, { operation, reply, status }: Entry): string | undefined {
  if (!CALLS.has(operation) || status >= 300) return undefined;
  const [id] = /Job:[0-9a-f-]{36}/.exec(reply) ?? [];
  const job = id === undefined ? undefined : world.rows(BULK_JOBS).get(id);
  const [first] = job ? world.rows(BULK_ERRORS).all('jobId', job.id) : [];
  if (!job || !first) return undefined;
  const { failed, total } = job;
  return `${failed} of ${total} rows failed; ${first.correlationId}: ${first.code} ${first.message}`;
}

import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { find } from './kinds.ts';
import type { PageContext } from './page-context.ts';

/** Returns the address of an id's page, if the resource exists. */
export function href(visit: PageContext, id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined;
  const found = find(visit, id);
  if (found) return visit.at('state', found.kind.name, id);
  if (id.startsWith('Webhook:') && visit.world.rows(DELIVERIES).get(id)) return visit.at('webhooks', id);
  if (id.startsWith('Job:') && visit.world.scheduler.jobs.get(id)) return visit.to('/inspector/jobs', { id });
  if (/^req_\d+$/.test(id) && visit.sandbox.requestLog.get(id)) return visit.at('requests', id);
  return undefined;
}

import { CUSTOMERS, decide, dropDecision } from '../areas/customers/index.ts';
import type { World } from '../engine/world.ts';
import type { Scenario } from './schema.ts';

/** Creates a customer whose verification is in the scenario's state; without a status, the sandbox decides. */
export function verified(
  world: World,
  status: Scenario['customers'][number]['kycStatus'],
  create: () => { id: string; kycStatus: string },
): { id: string } {
  if (status === undefined) return create();
  const { settings } = world;
  world.settings = { ...settings, policies: { ...settings.policies, 'customer.decide': 'hold' } };
  const created = create();
  world.settings = settings;
  if (status !== 'PENDING' && created.kycStatus !== status) {
    const customer = world.rows(CUSTOMERS).get(created.id);
    dropDecision(world, created.id);
    if (customer) decide(world, customer, status === 'APPROVED' ? 'approve' : 'reject');
  }
  return created;
}

import { agentPrincipal, connectAgent, createAgent } from '../../src/areas/agents/agents.ts';
import { PERMISSIONS } from '../../src/areas/agents/schema.ts';
import { createCustomer } from '../../src/areas/customers/index.ts';
import type { World } from '../../src/engine/world.ts';
import type { CallOptions } from './sandbox.ts';

/** Operations that are an agent's own: they take its token, and nobody else's credentials. */
const OWN = /^\/agents\/me(?:[/?]|$)/;

const policy = {
  permissions: [...PERMISSIONS],
  defaultExecutionMode: 'AUTO' as const,
  spendingLimits: { currency: 'USD', perTransactionLimit: 1_000_000 },
};

/** Puts a customer and a connected agent of it in place, without a word; its access token. */
function plant(world: World): string {
  let token = '';
  world.transact(() =>
    world.withoutEvents(() => {
      const person = { customerType: 'INDIVIDUAL' as const, fullName: 'Ada Keller', birthDate: '1990-01-02' };
      const customer = createCustomer(world, { ...person, email: 'ada@example.com', phoneNumber: '+12065550100' });
      token = connectAgent(world, createAgent(world, { name: 'Tester', customerId: customer.id, policy }));
    }),
  );
  return token;
}

const tokens = new WeakMap<World, string>();

/** A call of the API as whoever may make it: an agent's own with the token of one, put in place for it; all else as it is. */
export function madeBy(world: World, path: string, options: CallOptions = {}): CallOptions {
  if (!OWN.test(path) || options.as !== undefined) return options;
  const known = tokens.get(world);
  const token = known !== undefined && agentPrincipal(world, known) ? known : plant(world);
  tokens.set(world, token);
  return { ...options, as: null, headers: { authorization: `Bearer ${token}`, ...options.headers } };
}

import { type FieldError, fail, failFields } from '../../contract/errors.ts';
import { present } from '../../contract/shapes.ts';
import { sha256 } from '../../crypto/index.ts';
import type { AgentPrincipal, Infer, Principal } from '../../declare/operation.ts';
import { drawnApart } from '../../engine/apart.ts';
import { mapPage } from '../../engine/page.ts';
import { rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { checkPolicy } from './checks.ts';
import { changedPolicy, checkedPolicy, type SentPolicy, wrongPolicy } from './policy.ts';
import type { Agent } from './row.ts';
import type { AgentCreate, AgentPolicyUpdate, AgentQuery, AgentUpdate, Permission } from './schema.ts';
import { showAgent } from './show.ts';
import { AGENTS } from './tables.ts';
import { unused } from './usage.ts';

const found = rowOr404(AGENTS, 'REFERENCE_NOT_FOUND', 'agent');

/** Returns an agent that has not been deleted. 404 REFERENCE_NOT_FOUND. */
export function agentOf(world: World, id: string): Agent {
  const agent = found(world, id);
  if (agent.isDeleted)
    fail('REFERENCE_NOT_FOUND', `agent ${id} was deleted`, { why: { rule: 'spec 7, status 404', seen: id } });
  return agent;
}

/** Returns the agents that a query selects, newest first. */
export function agentPage(world: World, query: Infer<typeof AgentQuery>) {
  const { customerId, isPaused, isConnected, createdAfter, createdBefore, limit, cursor } = query;
  const { updatedAfter = '', updatedBefore = '~' } = query;
  const page = world.rows(AGENTS).page({
    where: {
      customer: customerId,
      paused: isPaused === undefined ? undefined : String(isPaused),
      connected: isConnected === undefined ? undefined : String(isConnected),
    },
    between: { by: (a) => a.createdAt, from: createdAfter, to: createdBefore },
    filter: (a) => a.updatedAt >= updatedAfter && a.updatedAt <= updatedBefore,
    limit,
    cursor,
  });
  return mapPage(page, (agent) => showAgent(world, agent));
}

/** The members of a new agent that rules beyond the schema check; each may be missing. */
interface Judged {
  readonly customerId?: string | undefined;
  readonly policy?: SentPolicy | undefined;
}

function isCustomer(world: World, id: string): boolean {
  const customer = world.rows(CUSTOMERS).get(id);
  return customer !== undefined && !customer.isDeleted;
}

/** Returns what is wrong with a new agent beyond the schema. Checks accounts only if the customer exists. */
export function wrongAgent(world: World, { customerId, policy = {} }: Judged): readonly FieldError[] {
  if (customerId === undefined) return wrongPolicy(world, undefined, policy);
  if (isCustomer(world, customerId)) return wrongPolicy(world, customerId, policy);
  return [{ field: 'customerId', message: 'no such customer' }, ...wrongPolicy(world, undefined, policy)];
}

/** Returns the contradictions in a policy as it would be after a change; none if the agent does not exist. */
export function wrongPolicyChange(world: World, id: string, sent: SentPolicy): readonly FieldError[] {
  const agent = world.rows(AGENTS).get(id);
  if (agent === undefined || agent.isDeleted) return [];
  const { approvalThresholds } = sent;
  const thresholds = approvalThresholds && { ...agent.policy.approvalThresholds, ...present(approvalThresholds) };
  return wrongPolicy(world, agent.customerId, { ...sent, approvalThresholds: thresholds }, '');
}

/**
 * Creates an agent for a customer. 400 INVALID_INPUT for an unknown or deleted customer, as it is named in the body,
 * not the path; the same reply lists the contradictions in the policy.
 */
export function createAgent(world: World, sent: Infer<typeof AgentCreate>, id = world.newId('Agent')): Agent {
  if (!isCustomer(world, sent.customerId)) failFields(wrongAgent(world, sent), 'INVALID_INPUT', 'reference 6');
  const now = world.clock.iso();
  return world.rows(AGENTS).insert({
    id,
    name: sent.name,
    customerId: sent.customerId,
    isPaused: false,
    policy: checkedPolicy(world, sent.customerId, sent.policy),
    usage: unused(world),
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  });
}

const change = (world: World, agent: Agent, changed: Partial<Agent>): Agent =>
  world.rows(AGENTS).put({ ...agent, ...changed, updatedAt: world.clock.iso() });

/** Renames, pauses or resumes an agent. 400 INVALID_INPUT if neither member is sent. */
export function updateAgent(world: World, agent: Agent, sent: Infer<typeof AgentUpdate>): Agent {
  const { name, isPaused } = sent;
  if (name === undefined && isPaused === undefined)
    failFields([{ field: '', message: 'name or isPaused is required' }], 'INVALID_INPUT', 'reference 6');
  return change(world, agent, present({ name, isPaused }));
}

/** Changes the policy of an agent from the next call on. 400 INVALID_INPUT. */
export const updatePolicy = (world: World, agent: Agent, sent: Infer<typeof AgentPolicyUpdate>): Agent =>
  change(world, agent, changedPolicy(world, agent, sent));

/** Marks an agent as deleted, for good; its token is refused from then on. */
export const forgetAgent = (world: World, agent: Agent): Agent =>
  change(world, agent, { isDeleted: true, tokenHash: undefined });

/**
 * Connects an agent and returns its access token, for the only time. The token depends on the world's id, so it leads
 * to one sandbox.
 */
export function connectAgent(world: World, agent: Agent): string {
  const draw = (): string =>
    world.profile.prefixes.agentToken + sha256(`${world.id} ${world.ids.hex(20)}`).slice(0, 40);
  const token = drawnApart(world, draw, (other, drawn) => agentPrincipal(other, drawn) !== undefined);
  change(world, agent, { tokenHash: sha256(token) });
  return token;
}

/** The last token that was looked up, with its hash: a series of calls looks up one token in every sandbox. */
let pairing = { token: '', hash: '' };

/** Returns the agent, paused or not, that an access token stands for in this world. One index lookup. */
export function agentPrincipal(world: World, token: string): AgentPrincipal | undefined {
  if (!world.holds(AGENTS)) return undefined;
  if (pairing.token !== token) pairing = { token, hash: sha256(token) };
  const agent = world.rows(AGENTS).find('token', pairing.hash);
  return agent && { kind: 'agent', agentId: agent.id };
}

/**
 * Disconnects agents whose token already leads to another world, as in a fork: a token leads to one place. Such an
 * agent waits for a new device code.
 */
export function disconnectShared(world: World, others: readonly World[]): void {
  if (!world.holds(AGENTS)) return;
  const agents = world.rows(AGENTS);
  const lists = others.filter((other) => other.holds(AGENTS)).map((other) => other.rows(AGENTS));
  for (const agent of [...agents.rows()]) {
    const { tokenHash } = agent;
    if (tokenHash !== undefined && lists.some((list) => list.find('token', tokenHash)))
      agents.put({ ...agent, tokenHash: undefined });
  }
}

/**
 * Returns the calling agent. 401 UNAUTHORIZED if it was deleted after its call began. 403 FORBIDDEN if it is paused and
 * the call is not a GET, or if it lacks the permission (reference 7.1).
 */
export function callerOf(
  { world, principal, method }: { world: World; principal: Principal; method: string },
  permission?: Permission,
): Agent {
  const agent = principal.kind === 'agent' ? world.rows(AGENTS).get(principal.agentId) : undefined;
  if (!agent || agent.isDeleted)
    return fail('UNAUTHORIZED', 'the agent was deleted in the meantime', { why: { rule: 'reference 7.1' } });
  checkPolicy(world, agent, { acts: method !== 'GET', permission });
  return agent;
}

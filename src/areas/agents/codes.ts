import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { drawnApart } from '../../engine/apart.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { sendCode } from '../codes/index.ts';
import { agentOf, connectAgent } from './agents.ts';
import { DEVICE_CODE } from './machine.ts';
import { type Agent, type DeviceCode, idOfCode } from './row.ts';
import { AGENTS, DEVICE_CODES } from './tables.ts';

const CODE = lifecycle(DEVICE_CODES, { state: 'status', machine: DEVICE_CODE });

/** Virtual hours for which a device code can be redeemed; `limits.deviceCodeHours` changes it. */
export const CODE_HOURS = limit(
  'deviceCodeHours',
  24,
  'Virtual hours a device code of an agent can be redeemed; 24',
  () => z.number().min(0.01).max(8760),
);

/** The 32 letters and digits that people do not confuse. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a code that no other sandbox of this seed issues: it depends on the world's id. */
function freeCode(world: World): string {
  const draw = (): string => {
    const digest = createHash('sha256')
      .update(`${world.id} ${world.ids.hex(8)}`)
      .digest();
    const text = Array.from(digest.subarray(0, 8), (byte) => ALPHABET[byte % 32]).join('');
    const code = `${world.profile.prefixes.deviceCode}${text.slice(0, 4)}-${text.slice(4)}`;
    return isIssuedHere(world, code) ? draw() : code;
  };
  return drawnApart(world, draw, isIssuedHere);
}

/** Withdraws the codes of an agent that were not redeemed. */
export function withdrawCodes(world: World, agent: Agent): void {
  for (const code of world.rows(DEVICE_CODES).all('agent', agent.id))
    if (code.status === 'ISSUED') move(world, CODE, code, 'withdraw');
}

/** Issues a code that connects an agent, and withdraws earlier ones. 409 CONFLICT if the agent is connected. */
export function issueCode(world: World, agent: Agent, pinned?: string): DeviceCode {
  if (agent.tokenHash !== undefined)
    fail('CONFLICT', `agent ${agent.id} is connected already`, {
      details: { reason: 'AGENT_CONNECTED' },
      why: { rule: 'reference 6.2', seen: 'connected' },
    });
  withdrawCodes(world, agent);
  const expiresAt = world.clock.now() + world.lasting(CODE_HOURS, 3_600_000);
  const code = pinned ?? freeCode(world);
  sendCode(world, { channel: 'agent', to: agent.name, code, purpose: 'connect an agent', subject: agent.id });
  return begin(world, CODE, 'issue', (status) => ({
    id: idOfCode(code),
    code,
    agentId: agent.id,
    status,
    expiresAt: new Date(expiresAt).toISOString(),
    createdAt: world.clock.iso(),
  }));
}

/** Returns whether a code was issued here, whatever its status now. */
export const isIssuedHere = (world: World, code: string): boolean =>
  world.holds(DEVICE_CODES) && world.rows(DEVICE_CODES).find('code', code) !== undefined;

/**
 * Returns one code. 404 REFERENCE_NOT_FOUND if it was never issued, a newer one has replaced it, or its agent was
 * deleted.
 */
export function codeOf(world: World, sent: string): DeviceCode {
  const code = world.rows(DEVICE_CODES).find('code', sent);
  if (!code || code.status === 'WITHDRAWN' || world.rows(AGENTS).get(code.agentId)?.isDeleted !== false)
    return fail('REFERENCE_NOT_FOUND', 'no such device code', {
      why: { rule: 'reference 6.2', expected: 'the newest code of an agent', seen: code?.status ?? 'unknown' },
    });
  return code;
}

/**
 * Redeems a code, once: connects its agent and returns the access token, for the only time. 400 INVALID_INPUT if the
 * code was redeemed or has expired (reference 6.2).
 */
export function redeem(world: World, code: DeviceCode) {
  const refuse = (reason: string, message: string): never =>
    fail('INVALID_INPUT', message, { details: { reason }, why: { rule: 'reference 6.2', seen: code.status } });
  if (code.status === 'REDEEMED') refuse('DEVICE_CODE_REDEEMED', 'this device code was redeemed before');
  if (world.clock.iso() >= code.expiresAt)
    refuse('DEVICE_CODE_EXPIRED', `this device code expired at ${code.expiresAt}`);
  const agent = agentOf(world, code.agentId);
  move(world, CODE, code, 'redeem');
  const accessToken = connectAgent(world, agent);
  return { agentId: agent.id, agentName: agent.name, accessToken, policy: agent.policy };
}

import { fail } from '../contract/errors.ts';
import { FIRST_ANSWERS, fingerprintOf } from '../declare/first-answers.ts';
import { ownerOf, type Principal } from '../declare/operation.ts';
import type { World } from '../engine/world.ts';

/** Virtual milliseconds that a first answer is kept. */
const RETENTION_MS = 24 * 3600 * 1000;

/** The place of one key: the same key on another operation is another request. */
export interface Slot {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * The slot of a key, `request` being method, path and key; `body` is left out where the key alone names the request (spec
 * 4.2). The tokens of a platform share their keys, an agent's are its own.
 */
export function slotOf(request: string, principal: Principal | undefined, body?: string): Slot {
  const owner = principal && ownerOf(principal);
  return {
    id: owner === undefined ? request : `${owner} ${request}`,
    fingerprint: body === undefined ? '' : fingerprintOf(body),
  };
}

/**
 * The first answer to this key, if there was one (spec 4.2: the same key sent again returns the same response).
 * The same key with another body is 409 `CONFLICT`.
 */
export function replayed(world: World, slot: Slot): { status: number; text: string } | undefined {
  const kept = world.rows(FIRST_ANSWERS).get(slot.id);
  if (!kept || world.clock.now() - kept.at > RETENTION_MS) return undefined;
  if (kept.fingerprint !== slot.fingerprint)
    fail('CONFLICT', 'this Idempotency-Key was used with another body', {
      why: { rule: 'spec 4.2: the same key names the same request' },
    });
  return kept;
}

/** Keep an answer of 2xx, or a refusal by a rule; a 5xx is tried again, and a 400 for shape never comes here. Answers past their time are forgotten on the way. */
export function keep(world: World, slot: Slot, status: number, text: string): void {
  if (status >= 500 || status === 401) return;
  const kept = world.rows(FIRST_ANSWERS);
  const now = world.clock.now();
  for (const old of kept.rows()) {
    if (now - old.at <= RETENTION_MS) break;
    kept.remove(old.id);
  }
  if (kept.get(slot.id)) kept.remove(slot.id);
  kept.insert({ ...slot, status, text, at: now });
}

import { fail } from '../contract/errors.ts';
import { FIRST_ANSWERS, fingerprintOf } from '../declare/first-answers.ts';
import { ownerOf, type Principal } from '../declare/operation.ts';
import type { World } from '../engine/world.ts';

/** The virtual milliseconds for which a first reply is kept. */
const RETENTION_MS = 24 * 3600 * 1000;

/** The slot of one key: the same key on another operation is another request. */
export interface Slot {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * Returns the slot of a key; `request` is method, path and key. `body` is omitted if the key alone identifies the
 * request (spec 4.2). The tokens of a platform share their keys, but each agent has its own.
 */
export function slotOf(request: string, principal: Principal | undefined, body?: string): Slot {
  const owner = principal && ownerOf(principal);
  return {
    id: owner === undefined ? request : `${owner} ${request}`,
    fingerprint: body === undefined ? '' : fingerprintOf(body),
  };
}

/**
 * Returns the first reply to this key, if there was one (spec 4.2: the same key returns the same response). 409
 * `CONFLICT` for the same key with another body.
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

/**
 * Keeps a 2xx, or a refusal by a rule, but no 5xx, which a client may retry, and no 401. A 400 for shape never gets
 * here. It also removes expired replies.
 */
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
